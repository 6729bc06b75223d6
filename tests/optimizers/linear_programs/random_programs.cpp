// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Solves thousands of random linear programs and compares with GLPK.
#include "harness/serial_or_host.hpp"
#include "programs.hpp"

#include <sporos/optimizers/linear_programs/dual_program.hpp>

#include <harness/backends.hpp>

#include <glpk.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace random_programs_tests {

using namespace sporos;
using test::Program;
using test::SerialOrHost;

constexpr double proof_tolerance = 1e-7;      // for an answer's own proof, relative to the terms of each sum
constexpr double objective_tolerance = 1e-7;  // against GLPK's objective, relative to the terms of cᵀx

struct Reference {
  LinearProgramStatus status;
  double objective;
};

Reference solve_by_glpk(const Program& program) {
  const std::unique_ptr<glp_prob, decltype(&glp_delete_prob)> problem(glp_create_prob(), &glp_delete_prob);
  const auto rows = static_cast<int>(program.limits.size());
  const auto columns = static_cast<int>(program.columns.size());
  glp_add_rows(problem.get(), rows);
  glp_add_cols(problem.get(), columns);
  for (int i = 1; i <= rows; ++i) glp_set_row_bnds(problem.get(), i, GLP_UP, 0, program.limits[i - 1]);
  std::vector<int> indices;
  for (int i = 0; i <= rows; ++i) indices.push_back(i);
  for (int j = 1; j <= columns; ++j) {
    glp_set_col_bnds(problem.get(), j, GLP_LO, 0, 0);
    glp_set_obj_coef(problem.get(), j, program.costs[j - 1]);
    glp_set_mat_col(problem.get(), j, rows, indices.data(), program.columns[j - 1].data() - 1);
  }
  glp_smcp options;
  glp_init_smcp(&options);
  options.msg_lev = GLP_MSG_OFF;
  EXPECT_EQ(glp_simplex(problem.get(), &options), 0);
  const int status = glp_get_status(problem.get());
  if (status == GLP_OPT) return {LinearProgramStatus::optimal, glp_get_obj_val(problem.get())};
  EXPECT_TRUE(status == GLP_UNBND || status == GLP_NOFEAS) << status;
  return {status == GLP_UNBND ? LinearProgramStatus::unbounded : LinearProgramStatus::infeasible, 0};
}

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : m_bits(seed) {}

  int whole(int least, int most) {
    return least + static_cast<int>(m_bits() % static_cast<std::uint64_t>(most - least + 1));
  }
  double real(double least, double most) {
    return least + (most - least) * (static_cast<double>(m_bits() >> 11) * 0x1p-53);
  }

 private:
  std::mt19937_64 m_bits;
};

/// Limited resources that products use: the program is bounded, and its solution is a vertex with several products.
Program resources(Generator& random, int rows, int columns) {
  Program program;
  for (int j = 0; j < columns; ++j) {
    program.columns.emplace_back();
    for (int i = 0; i < rows; ++i) program.columns.back().push_back(random.real(0.1, 1));
    program.costs.push_back(random.real(-1, 0.1));
  }
  for (int i = 0; i < rows; ++i) program.limits.push_back(random.real(0, 10));
  return program;
}

/// Small whole numbers of either sign, many of them 0: programs of every outcome.
Program whole_numbers(Generator& random, int rows, int columns) {
  Program program;
  const int zeros = random.whole(0, 3);
  for (int j = 0; j < columns; ++j) {
    program.columns.emplace_back();
    for (int i = 0; i < rows; ++i) {
      program.columns.back().push_back(random.whole(0, zeros) > 0 ? 0 : random.whole(-1, 3));
    }
    program.costs.push_back(random.whole(-3, 2));
  }
  const int least = random.whole(-2, 0);
  for (int i = 0; i < rows; ++i) program.limits.push_back(random.whole(least, 4));
  return program;
}

