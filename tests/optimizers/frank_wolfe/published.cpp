// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares with tables in the documentation of FrankWolfe.jl (docs/src/advanced.md, "Rational arithmetic" and
// "Large-scale problems"): min ‖x‖² over the probability simplex from a vertex.
#include "quadratic.hpp"

#include <harness/backends.hpp>

#include <sporos/optimizers/frank_wolfe/frank_wolfe.hpp>
#include <sporos/optimizers/frank_wolfe/regions/budget.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace published_tests {

using namespace sporos;

template <class Space>
FrankWolfeResult run(std::size_t dimension, StepRule rule, std::int64_t iterations, std::int64_t interval) {
  test::Quadratic<Space> problem(std::vector<double>(dimension, 2.0), std::vector<double>(dimension, 0.0));
  auto region = probability_simplex<Space>(static_cast<std::int64_t>(dimension));
  FrankWolfeOptions options;
  options.step_rule = rule;
  options.epochs = iterations;
  options.iterations = 1;
  options.record_interval = interval;
  std::vector<double> start(dimension);
  start[0] = 1;
  return frank_wolfe(problem, region, start, options);
}

template <class Space>
struct Published : testing::Test {};
TYPED_TEST_SUITE(Published, test::Backends, test::BackendName);

// The table for n = 100, with the short step in rational arithmetic.
TYPED_TEST(Published, ShortStepsOnTheSimplex) {
  const std::vector<double> primal = {1.000000e+00, 9.090909e-02, 4.761905e-02, 3.225806e-02, 2.439024e-02,
                                      1.960784e-02, 1.639344e-02, 1.408451e-02, 1.234568e-02, 1.098901e-02};
  const std::vector<double> gap = {2.000000e+00, 1.818182e-01, 9.523810e-02, 6.451613e-02, 4.878049e-02,
                                   3.921569e-02, 3.278689e-02, 2.816901e-02, 2.469136e-02, 2.197802e-02};
  constexpr double digits = 5e-7;  // relative: the table has seven digits
  for (const StepRule rule : {StepRule::short_step, StepRule::exact}) {
    const FrankWolfeResult result = run<TypeParam>(100, rule, 99, 10);
    ASSERT_EQ(result.trajectory.size(), 11u);
    for (std::size_t i = 0; i < primal.size(); ++i) {
      EXPECT_EQ(result.trajectory[i].iteration, static_cast<std::int64_t>(10 * i));
      EXPECT_NEAR(result.trajectory[i].objective, primal[i], digits * primal[i]);
      EXPECT_NEAR(result.trajectory[i].gap, gap[i], digits * gap[i]);
    }
    EXPECT_NEAR(result.trajectory.back().objective, 1.000000e-02, 1e-15);
    EXPECT_NEAR(result.trajectory.back().gap, 0, 1e-15);
    for (const double weight : result.solution) EXPECT_NEAR(weight, 0.01, 1e-15);
  }
}

// If the dimension is larger than the number of iterations, the table hardly depends on it; FrankWolfe.jl uses 10^9.
// Its objective is ‖x − p‖² for a random point p of the simplex, whose coordinates are below 2 · 10^-9, so its values
// are smaller by up to 4 · 10^-9.
TYPED_TEST(Published, OpenLoopStepsOnTheSimplex) {
  const std::vector<double> primal = {1.000000e+00, 1.326732e-02, 6.650080e-03, 4.437059e-03,
                                      3.329174e-03, 2.664003e-03, 2.220371e-03, 1.903401e-03,
                                      1.665624e-03, 1.480657e-03, 1.332665e-03};
  const std::vector<double> gap = {2.000000e+00, 2.653465e-02, 1.330017e-02, 8.874123e-03, 6.658354e-03, 5.328011e-03,
                                   4.440747e-03, 3.806807e-03, 3.331253e-03, 2.961319e-03, 2.665335e-03};
  const FrankWolfeResult result = run<TypeParam>(1200, StepRule::open_loop, 1000, 100);
  ASSERT_EQ(result.trajectory.size(), 11u);
  for (std::size_t i = 0; i < primal.size(); ++i) {
    EXPECT_NEAR(result.trajectory[i].objective, primal[i], 5e-7 * primal[i] + 4e-9);
    EXPECT_NEAR(result.trajectory[i].gap, gap[i], 5e-7 * gap[i] + 8e-9);
  }
}

// After t steps from a vertex, t + 1 vertices have equal weight.
TYPED_TEST(Published, AStepAddsAVertex) {
  for (const std::int64_t steps : {1, 7, 30}) {
    const FrankWolfeResult result = run<TypeParam>(100, StepRule::exact, steps, steps);
    const auto zeros = std::count(result.solution.begin(), result.solution.end(), 0.0);
    EXPECT_EQ(zeros, 99 - steps);
    EXPECT_NEAR(result.trajectory.back().objective, 1.0 / static_cast<double>(steps + 1), 1e-15);
  }
}

// The first example in FrankWolfe.jl's README: adaptive steps in dimension 3, from a vertex to a gap below 10^-7, end
// at 1/3.
TYPED_TEST(Published, AdaptiveStepsInThreeDimensions) {
  test::Quadratic<TypeParam> problem({2, 2, 2}, {0, 0, 0});
  auto region = probability_simplex<TypeParam>(3);
  FrankWolfeOptions options;
  options.step_rule = StepRule::adaptive;
  options.gap_tolerance = 1e-7;
  const FrankWolfeResult result = frank_wolfe(problem, region, std::vector<double>{1, 0, 0}, options);
  EXPECT_EQ(result.stopped_by, StoppedBy::gap);
  EXPECT_LE(result.iterations, 1000) << "what theirs took";
  EXPECT_EQ(result.trajectory.front().gap, 2);
  EXPECT_LE(result.trajectory.back().gap, 1e-7);
  EXPECT_NEAR(result.trajectory.back().objective, 1.0 / 3, 1e-7);
  for (const double weight : result.solution) EXPECT_NEAR(weight, 1.0 / 3, 1e-3);
}

}  // namespace published_tests
