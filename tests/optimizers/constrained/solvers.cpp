// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks solvers for constraints on means on problems whose solution is known.
#include "disc_problem.hpp"
#include "simplex_problem.hpp"

#include <sporos/optimizers/constrained/augmented_lagrangian.hpp>
#include <sporos/optimizers/constrained/conditional_gradient.hpp>
#include <sporos/optimizers/constrained/constraint_extrapolation.hpp>
#include <sporos/optimizers/constrained/cooperative_approximation.hpp>
#include <sporos/optimizers/constrained/mean_size.hpp>
#include <sporos/optimizers/search/astro_df.hpp>
#include <sporos/optimizers/search/constrained_problem.hpp>
#include <sporos/optimizers/search/r_spline.hpp>
#include <sporos/optimizers/search/retrospective_lbfgs.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/sampled_frank_wolfe.hpp>
#include <sporos/optimizers/search/sampled_nelder_mead.hpp>
#include <sporos/optimizers/search/sampled_sqn.hpp>
#include <sporos/optimizers/search/stochastic_approximation.hpp>

#include <harness/long_tests.hpp>
#include <harness/seeds.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::test {
namespace constrained_solvers_tests {

struct NamedSolver {
  std::string name;
  Solver solver;
};

std::vector<NamedSolver> all_solvers() {
  return {{"augmented-lagrangian", [](SearchRun& run) { return augmented_lagrangian(run, {}); }},
          {"conex", [](SearchRun& run) { return constraint_extrapolation(run, {}); }},
          {"coexcg", [](SearchRun& run) { return conditional_gradient(run, {}); }},
          {"csa", [](SearchRun& run) { return cooperative_approximation(run, {}); }}};
}

TEST(SolversOfObjectivesAlone, RefuseConstraintsOnMeans) {
  const std::vector<NamedSolver> solvers = {
      {"r-spline", [](SearchRun& run) { return r_spline(run, {}); }},
      {"astro", [](SearchRun& run) { return astro_df(run, {}, true); }},
      {"astro-df", [](SearchRun& run) { return astro_df(run, {}, false); }},
      {"l-bfgs", [](SearchRun& run) { return retrospective_lbfgs(run, {}); }},
      {"adam", [](SearchRun& run) { return stochastic_approximation(run, {}); }},
      {"nelder-mead", [](SearchRun& run) { return sampled_nelder_mead(run, {}); }},
      {"sqn", [](SearchRun& run) { return sampled_sqn(run, {}); }},
      {"frank-wolfe", [](SearchRun& run) { return sampled_frank_wolfe(run, {}); }}};
  DiscProblem problem;
  for (const auto& [name, solver] : solvers) {
    try {
      run_searches(problem, solver, {0, 0}, 1000, {1}, [] { return false; });
      ADD_FAILURE() << name << " ignores the constraints";
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("constraints on means, which this solver ignores"), std::string::npos)
          << name << ": " << error.what();
    }
  }
}

// Root mean squares of the gap and the violation over 40 runs.
struct Errors {
  double gap = 0, violation = 0;
};

template <class Problem>
Errors errors(SampledProblem& problem, const Solver& solver, const std::vector<double>& start, std::int64_t budget) {
  Errors found;
  for (const SearchResult& run : run_searches(problem, solver, start, budget, seeds(40))) {
    EXPECT_LE(run.replications, budget);
    EXPECT_EQ(problem.region().violation(run.x), 0);
    found.gap += std::pow(Problem::value(run.x) - Problem::optimum(), 2) / 40;
    found.violation += std::pow(Problem::violation(run.x), 2) / 40;
  }
  return {std::sqrt(found.gap), std::sqrt(found.violation)};
}

// Errors fall as 1/√N, or faster while the start still matters. The slope between budgets of a factor 16 has a standard
// error of √(2 / 2 / 40) / log 16 = 0.057; the tolerance is four of them. At the end the violation is at most ten
// standard errors of the constraint's mean over all replications, so at least one replication in a hundred counts. The
// objective's gradient at the solution is −λ∇h, so the gap is at most λ times that violation.
template <class Problem>
void expect_rate(SampledProblem& problem, const Solver& solver, const std::vector<double>& start, std::int64_t most,
                 const std::string& name) {
  const Errors few = errors<Problem>(problem, solver, start, most / 16),
               many = errors<Problem>(problem, solver, start, most);
  EXPECT_LT(std::log(many.gap / few.gap) / std::log(16.0), -0.5 + 0.23) << name;
  EXPECT_LT(std::log(many.violation / few.violation) / std::log(16.0), -0.5 + 0.23) << name;
  const double most_violated = 10 * Problem::deviation() / std::sqrt(static_cast<double>(most));
  EXPECT_LT(many.violation, most_violated) << name;
  EXPECT_LT(many.gap, Problem::multiplier() * most_violated) << name;
}

TEST(ConstrainedSolvers, ConvergeAtTheirRate) {
  for (const auto& [name, solver] : all_solvers()) {
    DiscProblem problem;
    expect_rate<DiscProblem>(problem, solver, {-1, 0.5}, runs_in_test(16'000, 32'000), name);
  }
}

// Runs the solvers that stay in a part of a simplex, whose linear oracle is a linear program.
TEST(ConstrainedSolvers, StayInTheirRegion) {
  for (const auto& [name, solver] : all_solvers()) {
    if (name == "augmented-lagrangian") continue;
    SimplexProblem box;
    ConstrainedProblem problem(box, SimplexProblem::region());
    expect_rate<SimplexProblem>(problem, solver, {0.6, 0, 0, 0.4, 0, 0}, runs_in_test(4000, 8000), name);
  }
}

TEST(ConstrainedSolvers, KeepWithinAnyBudgetAndToThemselves) {
  for (const auto& [name, solver] : all_solvers()) {
    for (std::int64_t budget = 1; budget < 1500; budget += 97) {
      DiscProblem problem;
      const auto together = run_searches(problem, solver, {-1, 0.5}, budget, seeds(3));
      const auto separate = run_searches(problem, solver, {-1, 0.5}, budget, {seeds(3).back()});
      EXPECT_LE(together.back().replications, budget) << name;
      EXPECT_EQ(together.back().x, separate.front().x) << name << ", " << budget;
    }
  }
}

template <class Options>
void expect_refusals(const std::vector<Options>& wrong) {
  for (const Options& options : wrong) EXPECT_THROW(check(options), std::invalid_argument);
}

// After a gradient of 10⁴ next to a bound and a thousand of length 1, a plain root mean square would be 316.
TEST(MeanSize, ForgetsWhatIsFarBack) {
  impl::MeanSize size;
  size.add(1e4);
  for (int k = 0; k < 1000; ++k) size.add(1);
  EXPECT_NEAR(size(), 1, 0.01);
}

TEST(ConstrainedSolvers, RefuseOptionsOutOfRange) {
  expect_refusals<AugmentedLagrangianOptions>(
      {{.replications = 0}, {.growth = 1}, {.violation = 0}, {.penalty_growth = 1}, {.evaluations = 0}, {.step = 0}});
  expect_refusals<ConstraintExtrapolationOptions>(
      {{.replications = 0}, {.step = 0}, {.dual_step = 0}, {.averaging = -1}});
  expect_refusals<ConditionalGradientOptions>({{.replications = 0}, {.dual_step = 0}, {.averaging = -1}});
  expect_refusals<CooperativeApproximationOptions>(
      {{.replications = 0}, {.step = 0}, {.tolerance = 0}, {.averaging = -1}});
}

}  // namespace constrained_solvers_tests
}  // namespace sporos::test
