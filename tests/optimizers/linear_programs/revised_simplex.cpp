// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks linear programs with known answers, warm starts, identical bits and error messages.
#include "harness/serial_or_host.hpp"
#include "programs.hpp"

#include <harness/backends.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace revised_simplex_tests {

using namespace sporos;
using test::Program;
using test::SerialOrHost;

constexpr double tolerance = 1e-9;  // relative

/// Beale, Naval Research Logistics Quarterly 2, 1955: the textbook rule cycles; optimum −1/20 at (1/25, 0, 1, 0).
Program beale() {
  return {{{0.25, 0.5, 0}, {-60, -90, 0}, {-0.04, -0.02, 1}, {9, 3, 0}}, {0, 0, 1}, {-0.75, 150, -0.02, 6}};
}

/// Klee and Minty, Inequalities III, 1972: Dantzig's rule, unscaled, visits all corners of this distorted cube. The
/// optimum is −5^d at (0, …, 0, 5^d).
Program klee_minty(int dimension) {
  Program program;
  for (int j = 0; j < dimension; ++j) {
    program.columns.emplace_back(dimension, 0.0);
    program.columns[j][j] = 1;
    for (int i = j + 1; i < dimension; ++i) program.columns[j][i] = std::ldexp(1.0, i - j + 1);
    program.limits.push_back(std::pow(5.0, j + 1));
    program.costs.push_back(-std::ldexp(1.0, dimension - 1 - j));
  }
  return program;
}

/// A program with `rows` resources and many products, and a second set of costs that differ by up to 1 %.
struct Pair {
  Program program;
  std::vector<double> costs;
};

Pair neighbours(int rows, int columns) {
  std::mt19937_64 bits(11);
  const auto uniform = [&] { return static_cast<double>(bits() >> 11) * 0x1p-53; };
  Pair pair;
  for (int j = 0; j < columns; ++j) {
    pair.program.columns.emplace_back();
    for (int i = 0; i < rows; ++i) pair.program.columns.back().push_back(0.1 + uniform());
    pair.program.costs.push_back(-0.1 - uniform());
    pair.costs.push_back(pair.program.costs.back() * (1 + 0.01 * (2 * uniform() - 1)));
  }
  for (int i = 0; i < rows; ++i) pair.program.limits.push_back(100 * (1 + uniform()));
  return pair;
}

template <class Space>
class Simplex : public ::testing::Test {};
TYPED_TEST_SUITE(Simplex, test::Backends, test::BackendName);

TYPED_TEST(Simplex, SolvesBealesProgram) {
  const auto answer = test::solve<TypeParam>(beale());
  EXPECT_EQ(answer.status, LinearProgramStatus::optimal);
  EXPECT_NEAR(answer.objective, -0.05, tolerance);
  ASSERT_EQ(answer.vertex.size(), 2);
  EXPECT_EQ(answer.vertex[0].index, 0);
  EXPECT_NEAR(answer.vertex[0].value, 0.04, tolerance);
  EXPECT_EQ(answer.vertex[1].index, 2);
  EXPECT_NEAR(answer.vertex[1].value, 1, tolerance);
}

/// One pivot per pass: the first improving column enters, not the best of several.
TYPED_TEST(Simplex, SolvesBealesProgramByBlandsRuleAlone) {
  SimplexRules rules;
  rules.stalled_pivots = 0;
  const auto answer = test::solve<TypeParam>(beale(), rules);
  EXPECT_NEAR(answer.objective, -0.05, tolerance);
  EXPECT_EQ(answer.passes, answer.pivots + 1);
}

TYPED_TEST(Simplex, SolvesKleeAndMintysProgram) {
  for (int dimension = 1; dimension <= 12; ++dimension) {
    const auto answer = test::solve<TypeParam>(klee_minty(dimension));
    const double best = -std::pow(5.0, dimension);
    EXPECT_NEAR(answer.objective, best, -tolerance * best);
    ASSERT_EQ(answer.vertex.size(), 1);
    EXPECT_EQ(answer.vertex[0].index, dimension - 1);
  }
}

TYPED_TEST(Simplex, TellsTheRayOfAnUnboundedProgram) {
  // x_2 grows with x_1: x_1 − x_2 ≤ 1, and the cost is −x_1 + x_2/2.
  const auto answer = test::solve<TypeParam>({{{1}, {-1}}, {1}, {-1, 0.5}});
  EXPECT_EQ(answer.status, LinearProgramStatus::unbounded);
  EXPECT_EQ(answer.objective, -std::numeric_limits<double>::infinity());
  ASSERT_EQ(answer.ray.size(), 2);
  EXPECT_NEAR(answer.ray[0].value, answer.ray[1].value, tolerance);
}

