// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/log.hpp>
#include <sporos/models/mixtures/fast_exp2.hpp>
#include <sporos/models/mixtures/normal_mixture.hpp>

#include <Kokkos_Macros.hpp>

#include <concepts>
#include <cstdint>

namespace sporos::models::impl {

/// Where a sum of densities is not so small that what it lost below the least exponent could be seen.
template <class Real>
inline constexpr Real least_plain_sum = sizeof(Real) == sizeof(double) ? 0x1p-900 : 0x1p-90;

/// The largest |z|, in deviations, whose square is finite.
template <class Real>
inline constexpr Real largest_distance = sizeof(Real) == sizeof(double) ? 1e150 : 1e18;

inline constexpr double ln2 = 0x1.62e42fefa39efp-1;

/// ln x for a positive normal x.
KOKKOS_FORCEINLINE_FUNCTION double fast_log(double x) { return math::log_of_positive_normal(x); }

/// The same, below 2 ulp: with x = 2^k m and s = (m − 1)/(m + 1), ln m = 2 s (1 + s²/3 + s⁴/5 + …).
KOKKOS_FORCEINLINE_FUNCTION float fast_log(std::same_as<float> auto x) {
  constexpr std::uint32_t sqrt_half = 0x3f3504f3, one = 0x3f800000, fraction = 0x007fffff;
  const std::uint32_t shifted = math::impl::to_bits(x) + (one - sqrt_half);
  const auto k = static_cast<float>(static_cast<std::int32_t>(shifted >> 23) - 127);
  const float f = __builtin_bit_cast(float, (shifted & fraction) + sqrt_half) - 1.0f, s = f / (2.0f + f), z = s * s;
  float series = 1.0f / 9;
  series = multiply_add(series, z, 1.0f / 7);
  series = multiply_add(series, z, 1.0f / 5);
  series = multiply_add(series, z, 1.0f / 3);
  return multiply_add(k, static_cast<float>(ln2), multiply_add(2 * s * z, series, 2 * s));
}

/// A mixture as kernels take it, not owned: w φ((y − μ)/σ)/σ of component c is 2^exponent(c, y).
template <class Real>
struct ComponentTable {
  Real* heights;       ///< log₂(w / (σ √2π)); NaN for a σ below smallest_deviation
  Real* means;         ///< μ, from the data's centre on
  Real* scales;        ///< √(½ log₂ e) / σ
  std::int32_t count;  ///< k

  static constexpr int numbers_of_component = 3;  ///< in memory

  /// Over `memory`, which has 3 k numbers.
  KOKKOS_FUNCTION ComponentTable(Real* memory, std::int32_t k)
      : heights(memory), means(memory + k), scales(memory + 2 * k), count(k) {}

  /// Component c of the mixture whose parameters are a row of a MixtureBatch.
  KOKKOS_FUNCTION void set(std::int32_t c, const double* parameters, double center) const {
    constexpr double inverse_sqrt_2pi = 0x1.9884533d43651p-2, sqrt_half_log2_e = 0x1.b2da4e9808a53p-1;
    const double deviation = parameters[2 * count + c];
    const bool is_good = deviation >= smallest_deviation<Real>;
    heights[c] = is_good ? static_cast<Real>(math::log(parameters[c] / deviation * inverse_sqrt_2pi) / ln2)
                         : static_cast<Real>(math::impl::quiet_nan);
    means[c] = static_cast<Real>(parameters[count + c] - center);
    scales[c] = static_cast<Real>(sqrt_half_log2_e / deviation);
  }

  /// (y − μ)/σ times √(½ log₂ e).
  KOKKOS_FORCEINLINE_FUNCTION Real distance(std::int32_t c, Real y) const { return (y - means[c]) * scales[c]; }

  /// log₂ of the weighted density, −∞ below every number.
  KOKKOS_FORCEINLINE_FUNCTION Real exponent(std::int32_t c, Real y) const {
    const Real z = distance(c, y);
    return multiply_add(-z, z, heights[c]);
  }

  /// The same, finite wherever the weight is not 0.
  KOKKOS_FUNCTION Real bounded_exponent(std::int32_t c, Real y) const {
    const Real z = distance(c, y), most = largest_distance<Real>;
    const Real bounded = z > most ? most : (z < -most ? -most : z);
    return multiply_add(-bounded, bounded, heights[c]);
  }

  /// The largest bounded exponent.
  KOKKOS_FUNCTION Real largest_exponent(Real y) const {
    Real largest = bounded_exponent(0, y);
    for (std::int32_t c = 1; c < count; ++c) {
      const Real other = bounded_exponent(c, y);
      if (!(other <= largest)) largest = other;  // or NaN
    }
    return largest;
  }

  /// ln f(y): by log-sum-exp where the plain sum would lose something.
  KOKKOS_FUNCTION Real log_density(Real y) const {
    Real sum = 0;
    for (std::int32_t c = 0; c < count; ++c) sum += fast_exp2(exponent(c, y));
    if (sum >= least_plain_sum<Real>) return fast_log(sum);
    const Real largest = largest_exponent(y);
    sum = 0;
    for (std::int32_t c = 0; c < count; ++c) sum += fast_exp2(bounded_exponent(c, y) - largest);
    return multiply_add(largest, static_cast<Real>(ln2), fast_log(sum));
  }
};

/// Σ x, where Real is float with what each addition lost (Neumaier's compensated sum; Knuth's two-sum).
template <class Real>
struct CompensatedSum {
  Real high = 0, low = 0;

  KOKKOS_FORCEINLINE_FUNCTION void add(Real x) {
    const Real sum = high + x;
    if constexpr (std::same_as<Real, float>) {
      const Real seen = sum - high;
      low += (high - (sum - seen)) + (x - seen);
    }
    high = sum;
  }
  KOKKOS_FORCEINLINE_FUNCTION double total() const { return static_cast<double>(high) + static_cast<double>(low); }
};

}  // namespace sporos::models::impl
