// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>

#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace sporos::math {
namespace impl {

/// k ln 2 + ln(1 + f) + c for −0.293 <= f <= 0.415 and a c below an ulp of 1 + f (fdlibm, e_log.c and s_log1p.c).
KOKKOS_FORCEINLINE_FUNCTION double log_reduced(double k, double f, double c) {
  const double s = f / (2.0 + f), z = s * s, w = z * z;
  const double even = w * (0.3999999999940941908 + w * (0.2222219843214978396 + w * 0.1531383769920937332));
  const double odd = z * (0.6666666666666735130 +
                          w * (0.2857142874366239149 + w * (0.1818357216161805012 + w * 0.1479819860511658591)));
  const double half_square = 0.5 * f * f;
  return k * 0x1.62e42feep-1 - ((half_square - (s * (half_square + (odd + even)) + (k * 0x1.a39ef35793c76p-33 + c))) - f);
}

/// x = 2^exponent (1 + fraction) with √½ <= 1 + fraction < √2, for a positive normal x.
struct BinaryParts {
  double exponent, fraction;
};
KOKKOS_FORCEINLINE_FUNCTION BinaryParts split_positive_normal(double x) {
  constexpr std::uint64_t sqrt_half = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000, fraction_mask = 0x000fffffffffffff;
  const std::uint64_t shifted = to_bits(x) + (one - sqrt_half);
  // The exponent becomes a double through the mantissa of 2^52, since AVX2 cannot convert 64-bit integers.
  const double exponent = from_bits((shifted >> 52) | 0x4330000000000000) - (0x1p52 + 1023);
  return {exponent, from_bits((shifted & fraction_mask) + sqrt_half) - 1.0};
}

KOKKOS_FORCEINLINE_FUNCTION double log_positive_normal(double x) {
  const BinaryParts parts = split_positive_normal(x);
  return log_reduced(parts.exponent, parts.fraction, 0.0);
}

}  // namespace impl

/// ln u for a normal u in (0, 1), without a branch: loops over it vectorize. The same bits as log(u).
KOKKOS_FORCEINLINE_FUNCTION double log_of_uniform(double u) { return impl::log_positive_normal(u); }

/// ln x.
KOKKOS_INLINE_FUNCTION double log(double x) {
  if (x >= impl::smallest_normal && x < impl::infinity) return impl::log_positive_normal(x);
  if (x == 0.0) return -impl::infinity;
  if (!(x > 0.0)) return impl::quiet_nan;
  if (x == impl::infinity) return x;
  const impl::BinaryParts parts = impl::split_positive_normal(x * 0x1p54);
  return impl::log_reduced(parts.exponent - 54.0, parts.fraction, 0.0);
}

/// ln(1 + x).
KOKKOS_INLINE_FUNCTION double log1p(double x) {
  if (!(x > -1.0)) return x == -1.0 ? -impl::infinity : impl::quiet_nan;
  if (x == impl::infinity || impl::absolute(x) < 0x1p-54) return x;
  const double u = 1.0 + x;
  const impl::BinaryParts parts = impl::split_positive_normal(u);
  if (parts.exponent == 0.0) return impl::log_reduced(0.0, x, 0.0);
  const double lost = parts.exponent >= 1.0 ? 1.0 - (u - x) : x - (u - 1.0);  // 1 + x = u + lost
  return impl::log_reduced(parts.exponent, parts.fraction, lost / u);
}

KOKKOS_FORCEINLINE_FUNCTION float log(float x) { return impl::narrow(log(static_cast<double>(x))); }
KOKKOS_FORCEINLINE_FUNCTION float log1p(float x) { return impl::narrow(log1p(static_cast<double>(x))); }

}  // namespace sporos::math
