// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>

#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace sporos::math {
namespace impl {

/// x + x_low = k ln 2 + r + e: r within ±0.35, e below its ulp.
struct ExpArgument {
  std::int64_t k;
  double r, e;
};
KOKKOS_FORCEINLINE_FUNCTION ExpArgument reduce_for_exp(double x, double x_low) {
  constexpr double round_to_integer = 0x1.8p52;
  const double shifted = x * 0x1.71547652b82fep0 + round_to_integer;
  const double k = shifted - round_to_integer;
  const double high = x - k * 0x1.62e42feep-1, low = x_low - k * 0x1.a39ef35793c76p-33;
  const double r = high + low;
  return {static_cast<std::int64_t>(to_bits(shifted) - to_bits(round_to_integer)), r, (high - r) + low};
}

/// e^(r + e) − 1 − r.
KOKKOS_FORCEINLINE_FUNCTION double exp_tail(double r, double e) {
  double p = 1.0 / 6227020800;
  p = p * r + 1.0 / 479001600;
  p = p * r + 1.0 / 39916800;
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  return (e + e * r) + (r * r) * p;
}

/// e^(x + x_low) for −750 <= x <= 720.
KOKKOS_FORCEINLINE_FUNCTION double exp_clamped(double x, double x_low) {
  const ExpArgument a = reduce_for_exp(x, x_low);
  const double sum = 1.0 + a.r, lost = (1.0 - sum) + a.r;
  const double y = sum + (lost + exp_tail(a.r, a.e));
  const std::int64_t half = a.k >> 1;
  return (y * power_of_two(half)) * power_of_two(a.k - half);
}

}  // namespace impl

/// e^x.
KOKKOS_INLINE_FUNCTION double exp(double x) {
  const double clamped = x < -750.0 ? -750.0 : (x > 720.0 ? 720.0 : x);
  return impl::is_nan(x) ? impl::quiet_nan : impl::exp_clamped(clamped, 0.0);
}

/// e^x − 1.
KOKKOS_INLINE_FUNCTION double expm1(double x) {
  if (x == 0.0) return x;
  if (!(x < 40.0)) return exp(x);
  const impl::ExpArgument a = impl::reduce_for_exp(x < -40.0 ? -40.0 : x, 0.0);
  const double tail = impl::exp_tail(a.r, a.e);
  if (a.k == 0) return a.r + tail;
  const double scale = impl::power_of_two(a.k), r = scale * a.r;
  const double integer = scale - 1.0;
  const double sum = integer + r, other = sum - integer;
  const double lost = (integer - (sum - other)) + (r - other);
  return sum + (lost + scale * tail);
}

KOKKOS_FORCEINLINE_FUNCTION float exp(float x) { return impl::narrow(exp(static_cast<double>(x))); }
KOKKOS_FORCEINLINE_FUNCTION float expm1(float x) { return impl::narrow(expm1(static_cast<double>(x))); }

}  // namespace sporos::math
