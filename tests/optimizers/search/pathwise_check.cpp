// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that biased pathwise derivatives are detected and that unbiased ones are accepted.
#include "noisy_problems.hpp"

#include <sporos/optimizers/search/check_pathwise.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace sporos::test {
namespace pathwise_check_tests {

// The smooth x₀² + √u·e^x₁, plus `jump` if another uniform is below x₂ / 4, which derivatives of replications miss.
NoisyProblem with_jump(double jump) {
  return {{{0, 5}, {0, 5}, {0, 3}},
          true,
          [jump](std::span<const double> x, const std::function<double()>& u, std::span<double> gradient) {
            const double uniform = u(), root = std::sqrt(u());
            if (!gradient.empty()) {
              gradient[0] = 2 * x[0];
              gradient[1] = root * std::exp(x[1]);
              gradient[2] = 0;
            }
            return x[0] * x[0] + root * std::exp(x[1]) + (uniform < x[2] / 4 ? jump : 0);
          }};
}

// One check in a thousand may be wrong: with 200 seeds, more than 3 errors have a probability below 10⁻⁴.
TEST(PathwiseCheck, LeavesUnbiasedDerivativesAlone) {
  NoisyProblem problem = with_jump(0);
  int refused = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    refused += check_pathwise(problem, {1, 1, 1}, {.replications = 200, .seed = seed}).has_value();
  }
  EXPECT_LE(refused, 3);
}

TEST(PathwiseCheck, FindsAJumpAndItsCoordinate) {
  NoisyProblem problem = with_jump(1);
  const auto biased = check_pathwise(problem, {1, 1, 1}, {.replications = 20'000});
  ASSERT_TRUE(biased);
  EXPECT_EQ(biased->coordinate, 2u);
  EXPECT_EQ(biased->pathwise, 0);
  EXPECT_NEAR(biased->difference, 0.25, 0.1);
}

TEST(PathwiseCheck, FindsAWrongDerivative) {
  NoisyProblem problem({{0, 5}}, true,
                       [](std::span<const double> x, const std::function<double()>& u, std::span<double> gradient) {
                         const double uniform = u();
                         if (!gradient.empty()) gradient[0] = 1.01 * uniform;
                         return uniform * x[0];
                       });
  EXPECT_TRUE(check_pathwise(problem, {0}, {}));  // at a bound, from the inside
}

TEST(PathwiseCheck, RefusesBadOptions) {
  NoisyProblem problem = with_jump(0);
  EXPECT_THROW(check_pathwise(problem, {1, 1, 1}, {.replications = 1}), std::invalid_argument);
  EXPECT_THROW(check_pathwise(problem, {1, 1, 1}, {.error_probability = 0}), std::invalid_argument);
  EXPECT_THROW(check_pathwise(problem, {1, 1, 1}, {.step = 2}), std::invalid_argument);
}

}  // namespace pathwise_check_tests
}  // namespace sporos::test
