// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks bounds of the optimality gap on problems whose minimum is known.
#include "noisy_problems.hpp"

#include <sporos/optimizers/search/optimality_gap.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

namespace sporos::test {
namespace optimality_gap_tests {

// Counts over 200 seeds for bounds of the gap at (1, 0.25), which is 1.
struct Bounds200 {
  int too_small = 0, with_small_mean = 0, wide = 0;
};

Bounds200 bounds(OptimalityGapOptions options) {
  NoisyProblem problem = noisy_quadratic(2, true);
  Bounds200 counts;
  for (options.seed = 1; options.seed <= 200; ++options.seed) {
    const OptimalityGap gap = optimality_gap(problem, {1, 0.25}, {}, options);
    counts.too_small += gap.bound < 1;
    counts.with_small_mean += gap.mean < 1;
    counts.wide += gap.bound > 1.5;
  }
  return counts;
}

// A bound fails with probability 0.05 at most, so more than 24 failures of 200 have a probability below 10⁻⁴. Controls:
// the mean gap is not a bound, nor is a gap for which nothing was minimized.
TEST(OptimalityGap, IsBoundedWithItsConfidence) {
  const Bounds200 found = bounds({.batches = 10, .replications = 32});
  EXPECT_LE(found.too_small, 24);
  EXPECT_GT(found.with_small_mean, 24);
  EXPECT_LE(found.wide, 20);
  EXPECT_EQ(bounds({.batches = 10, .replications = 32, .evaluations = 1}).too_small, 200);
}

// At the minimum the mean gap is E (f_b(x*) − min f_b) = 2 / 3 / N.
TEST(OptimalityGap, IsSmallAtTheMinimumAlone) {
  NoisyProblem problem = noisy_quadratic(2, true);
  const OptimalityGapOptions options{.batches = 20, .replications = 1000};
  const OptimalityGap at_minimum = optimality_gap(problem, {1, 1.25}, {{0, 0}}, options);
  EXPECT_NEAR(at_minimum.mean, 2.0 / 3 / 1000, 4 * 2.0 / 3 / 1000 / std::sqrt(20.0));
  EXPECT_GT(at_minimum.bound, at_minimum.mean);
  EXPECT_LT(at_minimum.bound, 0.002);
  EXPECT_EQ(at_minimum.of_batch, 1000);
  EXPECT_EQ(at_minimum.replications, problem.replications);
  EXPECT_NEAR(optimality_gap(problem, {-5, 1.25}, {}, options).mean, 36, 0.5);
}

TEST(OptimalityGap, IsUnknownWhereItWasEnded) {
  NoisyProblem problem = noisy_quadratic(2, true);
  int rounds = 0;
  const OptimalityGap ended = optimality_gap(problem, {-5, 1.25}, {}, {}, [&] { return ++rounds == 3; });
  EXPECT_EQ(rounds, 3);
  EXPECT_EQ(ended.bound, std::numeric_limits<double>::infinity());
  EXPECT_EQ(ended.mean, std::numeric_limits<double>::infinity());
  EXPECT_GT(problem.replications, 0);
}

// At a corner that the gradient presses against, nothing can be gained; the unconstrained minimum is infeasible.
TEST(OptimalityGap, IsThatWithinTheBounds) {
  NoisyProblem problem = noisy_quadratic(2, true, -1, 0.5);
  const OptimalityGap corner = optimality_gap(problem, {0.5, 0.5}, {{0, 0}}, {});
  EXPECT_EQ(corner.mean, 0);
  EXPECT_EQ(corner.bound, 0);
  EXPECT_NEAR(optimality_gap(problem, {0.5, 0}, {}, {}).mean, 1.25 * 1.25 - 0.75 * 0.75, 0.1);
}

// There are two wells; only the second start leads to the deeper one.
TEST(OptimalityGap, TakesTheBestOfItsMinimizations) {
  NoisyProblem problem({{-2, 2}}, true, [](std::span<const double> x, const std::function<double()>& u, auto gradient) {
    const double noise = 0.2 * (u() - 0.5), well = x[0] * x[0] - 1;
    if (!gradient.empty()) gradient[0] = 4 * x[0] * well + 0.5 + noise;
    return well * well + (0.5 + noise) * x[0];
  });
  EXPECT_LT(optimality_gap(problem, {0.93}, {}, {}).bound, 0.1);
  EXPECT_GT(optimality_gap(problem, {0.93}, {{-1}}, {}).mean, 0.9);
}

TEST(OptimalityGap, IsInfiniteWhereThereIsNothing) {
  NoisyProblem problem = noisy_quadratic(1, true);
  problem.makes_model = [](std::span<const double> x) { return x[0] <= 2; };
  EXPECT_EQ(optimality_gap(problem, {3}, {{0}}, {}).bound, std::numeric_limits<double>::infinity());
  EXPECT_LT(optimality_gap(problem, {1}, {{3}}, {}).bound, 0.1);
}

TEST(OptimalityGap, RefusesBadOptions) {
  NoisyProblem problem = noisy_quadratic(1, true);
  EXPECT_THROW(optimality_gap(problem, {0}, {}, {.batches = 1}), std::invalid_argument);
  EXPECT_THROW(optimality_gap(problem, {0}, {}, {.replications = 0}), std::invalid_argument);
  EXPECT_THROW(optimality_gap(problem, {0}, {}, {.confidence = 1}), std::invalid_argument);
  EXPECT_THROW(optimality_gap(problem, {0}, {}, {.evaluations = 0}), std::invalid_argument);
  EXPECT_THROW(optimality_gap(problem, {0, 0}), std::invalid_argument);
  EXPECT_THROW(optimality_gap(problem, {0}, {{0, 0}}), std::invalid_argument);
}

}  // namespace optimality_gap_tests
}  // namespace sporos::test
