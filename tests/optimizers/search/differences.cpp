// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks gradients by central differences and the choice of their steps.
#include "noisy_problems.hpp"

#include <sporos/optimizers/search/astro_df.hpp>
#include <sporos/optimizers/search/differenced_problem.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/stochastic_approximation.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::test {
namespace differences_tests {

// Central differences of a quadratic are its derivatives.
TEST(Differences, AreTheDerivativesOfAQuadratic) {
  NoisyProblem inner = noisy_quadratic(3, false), with_derivatives = noisy_quadratic(3, true);
  DifferencedProblem problem(inner, {0.1, 0.2, 0.3});
  const std::vector<Sample> samples{
      {{0.5, 1, 2}, 3, 0, 50, true, true}, {{1, 1, 1}, 3, 0, 20, false}, {{1, 1, 1}, 3, 20, 30, true}};
  const auto found = problem.evaluate(samples), expected = with_derivatives.evaluate(samples);
  for (std::size_t s = 0; s < samples.size(); ++s) {
    EXPECT_EQ(found[s].mean, expected[s].mean);
    ASSERT_EQ(found[s].gradient.size(), expected[s].gradient.size());
    for (std::size_t i = 0; i < found[s].gradient.size(); ++i)
      EXPECT_NEAR(found[s].gradient[i], expected[s].gradient[i], 1e-11);
    ASSERT_EQ(found[s].values.size(), expected[s].values.size());
    for (std::size_t i = 0; i < found[s].values.size(); ++i)
      EXPECT_NEAR(found[s].values[i], expected[s].values[i], 1e-11);
  }
  EXPECT_EQ(inner.replications, 50 * 7 + 20 + 30 * 7);
}

TEST(Differences, FindTheirStepsWhenTheFirstGradientIsRequested) {
  NoisyProblem inner = noisy_quadratic(2, false);
  int calls = 0;
  DifferencedProblem problem(inner, [&calls] {
    ++calls;
    return std::vector<double>{0.1, 0.2};
  });
  DifferencedProblem expected(inner, {0.1, 0.2});
  EXPECT_TRUE(problem.has_gradient());
  EXPECT_EQ(problem.gradient_cost(), 5);
  const std::vector<Sample> plain{{{0.5, 1}, 3, 0, 50, false}}, with_gradient{{{0.5, 1}, 3, 0, 50, true}};
  EXPECT_EQ(problem.evaluate(plain)[0].mean, expected.evaluate(plain)[0].mean);
  EXPECT_EQ(calls, 0);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(problem.evaluate(with_gradient)[0].gradient, expected.evaluate(with_gradient)[0].gradient);
  EXPECT_EQ(calls, 1);
  DifferencedProblem wrong(inner, [] { return std::vector<double>{0.1, -1}; });
  EXPECT_THROW(wrong.evaluate(with_gradient), std::invalid_argument);
}

// Points never leave the bounds, and the budget counts all replications.
TEST(Differences, LeadSolversThatNeedGradients) {
  for (const bool is_astro : {true, false}) {
    NoisyProblem inner = noisy_quadratic(2, false, 0, 3);
    DifferencedProblem problem(inner, {0.1, 0.1});
    const Solver solver = [is_astro](SearchRun& run) {
      return is_astro ? astro_df(run, {}, true) : stochastic_approximation(run, {.step = 0.3});
    };
    const auto result = run_searches(problem, solver, {0, 3}, 8000, {1}).front();
    EXPECT_LT(distance_from_minimum(result.x), 0.02);
    EXPECT_LE(inner.replications, 8000);
    EXPECT_GT(inner.replications, 6000);
    EXPECT_EQ(inner.replications, result.replications);
  }
}

// 1 if a uniform is below x³, otherwise 0: the mean has the derivative 3 x², and differences have the bias h².
NoisyProblem jumping() {
  return {{{0, 1}}, false, [](std::span<const double> x, const std::function<double()>& u, std::span<double>) {
            return u() < x[0] * x[0] * x[0] ? 1.0 : 0.0;
          }};
}

// (x + U)³, a path that is smooth in x.
NoisyProblem smooth() {
  return {{{0, 1}}, false, [](std::span<const double> x, const std::function<double()>& u, std::span<double>) {
            return std::pow(x[0] + u(), 3);
          }};
}

double squared_error(NoisyProblem inner, double exact, std::int64_t n, double step) {
  DifferencedProblem problem(inner, {step});
  constexpr int samples = 200;
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= samples; ++seed) {
    const std::vector<Sample> sample{{{0.5}, seed, 0, n, true}};
    sum += std::pow(problem.evaluate(sample).front().gradient[0] - exact, 2);
  }
  return sum / samples;
}

