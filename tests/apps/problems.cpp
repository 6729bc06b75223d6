// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registry of problems. Each problem defines a search, and by exact means no point near a known optimum is better.
#include <sporos/runtime/problems/problems.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace sporos::test {
namespace problems_tests {

using runtime::exact_excess;
using runtime::exact_objective;
using runtime::registered_problem;
using runtime::RegisteredProblem;

// Whether x is within bounds and satisfies, to `tolerance`, all constraints whose means are known exactly.
bool is_feasible(const RegisteredProblem& problem, const std::vector<double>& x, double tolerance) {
  const runtime::SearchRequest request = search_request(problem);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] < request.decisions[i].low || x[i] > request.decisions[i].high) return false;
  }
  for (const LinearConstraint& constraint : request.constraints) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += constraint.weights[i] * x[i];
    if (sum > constraint.total + tolerance) return false;
  }
  for (std::size_t j = 0; j < request.constraints_on_means.size(); ++j) {
    if (exact_excess(problem, j, x).value_or(0) > tolerance) return false;
  }
  return true;
}

// Improvement of the objective from `x` to its best neighbour along one decision variable.
double best_improvement(const RegisteredProblem& problem, const std::vector<double>& x) {
  const double sign = problem.described->is_maximized ? -1 : 1;
  const double here = *exact_objective(problem, x);
  double best = -1e300;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t place = *problem.model->find_parameter(problem.described->decisions[i].parameter);
    const double step = problem.model->parameters[place].is_whole() ? 1 : 0.01 * std::max(0.1, std::abs(x[i]));
    for (const double move : {-step, step}) {
      std::vector<double> next = x;
      next[i] += move;
      if (is_feasible(problem, next, 1e-9)) best = std::max(best, sign * (here - *exact_objective(problem, next)));
    }
  }
  return best;
}

TEST(Problems, HaveNamesOfTheirOwnAndMakeSearches) {
  std::set<std::string> names;
  for (const RegisteredProblem& problem : runtime::registered_problems()) {
    const DescribedProblem& described = *problem.described;
    EXPECT_TRUE(names.insert(described.name).second) << described.name;
    EXPECT_FALSE(described.title.empty() || described.source.empty()) << described.name;
    const runtime::SearchRequest request = search_request(problem);
    EXPECT_EQ(request.decisions.size(), described.decisions.size());
    EXPECT_EQ(request.constraints.size() + request.constraints_on_means.size(), described.constraints.size());
    for (const ProblemDecision& decision : described.decisions) {
      EXPECT_LE(decision.low, decision.start) << described.name;
      EXPECT_GE(decision.high, decision.start) << described.name;
    }
    EXPECT_NO_THROW(objective_of(request.objective, request.constraints_on_means, *request.model, request.values,
                                 request.decisions));
    if (described.optimum && !described.optimum->x.empty()) {
      EXPECT_EQ(described.optimum->x.size(), described.decisions.size());
    }
  }
}

// Problems whose means are all known exactly have two independent values at the optimum, which must agree: that of the
// solver that found the optimum, and that of the model's exact means.
TEST(Problems, HaveTheOptimaThatTheyTell) {
  std::size_t checked = 0;
  for (const RegisteredProblem& problem : runtime::registered_problems()) {
    const auto& optimum = problem.described->optimum;
    if (!optimum || optimum->x.empty()) continue;
    const auto value = exact_objective(problem, optimum->x);
    if (!value) continue;
    ++checked;
    EXPECT_NEAR(*value, optimum->value, 1e-7 * std::max(1.0, std::abs(*value))) << problem.described->name;
    if (has_tails(search_request(problem))) continue;  // exact means do not determine tails
    EXPECT_TRUE(is_feasible(problem, optimum->x, 1e-6)) << problem.described->name;
    EXPECT_LT(best_improvement(problem, optimum->x), 1e-9) << problem.described->name;
  }
  EXPECT_GE(checked, 7U);
}

TEST(ProblemsControl, AnotherPointIsFoundToBeNone) {
  for (const std::string name : {"san-1", "mm1", "staffing", "cntnews-1"}) {
    const RegisteredProblem& problem = registered_problem(name);
    EXPECT_GT(best_improvement(problem, runtime::start_of(*problem.described)), 1e-4) << name;
  }
}

}  // namespace problems_tests
}  // namespace sporos::test
