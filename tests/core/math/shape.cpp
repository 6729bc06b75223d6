// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symmetries and monotonicity of the elementary functions, checked to the bit.
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/core/math/normal.hpp>
#include <sporos/core/math/normal_quantiles.hpp>
#include <sporos/core/math/pack.hpp>
#include <sporos/core/math/trigonometric.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace sporos::test {
namespace shape_tests {

constexpr int samples = 200000;

/// Multiples of 2^−53 in (0, 1) near the ends, the middle and boundaries between formulas, and random others.
std::vector<double> grid_points() {
  std::vector<double> points;
  for (const double center : {0x1p-53, 0.0011, 0.25, 0.5, 0.75, 0.9989, 1.0 - 0x1p-53}) {
    const std::int64_t middle = static_cast<std::int64_t>(center * 0x1p53), end = std::int64_t{1} << 53;
    for (std::int64_t k = std::max(middle - 5000, std::int64_t{1}); k < std::min(middle + 5000, end); ++k) {
      points.push_back(static_cast<double>(k) * 0x1p-53);
    }
  }
  std::mt19937_64 bits(7);
  for (int i = 0; i < samples; ++i) points.push_back(static_cast<double>((bits() >> 11) | 1) * 0x1p-53);
  return points;
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

template <class Function>
int falls_between_neighbours(const Function& function) {
  int falls = 0;
  for (const double p : grid_points()) falls += p + 0x1p-53 < 1.0 && !(function(p) < function(p + 0x1p-53));
  return falls;
}

TEST(NormalQuantile, IncreasesStrictlyOverMultiplesOf2ToTheMinus53) {
  EXPECT_EQ(falls_between_neighbours([](double p) { return math::normal_quantile(p); }), 0);
}

TEST(NormalQuantile, NegativeControlOfMonotonicity) {
  const auto noisy = [](double p) {
    const double z = math::normal_quantile(p);
    return std::bit_cast<std::uint64_t>(p) & 16 ? z * (1.0 + 0x1p-50) : z;
  };
  EXPECT_GT(falls_between_neighbours(noisy), 0);
}

TEST(NormalQuantile, IsOddAboutOneHalf) {
  for (const double p : grid_points()) {
    if (p == 0.5) continue;
    ASSERT_TRUE(same_bits(math::normal_quantile(1.0 - p), -math::normal_quantile(p))) << p;
  }
}

TEST(BranchFreeForms, HaveTheBitsOfTheGeneralOnes) {
  for (const double u : grid_points()) {
    ASSERT_TRUE(same_bits(math::normal_quantile_of_uniform(u), math::normal_quantile(u))) << u;
    ASSERT_TRUE(same_bits(math::log_of_uniform(u), math::log(u))) << u;
  }
}

TEST(BranchFreeForms, HaveTheBitsOfTheGeneralOnesInArrays) {
  std::vector<double> uniforms;
  for (const double u : grid_points()) {
    if (u >= 0x1p-54 && u <= 1 - 0x1p-53) uniforms.push_back(u);
  }
  auto quantiles = uniforms, negative_logs = uniforms;
  math::replace_by_normal_quantiles(quantiles.data(), static_cast<int>(quantiles.size()));
  math::replace_by_negative_logs(negative_logs.data(), static_cast<int>(negative_logs.size()));
  for (std::size_t i = 0; i < uniforms.size(); ++i) {
    ASSERT_TRUE(same_bits(quantiles[i], math::normal_quantile(uniforms[i]))) << uniforms[i];
    ASSERT_TRUE(same_bits(negative_logs[i], -math::log(uniforms[i]))) << uniforms[i];
  }
}

TEST(BranchFreeForms, ChangeAsManyNumbersAsRequested) {
  std::mt19937_64 bits(17);
  for (const int count : {0, 1, 7, 15, 16, 17, 112, 127, 128, 129, 145, 300}) {
    std::vector<double> uniforms;
    for (int i = 0; i <= count; ++i) uniforms.push_back(static_cast<double>((bits() >> 11) + 1) * 0x1p-54);
    auto negative_logs = uniforms;
    math::replace_by_negative_logs(negative_logs.data(), count);
    for (std::size_t i = 0; i < uniforms.size(); ++i) {
      const bool is_changed = i < static_cast<std::size_t>(count);
      ASSERT_TRUE(same_bits(negative_logs[i], is_changed ? -math::log(uniforms[i]) : uniforms[i]))
          << i << ", " << count;
    }
  }
}

TEST(NormalQuantile, InvertsTheDistributionFunction) {
  std::mt19937_64 bits(11);
  for (int i = 0; i < samples; ++i) {
    const double x = -9.0 * static_cast<double>(bits() >> 11) * 0x1p-53;
    ASSERT_NEAR(math::normal_quantile(math::normal_cdf(x)), x, 2e-15 + 4e-16 * std::abs(x)) << x;
  }
}

TEST(Trigonometric, SinIsOddAndCosIsEven) {
  std::mt19937_64 bits(13);
  for (int i = 0; i < samples; ++i) {
    const double x = std::bit_cast<double>(std::uint64_t{bits()});
    if (!std::isfinite(x)) continue;
    ASSERT_TRUE(same_bits(math::sin(-x), -math::sin(x))) << x;
    ASSERT_TRUE(same_bits(math::cos(-x), math::cos(x))) << x;
    ASSERT_NEAR(math::sin(x) * math::sin(x) + math::cos(x) * math::cos(x), 1.0, 1e-15) << x;
  }
}

TEST(ExpAndLog, IncreaseOverStepsLargerThanTheirErrors) {
  for (double x = -745.0; x < 709.0; x += 0.01) {
    ASSERT_LE(math::exp(x), math::exp(x + 0x1p-40)) << x;
    ASSERT_LE(math::expm1(x), math::expm1(x + 0x1p-40)) << x;
    ASSERT_LE(math::normal_cdf(x / 19.0), math::normal_cdf(x / 19.0 + 0x1p-40)) << x;
    const double y = math::exp(x);
    ASSERT_LE(math::log(y), math::log(y * (1.0 + 0x1p-40))) << y;
    ASSERT_LE(math::log1p(y), math::log1p(y * (1.0 + 0x1p-40))) << y;
  }
}

// any() is true for each of the 256 sets of lanes except for the empty one.
TEST(PackMask, HoldsInAnyLaneOfEverySet) {
  for (unsigned set = 0; set < 1u << Pack::lanes; ++set) {
    double values[Pack::lanes];
    for (int lane = 0; lane < Pack::lanes; ++lane) values[lane] = set >> lane & 1u;
    const PackMask mask = Pack::load(values) > Pack(0.5);
    EXPECT_EQ(math::any(mask), set != 0) << set;
    EXPECT_EQ(math::any(!mask), set != (1u << Pack::lanes) - 1) << set;
  }
}

}  // namespace shape_tests
}  // namespace sporos::test
