// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/mixtures/loss_given_default.hpp>
#include <sporos/models/mixtures/mixture_likelihood.hpp>

#include "harness/backends.hpp"
#include "models/mixtures/sample_data.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace sporos::models {
namespace scikit_learn_scores_tests {

NormalMixture ten_components() {
  NormalMixture mixture;
  for (int c = 0; c < 10; ++c) mixture.push_back({0.1, 40.0 + 6 * c, 2 + c / 2.0});
  return mixture;
}

// Reference scores: scikit-learn 1.9.1 with NumPy 2.4.6, math.fsum(GaussianMixture(k,
// covariance_type="spherical").score_samples(y)) with these weights_, means_, covariances_ and precisions_cholesky_.
struct Score {
  std::string data;
  NormalMixture mixture;
  double value;
};

const std::vector<Score>& scores() {
  static const std::vector<Score> all = {
      {"galaxies", {{0.087, 9.71, 0.42}, {0.876, 21.4, 2.2}, {0.037, 33.04, 0.92}}, -203.4842561058756},
      {"old_faithful", {{0.36, 54.6, 5.9}, {0.64, 80.1, 5.9}}, -1034.0091817892826},
      {"old_faithful", ten_components(), -1117.6731916252293},
      {"loss_given_default", loss_given_default_mixture(), -8047.799837200119},
      {"loss_given_default", {{0.5, -0.325, 0.015}, {0.5, 0, 1}}, -12195.726845504889}};
  return all;
}

template <class Space>
class ScikitLearnScores : public ::testing::Test {};
TYPED_TEST_SUITE(ScikitLearnScores, test::Backends, test::BackendName);

TYPED_TEST(ScikitLearnScores, AreTheLogLikelihoods) {
  for (const auto& [data, mixture, value] : scores()) {
    const Observations sample = test::sample_of(data);
    MixtureLikelihood<TypeParam> in_double(sample);
    EXPECT_NEAR(log_likelihood(in_double, mixture), value, 1e-12 * std::abs(value)) << data;
    MixtureLikelihood<TypeParam, float> in_float(sample);
    EXPECT_NEAR(log_likelihood(in_float, mixture), value, 1e-6 * std::abs(value)) << data;
  }
}

TYPED_TEST(ScikitLearnScores, AreFourTimesAsMuchWhereAllCountsFourTimes) {
  const auto& [data, mixture, value] = scores()[3];
  Observations sample = test::sample_of(data);
  sample.weights.assign(sample.values.size(), 4.0);
  MixtureLikelihood<TypeParam> weighted(sample);
  MixtureLikelihood<TypeParam> repeated(table_1_sample(sample.values, 4 * paper_losses_size, 1));
  EXPECT_NEAR(log_likelihood(weighted, mixture), 4 * value, 4e-12 * std::abs(value));
  EXPECT_NEAR(log_likelihood(repeated, mixture), 4 * value, 4e-12 * std::abs(value));
}

// Control: a change of one mean by 1e-9 exceeds rounding.
TYPED_TEST(ScikitLearnScores, AreNotThoseOfAMixtureBeside) {
  auto [data, mixture, value] = scores()[3];
  mixture[1].mean += 1e-9;
  MixtureLikelihood<TypeParam> likelihood(test::sample_of(data));
  EXPECT_GT(std::abs(log_likelihood(likelihood, mixture) - value), 1e-12 * std::abs(value));
}

}  // namespace scikit_learn_scores_tests
}  // namespace sporos::models
