// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>
#include <sporos/core/math/error_free.hpp>

#include <Kokkos_Macros.hpp>

#include <concepts>
#include <cstdint>

namespace sporos::math {

/// sin x for x in radians and of any size. The error is below 0.85 ulp. sin(±0) = ±0, and the result is NaN for ±∞.
KOKKOS_INLINE_FUNCTION double sin(double x);

/// cos x for x in radians and of any size. The error is below 0.85 ulp, and the result is NaN for ±∞.
KOKKOS_INLINE_FUNCTION double cos(double x);

namespace impl {

/// Decomposition x = quadrant π/2 + rest, with quadrant modulo 4 and |rest| at most slightly above π/4.
struct QuarterTurns {
  std::uint64_t quadrant;
  DoublePair rest;
};

/// Reduces |x| <= 2^20 by subtracting a multiple of π/2 in four parts (Cody and Waite 1980, Software manual for the
/// elementary functions). The first three parts are fdlibm's and have 33 bits each, so that their multiples are exact.
KOKKOS_FORCEINLINE_FUNCTION QuarterTurns reduce_moderate_angle(double x) {
  constexpr double part_1 = 0x1.921fb544p+0, part_2 = 0x1.0b4611a6p-34, part_3 = 0x1.3198a2ep-69,
                   part_4 = 0x1.b839a252049c1p-104;
  const double shifted = x * 0x1.45f306dc9c883p-1 + to_integer, n = shifted - to_integer;
  const DoublePair second = two_sum(x - n * part_1, -(n * part_2));
  const DoublePair third = two_sum(second.high, -(n * part_3));
  const double low = (second.low + third.low) - n * part_4;
  return {to_bits(shifted) & 3, fast_two_sum(third.high, low)};
}

/// The upper 64 bits of a product.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t mask = 0xffffffff;
  const std::uint64_t a_high = a >> 32, a_low = a & mask, b_high = b >> 32, b_low = b & mask;
  const std::uint64_t middle = a_high * b_low + ((a_low * b_low) >> 32);
  return a_high * b_high + (middle >> 32) + (((middle & mask) + a_low * b_high) >> 32);
}

/// Reduces 2^20 < x < ∞ by multiplication with the bits of 2/π that matter (Payne and Hanek 1983, Radian reduction for
/// trigonometric functions). With x = m 2^e for an integer m, all bits of 2/π that make m 2^e 2/π a multiple of 4 are
/// left out. The error of cutting off the lower bits is below 2^−136.
KOKKOS_INLINE_FUNCTION QuarterTurns reduce_huge_angle(double x) {
  // 64 zero bits and 1216 bits of 2/π: as many as the largest double needs.
  static constexpr std::uint64_t two_over_pi[] = {
      0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
      0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
      0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
      0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};
  const std::uint64_t mantissa = (to_bits(x) & 0x000fffffffffffff) | 0x0010000000000000;
  const std::uint64_t first_bit = (to_bits(x) >> 52) - 1075 - 2 + 64;  // e − 2 bits after the binary point
  const std::uint64_t word = first_bit / 64, shift = first_bit % 64;
  std::uint64_t digits[3];
  for (int i = 0; i < 3; ++i) {
    digits[i] = (two_over_pi[word + i] << shift) | ((two_over_pi[word + i + 1] >> 1) >> (63 - shift));
  }

  // The product modulo 2^192, highest word first: two bits of the quadrant, then the fraction of a quarter turn.
  const std::uint64_t product_2 = mantissa * digits[2];
  const std::uint64_t carry = multiply_high(mantissa, digits[2]);
  const std::uint64_t product_1 = mantissa * digits[1] + carry;
  const std::uint64_t product_0 =
      mantissa * digits[0] + multiply_high(mantissa, digits[1]) + (product_1 < carry ? 1 : 0);
  const std::uint64_t above_half = (product_0 >> 61) & 1;

  // The fraction minus 1 if it is above ½. Up to its last bit, that is its complement with the opposite sign.
  const std::uint64_t flip = 0 - above_half;
  const std::uint64_t fraction[3] = {((product_0 << 2) | (product_1 >> 62)) ^ flip,
                                     ((product_1 << 2) | (product_2 >> 62)) ^ flip, (product_2 << 2) ^ flip};
  DoublePair sum{0.0, 0.0};
  double unit = above_half ? -0x1p-32 : 0x1p-32;
  for (int i = 0; i < 3; ++i) {
    for (int half = 32; half >= 0; half -= 32) {
      const DoublePair next = fast_two_sum(sum.high, unit * static_cast<double>((fraction[i] >> half) & 0xffffffff));
      sum = {next.high, sum.low + next.low};
      unit *= 0x1p-32;
    }
  }
  sum = fast_two_sum(sum.high, sum.low);

  constexpr DoublePair half_pi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
  const DoublePair angle = two_product(sum.high, half_pi.high);
  return {(product_0 >> 62) + above_half,
          fast_two_sum(angle.high, angle.low + (sum.high * half_pi.low + sum.low * half_pi.high))};
}

KOKKOS_INLINE_FUNCTION QuarterTurns reduce_angle(double x) {
  const double a = absolute(x);
  if (a <= 0x1p20) return reduce_moderate_angle(x);
  if (!(a < infinity)) return {0, {quiet_nan, quiet_nan}};
  const QuarterTurns turns = reduce_huge_angle(a);
  if (x > 0.0) return turns;
  return {0 - turns.quadrant, {-turns.rest.high, -turns.rest.low}};
}

/// sin(x.high + x.low) for |x| at most slightly above π/4, by fdlibm's polynomial (k_sin.c).
KOKKOS_FORCEINLINE_FUNCTION double sin_of_rest(DoublePair x) {
  const double z = x.high * x.high, cube = z * x.high;
  const double r = 0x1.111111110f8a6p-7 + z * (-0x1.a01a019c161d5p-13 + z * 0x1.71de357b1fe7dp-19) +
                   z * (z * z) * (-0x1.ae5e68a2b9cebp-26 + z * 0x1.5d93a5acfd57cp-33);
  return x.high - ((z * (0.5 * x.low - cube * r) - x.low) - cube * -0x1.5555555555549p-3);
}

/// cos(x.high + x.low) for |x| at most slightly above π/4, by fdlibm's polynomial (k_cos.c).
KOKKOS_FORCEINLINE_FUNCTION double cos_of_rest(DoublePair x) {
  const double z = x.high * x.high, w = z * z;
  const double r = z * (0x1.555555555554cp-5 + z * (-0x1.6c16c16c15177p-10 + z * 0x1.a01a019cb159p-16)) +
                   w * w * (-0x1.27e4f809c52adp-22 + z * (0x1.1ee9ebdb4b1c4p-29 + z * -0x1.8fae9be8838d4p-37));
  const double half_square = 0.5 * z, leading = 1.0 - half_square;
  return leading + (((1.0 - leading) - half_square) + (z * r - x.high * x.low));
}

/// sin(x + shift π/2).
KOKKOS_FORCEINLINE_FUNCTION double sin_of_turns(QuarterTurns x, std::uint64_t shift) {
  const std::uint64_t quadrant = x.quadrant + shift;
  const double y = quadrant & 1 ? cos_of_rest(x.rest) : sin_of_rest(x.rest);
  return quadrant & 2 ? -y : y;
}

}  // namespace impl

KOKKOS_INLINE_FUNCTION double sin(double x) {
  if (impl::absolute(x) < 0x1p-27) return x;
  const double y = impl::sin_of_turns(impl::reduce_angle(x), 0);
  return impl::is_nan(y) ? impl::quiet_nan : y;
}

KOKKOS_INLINE_FUNCTION double cos(double x) {
  const double y = impl::sin_of_turns(impl::reduce_angle(x), 1);
  return impl::is_nan(y) ? impl::quiet_nan : y;
}

/// sin in float: the double result rounded, with an error below 0.5001 ulp.
KOKKOS_FORCEINLINE_FUNCTION float sin(std::same_as<float> auto x) { return impl::narrow(sin(static_cast<double>(x))); }

/// cos in float: the double result rounded, with an error below 0.5001 ulp.
KOKKOS_FORCEINLINE_FUNCTION float cos(std::same_as<float> auto x) { return impl::narrow(cos(static_cast<double>(x))); }

}  // namespace sporos::math
