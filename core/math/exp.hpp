// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>
#include <sporos/core/math/error_free.hpp>

#include <Kokkos_Macros.hpp>

#include <concepts>
#include <cstdint>

namespace sporos::math {

/// e^x, without a branch. The error is below 0.65 ulp if the result is normal, and below 0.8 ulp if it is subnormal.
/// exp(±0) = 1, exp(−∞) = 0, and the result is ∞ for x >= 709.79.
KOKKOS_INLINE_FUNCTION double exp(double x);

/// e^x − 1. The error is below 0.75 ulp. expm1(±0) = ±0, expm1(−∞) = −1, and the result is ∞ for x >= 709.79.
KOKKOS_INLINE_FUNCTION double expm1(double x);

namespace impl {

/// Decomposition x = k ln 2 + r + e, with |r| at most slightly above ½ ln 2 and e below the ulp of r.
struct ExpArgument {
  std::int64_t k;
  double r, e;
};

inline constexpr double inverse_ln2 = 0x1.71547652b82fep0;

/// Decomposes the argument x = high + low, for |x| < 2^20.
KOKKOS_FORCEINLINE_FUNCTION ExpArgument reduce_for_exp(DoublePair x) {
  const double shifted = x.high * inverse_ln2 + to_integer, k = shifted - to_integer;
  const double high = x.high - k * ln2_high, low = x.low - k * ln2_low;
  const double r = high + low;
  return {static_cast<std::int64_t>(to_bits(shifted) - to_bits(to_integer)), r, (high - r) + low};
}

/// e^(r + e) − 1 − r − r²/2 for a reduced argument, by Taylor's series with an error below 2^−58.
KOKKOS_FORCEINLINE_FUNCTION double exp_beyond_quadratic(double r, double e) {
  const double s = r * r;
  double even = 1.0 / 479001600, odd = 1.0 / 6227020800;
  even = even * s + 1.0 / 3628800;
  odd = odd * s + 1.0 / 39916800;
  even = even * s + 1.0 / 40320;
  odd = odd * s + 1.0 / 362880;
  even = even * s + 1.0 / 720;
  odd = odd * s + 1.0 / 5040;
  even = even * s + 1.0 / 24;
  odd = odd * s + 1.0 / 120;
  odd = odd * s + 1.0 / 6;
  return (e + e * r) + (s * r) * (odd + r * even);
}

/// e^x = 2^exponent (mantissa.high + mantissa.low), with high between 0.7 and 1.42 and an error of about 2^−58.
struct ExpParts {
  std::int64_t exponent;
  DoublePair mantissa;
};

KOKKOS_FORCEINLINE_FUNCTION ExpParts exp_parts(DoublePair x) {
  const ExpArgument a = reduce_for_exp(x);
  const DoublePair linear = fast_two_sum(1.0, a.r);
  return {a.k, {linear.high, linear.low + (0.5 * (a.r * a.r) + exp_beyond_quadratic(a.r, a.e))}};
}

/// y 2^k for |k| <= 2044: in two steps, since 2^k itself may not be a double.
KOKKOS_FORCEINLINE_FUNCTION double scaled(double y, std::int64_t k) {
  const std::int64_t half = k >> 1;
  return (y * power_of_two(half)) * power_of_two(k - half);
}

/// e^x − 1 for x < 40 except x = 0, without a branch.
KOKKOS_FORCEINLINE_FUNCTION double expm1_below_40(double x) {
  const ExpArgument a = reduce_for_exp({x < -40.0 ? -40.0 : x, 0.0});
  const DoublePair square = two_product(a.r, a.r);
  const double beyond = 0.5 * square.low + exp_beyond_quadratic(a.r, a.e);
  const double scale = power_of_two(a.k);
  const DoublePair base = two_sum(scale, -1.0);
  const DoublePair linear = two_sum(base.high, scale * a.r);
  const DoublePair quadratic = two_sum(linear.high, scale * (0.5 * square.high));
  return quadratic.high + (quadratic.low + (linear.low + (base.low + scale * beyond)));
}

}  // namespace impl

KOKKOS_INLINE_FUNCTION double exp(double x) {
  const impl::ExpParts y = impl::exp_parts({x < -750.0 ? -750.0 : (x > 720.0 ? 720.0 : x), 0.0});
  return impl::is_nan(x) ? impl::quiet_nan : impl::scaled(y.mantissa.high + y.mantissa.low, y.exponent);
}

KOKKOS_INLINE_FUNCTION double expm1(double x) {
  if (x == 0.0) return x;
  if (!(x < 40.0)) return exp(x);  // or NaN
  return impl::expm1_below_40(x);
}

/// exp in float: the double result rounded, with an error below 0.5001 ulp.
KOKKOS_FORCEINLINE_FUNCTION float exp(std::same_as<float> auto x) { return impl::narrow(exp(static_cast<double>(x))); }

/// expm1 in float: the double result rounded, with an error below 0.5001 ulp.
KOKKOS_FORCEINLINE_FUNCTION float expm1(std::same_as<float> auto x) {
  return impl::narrow(expm1(static_cast<double>(x)));
}

}  // namespace sporos::math
