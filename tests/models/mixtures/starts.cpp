// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/mixtures/mixture_coordinates.hpp>
#include <sporos/models/mixtures/mixture_starts.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::models {
namespace starts_tests {

Observations sample_of_three_groups() {
  Observations sample;
  for (const double center : {100.0, 0.0, 10.0}) {
    for (int i = 0; i < 50; ++i) sample.values.push_back(center + 0.01 * i);
  }
  return sample;
}

TEST(SampleMoments, AreThoseOfWeightedObservations) {
  const SampleMoments found = moments({{1, 2, 50, 3, 6}, {1, 2, 0, 1, 4}});
  EXPECT_EQ(found.weight, 8);
  EXPECT_NEAR(found.mean, 4, 1e-15);
  EXPECT_NEAR(found.deviation, std::sqrt(34.0 / 8), 1e-15);
}

TEST(Midpoints, AreFiniteWhateverTheEdges) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Observations points = midpoints({{-infinity, 1, 3, infinity}, {4, 5, 6}});
  EXPECT_EQ(points.values, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(points.weights, (std::vector<double>{4, 5, 6}));
}

TEST(MixtureStarts, QuantilesCutTheOrderedSampleIntoEqualParts) {
  const NormalMixture start = MixtureStarts({{4, 1, 3, 2, 8, 6}}, 0.1).by_quantiles(3);
  ASSERT_EQ(start.size(), 3u);
  const double means[] = {1.5, 3.5, 7}, deviations[] = {0.5, 0.5, 1};
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(start[c].weight, 1.0 / 3, 1e-15);
    EXPECT_NEAR(start[c].mean, means[c], 1e-14);
    EXPECT_NEAR(start[c].deviation, deviations[c], 1e-14);
  }
}

TEST(MixtureStarts, QuantilesCountWeights) {
  const NormalMixture start = MixtureStarts({{1, 5, 9}, {2, 0, 2}}, 0.1).by_quantiles(2);
  EXPECT_NEAR(start[0].mean, 1, 1e-14);
  EXPECT_NEAR(start[1].mean, 9, 1e-14);
  EXPECT_EQ(start[0].deviation, 0.1);
}

// The squared distances make it nearly certain that each of three distant groups gets a centre. A draw misses one with
// a probability below 1e-3, and 100 draws with this seed miss none.
TEST(MixtureStarts, CentresFindGroupsThatLieApart) {
  const MixtureStarts starts(sample_of_three_groups(), 0.001);
  for (std::uint64_t index = 0; index < 100; ++index) {
    const NormalMixture start = starts.by_centres(3, 1, index);
    EXPECT_NEAR(start[0].mean, 0.245, 1e-9);
    EXPECT_NEAR(start[1].mean, 10.245, 1e-9);
    EXPECT_NEAR(start[2].mean, 100.245, 1e-9);
    EXPECT_NEAR(start[2].deviation, 0.01 * std::sqrt((50.0 * 50 - 1) / 12), 1e-9);
  }
}

TEST(MixtureStarts, DifferByTheirIndexAndSeedAlone) {
  const MixtureStarts starts({{1, 2, 4, 7, 11, 16, 22, 29, 37, 46}}, 0.001);
  const auto first_mean = [&](std::uint64_t seed, std::uint64_t index) {
    return starts.by_centres(3, seed, index)[0].mean;
  };
  int differ = 0;
  for (std::uint64_t index = 0; index < 20; ++index) {
    EXPECT_EQ(first_mean(1, index), first_mean(1, index));
    differ += first_mean(1, index) != first_mean(2, index) ? 1 : 0;
  }
  EXPECT_GT(differ, 0);
}

// With more components than different values, parts without observations start like the whole sample.
TEST(MixtureStarts, AreWholeWhereValuesAreFew) {
  const MixtureStarts starts({{0, 0, 0, 0, 1, 1, 1, 1}}, 0.01);
  for (const NormalMixture& start : {starts.by_quantiles(5), starts.by_centres(5, 1, 1)}) {
    EXPECT_NO_THROW(check(start));
    EXPECT_EQ(start.size(), 5u);
    for (const NormalComponent& component : start) EXPECT_GE(component.deviation, 0.01);
  }
}

TEST(MixtureCoordinates, GoThereAndBack) {
  const MixtureCoordinates coordinates{3, 2, 0.1};
  const NormalMixture mixture = {{0.2, -1, 0.3}, {0.5, 4, 1.5}, {0.3, 9, 0.11}};
  const std::vector<double> x = coordinates.of(mixture);
  ASSERT_EQ(static_cast<std::int64_t>(x.size()), MixtureCoordinates::dimension(3));
  double row[9];
  coordinates.set_parameters(x.data(), 3, row);
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(row[c], mixture[c].weight, 1e-15);
    EXPECT_NEAR(row[3 + c], mixture[c].mean, 1e-14);
    EXPECT_NEAR(row[6 + c], mixture[c].deviation, 1e-14);
  }
}

TEST(MixtureCoordinates, EveryPointIsAMixtureAboveTheFloor) {
  const MixtureCoordinates coordinates{3, 2, 0.1};
  for (const double far : {-300.0, -40.0, 40.0, 300.0}) {
    const std::vector<double> x = {far, -far, 0, 1, -1, far, -far, 0};
    double row[9];
    coordinates.set_parameters(x.data(), 3, row);
    EXPECT_NEAR(row[0] + row[1] + row[2], 1, 1e-15);
    for (int i = 0; i < 9; ++i) EXPECT_TRUE(std::isfinite(row[i])) << far << ' ' << i;
    for (int i = 6; i < 9; ++i) EXPECT_GE(row[i], 0.1);
  }
}

TEST(MixtureCoordinates, AreFiniteAtTheEdgeOfWhatIsAllowed) {
  for (const double x : MixtureCoordinates{0, 1, 0.1}.of({{0, 0, 0.1}, {1, 0, 1}})) EXPECT_TRUE(std::isfinite(x));
}

}  // namespace starts_tests
}  // namespace sporos::models