/// Ties everywhere: entries are small whole numbers, limits are 0 or 1, and every other column is a copy.
Program degenerate(Generator& random, int rows, int columns) {
  Program program;
  for (int j = 0; j < columns; ++j) {
    if (j % 2 == 1) {
      program.columns.push_back(program.columns.back());
      program.costs.push_back(program.costs.back());
      continue;
    }
    program.columns.emplace_back();
    for (int i = 0; i < rows; ++i) program.columns.back().push_back(random.whole(-1, 2));
    program.costs.push_back(random.whole(-2, 0));
  }
  for (int i = 0; i < rows; ++i) program.limits.push_back(random.whole(0, 3) > 0 ? 0 : 1);
  return program;
}

/// Entries of either sign around a feasible x and dual prices: limits may be negative, and an optimum exists.
Program around_a_solution(Generator& random, int rows, int columns) {
  Program program;
  std::vector<double> prices;
  for (int i = 0; i < rows; ++i) prices.push_back(std::min(random.real(-2, 1), 0.0));
  program.limits.assign(rows, 0);
  for (int j = 0; j < columns; ++j) {
    program.columns.emplace_back();
    const double x = std::max(random.real(-3, 1), 0.0);
    program.costs.push_back(std::max(random.real(-1, 1), 0.0));
    for (int i = 0; i < rows; ++i) {
      const double entry = random.real(-1, 1);
      program.columns.back().push_back(entry);
      program.limits[i] += entry * x;
      program.costs.back() += entry * prices[i];
    }
  }
  for (int i = 0; i < rows; ++i) program.limits[i] += std::max(random.real(-1, 1), 0.0);
  return program;
}

/// A program around a solution whose rows and columns have units of very different sizes.
Program badly_scaled(Generator& random, int rows, int columns) {
  Program program = around_a_solution(random, rows, columns);
  for (int i = 0; i < rows; ++i) {
    const double unit = std::pow(10.0, random.whole(-3, 3));
    program.limits[i] *= unit;
    for (auto& column : program.columns) column[i] *= unit;
  }
  for (int j = 0; j < columns; ++j) {
    const double unit = std::pow(10.0, random.whole(-3, 3));
    program.costs[j] *= unit;
    for (double& entry : program.columns[j]) entry *= unit;
  }
  return program;
}

/// A feasible x with random costs: the program is often unbounded.
Program careless(Generator& random, int rows, int columns) {
  Program program = around_a_solution(random, rows, columns);
  for (double& cost : program.costs) cost = random.real(-1, 1);
  return program;
}

using Kind = Program (*)(Generator&, int, int);
constexpr std::array<Kind, 6> kinds = {resources, whole_numbers, degenerate, around_a_solution, badly_scaled, careless};
constexpr int programs_of_kind = 400;

struct Case {
  Program program;
  Reference reference;
};

/// Programs of every kind with 1 to 50 rows and 1 to a few hundred columns, mostly small; each is solved by GLPK once.
const std::vector<Case>& cases() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> made;
    Generator random(4);
    for (const Kind kind : kinds) {
      for (int number = 0; number < programs_of_kind; ++number) {
        const int rows = number % 8 == 0 ? random.whole(1, 50) : random.whole(1, 12);
        const int columns = number % 40 == 0 ? random.whole(300, 700) : random.whole(1, 60);
        const Program program = kind(random, rows, columns);
        made.push_back({program, solve_by_glpk(program)});
      }
    }
    return made;
  }();
  return cases;
}

double size_of_objective(const Program& program, const LinearProgramSolution& answer) {
  return test::sum_over(answer.vertex, [&](std::size_t j) { return program.costs[j]; }).size;
}

/// Describes how an answer differs from GLPK's; empty if it does not.
std::string difference(const Case& example, const LinearProgramSolution& answer) {
  if (answer.status != example.reference.status) return "another status";
  if (answer.status != LinearProgramStatus::optimal) return "";
  const double error = std::abs(answer.objective - example.reference.objective);
  return error > objective_tolerance * size_of_objective(example.program, answer) ? "another objective" : "";
}

