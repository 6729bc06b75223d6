// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks Lagrangian problems that are built from a problem with constraints on means.
#include "disc_problem.hpp"

#include <sporos/optimizers/constrained/lagrangian_problem.hpp>
#include <sporos/optimizers/constrained/tightened_problem.hpp>
#include <sporos/optimizers/constrained/violation_problem.hpp>
#include <sporos/optimizers/search/run_searches.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace sporos::test {
namespace lagrangian_problem_tests {

SampleMean at(SampledProblem& problem, std::vector<double> x) {
  return problem.evaluate(std::vector<Sample>{{std::move(x), 1, 0, 50, true}}).front();
}

// Compares the gradient with differences of the mean on the same replications.
void expect_slopes(SampledProblem& problem, const std::vector<double>& x) {
  const std::vector<double> gradient = at(problem, x).gradient;
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::vector<double> above = x, below = x;
    above[i] += 1e-5;
    below[i] -= 1e-5;
    EXPECT_NEAR(gradient[i], (at(problem, above).mean - at(problem, below).mean) / 2e-5, 1e-6) << i;
  }
}

// Compares with the Lagrangian computed by hand from the same sample. If λ + ρ h < 0, the term is −λ² / 2ρ.
TEST(LagrangianProblem, IsMadeOfObjectiveAndConstraints) {
  DiscProblem problem;
  const std::vector<double> x{2, 1.5};
  const SampleMean plain = at(problem, x);
  const double h = plain.constraints[0].mean, slack = plain.constraints[1].mean;
  ASSERT_GT(h, 0);
  ASSERT_LT(0.3 + 7 * slack, 0);
  LagrangianProblem lagrangian(problem, {{2, 0}, {0.3, 0}});
  EXPECT_NEAR(at(lagrangian, x).mean, plain.mean + 2 * h + 0.3 * slack, 1e-12);
  expect_slopes(lagrangian, x);
  lagrangian.set({{2, 5}, {0.3, 7}});
  EXPECT_NEAR(at(lagrangian, x).mean, plain.mean + 2 * h + 2.5 * h * h - 0.3 * 0.3 / 14, 1e-12);
  expect_slopes(lagrangian, x);
  EXPECT_EQ(lagrangian.constraints_on_means(), 0U);
  EXPECT_THROW(lagrangian.set({{2, 0}}), std::invalid_argument);
  EXPECT_THROW(lagrangian.set({{2, 0}, {-1, 0}}), std::invalid_argument);
  EXPECT_THROW(lagrangian.set({{2, 0}, {1, -1}}), std::invalid_argument);
}

TEST(ViolationProblem, CountsWhatIsViolatedAlone) {
  DiscProblem problem;
  ViolationProblem violation(problem, {2, 1});
  const double h = at(problem, {2, 1.5}).constraints[0].mean;
  EXPECT_NEAR(at(violation, {2, 1.5}).mean, h * h / 8, 1e-12);
  expect_slopes(violation, {2, 1.5});
  EXPECT_EQ(at(violation, {0, 0}).mean, 0);
  EXPECT_THROW(ViolationProblem(problem, {1}), std::invalid_argument);
  EXPECT_THROW(ViolationProblem(problem, {1, 0}), std::invalid_argument);
}

TEST(TightenedProblem, AsksForMore) {
  DiscProblem problem;
  TightenedProblem tightened(problem, {0.5, 0});
  const std::vector<ConstraintMean> wide = at(problem, {1, 1}).constraints, narrow = at(tightened, {1, 1}).constraints;
  EXPECT_EQ(narrow[0].mean, wide[0].mean + 0.5);
  EXPECT_EQ(narrow[1].mean, wide[1].mean);
  EXPECT_EQ(narrow[0].gradient, wide[0].gradient);
}

}  // namespace lagrangian_problem_tests
}  // namespace sporos::test
