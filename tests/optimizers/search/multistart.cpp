// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks several starts of a solver on a problem with two wells.
#include "noisy_problems.hpp"

#include <sporos/optimizers/search/multistart.hpp>
#include <sporos/optimizers/search/random_search.hpp>
#include <sporos/optimizers/search/retrospective_lbfgs.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/sampled_nelder_mead.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

namespace sporos::test {
namespace multistart_tests {

// (x² − 1)² + x / 2 with noise: there is a well near 0.93 and a deeper one near −1.06.
NoisyProblem two_wells(bool has_gradient, double high = 2) {
  return {{{-2, high}}, has_gradient, [](std::span<const double> x, const std::function<double()>& u, auto gradient) {
            const double noise = u() - 0.5, well = x[0] * x[0] - 1;
            if (!gradient.empty()) gradient[0] = 4 * x[0] * well + 0.5 + 0.2 * noise;
            return well * well + (0.5 + 0.2 * noise) * x[0] + noise;
          }};
}

Search lbfgs(SearchRun& run) { return retrospective_lbfgs(run, {}); }
Search nelder_mead(SearchRun& run) { return sampled_nelder_mead(run, {}); }

Solver from_starts(const Solver& solver, MultistartOptions options = {}) {
  return [=](SearchRun& run) { return multistart(run, solver, options); };
}

// From 0.93 a solver finds the shallow well (control). Of 16 starts, 15 are drawn, and none of them lies in the other
// half with probability 2⁻¹⁵. A wrong comparison of the ends, whose means differ by nearly 1, is even less likely.
TEST(Multistart, FindsTheDeeperWell) {
  for (const bool has_gradient : {true, false}) {
    const Solver solver = has_gradient ? lbfgs : nelder_mead;
    NoisyProblem problem = two_wells(has_gradient);
    EXPECT_NEAR(run_searches(problem, solver, {0.93}, 16'000, {1}).front().x[0], 0.93, 0.1);
    for (const auto& found : run_searches(problem, from_starts(solver, {.starts = 16}), {0.93}, 16'000, seeds(20))) {
      EXPECT_NEAR(found.x[0], -1.06, 0.1);
      EXPECT_LE(found.replications, 16'000);
      EXPECT_EQ(found.starts, 16);
    }
  }
}

// With one start a solver behaves as it does alone, on the same random numbers.
TEST(Multistart, RunsTheSolver) {
  NoisyProblem problem = noisy_quadratic(2, true);
  const auto one = run_searches(problem, from_starts(lbfgs, {.starts = 1}), {0, 0}, 8000, {3});
  EXPECT_EQ(one.front().x, run_searches(problem, lbfgs, {0, 0}, 8000, {3}).front().x);
}

TEST(Multistart, DoesNotDependOnOtherRuns) {
  NoisyProblem problem = two_wells(true);
  const auto separate = run_searches(problem, from_starts(lbfgs), {1}, 5000, {7}).front();
  const auto together = run_searches(problem, from_starts(lbfgs), {1}, 5000, {5, 6, 7})[2];
  EXPECT_EQ(together.x, separate.x);
  EXPECT_EQ(together.replications, separate.replications);
}

TEST(Multistart, KeepsWithinAnyBudget) {
  for (std::int64_t budget = 1; budget < 2000; budget += 37) {
    NoisyProblem problem = two_wells(true);
    const auto found = run_searches(problem, from_starts(lbfgs), {1}, budget, {1}).front();
    EXPECT_LE(found.replications, budget);
    EXPECT_EQ(found.replications, problem.replications);
  }
}

TEST(Multistart, TakesWholeNumbers) {
  NoisyProblem problem({{0, 9, true}}, false, [](std::span<const double> x, const std::function<double()>& u, auto) {
    return (x[0] - 3) * (x[0] - 3) + u();
  });
  const Solver solver = [](SearchRun& run) { return random_search(run, {5, 20}); };
  EXPECT_EQ(run_searches(problem, from_starts(solver), {9}, 3000, {1}).front().x, std::vector<double>{3});
}

TEST(Multistart, RefusesWhatItCannotDo) {
  NoisyProblem problem = two_wells(true), endless = two_wells(true, std::numeric_limits<double>::infinity());
  EXPECT_THROW(run_searches(endless, from_starts(lbfgs), {1}, 1000, {1}), std::invalid_argument);
  EXPECT_THROW(run_searches(problem, from_starts(lbfgs, {.starts = 0}), {1}, 1000, {1}), std::invalid_argument);
  EXPECT_THROW(run_searches(problem, from_starts(lbfgs, {.final_share = 1}), {1}, 1000, {1}), std::invalid_argument);
  EXPECT_THROW(run_searches(problem, from_starts(lbfgs, {.draws = 0}), {1}, 1000, {1}), std::invalid_argument);
  EXPECT_THROW(run_searches(problem, from_starts(lbfgs, {.replications = 0}), {1}, 1000, {1}), std::invalid_argument);
  EXPECT_THROW(run_searches(problem, from_starts(lbfgs, {.drawn_share = 0}), {1}, 1000, {1}), std::invalid_argument);
}

}  // namespace multistart_tests
}  // namespace sporos::test
