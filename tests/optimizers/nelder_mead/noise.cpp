// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/math/normal.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/optimizers/nelder_mead/nelder_mead.hpp>
#include <sporos/optimizers/nelder_mead/pointwise_objective.hpp>

#include <harness/backends.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace noise_tests {

using namespace sporos;

// Σ x_i² plus normal noise of standard deviation 1/10. Noise is independent between simplices. Within a simplex, all
// evaluations have the same noise if `is_common`; otherwise each evaluation has independent noise.
struct NoisySquares {
  std::uint64_t seed;
  bool is_common;
  KOKKOS_FUNCTION double operator()(const double* x, std::int64_t n, std::int32_t simplex,
                                    std::int64_t evaluation) const {
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += x[i] * x[i];
    const Stream stream{seed, static_cast<std::uint64_t>(simplex), 0};
    const auto bits = Philox4x32::block(stream, is_common ? 0 : static_cast<std::uint64_t>(evaluation));
    return sum + 0.1 * math::normal_quantile_of_uniform(open_uniform(bits[0]));
  }
};

constexpr std::size_t runs = 1600;

template <class Space>
std::vector<NelderMeadResult> minimize_noise(std::uint64_t seed, std::int64_t reevaluation_interval,
                                             bool is_common = false) {
  PointwiseObjective<Space, NoisySquares> objective{NoisySquares{seed, is_common}};
  NelderMeadOptions options;
  options.coefficients = NelderMeadCoefficients::adaptive;
  options.size_tolerance = options.value_tolerance = is_common ? 1e-9 : 0;
  options.reevaluation_interval = reevaluation_interval;
  options.evaluations = is_common ? 1000 : 200;
  const std::vector<double> point = {1, -1, 2, -2};
  return nelder_mead(objective, std::vector(runs, SimplexStart{point, {0.5, 0.5, 0.5, 0.5}}), options);
}

double squares(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return sum;
}

std::size_t wins(const std::vector<NelderMeadResult>& a, const std::vector<NelderMeadResult>& b) {
  std::size_t count = 0;
  for (std::size_t s = 0; s < runs; ++s) count += squares(a[s].point) < squares(b[s].point);
  return count;
}

double mean_error_of_values(const std::vector<NelderMeadResult>& found) {
  double sum = 0;
  for (const NelderMeadResult& one : found) sum += one.value - squares(one.point);
  return sum / runs;
}

template <class Space>
struct NelderMeadWithNoise : testing::Test {};
TYPED_TEST_SUITE(NelderMeadWithNoise, test::Backends, test::BackendName);

// Compares two settings on 1600 pairs of simplices. If both settings are equally good, the number of pairs that the
// first one wins is binomial with mean 800 and standard deviation 20. It is then at least 895 with probability 1e-6.
TYPED_TEST(NelderMeadWithNoise, EndsNearerToTheMinimumWithReevaluation) {
  constexpr std::size_t significant = 895;
  const auto without = minimize_noise<TypeParam>(1, 0), with = minimize_noise<TypeParam>(1, 1);
  EXPECT_GE(wins(with, without), significant);
  const auto control = minimize_noise<TypeParam>(2, 0);
  EXPECT_LT(wins(control, without), significant);
  EXPECT_LT(wins(without, control), significant);
}

// The smallest of many noisy values underestimates the objective. The bias is smaller if each value is the average of
// more evaluations.
TYPED_TEST(NelderMeadWithNoise, HasMoreHonestValuesWithReevaluation) {
  const auto without = minimize_noise<TypeParam>(1, 0), with = minimize_noise<TypeParam>(1, 1);
  EXPECT_LT(mean_error_of_values(without), -0.2);
  EXPECT_GT(mean_error_of_values(with), -0.13);
  EXPECT_LT(mean_error_of_values(with), 0);
  EXPECT_EQ(without[0].value_evaluations, 1);
  EXPECT_GT(with[0].value_evaluations, 1);
}

// Noise that is the same in all evaluations only shifts the objective, so the search finds the exact minimum.
TYPED_TEST(NelderMeadWithNoise, FindsTheMinimumWithCommonRandomNumbers) {
  for (const NelderMeadResult& one : minimize_noise<TypeParam>(1, 0, true)) EXPECT_LT(squares(one.point), 1e-8);
}

}  // namespace noise_tests
