// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>
#include <sporos/core/math/error_free.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/log.hpp>

#include <Kokkos_Macros.hpp>

#include <concepts>
#include <cstdint>

namespace sporos::math {

/// x^y. Below 0.75 ulp where the result is normal, below 1 ulp where it is subnormal; exact and special cases as in C
/// (ISO/IEC 9899, annex F.10.4.4): x^±0 = 1 and 1^y = 1 even for NaN, NaN for a finite x < 0 with a y that is no
/// integer.
KOKKOS_INLINE_FUNCTION double pow(double x, double y);

namespace impl {

/// ln x for 0 < x < ∞, with a relative error of some 2^−65: atanh's series in s = (m − 1) / (m + 1), x = 2^k m.
KOKKOS_INLINE_FUNCTION DoublePair log_as_pair(double x) {
  const bool subnormal = x < smallest_normal;
  const BinaryParts parts = split_positive_normal(subnormal ? x * 0x1p54 : x);
  const double k = subnormal ? parts.exponent - 54.0 : parts.exponent, f = parts.fraction;

  const DoublePair divisor = fast_two_sum(2.0, f);
  const double s = f / divisor.high;
  const DoublePair back = two_product(s, divisor.high);
  const double s_low = (((f - back.high) - back.low) - s * divisor.low) / divisor.high;

  DoublePair z = two_product(s, s);
  z.low += 2.0 * s * s_low;

  double q = 2.0 / 25;
  q = q * z.high + 2.0 / 23;
  q = q * z.high + 2.0 / 21;
  q = q * z.high + 2.0 / 19;
  q = q * z.high + 2.0 / 17;
  q = q * z.high + 2.0 / 15;
  q = q * z.high + 2.0 / 13;
  q = q * z.high + 2.0 / 11;
  q = q * z.high + 2.0 / 9;
  q = q * z.high + 2.0 / 7;
  q = q * z.high + 2.0 / 5;

  DoublePair cubic = fast_two_sum(0x1.5555555555555p-1, q * z.high);  // 2/3 + …
  cubic.low += 0x1.5555555555555p-55 + q * z.low;
  DoublePair beyond = two_product(z.high, cubic.high);
  beyond.low += z.high * cubic.low + z.low * cubic.high;
  DoublePair rest = two_product(s, beyond.high);
  rest.low += s * beyond.low + s_low * beyond.high;

  const DoublePair log_m = fast_two_sum(2.0 * s, rest.high);
  const DoublePair sum = two_sum(k * ln2_high, log_m.high);
  return fast_two_sum(sum.high, sum.low + (k * ln2_low + (log_m.low + (2.0 * s_low + rest.low))));
}

enum class Parity { none, even, odd };

/// Whether y is an integer, and which; infinity counts as even.
KOKKOS_INLINE_FUNCTION Parity parity(double y) {
  const double a = absolute(y);
  if (a >= 0x1p53) return Parity::even;
  // Beyond 2^52 the last bit of the mantissa counts ones.
  const double ones = a >= 0x1p52 ? a : a + 0x1p52;
  if (a < 0x1p52 && ones - 0x1p52 != a) return Parity::none;
  return to_bits(ones) & 1 ? Parity::odd : Parity::even;
}

}  // namespace impl

KOKKOS_INLINE_FUNCTION double pow(double x, double y) {
  if (y == 0.0 || x == 1.0) return 1.0;
  if (impl::is_nan(x) || impl::is_nan(y)) return impl::quiet_nan;
  const double base = impl::absolute(x);
  if (impl::absolute(y) == impl::infinity) {
    if (base == 1.0) return 1.0;
    return (base > 1.0) == (y > 0.0) ? impl::infinity : 0.0;
  }
  const impl::Parity parity = impl::parity(y);
  const double sign = impl::with_sign_of(1.0, parity == impl::Parity::odd ? x : 1.0);
  if (base == 0.0 || base == impl::infinity) return sign * ((base == 0.0) == (y < 0.0) ? impl::infinity : 0.0);
  if (x < 0.0 && parity == impl::Parity::none) return impl::quiet_nan;

  // |ln x| is zero or above 2^−54, so a larger |y| than 2^64 changes nothing; and products that underflow give 1.
  const double exponent = impl::absolute(y) > 0x1p64 ? impl::with_sign_of(0x1p64, y) : y;
  const impl::DoublePair log = impl::log_as_pair(base);
  impl::DoublePair product = impl::two_product(exponent, log.high);
  product.low += exponent * log.low;
  return sign * impl::exp_of_pair(product);
}

/// The same in float: the double result rounded, below 0.5001 ulp.
template <std::same_as<float> Float>
KOKKOS_FORCEINLINE_FUNCTION float pow(Float x, Float y) {
  return impl::narrow(pow(static_cast<double>(x), static_cast<double>(y)));
}

}  // namespace sporos::math
