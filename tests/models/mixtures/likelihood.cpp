// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/mixtures/mixture_likelihood.hpp>

#include "harness/backends.hpp"
#include "harness/refusal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

namespace sporos::models {
namespace likelihood_tests {

constexpr double infinity = std::numeric_limits<double>::infinity();

NormalMixture some_mixture(int components) {
  NormalMixture mixture;
  for (int c = 0; c < components; ++c) {
    mixture.push_back({1.0 / components, -2.0 + 0.7 * c, 0.3 + 0.15 * (c % 4)});
  }
  return mixture;
}

Observations some_sample(std::size_t size, double shift = 0) {
  std::mt19937_64 engine(7);
  std::normal_distribution<double> normal;
  Observations sample;
  for (std::size_t i = 0; i < size; ++i) {
    sample.values.push_back(shift + 2 * normal(engine) + static_cast<double>(i % 3));
  }
  return sample;
}

long double exact_density(const NormalMixture& mixture, long double y) {
  constexpr long double inverse_sqrt_2pi = 0.398942280401432677939946059934381868L;
  long double sum = 0;
  for (const auto& [weight, mean, deviation] : mixture) {
    const long double z = (y - mean) / deviation;
    sum += weight * inverse_sqrt_2pi / deviation * std::exp(-z * z / 2);
  }
  return sum;
}

long double exact_log_likelihood(const NormalMixture& mixture, const Observations& sample) {
  long double sum = 0;
  for (std::size_t i = 0; i < sample.values.size(); ++i) {
    const long double weight = sample.weights.empty() ? 1 : sample.weights[i];
    sum += weight * std::log(exact_density(mixture, sample.values[i]));
  }
  return sum;
}

struct Evaluation {
  std::vector<double> values;
  std::vector<std::vector<double>> sums;
};

template <class Real, class Space, class Sample>
Evaluation evaluated(const Sample& sample, const std::vector<NormalMixture>& mixtures) {
  MixtureLikelihood<Space, Real> likelihood(sample);
  const auto batch = to_batch<Space>(mixtures);
  const Vector<Space> values("values", mixtures.size());
  const RowMatrix<Space> sums("sums", mixtures.size(), batch.parameters.extent(1));
  likelihood.evaluate(batch, values, sums);
  likelihood.execution().fence();
  const auto host_values = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
  const auto host_sums = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  Evaluation found;
  for (std::size_t m = 0; m < mixtures.size(); ++m) {
    found.values.push_back(host_values(m));
    found.sums.emplace_back();
    for (std::size_t j = 0; j < 3 * mixtures[m].size(); ++j) found.sums.back().push_back(host_sums(m, j));
  }
  return found;
}

template <class Space>
class MixtureLikelihoodTest : public ::testing::Test {
 protected:
  template <class Real = double, class Sample>
  static double value(const Sample& sample, const NormalMixture& mixture) {
    return evaluated<Real, Space>(sample, {mixture}).values[0];
  }
};
TYPED_TEST_SUITE(MixtureLikelihoodTest, test::Backends, test::BackendName);

TYPED_TEST(MixtureLikelihoodTest, IsThatOfLongDouble) {
  const std::vector<NormalMixture> mixtures = {some_mixture(1), some_mixture(3), some_mixture(10), some_mixture(64)};
  for (const std::size_t size : {1u, 31u, 33u, 2048u, 5000u}) {
    const Observations sample = some_sample(size);
    const Evaluation found = evaluated<double, TypeParam>(sample, mixtures);
    const Evaluation single = evaluated<float, TypeParam>(sample, mixtures);
    for (std::size_t m = 0; m < mixtures.size(); ++m) {
      const auto exact = static_cast<double>(exact_log_likelihood(mixtures[m], sample));
      EXPECT_NEAR(found.values[m], exact, 1e-13 * std::abs(exact)) << size << " observations, mixture " << m;
      EXPECT_NEAR(single.values[m], exact, 1e-6 * std::abs(exact)) << size << " observations, mixture " << m;
    }
  }
}

// Reference: scikit-learn 1.9.1, GaussianMixture(k, covariance_type="spherical").score_samples(y).sum() with these
// parameters.
TYPED_TEST(MixtureLikelihoodTest, IsThatOfScikitLearn) {
  Observations sample;
  for (int i = 1; i <= 1000; ++i) sample.values.push_back((i * i % 97 - 48) / 16.0);
  const Evaluation found = evaluated<double, TypeParam>(sample, {some_mixture(1), some_mixture(3), some_mixture(10)});
  const double published[] = {-41712.77388860096, -5812.204758179522, -2508.0049349203973};
  for (std::size_t m = 0; m < 3; ++m) EXPECT_NEAR(found.values[m], published[m], 1e-12 * std::abs(published[m])) << m;
}

TYPED_TEST(MixtureLikelihoodTest, SharesAreThoseOfLongDouble) {
  const NormalMixture mixture = some_mixture(5);
  Observations sample = some_sample(3000);
  for (std::size_t i = 0; i < sample.values.size(); ++i) sample.weights.push_back(static_cast<double>(i % 4));
  std::vector<long double> exact(15);
  for (std::size_t i = 0; i < sample.values.size(); ++i) {
    const long double y = sample.values[i], all = exact_density(mixture, y);
    for (std::size_t c = 0; c < 5; ++c) {
      const long double z = (y - mixture[c].mean) / mixture[c].deviation;
      const long double share = sample.weights[i] * exact_density({mixture[c]}, y) / all;
      exact[c] += share;
      exact[5 + c] += share * z;
      exact[10 + c] += share * z * z;
    }
  }
  const Evaluation found = evaluated<double, TypeParam>(sample, {mixture}),
                   single = evaluated<float, TypeParam>(sample, {mixture});
  for (std::size_t j = 0; j < 15; ++j) {
    EXPECT_NEAR(found.sums[0][j], static_cast<double>(exact[j]), 1e-10) << j;
    EXPECT_NEAR(single.sums[0][j], static_cast<double>(exact[j]), 1e-5 * 4500) << j;
  }
  const auto value = static_cast<double>(exact_log_likelihood(mixture, sample));
  EXPECT_NEAR(found.values[0], value, 1e-13 * std::abs(value));
}

TYPED_TEST(MixtureLikelihoodTest, IsTheSameBitsInAnyBatch) {
  const Observations sample = some_sample(5000);
  const std::vector<NormalMixture> mixtures = {some_mixture(7), some_mixture(2), some_mixture(9)};
  const Evaluation together = evaluated<double, TypeParam>(sample, mixtures);
  for (std::size_t m = 0; m < mixtures.size(); ++m) {
    const Evaluation separate = evaluated<double, TypeParam>(sample, {mixtures[m]});
    EXPECT_EQ(together.values[m], separate.values[0]);
    EXPECT_EQ(together.sums[m], separate.sums[0]);
    MixtureLikelihood<TypeParam> likelihood(sample);
    EXPECT_EQ(log_likelihood(likelihood, mixtures[m]), separate.values[0]);
  }
}

TYPED_TEST(MixtureLikelihoodTest, WeightsCountAsRepetitions) {
  Observations once = some_sample(400), thrice = once;
  once.weights.assign(400, 3.0);
  for (int repetition = 0; repetition < 2; ++repetition) {
    thrice.values.insert(thrice.values.end(), thrice.values.begin(), thrice.values.begin() + 400);
  }
  const double weighted = this->value(once, some_mixture(4));
  EXPECT_NEAR(weighted, this->value(thrice, some_mixture(4)), 1e-12 * std::abs(weighted));
}

// Compares with ln(w₁ φ((y − μ₁)/σ₁)/σ₁) of the nearer component; the other component is negligible.
TYPED_TEST(MixtureLikelihoodTest, NoObservationUnderflows) {
  const NormalMixture mixture = {{0.25, 0, 0.5}, {0.75, 10, 0.001}};
  for (const double y : {-60.0, -1e3, -1e6, -1e100}) {
    const double z = y / 0.5, expected = std::log(0.25 / 0.5) - 0.91893853320467274178 - 0.5 * z * z;
    Observations sample{{1.0, y}};
    const Evaluation found = evaluated<double, TypeParam>(sample, {mixture});
    EXPECT_NEAR(found.values[0] - this->value(Observations{{1.0}}, mixture), expected, 1e-12 * std::abs(expected));
    EXPECT_NEAR(found.sums[0][0], 2, 1e-12);
    if (y > -1e10) {
      EXPECT_NEAR(this->template value<float>(sample, mixture), found.values[0], 1e-6 * std::abs(expected));
    }
  }
  const double far = this->value(Observations{{0.0, 1.0}}, {{1, 0, 1e-250}});
  EXPECT_TRUE(std::isfinite(far) && far < -1e290) << far;
}

TYPED_TEST(MixtureLikelihoodTest, ADeviationThatCannotBeToldFromZeroGivesNaN) {
  const Observations sample{{0.0, 1.0}};
  EXPECT_TRUE(std::isnan(this->value(sample, NormalMixture(1, {1, 0, 1e-300}))));
  EXPECT_TRUE(std::isnan(this->template value<float>(sample, NormalMixture(1, {1, 0, 1e-35}))));
}

TYPED_TEST(MixtureLikelihoodTest, BinsHaveTheProbabilityBetweenTheirEdges) {
  const NormalMixture mixture = {{0.5, 0, 1}, {0.5, 3, 2}};
  const BinnedObservations sample{{-infinity, -1, 0, 0.5, 4, infinity}, {1, 2, 3, 4, 5}};
  const auto normal_cdf = [](double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); };
  double expected = 0;
  for (std::size_t b = 0; b < 5; ++b) {
    double probability = 0;
    for (const auto& [weight, mean, deviation] : mixture) {
      probability += weight * (normal_cdf((sample.edges[b + 1] - mean) / deviation) -
                               normal_cdf((sample.edges[b] - mean) / deviation));
    }
    expected += sample.counts[b] * std::log(probability);
  }
  EXPECT_NEAR(this->value(sample, mixture), expected, 1e-12 * std::abs(expected));
}

// As bins get narrow, ln P − ln width tends to ln f, and the shares tend to those of the observations.
TYPED_TEST(MixtureLikelihoodTest, NarrowBinsAreObservations) {
  constexpr double width = 1e-4;
  const NormalMixture mixture = {{0.3, 0, 1}, {0.7, 3, 0.02}};
  for (const double y : {0.4, 2.97, -20.0, -50.0, 60.0}) {
    const BinnedObservations bin{{y - width / 2, y + width / 2}, {1.0}};
    const Evaluation found = evaluated<double, TypeParam>(bin, {mixture});
    const Evaluation point = evaluated<double, TypeParam>(Observations{{y}}, {mixture});
    EXPECT_NEAR(found.values[0] - std::log(width), point.values[0], 2e-5) << y;
    for (std::size_t j = 0; j < 6; ++j) {
      EXPECT_NEAR(found.sums[0][j], point.sums[0][j], 1e-4 * (1 + std::abs(point.sums[0][j]))) << y << ' ' << j;
    }
  }
}

// Compares ∂L/∂ ln w (for weights that need not add up to 1), ∂L/∂μ and ∂L/∂ ln σ with differences of L.
template <class Space, class Sample>
void expect_sums_are_derivatives(const Sample& sample) {
  const NormalMixture mixture = {{0.4, -0.5, 1.1}, {0.6, 2, 0.7}};
  const Evaluation found = evaluated<double, Space>(sample, {mixture});
  constexpr double step = 1e-5;
  const auto value = [&](double weight, double mean, double log_deviation) {
    NormalMixture moved = mixture;
    moved[1] = {weight, 2 + mean, 0.7 * std::exp(log_deviation)};
    moved[0].weight = 1 - weight;
    return evaluated<double, Space>(sample, {moved}).values[0];
  };
  const auto& sums = found.sums[0];
  const double tolerance = 1e-7 * std::abs(found.values[0]);
  EXPECT_NEAR((value(0.6 + step, 0, 0) - value(0.6 - step, 0, 0)) / (2 * step), sums[1] / 0.6 - sums[0] / 0.4,
              tolerance);
  EXPECT_NEAR((value(0.6, step, 0) - value(0.6, -step, 0)) / (2 * step), sums[3] / 0.7, tolerance);
  EXPECT_NEAR((value(0.6, 0, step) - value(0.6, 0, -step)) / (2 * step), sums[5] - sums[1], tolerance);
}

TYPED_TEST(MixtureLikelihoodTest, SumsGiveTheGradient) {
  expect_sums_are_derivatives<TypeParam>(some_sample(500));
  expect_sums_are_derivatives<TypeParam>(BinnedObservations{{-infinity, -1, 0, 0.5, 4, infinity}, {1, 2, 3, 4, 5}});
}

TEST(Observations, AreCheckedOneByOne) {
  const auto refused = [](const Observations& sample) { return test::refusal([&] { check(sample); }); };
  EXPECT_EQ(refused({}), "number of observations is 0, expected at least 1");
  EXPECT_EQ(refused({{1, infinity}}), "observation 2 is inf, expected a finite number");
  EXPECT_EQ(refused({{1, 2}, {1}}), "number of weights is 1, expected 2");
  EXPECT_EQ(refused({{1, 2}, {1, -1}}), "weight 2 is -1, expected a finite number of at least 0");
  EXPECT_EQ(refused({{1, 2}, {0, 0}}), "sum of all weights is 0, expected a positive number");
}

TEST(Bins, AreCheckedOneByOne) {
  const auto refused = [](const BinnedObservations& sample) { return test::refusal([&] { check(sample); }); };
  EXPECT_EQ(refused({}), "number of bins is 0, expected at least 1");
  EXPECT_EQ(refused({{1}, {1}}), "number of edges is 1, expected 2");
  EXPECT_EQ(refused({{1, 1}, {1}}), "edge 2 is 1, expected a number above the previous edge");
  EXPECT_EQ(refused({{0, infinity, infinity}, {1, 1}}), "edge 2 is inf, expected a number above the previous edge");
}

TEST(Mixtures, AreCheckedComponentByComponent) {
  const auto refused = [](const NormalMixture& mixture) { return test::refusal([&] { check(mixture); }); };
  EXPECT_EQ(refused({}), "number of components is 0, expected a number from 1 to 64");
  EXPECT_EQ(refused({{0.5, 0, 1}, {0.5, 0, 0}}), "deviation of component 2 is 0, expected a positive finite number");
  EXPECT_EQ(refused({{0.5, 0, 1}, {0.4, 0, 1}}), "sum of the weights is 0.9, expected 1");
}

}  // namespace likelihood_tests
}  // namespace sporos::models
