// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/mixtures/loss_given_default.hpp>
#include <sporos/models/mixtures/mixture_histogram.hpp>

#include "harness/refusal.hpp"
#include "models/mixtures/sample_data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace sporos::models {
namespace loss_given_default_tests {

TEST(LossGivenDefault, IsWhatTheFileHolds) {
  EXPECT_EQ(invented_losses(paper_losses_size, 1), test::sample_of("loss_given_default").values);
  EXPECT_NE(invented_losses(paper_losses_size, 2), test::sample_of("loss_given_default").values);
}

TEST(LossGivenDefault, DependsOnSeedAndIndexAlone) {
  const auto many = invented_losses(100'000, 1), few = invented_losses(1000, 1);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
  EXPECT_EQ(test::refusal([] { invented_losses(0, 1); }).find("number of losses is 0"), 0u);
}

TEST(LossGivenDefault, HasTies) {
  const auto losses = test::sample_of("loss_given_default").values;
  EXPECT_LT(std::set<double>(losses.begin(), losses.end()).size(), losses.size() - 500);
}

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

// Largest distance between the distribution functions of the sample and the mixture, times √n.
double kolmogorov(std::vector<double> sample, const NormalMixture& mixture) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double most = 0, rank = 0;
  for (const double y : sample) {
    double below = 0;
    for (const auto& [weight, mean, deviation] : mixture) below += weight * normal_cdf((y - mean) / deviation);
    most = std::max({most, std::abs(below - rank / n), std::abs(below - (rank + 1) / n)});
    ++rank;
  }
  return most * std::sqrt(n);
}

// The distance exceeds x with probability 2 e^(−2 x²), which is 2e-6 for 2.63. Rounding to 1e-4 moves the distance by
// less than 0.05.
TEST(LossGivenDefault, IsDistributedAsItsMixture) {
  constexpr double threshold = 2.63 + 0.05;
  const auto losses = invented_losses(100'000, 7);
  EXPECT_LT(kolmogorov(losses, loss_given_default_mixture()), threshold);
  NormalMixture other = loss_given_default_mixture();
  other[1].weight = 0.06;
  other[2].weight = 0.27;
  EXPECT_GT(kolmogorov(losses, other), threshold);
}

TEST(LossGivenDefault, IsStandardized) {
  double mean = 0, square = 0;
  for (const auto& [weight, center, deviation] : loss_given_default_mixture()) {
    mean += weight * center;
    square += weight * (center * center + deviation * deviation);
  }
  EXPECT_NEAR(mean, 0, 1e-15);
  EXPECT_NEAR(square, 1, 0.005);
}

TEST(Table1Sample, IsAPartWithoutReplacementOrAMultiple) {
  std::vector<double> numbers(paper_losses_size);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
  const auto some = table_1_sample(numbers, 500, 3).values, more = table_1_sample(numbers, 4000, 3).values;
  EXPECT_EQ(std::set<double>(more.begin(), more.end()).size(), 4000u);
  EXPECT_TRUE(std::equal(some.begin(), some.end(), more.begin()));
  EXPECT_NE(some, table_1_sample(numbers, 500, 4).values);
  EXPECT_EQ(table_1_sample(numbers, paper_losses_size, 3).values, numbers);
  const auto all = table_1_sample(numbers, 4 * paper_losses_size, 3).values;
  EXPECT_EQ(all.size(), 28'204u);
  for (const double number : {0.0, 17.0, 7050.0}) EXPECT_EQ(std::count(all.begin(), all.end(), number), 4);
}

TEST(Table1Sample, RefusesOtherSizes) {
  const auto refused = [](std::size_t of, std::int64_t size) {
    return test::refusal([&] { table_1_sample(std::vector<double>(of), size, 1); });
  };
  EXPECT_EQ(refused(7051, 0), "sample size is 0, expected a number from 1 to 7051, or a multiple of 7051");
  EXPECT_EQ(refused(7051, 7052), "sample size is 7052, expected a number from 1 to 7051, or a multiple of 7051");
  EXPECT_EQ(refused(7050, 500), "number of observations is 7050, expected 7051");
}

// Compares with ∫ f′² by the trapezoidal rule.
TEST(Histogram, HasTheWidthOfLeastError) {
  const NormalMixture mixture = loss_given_default_mixture();
  constexpr double step = 1e-4;
  double integral = 0;
  for (double y = -4; y < 6; y += step) {
    const double slope = (density(mixture, y + step) - density(mixture, y)) / step;
    integral += slope * slope * step;
  }
  EXPECT_NEAR(best_bin_width(mixture, 7051), std::cbrt(6 / (7051 * integral)), 1e-6);
}

double total(const BinnedObservations& bins) {
  double sum = 0;
  for (const double count : bins.counts) sum += count;
  return sum;
}

TEST(Histogram, CountsEveryObservation) {
  const Observations sample = test::sample_of("loss_given_default");
  const auto bins = histogram_of(sample, loss_given_default_mixture());
  EXPECT_EQ(total(bins), 7051);
  EXPECT_EQ(bins.counts.size(), 200u);
  for (std::size_t b : {std::size_t{0}, std::size_t{17}, std::size_t{199}}) {
    const auto inside = [&](double y) { return y >= bins.edges[b] && y < bins.edges[b + 1]; };
    EXPECT_NEAR(static_cast<double>(std::count_if(sample.values.begin(), sample.values.end(), inside)), bins.counts[b],
                b == 199 ? 1 : 0);
  }
  Observations weighted = sample;
  weighted.weights.assign(7051, 2.5);
  EXPECT_NEAR(total(histogram_of(weighted, loss_given_default_mixture())), 2.5 * 7051, 1e-9);
}

TEST(Histogram, HasBinsOfWholeUnits) {
  const auto bins = histogram_of(test::sample_of("old_faithful"), {{0.36, 54.6, 5.9}, {0.64, 80.1, 5.9}});
  EXPECT_EQ(bins.edges[0], 42.5);
  EXPECT_EQ(bins.edges[1], 46.5);
  EXPECT_EQ(total(bins), 272);
}

TEST(Histogram, IsOneBinWhereAllAreEqual) {
  const auto bins = histogram_of({{3, 3, 3}}, NormalMixture(1, {1, 3, 0.5}));
  EXPECT_EQ(bins.edges, (std::vector<double>{2.5, 3.5}));
  EXPECT_EQ(bins.counts, (std::vector<double>{3}));
}

}  // namespace loss_given_default_tests
}  // namespace sporos::models
