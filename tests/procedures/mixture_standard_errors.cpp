// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/math/normal.hpp>
#include <sporos/models/mixtures/classification_entropy.hpp>
#include <sporos/models/mixtures/expectation_maximization.hpp>
#include <sporos/procedures/mixture_standard_errors.hpp>

#include "harness/backends.hpp"
#include "harness/serial_or_host.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace sporos {
namespace mixture_standard_errors_tests {

using models::MixtureLikelihood;
using models::NormalMixture;
using models::Observations;
using test::SerialOrHost;

// Quantiles of two normal distributions that overlap.
Observations two_groups() {
  Observations sample;
  for (int i = 0; i < 400; ++i) {
    const double u = (i + 0.5) / 400;
    sample.values.push_back(math::normal_quantile(u));
    if (i % 3 == 0) sample.values.push_back(2.5 + 0.7 * math::normal_quantile(u));
  }
  return sample;
}

NormalMixture fitted(const Observations& sample, const NormalMixture& start) {
  MixtureLikelihood<SerialOrHost> likelihood(sample);
  models::EmOptions options;
  options.iterations = 100'000;
  options.tolerance = 1e-15;
  return maximize_by_em(likelihood, {start}, options)[0].mixture;
}

long double density(const NormalMixture& mixture, double y, std::size_t only) {
  long double sum = 0;
  for (std::size_t c = 0; c < mixture.size(); ++c) {
    if (only < mixture.size() && c != only) continue;
    const long double z = (static_cast<long double>(y) - mixture[c].mean) / mixture[c].deviation;
    sum += mixture[c].weight / mixture[c].deviation * std::exp(-z * z / 2) /
           std::sqrt(2 * std::numbers::pi_v<long double>);
  }
  return sum;
}

// Log-likelihood L in the five parameters of two components, in long double.
long double plain_likelihood(const Observations& sample, const std::vector<long double>& p) {
  long double sum = 0;
  const long double weights[] = {p[0], 1 - p[0]};
  for (const double y : sample.values) {
    long double f = 0;
    for (std::size_t c = 0; c < 2; ++c) {
      const long double z = (y - p[1 + c]) / p[3 + c];
      f += weights[c] / p[3 + c] * std::exp(-z * z / 2);
    }
    sum += std::log(f);
  }
  return sum;
}

template <class Space>
class StandardErrorsTest : public ::testing::Test {};
TYPED_TEST_SUITE(StandardErrorsTest, test::Backends, test::BackendName);

TYPED_TEST(StandardErrorsTest, OfOneComponentAreTheTextbooks) {
  MixtureLikelihood<TypeParam> likelihood(two_groups());
  const NormalMixture fit = fitted(two_groups(), {{1, 0, 1}});
  const auto errors = standard_errors(likelihood, fit, 0);
  const double n = likelihood.total_weight();
  EXPECT_EQ(errors[0].weight, 0);
  EXPECT_NEAR(errors[0].mean, fit[0].deviation / std::sqrt(n), 1e-7 * fit[0].deviation);
  EXPECT_NEAR(errors[0].deviation, fit[0].deviation / std::sqrt(2 * n), 1e-7 * fit[0].deviation);
}

// Compares with second differences of L in long double, in other parameters.
TYPED_TEST(StandardErrorsTest, OfTwoComponentsAreThoseOfTheHessian) {
  const Observations sample = two_groups();
  const NormalMixture fit = fitted(sample, {{0.7, 0, 1}, {0.3, 2.5, 0.7}});
  const std::vector<long double> at = {fit[0].weight, fit[0].mean, fit[1].mean, fit[0].deviation, fit[1].deviation};
  constexpr long double step = 1e-4L;
  SquareMatrix information(5);
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      const auto value = [&](long double di, long double dj) {
        std::vector<long double> p = at;
        p[i] += di;
        p[j] += dj;
        return plain_likelihood(sample, p);
      };
      const long double second = value(step, step) - value(step, -step) - value(-step, step) + value(-step, -step);
      information(i, j) = -static_cast<double>(second / (4 * step * step));
    }
  }
  const SquareMatrix covariance = inverse_of_definite(information).value();
  MixtureLikelihood<TypeParam> likelihood(sample);
  const auto errors = standard_errors(likelihood, fit, 0);
  const double found[] = {errors[0].weight, errors[0].mean, errors[1].mean, errors[0].deviation, errors[1].deviation};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(found[i], std::sqrt(covariance(i, i)), 1e-5 * found[i]) << i;
  EXPECT_NEAR(errors[1].weight, errors[0].weight, 1e-9 * errors[0].weight);  // because both weights add up to 1
}

TYPED_TEST(StandardErrorsTest, AreMissingAtTheFloorAndWithoutWeight) {
  MixtureLikelihood<TypeParam> likelihood(two_groups());
  NormalMixture fit = fitted(two_groups(), {{0.7, 0, 1}, {0.3, 2.5, 0.7}});
  const double floor = fit[1].deviation;
  fit.push_back({0, 1, 1});
  const auto errors = standard_errors(likelihood, fit, floor);
  EXPECT_TRUE(std::isnan(errors[1].deviation));
  EXPECT_GT(errors[1].mean, 0);
  EXPECT_GT(errors[0].deviation, 0);
  EXPECT_TRUE(std::isnan(errors[2].weight));
  EXPECT_TRUE(std::isnan(errors[2].mean));
  EXPECT_TRUE(std::isnan(errors[2].deviation));
}

// Two identical components can exchange weight without loss.
TYPED_TEST(StandardErrorsTest, AreMissingWhereTheInformationIsSingular) {
  MixtureLikelihood<TypeParam> likelihood(two_groups());
  const NormalMixture one = fitted(two_groups(), {{1, 0, 1}});
  const NormalMixture twins = {{0.5, one[0].mean, one[0].deviation}, {0.5, one[0].mean, one[0].deviation}};
  for (const auto& error : standard_errors(likelihood, twins, 0)) EXPECT_TRUE(std::isnan(error.mean));
}

TYPED_TEST(StandardErrorsTest, EntropyIsTheSharesOwn) {
  const Observations sample = two_groups();
  const NormalMixture mixture = {{0.6, 0.1, 0.9}, {0.4, 2.2, 0.8}};
  long double expected = 0;
  for (const double y : sample.values) {
    for (std::size_t c = 0; c < 2; ++c) {
      const long double share = density(mixture, y, c) / density(mixture, y, 2);
      expected -= share * std::log(share);
    }
  }
  MixtureLikelihood<TypeParam> likelihood(sample);
  EXPECT_NEAR(classification_entropy(likelihood, mixture), static_cast<double>(expected), 1e-10);
  EXPECT_NEAR(classification_entropy(likelihood, {{1, 0, 1}}), 0, 1e-9);
}

}  // namespace mixture_standard_errors_tests
}  // namespace sporos
