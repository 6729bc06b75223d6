// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/best_point.hpp>

#include <gtest/gtest.h>
#include <harness/long_tests.hpp>

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

namespace best_point_tests {

using namespace sporos;

using Observations = std::vector<std::vector<double>>;  // by design point

std::vector<double> probabilities(const Observations& observations, Best best = Best::largest, std::uint64_t seed = 1) {
  BestPoint procedure(std::vector(observations.size(), estimator_of(0)),
                      static_cast<std::int64_t>(observations.front().size()));
  for (std::size_t point = 0; point < observations.size(); ++point) {
    for (const double observation : observations[point]) procedure.add(point, 0, observation);
  }
  return procedure.probabilities(best, seed);
}

// Normal observations; `common` is the share of the variance that the design points have in common.
Observations normals(const std::vector<double>& means, std::size_t count, double common, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  Observations observations(means.size());
  for (std::size_t i = 0; i < count; ++i) {
    const double shared = std::sqrt(common) * normal(generator);
    for (std::size_t point = 0; point < means.size(); ++point) {
      observations[point].push_back(means[point] + shared + std::sqrt(1 - common) * normal(generator));
    }
  }
  return observations;
}

double phi(double x) { return boost::math::cdf(boost::math::normal(), x); }

// Probability that the second mean is larger if the difference is normal about the observed one, with standard
// deviation `deviation` / √n.
double normal_approximation(const Observations& observations, double deviation) {
  double difference = 0;
  const auto count = static_cast<double>(observations[0].size());
  for (std::size_t i = 0; i < observations[0].size(); ++i) difference += observations[1][i] - observations[0][i];
  return phi(difference / count / (deviation / std::sqrt(count)));
}

// The standard deviation of the difference is known to be sqrt(2 (1 − common)). The resampling error is 0.005, and the
// relative error of the estimated deviation is 5 %.
TEST(BestPoint, HasTheProbabilityOfTheNormalApproximation) {
  constexpr double tolerance = 0.04;
  for (const double common : {0.0, 0.9}) {
    for (const double difference : {0.0, 0.5, 1.0, 2.0}) {  // in standard errors
      const double deviation = std::sqrt(2 * (1 - common)), mean = difference * deviation / std::sqrt(1000.0);
      for (unsigned seed = 1; seed <= test::runs_in_test(1U, 3U); ++seed) {
        const Observations observations = normals({0, mean}, 1000, common, seed);
        const auto found = probabilities(observations);
        EXPECT_NEAR(found[1], normal_approximation(observations, deviation), tolerance) << common << difference << seed;
        EXPECT_NEAR(found[0] + found[1], 1, 1e-12);
      }
    }
  }
}

TEST(BestPointControl, WhatPointsHaveInCommonMustNotCount) {
  const Observations observations = normals({0, 0.02}, 1000, 0.9, 1);
  EXPECT_GT(std::abs(probabilities(observations)[1] - normal_approximation(observations, std::sqrt(2.0))), 0.04);
}

// If two means are equal, the probability is close to uniform: it is below p in a share p of macro-replications.
// Kolmogorov's distance exceeds 2.23 / √n with probability 10^-4.
double distance_from_uniform(const std::vector<double>& values) {
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  double distance = 0;
  const auto n = static_cast<double>(sorted.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto below = static_cast<double>(i);
    distance = std::max({distance, (below + 1) / n - sorted[i], sorted[i] - below / n});
  }
  return distance * std::sqrt(n);
}

TEST(BestPoint, IsAsSureAsItShouldBe) {
  std::vector<double> found, too_sure;
  for (unsigned seed = 0; seed < 100; ++seed) {
    const double p = probabilities(normals({0, 0}, 30, 0.5, seed))[0];
    found.push_back(p);
    too_sure.push_back(p < 0.5 ? 0.2 * p : 1 - 0.2 * (1 - p));
  }
  EXPECT_LT(distance_from_uniform(found), 2.23);
  EXPECT_GT(distance_from_uniform(too_sure), 2.23) << "control";
}

TEST(BestPoint, IsClearWherePointsAre) {
  const Observations observations = normals({0, 2, 1}, 500, 0, 1);
  EXPECT_EQ(probabilities(observations, Best::largest), (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(probabilities(observations, Best::smallest), (std::vector<double>{1, 0, 0}));
}

TEST(BestPoint, SharesWhatPointsTieFor) {
  Observations observations = normals({0, 2}, 500, 0, 1);
  observations.push_back(observations[1]);
  const auto found = probabilities(observations);
  EXPECT_EQ(found[0], 0);
  EXPECT_NEAR(found[1], 0.5, 1e-12);
  EXPECT_EQ(found[1], found[2]);
  for (const double share : probabilities(Observations(4, std::vector<double>(10, 3.0))))
    EXPECT_NEAR(share, 0.25, 1e-12);
}

TEST(BestPoint, IsTheSmallestOfWhatIsTheLargestBelowZero) {
  Observations observations = normals({0, 0.05, 0.02}, 100, 0, 1);
  const auto largest = probabilities(observations, Best::largest);
  for (auto& point : observations) {
    for (double& x : point) x = -x;
  }
  EXPECT_EQ(probabilities(observations, Best::smallest), largest);
}

TEST(BestPoint, DependsOnItsSeedWithinTheErrorOfResampling) {
  const Observations observations = normals({0, 0.02, 0.01}, 100, 0, 1);
  const auto one = probabilities(observations, Best::largest, 1), two = probabilities(observations, Best::largest, 2);
  EXPECT_EQ(probabilities(observations, Best::largest, 1), one);
  EXPECT_NE(one, two);
  for (std::size_t point = 0; point < 3; ++point) EXPECT_NEAR(one[point], two[point], 0.03);
}

// The number of observations need not be a multiple of the 256 averages that are kept for each point.
TEST(BestPoint, TakesAnyNumberOfObservations) {
  for (const std::size_t count : {1, 2, 255, 256, 257, 1000, 100'003}) {
    const auto found = probabilities(normals({0, 10}, count, 0, 1));
    EXPECT_EQ(found[1], 1) << count;
  }
}

// Response 0 over response 1 is 1/10 or 1/0.1 at the first point and 1/1 at the second. The ratio of means is larger at
// the second point, the mean of the ratios at the first.
TEST(BestPoint, ComparesRatiosOfMeans) {
  const RatioOfMeans ratio{2, {0, {{0, 1}}}, {0, {{1, 1}}}};
  for (const bool is_ratio : {true, false}) {
    const std::vector<RatioOfMeans> ratios = is_ratio ? std::vector{ratio} : std::vector<RatioOfMeans>();
    BestPoint best(std::vector(2, estimator_of(2, ratios)), 600);
    for (std::size_t point = 0; point < 2; ++point) {
      for (std::size_t response = 0; response < 3; ++response) {  // one by one, as experiments report them
        for (int i = 0; i < 600; ++i) {
          const double length = point == 1 ? 1 : i % 2 == 0 ? 10 : 0.1;
          best.add(point, response, response == 0 ? 1 : response == 1 ? length : 1 / length);
        }
      }
    }
    EXPECT_EQ(best.probabilities(Best::largest, 1)[1], is_ratio ? 1 : 0);
  }
}

// The ratio of 0.5 + 2 × response 0 to 3 − response 1 is about 0.9 at the first point and 1 at the second.
TEST(BestPoint, KnowsConstantsOfLinearForms) {
  const RatioOfMeans ratio{2, {0.5, {{0, 2}}}, {3, {{1, -1}}}};
  BestPoint best(std::vector(2, ratio), 300);
  for (std::size_t point = 0; point < 2; ++point) {
    for (int i = 0; i < 300; ++i) best.add(point, 0, point == 0 ? 0.65 : 0.25);
    for (int i = 0; i < 300; ++i) best.add(point, 1, point == 0 ? 1 : 2);
  }
  EXPECT_EQ(best.probabilities(Best::largest, 1), (std::vector<double>{0, 1}));
}

TEST(BestPoint, IsNoneThatHasNoEstimate) {
  const RatioOfMeans ratio{2, {0, {{0, 1}}}, {0, {{1, 1}}}};
  BestPoint best(std::vector(2, ratio), 10);
  EXPECT_EQ(best.probabilities(Best::largest, 1), (std::vector<double>{0.5, 0.5})) << "before there is anything";
  for (std::size_t point = 0; point < 2; ++point) {
    for (const std::size_t response : {0u, 1u}) {
      for (int i = 0; i < 10; ++i) best.add(point, response, static_cast<double>(point));
    }
  }
  EXPECT_EQ(best.probabilities(Best::smallest, 1), (std::vector<double>{0, 1}));
}

TEST(BestPoint, RefusesPointsWithDifferentNumbersOfObservations) {
  BestPoint best(std::vector(2, estimator_of(0)), 3);
  for (int i = 0; i < 3; ++i) best.add(0, 0, i);
  EXPECT_THROW(best.probabilities(Best::largest, 1), std::logic_error);
  for (int i = 0; i < 3; ++i) best.add(1, 0, i);
  EXPECT_NO_THROW(best.probabilities(Best::largest, 1));
  EXPECT_THROW(best.add(0, 0, 1), std::out_of_range);
  EXPECT_THROW(best.add(2, 0, 1), std::out_of_range);
}

}  // namespace best_point_tests