TYPED_TEST(Simplex, TellsWhereNothingIsFeasible) {
  const auto answer = test::solve<TypeParam>({{{1, -1}}, {1, -2}, {1}});  // x ≤ 1 and x ≥ 2
  EXPECT_EQ(answer.status, LinearProgramStatus::infeasible);
  EXPECT_EQ(answer.objective, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(answer.vertex.empty());
}

TYPED_TEST(Simplex, TakesAnEqualityAsTwoRows) {
  const auto answer = test::solve<TypeParam>({{{1, -1}, {2, -2}}, {3, -3}, {1, 1}});  // x_1 + 2 x_2 = 3
  EXPECT_EQ(answer.status, LinearProgramStatus::optimal);
  EXPECT_NEAR(answer.objective, 1.5, tolerance);
}

TYPED_TEST(Simplex, PrefersTheFirstOfEqualColumns) {
  Program program{{}, {2, 3}, {}};
  program.columns.assign(1000, {1, 0.5});
  program.costs.assign(1000, -1);
  const auto answer = test::solve<TypeParam>(program);
  ASSERT_EQ(answer.vertex.size(), 1);
  EXPECT_EQ(answer.vertex[0].index, 0);
  EXPECT_EQ(answer.vertex[0].value, 2);
}

TYPED_TEST(Simplex, StartsFromTheLastBasis) {
  const Pair pair = neighbours(20, 3000);
  const TypeParam space;
  const auto columns = test::columns_on<TypeParam>(pair.program);
  RevisedSimplex<TypeParam> simplex(space, columns, pair.program.limits);
  simplex.minimize(space, to_device<TypeParam>(pair.program.costs));
  const auto costs = to_device<TypeParam>(pair.costs);
  const auto warm = simplex.minimize(space, costs);
  simplex.restart();
  const auto cold = simplex.minimize(space, costs);
  EXPECT_LT(warm.pivots, cold.pivots / 2);
  EXPECT_NEAR(warm.objective, cold.objective, -tolerance * cold.objective);
  ASSERT_EQ(warm.vertex.size(), cold.vertex.size());
  for (std::size_t k = 0; k < warm.vertex.size(); ++k) {
    EXPECT_EQ(warm.vertex[k].index, cold.vertex[k].index);
    EXPECT_NEAR(warm.vertex[k].value, cold.vertex[k].value, tolerance * 100);
  }
  EXPECT_EQ(simplex.minimize(space, costs).pivots, 0);
}

TYPED_TEST(Simplex, SolvesOnAfterUnboundedAndInfeasiblePrograms) {
  const TypeParam space;
  const Program program{{{1}, {-1}}, {1}, {-1, 0.5}};
  RevisedSimplex<TypeParam> simplex(space, test::columns_on<TypeParam>(program), program.limits);
  EXPECT_EQ(simplex.minimize(space, to_device<TypeParam>(program.costs)).status, LinearProgramStatus::unbounded);
  EXPECT_NEAR(simplex.minimize(space, to_device<TypeParam>({-1, 2})).objective, -1, tolerance);
  const Program none{{{1, -1}}, {1, -2}, {1}};
  RevisedSimplex<TypeParam> infeasible(space, test::columns_on<TypeParam>(none), none.limits);
  for (int time = 0; time < 2; ++time) {
    EXPECT_EQ(infeasible.minimize(space, to_device<TypeParam>({1})).status, LinearProgramStatus::infeasible);
  }
}

TYPED_TEST(Simplex, GivesTheSameBitsAgainAndOnEveryHostSpace) {
  if (!runs_on_host<TypeParam>) GTEST_SKIP() << "a GPU adds up in another order";
  const Program program = neighbours(30, 5000).program;
  const auto reference = test::solve<SerialOrHost>(program);
  for (int time = 0; time < 2; ++time) {
    const auto answer = test::solve<TypeParam>(program);
    EXPECT_EQ(answer.objective, reference.objective);
    EXPECT_EQ(answer.vertex, reference.vertex);
    EXPECT_EQ(answer.prices, reference.prices);
    EXPECT_EQ(answer.pivots, reference.pivots);
  }
}

/// Returns the message of the exception that `act` throws.
template <class Exception, class Act>
std::string complaint(const Act& act) {
  try {
    act();
  } catch (const Exception& problem) {
    return problem.what();
  }
  return "nothing";
}

TYPED_TEST(Simplex, RefusesWhatIsNotAProgram) {
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  const auto refusal = [](const Program& program) {
    return complaint<std::invalid_argument>([&] { test::solve<TypeParam>(program); });
  };
  EXPECT_EQ(refusal({{{1, 2}, {nan, infinity}}, {1, 1}, {1, 1}}),
            "entry of column 2 in row 1 is nan, expected a finite number");
  EXPECT_EQ(refusal({{{1, 2}}, {1, infinity}, {1}}), "limit of row 2 is inf, expected a finite number");
  EXPECT_EQ(refusal({{{1}, {1}}, {1}, {1, nan}}), "cost of column 2 is nan, expected a finite number");
  EXPECT_EQ(refusal({{{1}, {1}}, {1}, {-infinity, 0}}), "cost of column 1 is -inf, expected a finite number");
  EXPECT_EQ(refusal({{{1}, {1}}, {1}, {1}}), "number of costs is 1, expected 2");
  EXPECT_EQ(
      refusal({{}, {1}, {}}),
      "constraints have 0 columns and 1 rows, expected at least one of each and one row for each of the 1 limits");
}

TYPED_TEST(Simplex, StopsAtTheMostPivots) {
  SimplexRules rules;
  rules.max_pivots = 1;
  EXPECT_EQ(complaint<std::runtime_error>([&] { test::solve<TypeParam>(neighbours(5, 100).program, rules); }),
            "linear program is not solved after 1 pivots, the largest number allowed");
}

}  // namespace revised_simplex_tests
