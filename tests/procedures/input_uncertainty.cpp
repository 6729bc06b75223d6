// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks input uncertainty: values of parameters that agree with the data, the split of variance where it is known
// exactly, and how often intervals cover. Binomial bands for the number of covering macro-replications raise a false
// alarm with probability 10^-5 per side.
#include "harness/serial_or_host.hpp"

#include <harness/backends.hpp>
#include <harness/binomial_band.hpp>
#include <harness/long_tests.hpp>
#include <harness/refusal.hpp>

#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/statistics/moments.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/procedures/sensitivity/estimated_input.hpp>
#include <sporos/procedures/sensitivity/input_uncertainty.hpp>

#include <gtest/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace input_uncertainty_tests {

using namespace sporos;
using models::MM1;
using test::binomial_band;
using test::SerialOrHost;

std::vector<double> normals(std::size_t count, double mean, double deviation, std::mt19937_64& generator) {
  std::normal_distribution<double> normal(mean, deviation);
  std::vector<double> values(count);
  for (double& value : values) value = normal(generator);
  return values;
}

Moments moments_of(const std::vector<double>& values) {
  MomentsTree tree;
  for (const double value : values) tree.add(value);
  return tree.total();
}

// Compares average and variance of 40 000 samples. Five standard errors are 2.5 % of a standard deviation, and 3.5 % of
// a variance with the kurtosis of a normal distribution.
void expect_moments(InputStatistic statistic, const std::vector<double>& data, InputSampling sampling, double mean,
                    double variance) {
  const Moments found = moments_of(input_samples(statistic, data, sampling, 40'000, 3, 0));
  EXPECT_NEAR(found.mean, mean, 0.025 * std::sqrt(variance)) << name_of(statistic);
  EXPECT_NEAR(found.variance() / variance, 1, 0.05) << name_of(statistic);
}

TEST(InputSamples, HaveTheMomentsOfTheirDistribution) {
  std::mt19937_64 generator(1);
  std::vector<double> data = normals(60, 10, 2, generator);
  const Moments moments = moments_of(data);
  const double m = 60, variance = moments.variance(), sum = m * moments.mean;
  expect_moments(InputStatistic::mean, data, InputSampling::bootstrap, moments.mean, variance * (m - 1) / m / m);
  expect_moments(InputStatistic::mean, data, InputSampling::posterior, moments.mean, variance / m * (m - 1) / (m - 3));
  expect_moments(InputStatistic::rate, data, InputSampling::posterior, m / sum, m / sum / sum);
  // The posterior of the variance is inverse gamma; gamma functions give the mean of its root.
  const double half = (m - 1) / 2, scale = moments.squared_deviation / 2;
  const double root = std::sqrt(scale) * std::exp(std::lgamma(half - 0.5) - std::lgamma(half));
  expect_moments(InputStatistic::deviation, data, InputSampling::posterior, root, scale / (half - 1) - root * root);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = i % 4 == 0 ? 1 : 0;
  const double a = 15.5, b = 45.5;
  expect_moments(InputStatistic::probability, data, InputSampling::posterior, a / (a + b),
                 a * b / ((a + b) * (a + b) * (a + b + 1)));
  expect_moments(InputStatistic::probability, data, InputSampling::bootstrap, 0.25, 0.25 * 0.75 / m);
}

TEST(InputSamples, DifferByInputAndSeed) {
  const std::vector<double> data{1, 2, 3, 5, 8};
  const auto of = [&](std::uint64_t seed, std::uint32_t input) {
    return input_samples(InputStatistic::mean, data, InputSampling::bootstrap, 20, seed, input);
  };
  EXPECT_EQ(of(1, 0), of(1, 0));
  EXPECT_NE(of(1, 0), of(1, 1));
  EXPECT_NE(of(1, 0), of(2, 0));
}

TEST(Estimates, RefuseObservationsThatTheyCannotHave) {
  const auto reported = [](InputStatistic statistic, const std::vector<double>& data) {
    return test::refusal([&] { estimate(statistic, data); });
  };
  EXPECT_EQ(reported(InputStatistic::mean, {}), "number of observations is 0, expected at least 2");
  EXPECT_EQ(reported(InputStatistic::rate, {1, -2}), "observation 2 is -2, expected a positive number, for a rate");
  EXPECT_EQ(reported(InputStatistic::probability, {1, 0, 0.5}),
            "observation 3 is 0.5, expected 0 or 1, for a probability");
  EXPECT_EQ(estimate(InputStatistic::rate, std::vector{1.0, 3.0}), 0.5);
  EXPECT_EQ(estimate(InputStatistic::deviation, std::vector{1.0, 3.0}), std::sqrt(2.0));
}

// A response 2 a + b + noise of two means a and b that are estimated from normal data.
struct LinearGaussian {
  static constexpr std::size_t of_a = 50, of_b = 100;  // numbers of observations
  static constexpr double deviation_of_b = 2, noise = 1;
  static constexpr int replications = 5;
  static constexpr double variance_of_a = 4.0 / of_a, variance_of_b = deviation_of_b * deviation_of_b / of_b;

  // Means at the outer samples only, or at all points of a design.
  static std::vector<PointMean> means(const PickFreeze& design, bool only_bases, std::uint64_t seed,
                                      std::mt19937_64& generator) {
    const auto a_data = normals(of_a, 0, 1, generator), b_data = normals(of_b, 0, deviation_of_b, generator);
    const auto a = input_samples(InputStatistic::mean, a_data, InputSampling::bootstrap, design.base_count(), seed, 0);
    const auto b = input_samples(InputStatistic::mean, b_data, InputSampling::bootstrap, design.base_count(), seed, 1);
    std::vector<PointMean> list;
    for (std::size_t point = 0; point < design.point_count(); ++point) {
      if (only_bases && point % design.points_of_row() > 1) continue;
      const Moments moments = moments_of(normals(replications, 0, noise, generator));
      list.push_back({2 * a[design.base_of(point, 0)] + b[design.base_of(point, 1)] + moments.mean,
                      moments.variance() / replications});
    }
    return list;
  }
};

TEST(InputUncertainty, CoversALinearResponseOfNormalData) {
  const std::int64_t experiments = test::are_tests_long() ? 10'000 : 1000;
  std::mt19937_64 generator(11);
  std::int64_t both = 0, simulation = 0;
  Moments input_variance, simulation_variance;
  for (std::int64_t e = 0; e < experiments; ++e) {
    const auto means = LinearGaussian::means({2, 50}, true, static_cast<std::uint64_t>(e), generator);
    const InputUncertainty found = input_uncertainty(means, LinearGaussian::replications, 0.95);
    both += found.low <= 0 && 0 <= found.high ? 1 : 0;
    simulation += std::abs(found.mean) <= found.simulation_half_width ? 1 : 0;
    input_variance = combine(input_variance, {1, found.input_variance, 0, 0});
    simulation_variance = combine(simulation_variance, {1, found.simulation_variance, 0, 0});
  }
  // The bootstrap of 50 observations takes their variance for the true one: 0.944 of 10 000 intervals cover.
  EXPECT_GE(static_cast<double>(both), binomial_band(experiments, 0.935).least);
  EXPECT_LE(static_cast<double>(both), binomial_band(experiments, 0.955).most);
  EXPECT_LT(static_cast<double>(simulation), binomial_band(experiments, 0.5).least) << "the control";
  // The bootstrap's variance has m − 1 instead of m.
  const double exact = LinearGaussian::variance_of_a * 49 / 50 + LinearGaussian::variance_of_b * 99 / 100;
  const double error = std::sqrt(input_variance.variance() / static_cast<double>(experiments));
  EXPECT_NEAR(input_variance.mean, exact, 4.5 * error);
  EXPECT_NEAR(simulation_variance.mean, (exact + 0.2) / 100, 4.5 * error);
}

// Indices of the outer samples show which data matter most: 0.08 of 0.12 is due to a.
TEST(InputUncertainty, IsSplitAmongInputs) {
  std::mt19937_64 generator(5);
  const PickFreeze design{2, 4000};
  const auto means = LinearGaussian::means(design, false, 1, generator);
  const SobolIndices indices = sobol_indices(design, means, 4000, 1 - 1e-6);
  // The sample variances of the data are off by 20 and 14 %.
  EXPECT_NEAR(indices.first[0].value, 2.0 / 3, indices.first[0].half_width + 0.2);
  EXPECT_NEAR(indices.first[0].value + indices.first[1].value, 1,
              indices.first[0].half_width + indices.first[1].half_width);
  EXPECT_LT(indices.first[0].half_width, 0.4);
}

template <class ExecutionSpace>
class QueueFromData : public ::testing::Test {};
TYPED_TEST_SUITE(QueueFromData, test::Backends, test::BackendName);

constexpr std::int64_t queue_replications = 64;

// Means for ten customers of a queue whose rates have the posterior of 400 observations each, with averages 2 and 1.
template <class ExecutionSpace>
std::vector<PointMean> queue_means(const PickFreeze& design) {
  std::vector<double> gaps(400, 2.0), services(400, 1.0);
  const auto rates = input_samples(InputStatistic::rate, gaps, InputSampling::posterior, design.base_count(), 3, 0);
  const auto speeds =
      input_samples(InputStatistic::rate, services, InputSampling::posterior, design.base_count(), 3, 1);
  std::vector<MM1> queues;
  for (std::size_t point = 0; point < design.point_count(); ++point) {
    queues.push_back({rates[design.base_of(point, 0)], speeds[design.base_of(point, 1)], 10, 0});
  }
  Plan plan;
  plan.replications = queue_replications;
  plan.common_random_numbers = false;
  return point_means(simulate(ExecutionSpace(), queues, plan), 1);
}

// By the delta method, the variance of a response due to two rates is Σ (∂f/∂λ)² λ² / 400.
TYPED_TEST(QueueFromData, HasTheVarianceOfTheDeltaMethod) {
  const PickFreeze design{2, 1024};
  const auto means = queue_means<TypeParam>(design);
  const auto serial = queue_means<SerialOrHost>(design);
  const auto stay = [](double arrival_rate, double service_rate) {
    return *MM1{arrival_rate, service_rate, 10, 0}.exact_means()[1];
  };
  constexpr double h = 1e-4;
  const double by_arrivals = (stay(0.5 + h, 1) - stay(0.5 - h, 1)) / (2 * h) * 0.5 / 20;
  const double by_services = (stay(0.5, 1 + h) - stay(0.5, 1 - h)) / (2 * h) * 1 / 20;
  const double exact = by_arrivals * by_arrivals + by_services * by_services;
  std::vector<PointMean> outer;
  for (std::size_t point = 0; point < means.size(); ++point) {
    ASSERT_EQ(means[point].mean, serial[point].mean);
    if (point % design.points_of_row() < 2) outer.push_back(means[point]);
  }
  const InputUncertainty found = input_uncertainty(outer, queue_replications, 0.95);
  const SobolIndices indices = sobol_indices(design, means, 1024, 1 - 1e-6);
  EXPECT_NEAR(indices.first[1].value, by_services * by_services / exact, indices.first[1].half_width);
  EXPECT_LT(found.low, stay(0.5, 1));
  EXPECT_GT(found.high, stay(0.5, 1));
  // S² and N are from 2048 outer samples; the tolerance is five standard errors.
  const double spread = found.input_variance + indices.noise;
  EXPECT_NEAR(found.input_variance, exact, 5 * spread * std::sqrt(2.0 / 2048));
}

// Outer samples whose expectations are normal with standard deviation γ / √n, of n replications with deviation 1.
struct RandomEffects {
  static constexpr std::size_t outer = 40;
  static constexpr int replications = 2;
  double ratio;  // γ

  std::vector<PointMean> means(std::mt19937_64& generator) const {
    std::vector<PointMean> list;
    for (const double expectation : normals(outer, 0, ratio / std::sqrt(replications), generator)) {
      const Moments moments = moments_of(normals(replications, expectation, 1, generator));
      list.push_back({moments.mean, moments.variance() / replications});
    }
    return list;
  }
};

// For normal outer samples and normal replications the interval of γ is exact. The control takes the average of the
// noise variances for the noise itself: S² / N is then a chi-squared variate over its K − 1 degrees of freedom.
TEST(InputUncertainty, IntervalOfTheRatioCoversAsOftenAsItSays) {
  constexpr std::int64_t experiments = 4000;
  const boost::math::chi_squared spread(RandomEffects::outer - 1);
  const double freedom = RandomEffects::outer - 1, least = boost::math::quantile(spread, 0.025) / freedom,
               most = boost::math::quantile(boost::math::complement(spread, 0.025)) / freedom;
  const auto band = binomial_band(experiments, 0.95);
  std::mt19937_64 generator(17);
  for (const double ratio : {0.5, 2.0}) {
    std::int64_t covering = 0, careless = 0;
    for (std::int64_t e = 0; e < experiments; ++e) {
      const auto means = RandomEffects{ratio}.means(generator);
      const InputUncertainty found = input_uncertainty(means, RandomEffects::replications, 0.95);
      EXPECT_LE(found.ratio_low, found.ratio);
      EXPECT_GE(found.ratio_high, found.ratio);
      covering += found.ratio_low <= ratio && ratio <= found.ratio_high ? 1 : 0;
      MomentsTree expectations, noises;
      for (const PointMean& mean : means) {
        expectations.add(mean.mean);
        noises.add(mean.variance);
      }
      const double share = expectations.total().variance() / noises.total().mean / (1 + ratio * ratio);
      careless += least <= share && share <= most ? 1 : 0;
    }
    EXPECT_GE(static_cast<double>(covering), band.least) << ratio;
    EXPECT_LE(static_cast<double>(covering), band.most) << ratio;
    EXPECT_LT(static_cast<double>(careless), band.least) << "control, " << ratio;
  }
}

TEST(InputUncertainty, RatioIsThatOfAnkenmanAndNelson) {
  const std::vector<PointMean> outer(39, {1, 0.5});
  const InputUncertainty found = input_uncertainty(outer, 10, 0.95);
  EXPECT_EQ(found.ratio, 0);
  EXPECT_EQ(found.ratio_high, 0);
  EXPECT_EQ(found.input_variance, 0);
  EXPECT_EQ(found.low, 1);
  EXPECT_EQ(min_outer_samples(0.95), 39);
  EXPECT_EQ(min_outer_samples(0.9), 19);
  EXPECT_EQ(test::refusal([&] { input_uncertainty(std::vector<PointMean>(1), 10, 0.95); }),
            "number of outer samples is 1, expected at least 39, whose quantiles are the ends of the interval");
}

}  // namespace input_uncertainty_tests