double chosen_step(NoisyProblem problem, std::int64_t n) {
  DifferenceStepOptions options{20'000, n, 0.2};
  return difference_steps(problem, {0.5}, options).front();
}

// With 25 times the replications the squared error falls by a factor of 25^(4/5) = 13.1 for a path with jumps, and of
// 25 for a smooth path. Each mean of 200 squares has a relative standard error of a tenth, and the ratio one of a
// seventh: it is off by at most a factor of two in all but one of 10 000 cases.
TEST(Differences, ConvergeAtTheirRates) {
  constexpr double slope = 0.75;
  const double few = squared_error(jumping(), slope, 20, chosen_step(jumping(), 20));
  const double many = squared_error(jumping(), slope, 500, chosen_step(jumping(), 500));
  EXPECT_GT(few / many, 13.1 / 2);
  EXPECT_LT(few / many, 13.1 * 2);
  const double fixed = squared_error(jumping(), slope, 500, 0.4) / squared_error(jumping(), slope, 20, 0.4);
  EXPECT_GT(fixed, 1 / 6.5);  // control: one wide step keeps its bias

  const double exact = 3 * (0.25 + 0.5 + 1.0 / 3);  // 3 E[(1/2 + U)²]
  const double smooth_few = squared_error(smooth(), exact, 20, chosen_step(smooth(), 20));
  const double smooth_many = squared_error(smooth(), exact, 500, chosen_step(smooth(), 500));
  EXPECT_GT(smooth_few / smooth_many, 12.5);
  EXPECT_LT(smooth_few / smooth_many, 50);
}

TEST(Differences, HaveStepsThatBalanceBiasAndVariance) {
  // The variance is V h₀ / h / n with V h₀ = E[jumps] / 2 = 3 x² / 2, and the bias is h²: best h⁵ = 3 x² / 2 / (4 n).
  for (const std::int64_t n : {20, 500}) {
    const double best = std::pow(0.375 / 4 / static_cast<double>(n), 0.2);
    EXPECT_NEAR(chosen_step(jumping(), n), best, 0.3 * best) << n;
  }
  // The squared bias h⁴ is a small part of the variance, which is Var[3 (1/2 + U)²] = 3.05 for one replication.
  EXPECT_LT(std::pow(chosen_step(smooth(), 500), 4), 0.1 * 3.05 / 500);
}

TEST(Differences, AreRefusedWhereThereAreNone) {
  const auto message_of = [](const std::vector<DecisionRange>& ranges,
                             const std::vector<double>& steps) -> std::string {
    NoisyProblem inner(ranges, false,
                       [](std::span<const double>, const std::function<double()>&, std::span<double>) { return 0.0; });
    try {
      DifferencedProblem(inner, steps);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "taken";
  };
  EXPECT_EQ(message_of({{0, 1}}, {0.1}), "taken");
  EXPECT_EQ(message_of({{0, 1}}, {0.1, 0.1}),
            "dimension of the difference steps is 2, expected that of the problem, 1");
  EXPECT_EQ(message_of({{0, 5, true}}, {1}), "coordinate 0 takes whole numbers, expected a real coordinate");
  EXPECT_EQ(message_of({{0, 1}}, {0}),
            "difference step of coordinate 0 is 0, expected a positive number below the width of its range");
}

}  // namespace differences_tests
}  // namespace sporos::test
