// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks Frank–Wolfe on samples of growing size, and its gap, on problems whose minimum is known.
#include "noisy_problems.hpp"

#include <sporos/optimizers/search/constrained_problem.hpp>
#include <sporos/optimizers/search/optimality_gap.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/sampled_frank_wolfe.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::test {
namespace sampled_frank_wolfe_tests {

Solver frank_wolfe(SampledFrankWolfeOptions options = {}) {
  return [options](SearchRun& run) { return sampled_frank_wolfe(run, options); };
}

// At the minimum of noisy_quadratic with a sum of at most 3.5 and all four coordinates above 0.2, each coordinate is a
// half below its value without the constraint, where the sum is 5.5.
constexpr double loss = 0.5;

struct Ends {
  double squared_distance = 0, gap = 0;  // means over 20 runs
};

Ends ends(const Solver& solver, std::int64_t budget) {
  NoisyProblem box = noisy_quadratic(4, true, 0.2, 10);
  ConstrainedProblem problem(box, {{1, 1, 1, 1}, 3.5});
  Ends mean;
  for (const SearchResult& result : run_searches(problem, solver, {0.5, 0.5, 0.5, 0.5}, budget, seeds(20))) {
    EXPECT_LE(result.replications, budget);
    EXPECT_LE(problem.region().violation(result.x), 1e-12);
    std::vector<double> slopes;
    for (std::size_t i = 0; i < 4; ++i) {
      const double from_free = result.x[i] - (1 + 0.25 * static_cast<double>(i));
      mean.squared_distance += std::pow(from_free + loss, 2) / 20;
      slopes.push_back(2 * from_free);
    }
    const std::vector<double> least = problem.region().least(slopes);
    for (std::size_t i = 0; i < 4; ++i) mean.gap += slopes[i] * (result.x[i] - least[i]) / 20;
  }
  return mean;
}

// The squared distance falls as 1 / N, and the true gap as its root, like the gap of a step from the minimum along a
// face. The logarithm of a ratio of means of 60 squares has a standard error of about 0.26, so the slope over a factor
// of 16 has one below 0.1. A single stage (control) stops making progress.
TEST(SampledFrankWolfe, ConvergesAtItsRate) {
  const Ends few = ends(frank_wolfe(), 8000), many = ends(frank_wolfe(), 128'000);
  EXPECT_NEAR(std::log(many.squared_distance / few.squared_distance) / std::log(16.0), -1, 0.4);
  EXPECT_NEAR(std::log(many.gap / few.gap) / std::log(16.0), -0.5, 0.25);
  EXPECT_LT(many.squared_distance, 1e-3);
  const Ends one_stage = ends(frank_wolfe({.replications = 64, .growth = 1}), 128'000);
  EXPECT_GT(one_stage.squared_distance, 5 * many.squared_distance);
}

// In a box the minimum is in the interior, or at a corner, which is reached exactly.
TEST(SampledFrankWolfe, FindsMinimaInsideAndAtCorners) {
  NoisyProblem inside = noisy_quadratic(3, true), corner = noisy_quadratic(3, true, -0.5, 0.75);
  const auto in = run_searches(inside, frank_wolfe(), {0, 0, 0}, 40'000, {1}).front();
  EXPECT_LT(distance_from_minimum(in.x), 0.01);
  const auto at = run_searches(corner, frank_wolfe(), {0, 0, 0}, 2000, {1}).front();
  EXPECT_EQ(at.x, (std::vector<double>{0.75, 0.75, 0.75}));
}

// The mean is linear: a total of 2 goes to the coordinates of smallest slope, although slopes vary by replication.
TEST(SampledFrankWolfe, FindsAVertex) {
  NoisyProblem box({{0, 1}, {0, 1}, {0, 1}, {0, 1}}, true,
                   [](std::span<const double> x, const std::function<double()>& u, std::span<double> gradient) {
                     double sum = 0;
                     for (std::size_t i = 0; i < x.size(); ++i) {
                       const double slope = static_cast<double>(i) - 6 + 2 * u();
                       sum += slope * x[i];
                       if (!gradient.empty()) gradient[i] = slope;
                     }
                     return sum;
                   });
  ConstrainedProblem problem(box, {{1, 1, 1, 1}, 2, true});
  const auto found = run_searches(problem, frank_wolfe(), {0.5, 0.5, 0.5, 0.5}, 4000, {1}).front();
  EXPECT_EQ(found.x, (std::vector<double>{1, 1, 0, 0}));
}

TEST(SampledFrankWolfe, KeepsWithinAnyBudgetAndToItself) {
  for (std::int64_t budget = 1; budget < 600; budget += 7) {
    NoisyProblem problem = noisy_quadratic(2, true);
    const auto found = run_searches(problem, frank_wolfe(), {0, 0}, budget, {1}).front();
    EXPECT_LE(found.replications, budget);
    EXPECT_EQ(found.replications, problem.replications);
    EXPECT_EQ(found.replications > 0, budget >= 64);
  }
  NoisyProblem problem = noisy_quadratic(3, true);
  const auto separate = run_searches(problem, frank_wolfe(), {0, 0, 0}, 5000, {7}).front();
  EXPECT_EQ(run_searches(problem, frank_wolfe(), {0, 0, 0}, 5000, {5, 6, 7})[2].x, separate.x);
}

// The model is invalid beyond x₀ = 0.9, on the way to the minimum at 1.
TEST(SampledFrankWolfe, KeepsOutOfWhereThereIsNothing) {
  NoisyProblem problem = noisy_quadratic(2, true);
  problem.makes_model = [](std::span<const double> x) { return x[0] <= 0.9; };
  const auto found = run_searches(problem, frank_wolfe(), {0, 0}, 40'000, {1}).front();
  EXPECT_LE(found.x[0], 0.9);
  EXPECT_GT(found.x[0], 0.7);
}

TEST(SampledFrankWolfe, RefusesWhatItCannotDo) {
  NoisyProblem problem = noisy_quadratic(2, true),
               open = noisy_quadratic(2, true, 0, std::numeric_limits<double>::infinity());
  const auto message_of = [](NoisyProblem& of, const SampledFrankWolfeOptions& options) -> std::string {
    try {
      run_searches(of, frank_wolfe(options), {1, 1}, 1000, {1});
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "done";
  };
  EXPECT_EQ(message_of(problem, {}), "done");
  EXPECT_EQ(message_of(open, {}), "a bound is infinite, expected finite bounds for Frank-Wolfe");
  EXPECT_EQ(message_of(problem, {.replications = 0}), "replications of the first stage is 0, expected at least 1");
  EXPECT_EQ(message_of(problem, {.growth = 0.5}), "growth is 0.5, expected a finite number of at least 1");
  EXPECT_EQ(message_of(problem, {.tolerance = -1}), "tolerance is -1, expected a finite number of at least 0");
  EXPECT_EQ(message_of(problem, {.step = 0}), "step is 0, expected a positive finite number");
  EXPECT_EQ(message_of(problem, {.trials = 0}), "trials of a line search is 0, expected at least 1");
}

// At (0, 0) with x + y ≤ 1 and x, y ≥ 0, f is 1 + 25/16; its minimum is 25/64 · 2 at (3/8, 5/8). The gap is 2.5, to the
// vertex (0, 1). A bound fails with probability 0.05 at most; more than 24 failures of 200 have one below 10⁻⁴.
TEST(FrankWolfeGap, IsBoundedWithItsConfidence) {
  NoisyProblem box = noisy_quadratic(2, true, 0, 10);
  ConstrainedProblem problem(box, {{1, 1}, 1});
  int too_small = 0, with_small_mean = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const OptimalityGap gap = frank_wolfe_gap(problem, {0, 0}, {.batches = 10, .replications = 32, .seed = seed});
    too_small += gap.bound < 2.5;
    with_small_mean += gap.mean < 2.5;
    EXPECT_LT(gap.bound, 3.2);
  }
  EXPECT_LE(too_small, 24);
  EXPECT_GT(with_small_mean, 24);  // control: the mean is not a bound
  const OptimalityGap best = frank_wolfe_gap(problem, {0.375, 0.625}, {.batches = 10, .replications = 10'000});
  EXPECT_GE(best.bound, best.mean);
  EXPECT_GT(best.mean, 0);
  EXPECT_LT(best.bound, 0.05);
  EXPECT_EQ(best.replications, 100'000);
  // Points that the constraint excludes do not count: without the constraint the gap is larger.
  EXPECT_GT(frank_wolfe_gap(box, {0.375, 0.625}, {}).mean, 10);
}

TEST(FrankWolfeGap, RefusesWhatItCannotDo) {
  NoisyProblem open = noisy_quadratic(1, true, 0, std::numeric_limits<double>::infinity());
  EXPECT_THROW(frank_wolfe_gap(open, {1}, {}), std::invalid_argument);
  NoisyProblem closed = noisy_quadratic(1, true);
  EXPECT_THROW(frank_wolfe_gap(closed, {1, 2}, {}), std::invalid_argument);
  EXPECT_THROW(frank_wolfe_gap(closed, {1}, {.batches = 1}), std::invalid_argument);
  closed.makes_model = [](std::span<const double>) { return false; };
  EXPECT_TRUE(std::isinf(frank_wolfe_gap(closed, {1}, {}).bound));
}

}  // namespace sampled_frank_wolfe_tests
}  // namespace sporos::test
