// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/core/math/error_free.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/power_tables.hpp>

#include <Kokkos_Macros.hpp>

#include <concepts>
#include <cstdint>

namespace sporos::math {

/// x^y. The error is below 0.75 ulp if the result is normal, and below 1 ulp if it is subnormal. Exact and special
/// cases are those of C (ISO/IEC 9899, annex F.10.4.4): x^±0 = 1 and 1^y = 1 even for NaN; the result is NaN for a
/// finite x < 0 if y is not an integer.
KOKKOS_INLINE_FUNCTION double pow(double x, double y);

namespace impl {

/// ln(2^scale x) for a positive normal x below infinity, with a relative error of about 2^−63. For x = 2^k m, a table
/// gives a number c near 1 / m, and a series gives ln(1 + r) for r = c m − 1, |r| < 0.0086.
KOKKOS_FORCEINLINE_FUNCTION DoublePair log_of_scaled(double x, std::int32_t scale) {
  constexpr std::uint64_t min_mantissa = 0x3fe6a00000000000, exponent_bits = 0xfff0000000000000;
  const std::uint64_t bits = to_bits(x), shifted = bits - min_mantissa;
  const double k = static_cast<std::int32_t>(static_cast<std::int64_t>(shifted) >> 52) + scale;
  const double m = from_bits(bits - (shifted & exponent_bits));
  const LogCentre& centre = log_centre((shifted >> (52 - power_table_bits)) & power_table_mask);

  const DoublePair product = two_product(m, centre.reciprocal);
  const DoublePair beyond_one = fast_two_sum(product.high - 1.0, product.low);
  const double r = beyond_one.high, r2 = r * r;
  const double beyond_quadratic =
      (1.0 / 3 - r * (1.0 / 4)) + r2 * ((1.0 / 5 - r * (1.0 / 6)) + r2 * ((1.0 / 7 - r * (1.0 / 8)) + r2 * (1.0 / 9)));

  const DoublePair linear = fast_two_sum(k * ln2_high + centre.log_high, r);
  const DoublePair half_square = two_product(0.5 * r, r);
  const DoublePair quadratic = fast_two_sum(linear.high, -half_square.high);
  const double low = (((k * ln2_low + centre.log_low) + beyond_one.low) + linear.low) +
                     ((quadratic.low - half_square.low) + (r * r2) * beyond_quadratic);
  return fast_two_sum(quadratic.high, low);
}

/// e^(x.high + x.low), or infinity or zero if it overflows or underflows; x.high may be anything but NaN. Uses powers
/// of 2^(1/64) from a table and a shorter series than exp.
KOKKOS_FORCEINLINE_FUNCTION double exp_by_table(DoublePair x) {
  constexpr double roots = std::int64_t{1} << power_table_bits;
  const bool small = x.high<-750.0, large = x.high> 720.0;
  const double high = small ? -750.0 : (large ? 720.0 : x.high), low = small || large ? 0.0 : x.low;
  const double shifted = high * (roots * inverse_ln2) + to_integer, k = shifted - to_integer;
  const std::int64_t whole = static_cast<std::int64_t>(to_bits(shifted) - to_bits(to_integer));
  const RootOfTwo& root = root_of_two(whole & power_table_mask);

  const double r = ((high - k * (ln2_high / roots)) - k * (ln2_low / roots)) + low, r2 = r * r;
  const double beyond_one =
      r + r2 * ((1.0 / 2 + r * (1.0 / 6)) + r2 * ((1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720)));
  return scaled(root.high + (root.low + root.high * beyond_one), whole >> power_table_bits);
}

/// (2^scale x)^y for a positive normal x below infinity and |y| <= 2^64.
KOKKOS_FORCEINLINE_FUNCTION double pow_of_scaled(double x, std::int32_t scale, double y) {
  const DoublePair log = log_of_scaled(x, scale);
  DoublePair product = two_product(y, log.high);
  product.low += y * log.low;
  return exp_by_table(product);
}

enum class Parity { none, even, odd };

/// Returns whether y is an integer, and whether it is even or odd; infinity counts as even.
KOKKOS_INLINE_FUNCTION Parity parity(double y) {
  const double a = absolute(y);
  if (a >= 0x1p53) return Parity::even;
  // Above 2^52 the last bit of the mantissa counts ones.
  const double ones = a >= 0x1p52 ? a : a + 0x1p52;
  if (a < 0x1p52 && ones - 0x1p52 != a) return Parity::none;
  return to_bits(ones) & 1 ? Parity::odd : Parity::even;
}

/// Returns pow for all other arguments, which are rare.
SPOROS_NOINLINE KOKKOS_INLINE_FUNCTION double pow_in_special_cases(double x, double y) {
  if (y == 0.0 || x == 1.0) return 1.0;
  if (is_nan(x) || is_nan(y)) return quiet_nan;
  const double base = absolute(x);
  if (absolute(y) == infinity) {
    if (base == 1.0) return 1.0;
    return (base > 1.0) == (y > 0.0) ? infinity : 0.0;
  }
  const Parity parity = impl::parity(y);
  const double sign = with_sign_of(1.0, parity == Parity::odd ? x : 1.0);
  if (base == 0.0 || base == infinity) return sign * ((base == 0.0) == (y < 0.0) ? infinity : 0.0);
  if (x < 0.0 && parity == Parity::none) return quiet_nan;

  // |ln x| is zero or above 2^−54, so a larger |y| than 2^64 changes nothing.
  const double exponent = absolute(y) > 0x1p64 ? with_sign_of(0x1p64, y) : y;
  const bool is_subnormal = base < smallest_normal;
  return sign * pow_of_scaled(is_subnormal ? base * 0x1p54 : base, is_subnormal ? -54 : 0, exponent);
}

}  // namespace impl

KOKKOS_INLINE_FUNCTION double pow(double x, double y) {
  const bool is_default = x >= impl::smallest_normal && x < impl::infinity && impl::absolute(y) <= 0x1p64;
  return is_default ? impl::pow_of_scaled(x, 0, y) : impl::pow_in_special_cases(x, y);
}

/// pow in float: the double result rounded, with an error below 0.5001 ulp.
template <std::same_as<float> Float>
KOKKOS_FORCEINLINE_FUNCTION float pow(Float x, Float y) {
  return impl::narrow(pow(static_cast<double>(x), static_cast<double>(y)));
}

}  // namespace sporos::math