/// The first backend solves all programs. The others launch kernels more slowly and solve every fourth.
template <class Space>
constexpr std::size_t thinning = std::is_same_v<Space, SerialOrHost> ? 1 : 4;

template <class Space>
void expect_solved(const SimplexRules& rules, std::size_t every) {
  for (std::size_t number = 0; number < cases().size(); number += every * thinning<Space>) {
    const Case& example = cases()[number];
    const LinearProgramSolution answer = test::solve<Space>(example.program, rules);
    EXPECT_EQ(difference(example, answer), "") << "program " << number;
    EXPECT_EQ(test::fault_in(example.program, answer, proof_tolerance), "") << "program " << number;
  }
}

template <class Space>
class RandomPrograms : public ::testing::Test {};
TYPED_TEST_SUITE(RandomPrograms, test::Backends, test::BackendName);

TYPED_TEST(RandomPrograms, AreSolvedAsByGlpkAndProveIt) { expect_solved<TypeParam>({}, 1); }

TYPED_TEST(RandomPrograms, AreSolvedByBlandsRuleWhereverXDoesNotMove) {
  SimplexRules rules;
  rules.stalled_pivots = 1;
  expect_solved<TypeParam>(rules, 3);
}

// Solves each program by its dual, twice: the second solve starts from the basis of a program with other costs.
template <class Space>
void expect_solved_by_duals(std::size_t every) {
  const Space space;
  for (std::size_t number = 0; number < cases().size(); number += every * thinning<Space>) {
    const Case& example = cases()[number];
    if (example.program.columns.size() > 60) continue;  // duals are meant for few columns
    DualProgram<Space> dual(space, test::columns_on<Space>(example.program), example.program.limits);
    std::vector<double> others = example.program.costs;
    std::reverse(others.begin(), others.end());
    for (const bool is_first : {true, false}) {
      const LinearProgramSolution answer = dual.minimize(space, to_device<Space>(example.program.costs));
      EXPECT_EQ(difference(example, answer), "") << "program " << number;
      EXPECT_EQ(test::fault_in(example.program, answer, proof_tolerance), "") << "program " << number;
      if (is_first) dual.minimize(space, to_device<Space>(others));
    }
  }
}

TYPED_TEST(RandomPrograms, AreSolvedByTheirDuals) { expect_solved_by_duals<TypeParam>(3); }

TEST(Cases, AreOfEveryOutcome) {
  std::array<int, 3> counts{};
  for (const auto& example : cases()) ++counts[static_cast<std::size_t>(example.reference.status)];
  for (const int count : counts) EXPECT_GT(count, 50);
}

/// Without a product of the optimal vertex, the answer is a feasible but wrong vertex; both checks must detect that.
TEST(Cases, WrongAnswersAreRejected) {
  int tried = 0;
  for (std::size_t number = 0; number < cases().size(); number += 3) {
    const Case& example = cases()[number];
    if (example.reference.status != LinearProgramStatus::optimal) continue;
    const auto best = test::solve<SerialOrHost>(example.program);
    if (best.vertex.empty()) continue;
    Program without = example.program;
    const auto dropped = static_cast<std::ptrdiff_t>(best.vertex.front().index);
    without.columns[dropped].assign(without.limits.size(), 0);
    without.costs[dropped] = 0;
    auto second = test::solve<SerialOrHost>(without);
    if (second.status != LinearProgramStatus::optimal) continue;
    const double loss = second.objective - example.reference.objective;
    if (loss <= 10 * objective_tolerance * size_of_objective(without, second)) continue;  // another vertex is as good
    ++tried;
    EXPECT_NE(difference(example, second), "");
    EXPECT_NE(test::fault_in(example.program, second, proof_tolerance), "");
  }
  EXPECT_GT(tried, 200);
}

}  // namespace random_programs_tests
