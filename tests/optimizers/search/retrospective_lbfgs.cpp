// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks L-BFGS on samples of growing size, on problems whose minimum is known.
#include "noisy_problems.hpp"

#include <sporos/optimizers/search/retrospective_lbfgs.hpp>
#include <sporos/optimizers/search/run_searches.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace sporos::test {
namespace retrospective_lbfgs_tests {

using Uniforms = std::function<double()>;

Solver lbfgs(RetrospectiveLbfgsOptions options = {}) {
  return [options](SearchRun& run) { return retrospective_lbfgs(run, options); };
}

double mean_distance(const Solver& solver, std::int64_t budget) {
  NoisyProblem problem = noisy_quadratic(4, true);
  double sum = 0;
  for (const SearchResult& result : run_searches(problem, solver, {0, 0, 0, 0}, budget, seeds(20))) {
    EXPECT_LE(result.replications, budget);
    sum += distance_from_minimum(result.x) / 20;
  }
  return sum;
}

// The minimum of the mean of N replications has a mean squared distance of 4 / 3 / N from the objective's minimum. A
// sum of 80 squares of normal variates exceeds twice its mean with a probability below 10⁻⁵, and falls below half with
// one below 10⁻⁴. The last stage has over a quarter of the budget. A single stage keeps its sample's error (control).
TEST(RetrospectiveLbfgs, ErrsByItsLastSampleAlone) {
  EXPECT_LT(mean_distance(lbfgs(), 4000), 2 * (4.0 / 3) / 1000);
  EXPECT_LT(mean_distance(lbfgs(), 64'000), 2 * (4.0 / 3) / 16'000);
  EXPECT_GT(mean_distance(lbfgs({.replications = 64, .growth = 1}), 64'000), 0.5 * (4.0 / 3) / 64);
}

// A badly scaled quadratic whose noise does not move its minimum: (1000 (x₀ − 1)² + (x₁ + 1)²)(1 + noise).
TEST(RetrospectiveLbfgs, LearnsCurvatures) {
  NoisyProblem problem({{-10, 10}, {-10, 10}}, true,
                       [](std::span<const double> x, const Uniforms& u, std::span<double> gradient) {
                         const double factor = 0.5 + u();
                         if (!gradient.empty()) {
                           gradient[0] = factor * 2000 * (x[0] - 1);
                           gradient[1] = factor * 2 * (x[1] + 1);
                         }
                         return factor * (1000 * std::pow(x[0] - 1, 2) + std::pow(x[1] + 1, 2));
                       });
  const auto found = run_searches(problem, lbfgs(), {0, 5}, 4000, {1}).front();
  EXPECT_NEAR(found.x[0], 1, 1e-4);
  EXPECT_NEAR(found.x[1], -1, 1e-4);
}

// Under x₁ ≤ 1/2, E (x₀ + x₁ − 2 + noise)² + (x₀ − x₁)² / 10 has its minimum at x₀ = 31/22. This is not the projection
// of (1, 1), the minimum without bounds.
TEST(RetrospectiveLbfgs, FindsAMinimumAtABound) {
  NoisyProblem problem({{-5, 5}, {-5, 0.5}}, true,
                       [](std::span<const double> x, const Uniforms& u, std::span<double> gradient) {
                         const double sum = x[0] + x[1] - 2 + (u() - 0.5), difference = x[0] - x[1];
                         if (!gradient.empty()) {
                           gradient[0] = 2 * sum + 0.2 * difference;
                           gradient[1] = 2 * sum - 0.2 * difference;
                         }
                         return sum * sum + 0.1 * difference * difference;
                       });
  for (const std::vector<double>& start : {std::vector<double>{0, 0}, {5, 0.5}, {-5, -5}}) {
    const auto found = run_searches(problem, lbfgs(), start, 20'000, {3}).front();
    EXPECT_NEAR(found.x[0], 31.0 / 22, 0.02);
    EXPECT_EQ(found.x[1], 0.5);
    for (const Recommendation& on_the_way : found.recommendations) EXPECT_LE(on_the_way.x[1], 0.5);
  }
}

// Units cost 5 and sell at 9, demands are uniform in (0, 1): sample means have kinks, and the minimum is at 1 − 5/9.
TEST(RetrospectiveLbfgs, CopesWithKinks) {
  NoisyProblem problem({{0, 10}}, true, [](std::span<const double> x, const Uniforms& u, std::span<double> gradient) {
    const double demand = u();
    if (!gradient.empty()) gradient[0] = x[0] < demand ? -4 : 5;
    return 5 * x[0] - 9 * std::min(x[0], demand);
  });
  for (const auto& found : run_searches(problem, lbfgs(), {3}, 20'000, seeds(20))) {
    EXPECT_NEAR(found.x[0], 4.0 / 9, 0.05);
  }
}

TEST(RetrospectiveLbfgs, DoesNotDependOnOtherRuns) {
  NoisyProblem problem = noisy_quadratic(3, true);
  const auto separate = run_searches(problem, lbfgs(), {0, 0, 0}, 5000, {7}).front();
  const auto together = run_searches(problem, lbfgs(), {0, 0, 0}, 5000, {5, 6, 7})[2];
  EXPECT_EQ(together.x, separate.x);
  EXPECT_EQ(together.replications, separate.replications);
}

TEST(RetrospectiveLbfgs, KeepsWithinAnyBudget) {
  for (std::int64_t budget = 1; budget < 600; budget += 7) {
    NoisyProblem problem = noisy_quadratic(2, true);
    const auto found = run_searches(problem, lbfgs(), {0, 0}, budget, {1}).front();
    EXPECT_LE(found.replications, budget);
    EXPECT_EQ(found.replications, problem.replications);
    EXPECT_EQ(found.replications > 0, budget >= 64);
  }
}

// The model is invalid beyond x₀ = 0.9, on the way to the minimum at 1.
TEST(RetrospectiveLbfgs, KeepsOutOfWhereThereIsNothing) {
  NoisyProblem problem = noisy_quadratic(2, true);
  problem.makes_model = [](std::span<const double> x) { return x[0] <= 0.9; };
  const auto found = run_searches(problem, lbfgs(), {0, 0}, 20'000, {1}).front();
  EXPECT_LE(found.x[0], 0.9);
  EXPECT_GT(found.x[0], 0.8);
  const auto lost = run_searches(problem, lbfgs(), {5, 0}, 20'000, {1}).front();
  EXPECT_EQ(lost.x, (std::vector<double>{5, 0}));
}

TEST(RetrospectiveLbfgs, RefusesBadOptions) {
  NoisyProblem problem = noisy_quadratic(1, true);
  for (const RetrospectiveLbfgsOptions& options :
       {RetrospectiveLbfgsOptions{.replications = 0}, RetrospectiveLbfgsOptions{.growth = 0.5},
        RetrospectiveLbfgsOptions{.tolerance = -1}, RetrospectiveLbfgsOptions{.step = 0},
        RetrospectiveLbfgsOptions{.largest_step = 0.1}, RetrospectiveLbfgsOptions{.pairs = 0},
        RetrospectiveLbfgsOptions{.trials = 0}}) {
    EXPECT_THROW(run_searches(problem, lbfgs(options), {0}, 100, {1}), std::invalid_argument);
  }
}

}  // namespace retrospective_lbfgs_tests
}  // namespace sporos::test
