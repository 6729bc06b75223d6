// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks stochastic quasi-Newton on noisy problems whose minimum is known.
#include "noisy_problems.hpp"

#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/sampled_sqn.hpp>

#include <harness/long_tests.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>

namespace sporos::test {
namespace sampled_sqn_tests {

Solver sqn(SampledSqnOptions options = {.replications = 4}) {
  return [options](SearchRun& run) { return sampled_sqn(run, options); };
}

double mean_distance(std::int64_t budget) {
  NoisyProblem problem = noisy_quadratic(4, true);
  double sum = 0;
  for (const SearchResult& result : run_searches(problem, sqn(), {0, 0, 0, 0}, budget, seeds(20))) {
    EXPECT_LE(result.replications, budget);
    sum += distance_from_minimum(result.x) / 20;
  }
  return sum;
}

// The rate is that of stochastic approximation: the slope has a standard error of 0.08 (searches.cpp).
TEST(SampledSqn, ConvergesAtItsRate) {
  const std::int64_t budget = runs_in_test(2000, 4000);
  EXPECT_NEAR(std::log(mean_distance(16 * budget) / mean_distance(budget)) / std::log(16.0), -1, 0.32);
}

// (10⁶ (x₀ − 1)² + (x₁ + 1)²) / 2 + noise · x: without pairs (control) the flat coordinate makes hardly any progress.
TEST(SampledSqn, LearnsCurvatures) {
  NoisyProblem problem({{-10, 10}, {-10, 10}}, true,
                       [](std::span<const double> x, const std::function<double()>& u, std::span<double> gradient) {
                         const double a = u() - 0.5, b = u() - 0.5;
                         if (!gradient.empty()) {
                           gradient[0] = 1e6 * (x[0] - 1) + a;
                           gradient[1] = x[1] + 1 + b;
                         }
                         return 5e5 * std::pow(x[0] - 1, 2) + std::pow(x[1] + 1, 2) / 2 + a * x[0] + b * x[1];
                       });
  const auto found = run_searches(problem, sqn(), {0, 5}, 20'000, {1}).front();
  EXPECT_NEAR(found.x[0], 1, 0.01);
  EXPECT_NEAR(found.x[1], -1, 0.1);
  const Solver without_pairs = sqn({.replications = 4, .pair_interval = 1'000'000});
  const auto plain = run_searches(problem, without_pairs, {0, 5}, 20'000, {1}).front();
  EXPECT_GT(std::abs(plain.x[1] + 1), 1) << plain.x[0] << " " << plain.x[1];
}

// Uses the problem of retrospective_lbfgs.cpp: with x₁ ≤ 1/2 active, the minimum is at x₀ = 31/22.
TEST(SampledSqn, FindsAMinimumAtABound) {
  NoisyProblem problem({{-5, 5}, {-5, 0.5}}, true,
                       [](std::span<const double> x, const std::function<double()>& u, std::span<double> gradient) {
                         const double sum = x[0] + x[1] - 2 + (u() - 0.5), difference = x[0] - x[1];
                         if (!gradient.empty()) {
                           gradient[0] = 2 * sum + 0.2 * difference;
                           gradient[1] = 2 * sum - 0.2 * difference;
                         }
                         return sum * sum + 0.1 * difference * difference;
                       });
  const auto found = run_searches(problem, sqn(), {0, 0}, 20'000, {3}).front();
  EXPECT_NEAR(found.x[0], 31.0 / 22, 0.05);
  EXPECT_NEAR(found.x[1], 0.5, 0.01);
  for (const Recommendation& on_the_way : found.recommendations) EXPECT_LE(on_the_way.x[1], 0.5);
}

TEST(SampledSqn, KeepsWithinAnyBudgetAndToItself) {
  for (std::int64_t budget = 1; budget < 700; budget += 13) {
    NoisyProblem problem = noisy_quadratic(2, true);
    const auto found = run_searches(problem, sqn(), {0, 0}, budget, {1}).front();
    EXPECT_EQ(found.replications, problem.replications);
    EXPECT_LE(found.replications, budget);
    EXPECT_GT(found.replications, budget - 4);
  }
  NoisyProblem problem = noisy_quadratic(3, true);
  const auto separate = run_searches(problem, sqn(), {0, 0, 0}, 5000, {7}).front();
  EXPECT_EQ(run_searches(problem, sqn(), {0, 0, 0}, 5000, {5, 6, 7})[2].x, separate.x);
}

TEST(SampledSqn, RefusesWhatItCannotDo) {
  NoisyProblem problem = noisy_quadratic(2, true);
  const auto message_of = [&](const SampledSqnOptions& options) -> std::string {
    try {
      run_searches(problem, sqn(options), {1, 1}, 1000, {1});
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "done";
  };
  EXPECT_EQ(message_of({}), "done");
  EXPECT_EQ(message_of({.replications = 0}), "replications at a point is 0, expected at least 1");
  EXPECT_EQ(message_of({.pair_interval = 0}), "pair interval is 0, expected at least 1");
  EXPECT_EQ(message_of({.pair_factor = 0}), "pair factor is 0, expected at least 1");
  EXPECT_EQ(message_of({.pairs = 0}), "number of correction pairs is 0, expected at least 1");
  EXPECT_EQ(message_of({.step = 0}), "step is 0, expected a positive finite number");
  EXPECT_EQ(message_of({.step = 2}), "largest step is 1, expected at least the step");
  EXPECT_EQ(message_of({.decay = 2}), "decay is 2, expected at least 0 and at most 1");
  EXPECT_EQ(message_of({.averaging = -1}), "averaging is -1, expected at least 0");
}

}  // namespace sampled_sqn_tests
}  // namespace sporos::test
