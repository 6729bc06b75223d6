// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/math/normal.hpp>
#include <sporos/models/mixtures/expectation_maximization.hpp>

#include "harness/backends.hpp"
#include "harness/refusal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace sporos::models {
namespace expectation_maximization_tests {

// Two groups without randomness: quantiles of two normal distributions.
Observations two_groups(std::size_t size) {
  Observations sample;
  for (std::size_t i = 0; i < size; ++i) {
    const double u = (static_cast<double>(i) + 0.5) / static_cast<double>(size);
    sample.values.push_back(math::normal_quantile(u));
    if (i % 2 == 0) sample.values.push_back(6 + 0.5 * math::normal_quantile(u));
  }
  return sample;
}

template <class Space>
class EmTest : public ::testing::Test {};
TYPED_TEST_SUITE(EmTest, test::Backends, test::BackendName);

TYPED_TEST(EmTest, OneComponentIsMeanAndDeviationInOneStep) {
  const Observations sample{{1, 2, 3, 6}, {1, 2, 1, 4}};
  MixtureLikelihood<TypeParam> likelihood(sample);
  const EmFit fit = maximize_by_em(likelihood, {{{1, 0, 10}}})[0];
  EXPECT_NEAR(fit.mixture[0].mean, 4, 1e-14);
  EXPECT_NEAR(fit.mixture[0].deviation, std::sqrt(31.0 / 8 + 3.0 / 8), 1e-14);
  EXPECT_TRUE(fit.has_converged);
}

TYPED_TEST(EmTest, FindsBothGroups) {
  MixtureLikelihood<TypeParam> likelihood(two_groups(1000));
  const EmFit fit = maximize_by_em(likelihood, {{{0.5, 1, 3}, {0.5, 4, 3}}})[0];
  EXPECT_TRUE(fit.has_converged);
  EXPECT_NEAR(fit.mixture[0].weight, 2.0 / 3, 1e-3);
  EXPECT_NEAR(fit.mixture[0].mean, 0, 1e-2);
  EXPECT_NEAR(fit.mixture[0].deviation, 1, 1e-2);
  EXPECT_NEAR(fit.mixture[1].mean, 6, 1e-2);
  EXPECT_NEAR(fit.mixture[1].deviation, 0.5, 1e-2);
  EXPECT_NEAR(fit.log_likelihood, log_likelihood(likelihood, fit.mixture), 1e-10 * std::abs(fit.log_likelihood));
}

TYPED_TEST(EmTest, AFitDoesNotDependOnTheOthers) {
  MixtureLikelihood<TypeParam> likelihood(two_groups(300));
  const std::vector<NormalMixture> starts = {
      {{0.5, 1, 3}, {0.5, 4, 3}}, {{1, 0, 1}}, {{0.3, 0, 1}, {0.3, 3, 1}, {0.4, 6, 1}}};
  const std::vector<EmFit> together = maximize_by_em(likelihood, starts);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const EmFit separate = maximize_by_em(likelihood, {starts[i]})[0];
    EXPECT_EQ(separate.log_likelihood, together[i].log_likelihood);
    EXPECT_EQ(separate.iterations, together[i].iterations);
    for (std::size_t c = 0; c < starts[i].size(); ++c) {
      EXPECT_EQ(separate.mixture[c].weight, together[i].mixture[c].weight);
      EXPECT_EQ(separate.mixture[c].mean, together[i].mixture[c].mean);
      EXPECT_EQ(separate.mixture[c].deviation, together[i].mixture[c].deviation);
    }
  }
}

// The deviation of a component on two equal observations is at the floor, and the fit is finite.
TYPED_TEST(EmTest, StaysAboveTheFloor) {
  MixtureLikelihood<TypeParam> likelihood(Observations{{0, 1, 2, 3, 4, 7, 7}});
  EmOptions options;
  options.min_deviation = 1e-3;
  const EmFit fit = maximize_by_em(likelihood, {{{0.5, 2, 2}, {0.5, 7, 0.01}}}, options)[0];
  EXPECT_EQ(fit.mixture[1].deviation, 1e-3);
  EXPECT_NEAR(fit.mixture[1].weight, 2.0 / 7, 1e-5);
  EXPECT_TRUE(std::isfinite(fit.log_likelihood));
}

// With one component, the mode of Fraley and Raftery's posterior has a closed form.
TYPED_TEST(EmTest, APriorShrinks) {
  const std::vector<double> y = {1, 2, 3, 6};
  MixtureLikelihood<TypeParam> likelihood(Observations{y});
  EmOptions options;
  options.prior = {1, 10, 2, 5, 3};
  const EmFit fit = maximize_by_em(likelihood, {{{1, 0, 10}}}, options)[0];
  const double mean = (4 * 3.0 + 2 * 10) / 6, squares = 14 + 5 + 4 * 2 / 6.0 * 49;
  EXPECT_NEAR(fit.mixture[0].mean, mean, 1e-13);
  EXPECT_NEAR(fit.mixture[0].deviation, std::sqrt(squares / (4 + 3 + 3)), 1e-13);
}

// The posterior's derivatives vanish at a mode, so moving a parameter either way lowers the posterior.
TYPED_TEST(EmTest, ConvergesToAMode) {
  MixtureLikelihood<TypeParam> likelihood(two_groups(200));
  EmOptions options;
  options.tolerance = 1e-15;
  options.prior = MixturePrior::of_sample(2, 9);
  options.prior.concentration = 2;
  const NormalMixture mode = maximize_by_em(likelihood, {{{0.5, 1, 3}, {0.5, 4, 3}}}, options)[0].mixture;
  const auto posterior = [&](const NormalMixture& mixture) {
    return log_likelihood(likelihood, mixture) + log_density(options.prior, mixture);
  };
  const double at_mode = posterior(mode);
  for (const double step : {-1e-3, 1e-3}) {
    NormalMixture moved = mode;
    moved[0].weight += step;
    moved[1].weight -= step;
    EXPECT_LT(posterior(moved), at_mode);
    for (std::size_t c = 0; c < 2; ++c) {
      moved = mode;
      moved[c].mean += step;
      EXPECT_LT(posterior(moved), at_mode);
      moved = mode;
      moved[c].deviation += step;
      EXPECT_LT(posterior(moved), at_mode);
    }
  }
}

TEST(EmOptions, AreChecked) {
  MixtureLikelihood<Kokkos::DefaultHostExecutionSpace> likelihood(Observations{{0, 1}});
  EmOptions options;
  options.min_deviation = -1;
  EXPECT_EQ(test::refusal([&] {
              maximize_by_em(likelihood, {{{1, 0, 1}}}, options);
            }),
            "floor of the deviations is -1, expected a finite number of at least 0");
}

}  // namespace expectation_maximization_tests
}  // namespace sporos::models
