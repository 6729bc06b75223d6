// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/log.hpp>
#include <sporos/models/mixtures/fast_exp2.hpp>
#include <sporos/models/mixtures/normal_mixture.hpp>

#include <Kokkos_Macros.hpp>

#include <concepts>
#include <cstdint>

namespace sporos::models::impl {

/// Smallest sum of densities whose accuracy does not suffer from terms below the smallest exponent.
template <class Real>
inline constexpr Real min_plain_sum = sizeof(Real) == sizeof(double) ? 0x1p-900 : 0x1p-90;

/// Largest |z|, in deviations, whose square is finite.
template <class Real>
inline constexpr Real largest_distance = sizeof(Real) == sizeof(double) ? 1e150 : 1e18;

inline constexpr double ln2 = 0x1.62e42fefa39efp-1;

/// ln x for a positive normal x, with an error below 2 ulp. With x = 2^k m and s = (m − 1)/(m + 1), ln m = 2 s + s³
/// P(s²); P is that of fdlibm (Sun Microsystems 1993, e_log.c). Takes 0.6 of the time of math::log_of_positive_normal,
/// which has no fused operations.
KOKKOS_FORCEINLINE_FUNCTION double fast_log(double x) {
  const auto [k, f] = math::impl::split_positive_normal(x);
  const double s = f / (2.0 + f), z = s * s;
  double p = 0x1.2f112df3e5244p-3;
  p = multiply_add(p, z, 0x1.39a09d078c69fp-3);
  p = multiply_add(p, z, 0x1.7466496cb03dep-3);
  p = multiply_add(p, z, 0x1.c71c51d8e78afp-3);
  p = multiply_add(p, z, 0x1.2492494229359p-2);
  p = multiply_add(p, z, 0x1.999999997fa04p-2);
  p = multiply_add(p, z, 0x1.5555555555593p-1);
  return multiply_add(k, ln2, multiply_add(s * z, p, 2 * s));
}

/// ln x in float, with P from the Taylor series.
KOKKOS_FORCEINLINE_FUNCTION float fast_log(std::same_as<float> auto x) {
  constexpr std::uint32_t sqrt_half = 0x3f3504f3, one = 0x3f800000, fraction = 0x007fffff;
  const std::uint32_t shifted = math::impl::to_bits(x) + (one - sqrt_half);
  const auto k = static_cast<float>(static_cast<std::int32_t>(shifted >> 23) - 127);
  const float f = __builtin_bit_cast(float, (shifted & fraction) + sqrt_half) - 1.0f, s = f / (2.0f + f), z = s * s;
  float p = 2.0f / 9;
  p = multiply_add(p, z, 2.0f / 7);
  p = multiply_add(p, z, 2.0f / 5);
  p = multiply_add(p, z, 2.0f / 3);
  return multiply_add(k, static_cast<float>(ln2), multiply_add(s * z, p, 2 * s));
}

/// A component in the form that kernels use: w φ((y − μ)/σ)/σ is 2^exponent(y).
template <class Real>
struct Component {
  Real height;  ///< log₂(w / (σ √2π)); NaN for a σ below smallest_deviation
  Real scale;   ///< √(½ log₂ e) / σ
  Real shift;   ///< −μ times scale, μ relative to the data's centre

  /// Sets component c of the k components whose weights, means and deviations are a row of a MixtureBatch.
  KOKKOS_FUNCTION void set(const double* parameters, std::int32_t k, std::int32_t c, double center) {
    constexpr double inverse_sqrt_2pi = 0x1.9884533d43651p-2, sqrt_half_log2_e = 0x1.b2da4e9808a53p-1;
    // Read all parameters before the first is used, since a device's memory has a high latency.
    const double weight = parameters[c], center_of_component = parameters[k + c], deviation = parameters[2 * k + c];
    const double inverse = 1 / deviation;
    const bool is_good = deviation >= smallest_deviation<Real>;
    height = is_good ? static_cast<Real>(math::log(weight * inverse * inverse_sqrt_2pi) * (1 / ln2))
                     : static_cast<Real>(math::impl::quiet_nan);
    scale = static_cast<Real>(sqrt_half_log2_e * inverse);
    shift = -static_cast<Real>(center_of_component - center) * scale;
  }

  /// (y − μ)/σ times √(½ log₂ e), as if μ were half an ulp off. This takes one operation; y − μ would take a second
  /// one.
  KOKKOS_FORCEINLINE_FUNCTION Real distance(Real y) const { return multiply_add(y, scale, shift); }

  /// log₂ of the weighted density; −∞ if it is below the range of `Real`.
  KOKKOS_FORCEINLINE_FUNCTION Real exponent(Real y) const {
    const Real z = distance(y);
    return multiply_add(-z, z, height);
  }

  /// log₂ of the weighted density with |z| bounded, so that it is finite unless the weight is 0.
  KOKKOS_FUNCTION Real bounded_exponent(Real y) const {
    const Real z = distance(y), most = largest_distance<Real>;
    const Real bounded = z > most ? most : (z < -most ? -most : z);
    return multiply_add(-bounded, bounded, height);
  }
};

/// The components of a mixture; the memory is not owned.
template <class Real>
struct ComponentTable {
  Component<Real>* components;
  std::int32_t count;  ///< k

  KOKKOS_FORCEINLINE_FUNCTION const Component<Real>& operator[](std::int32_t c) const { return components[c]; }

  /// Largest bounded exponent of a component.
  KOKKOS_FUNCTION Real largest_exponent(Real y) const {
    Real largest = components[0].bounded_exponent(y);
    for (std::int32_t c = 1; c < count; ++c) {
      const Real other = components[c].bounded_exponent(y);
      if (!(other <= largest)) largest = other;  // true for NaN, too
    }
    return largest;
  }

  /// ln f(y). Log-sum-exp is used if the plain sum would lose accuracy.
  KOKKOS_FUNCTION Real log_density(Real y) const {
    Real sum = 0;
    for (std::int32_t c = 0; c < count; ++c) sum += fast_exp2(components[c].exponent(y));
    if (sum >= min_plain_sum<Real>) return fast_log(sum);
    const Real largest = largest_exponent(y);
    sum = 0;
    for (std::int32_t c = 0; c < count; ++c) sum += fast_exp2(components[c].bounded_exponent(y) - largest);
    return multiply_add(largest, static_cast<Real>(ln2), fast_log(sum));
  }
};

/// Running sum. In float, it includes the rounding error of each addition (Neumaier's compensated sum; Knuth's
/// two-sum).
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
