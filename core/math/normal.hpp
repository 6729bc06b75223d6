// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/device_code.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/core/math/error_free.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/log.hpp>

#include <Kokkos_Macros.hpp>

#include <concepts>
#include <cstdint>

namespace sporos::math {

/// Φ(x), the standard normal distribution function, accurate in both tails. The error is below 1.3 ulp. Φ(−∞) = 0,
/// Φ(±0) = ½, Φ(∞) = 1.
///
/// Uses Φ(−a) = e^(−a²/2) P((a − 5) / (a + 5)) / (a + 1) for a >= ½, with a minimax polynomial P of degree 23 and an
/// unrounded a².
KOKKOS_INLINE_FUNCTION double normal_cdf(double x);

/// Φ⁻¹(p), the standard normal quantile. Φ⁻¹(0) = −∞, Φ⁻¹(½) = +0, Φ⁻¹(1) = ∞, and the result is NaN outside [0, 1].
///
/// The error is below 1.8 ulp for 0.0011 <= p <= 0.9989, below 2.6 ulp from there to 2^−54 or to 1, below 0.6 ulp from
/// 2^−54 to 2^−1000, and below 6 ulp down to 0. Φ⁻¹(1 − p) = −Φ⁻¹(p) to the bit if 1 − p is exact. Φ⁻¹ is strictly
/// increasing over the multiples of 2^−53, and so over every uniform of up to 53 bits: from one multiple to the next it
/// grows by more than twice its error.
///
/// With m = min(p, 1 − p), so that the logarithm is 0 at p = ½,
///   Φ⁻¹(p) = (p − ½) P(ln 4m(1 − m))          for m >= 0.0011,
///   Φ⁻¹(p) = ±Q((ln m + 19) / (ln m − 19))    for 2^−54 <= m < 0.0011,
/// with minimax polynomials P and Q of degree 22. The first formula is that of Giles (2012), Approximating the erfinv
/// function, in GPU Computing Gems, chapter 10.
KOKKOS_INLINE_FUNCTION double normal_quantile(double p);

/// Φ⁻¹(u) for a uniform u from 2^−54 to 1 − 2^−53, and for no other argument. Returns the same bits as normal_quantile.
/// On a host it has no branch, so that loops over it vectorize.
KOKKOS_FORCEINLINE_FUNCTION double normal_quantile_of_uniform(double u);

namespace impl {

/// Selects the coefficients of the quantile's polynomial for the middle of (0, 1). TailCoefficients selects those for
/// the tails.
struct MiddleCoefficients {
  KOKKOS_FORCEINLINE_FUNCTION double operator()(double, double in_middle) const { return in_middle; }
};
struct TailCoefficients {
  KOKKOS_FORCEINLINE_FUNCTION double operator()(double in_tail, double) const { return in_tail; }
};
/// Selects the tail's coefficients if all bits of the mask are set. Uses bit operations, since g++ turns a conditional
/// into a branch under AVX2.
struct MaskedCoefficients {
  std::uint64_t tail_mask;
  KOKKOS_FORCEINLINE_FUNCTION double operator()(double in_tail, double in_middle) const {
    return from_bits(to_bits(in_middle) ^ ((to_bits(in_middle) ^ to_bits(in_tail)) & tail_mask));
  }
};

/// Returns the factor times the polynomial at v, the transformed logarithm, as four interleaved chains that overlap.
template <class Coefficients>
KOKKOS_FORCEINLINE_FUNCTION double normal_quantile_by(const Coefficients& c, double v, DoublePair factor) {
  const double v2 = v * v, v4 = v2 * v2;
  double p0 = c(0x1.c17052675565dp-1, -0x1.859ac0dfcd569p-58);
  p0 = p0 * v4 + c(0x1.258c042abde51p+3, 0x1.ee744918cf1d2p-47);
  p0 = p0 * v4 + c(0x1.b674030698cb6p+1, -0x1.5cfc698746d59p-38);
  p0 = p0 * v4 + c(0x1.92e71cbe1b327p+0, -0x1.46b9e7bbc13aap-25);
  p0 = p0 * v4 + c(0x1.5c7ebc224145bp+0, -0x1.03bf474dab264p-13);
  p0 = p0 * v4 + c(0x1.5923d3d0cb284p+2, -0x1.632676c1204ecp-1);
  double p1 = c(0x1.4127cc5e3862bp-8, -0x1.2920261d85f0fp-63);
  p1 = p1 * v4 + c(-0x1.32190ab99a9d6p+3, -0x1.aa4fb9723a8c7p-49);
  p1 = p1 * v4 + c(-0x1.112fba9936f7ep+2, -0x1.4293d8e5d5a73p-38);
  p1 = p1 * v4 + c(-0x1.9d7751d1c21fap+0, -0x1.0df59ea62fab5p-27);
  p1 = p1 * v4 + c(-0x1.de260a4b46a63p-2, -0x1.2401a6194a895p-17);
  p1 = p1 * v4 + c(0x1.f37c65720b114p-1, 0x1.19655442b1b9dp-6);
  double p2 = c(0x1.dc58b9d5b092dp+2, -0x1.e6ae209f5c08ap-51);
  p2 = p2 * v4 + c(0x1.685e3a254c4a1p+2, 0x1.8ee61b366ac7ep-44);
  p2 = p2 * v4 + c(0x1.1d54e7c2322dbp+1, 0x1.31d02e427c442p-31);
  p2 = p2 * v4 + c(0x1.4b15e513b7f7bp+0, 0x1.2c792407fce0dp-19);
  p2 = p2 * v4 + c(0x1.015adaed2e09dp+1, 0x1.c66edb6dfb918p-8);
  double p3 = c(-0x1.d749b2597c505p+1, -0x1.afa7d0b29df7dp-54);
  p3 = p3 * v4 + c(-0x1.d67a3ad9fe838p+2, 0x1.6a1be18cbe7afp-43);
  p3 = p3 * v4 + c(-0x1.4eaea1d67cdadp+1, 0x1.b989761d12152p-33);
  p3 = p3 * v4 + c(-0x1.ee132a171beabp-1, 0x1.3040be038c4d1p-22);
  p3 = p3 * v4 + c(0x1.09d56cfa18139p-4, 0x1.1f7afe3922a3bp-13);
  const double slope = (p0 + v * p1) + v2 * (p2 + v * p3);
  const DoublePair p = fast_two_sum(c(0x1.047ebe7fc011dp+2, 0x1.81bc445816337p+1), v * slope);
  const DoublePair z = two_product(factor.high, p.high);
  return z.high + (z.low + (factor.high * p.low + factor.low * p.high));
}

inline constexpr double normal_tail_mass = 0.0011;

KOKKOS_FORCEINLINE_FUNCTION DoublePair distance_from_half(double p) {
  const double q = p - 0.5;
  return {q, p - (q + 0.5)};
}

KOKKOS_FORCEINLINE_FUNCTION double middle_place(double log) { return log + 0x1.7f72p-1; }
KOKKOS_FORCEINLINE_FUNCTION double tail_place(double log) { return (log + 19.0) / (log - 19.0) + 0x1.1ff8p-2; }

/// Φ⁻¹(p) for min(p, 1 − p) >= normal_tail_mass.
KOKKOS_FORCEINLINE_FUNCTION double normal_quantile_of_middle(double p) {
  const double log = log_of_positive_normal(4.0 * (p * (1.0 - p)));
  return normal_quantile_by(MiddleCoefficients{}, middle_place(log), distance_from_half(p));
}

/// Φ⁻¹(p) for 2^−54 <= min(p, 1 − p) < normal_tail_mass.
KOKKOS_INLINE_FUNCTION double normal_quantile_of_tail(double p) {
  const double log = log_of_positive_normal(p < 0.5 ? p : 1.0 - p);
  return normal_quantile_by(TailCoefficients{}, tail_place(log), {p < 0.5 ? -1.0 : 1.0, 0.0});
}

/// Φ⁻¹(p) for 0 < p < 2^−54: the negative of a rational function of √(−ln p) − 6, and a step of Newton's method with
/// φ/Φ ≈ a + 1/a at −a, unless Φ may be subnormal.
KOKKOS_INLINE_FUNCTION double normal_quantile_far_below(double p) {
  const double r = ::sqrt(-log(p)) - 6.0;
  double numerator = 0x1.e4c5099978dbbp-24;
  numerator = numerator * r + 0x1.148ae38356781p-16;
  numerator = numerator * r + 0x1.b49cb3c7eb51fp-11;
  numerator = numerator * r + 0x1.4668661ec7161p-6;
  numerator = numerator * r + 0x1.0311411b6ddbbp-2;
  numerator = numerator * r + 0x1.c017e59d9a35bp+0;
  numerator = numerator * r + 0x1.8e36160e5527dp+2;
  numerator = numerator * r + 0x1.1c3fd1bb1d544p+3;
  double denominator = 0x1.21df38da67a2ap-50;
  denominator = denominator * r + 0x1.56c829d7d1279p-24;
  denominator = denominator * r + 0x1.770748d2daaa5p-17;
  denominator = denominator * r + 0x1.11b7e618193c8p-11;
  denominator = denominator * r + 0x1.67f0bf2efd8a4p-7;
  denominator = denominator * r + 0x1.d33637daae89cp-4;
  denominator = denominator * r + 0x1.23dce55fadeebp-1;
  denominator = denominator * r + 0x1.18072e8f9c859p+0;
  const double a = numerator / denominator;
  return p < 0x1p-1000 ? -a : (1.0 - p / normal_cdf(-a)) / -(a + 1.0 / a) - a;
}

/// (Φ(x) − ½) / x for |x| < ½ and s = x², by Taylor's series with an error below 2^−60.
KOKKOS_FORCEINLINE_FUNCTION double normal_cdf_slope(double s) {
  double g = -0x1.ddc738b863ab4p-43;
  g = g * s + 0x1.67c1700ad73d2p-38;
  g = g * s - 0x1.f107e1883d947p-34;
  g = g * s + 0x1.3878b823c4d4ep-29;
  g = g * s - 0x1.62226a4aabe03p-25;
  g = g * s + 0x1.658a2177b2739p-21;
  g = g * s - 0x1.3ce8fac15e2c4p-17;
  g = g * s + 0x1.e42b0d5216fc8p-14;
  g = g * s - 0x1.37403f6ba11p-10;
  g = g * s + 0x1.46d04297691dap-7;
  g = g * s - 0x1.1058377e2ceep-4;
  g = g * s + 0x1.9884533d43651p-2;
  return g;
}

/// Returns the same bits as normal_quantile, for a uniform from 2^−54 to 1 − 2^−53. Loops over it vectorize.
KOKKOS_FORCEINLINE_FUNCTION double normal_quantile_without_branch(double u) {
  const double complement = 1.0 - u, m = u < complement ? u : complement;
  const MaskedCoefficients c{m < normal_tail_mass ? ~std::uint64_t{0} : 0};
  const double log = log_of_positive_normal(c(m, 4.0 * (u * complement)));
  const DoublePair q = distance_from_half(u);
  return normal_quantile_by(c, c(tail_place(log), middle_place(log)),
                            {c(with_sign_of(1.0, q.high), q.high), c(0.0, q.low)});
}

}  // namespace impl

KOKKOS_INLINE_FUNCTION double normal_quantile(double p) {
  // The smaller of p and 1 − p is not used here, since no processor can predict the branch on p < ½.
  if (p >= impl::normal_tail_mass && 1.0 - p >= impl::normal_tail_mass) return impl::normal_quantile_of_middle(p);
  const double m = p < 0.5 ? p : 1.0 - p;
  if (m >= 0x1p-54) return impl::normal_quantile_of_tail(p);
  if (m > 0.0) return impl::normal_quantile_far_below(p);
  if (p == 0.0) return -impl::infinity;
  return p == 1.0 ? impl::infinity : impl::quiet_nan;
}

KOKKOS_FORCEINLINE_FUNCTION double normal_quantile_of_uniform(double u) {
  // With the branch, one core takes 4.1 times as long (AVX-512, g++ 12). Without it, an H100 takes 1.5 times as long.
  SPOROS_IF_ON_DEVICE((return normal_quantile(u);))
  SPOROS_IF_ON_HOST((return impl::normal_quantile_without_branch(u);))
}

KOKKOS_INLINE_FUNCTION double normal_cdf(double x) {
  if (impl::is_nan(x)) return impl::quiet_nan;
  const double size = impl::absolute(x), a = size < 39.0 ? size : 39.0;
  if (a < 0.5) return 0.5 + x * impl::normal_cdf_slope(x * x);

  const double v = (a - 5.0) / (a + 5.0) + 0x1.fe4p-5, v2 = v * v, v4 = v2 * v2;
  double p0 = 0x1.13c971c73b7a1p-28;
  p0 = p0 * v4 + 0x1.b62783bf9d1aap-23;
  p0 = p0 * v4 + 0x1.1fd793cfa7b97p-17;
  p0 = p0 * v4 - 0x1.e906d5aded7fep-14;
  p0 = p0 * v4 + 0x1.f7fa9aed391fap-6;
  p0 = p0 * v4 - 0x1.863dfaac6028cp-4;
  double p1 = 0x1.c67ad9da3845ap-32;
  p1 = p1 * v4 + 0x1.b42351fabf8e9p-27;
  p1 = p1 * v4 + 0x1.3c4ea4fc3973bp-20;
  p1 = p1 * v4 + 0x1.c4c9b11a1fffbp-13;
  p1 = p1 * v4 - 0x1.2a1e282fbc53ep-6;
  p1 = p1 * v4 + 0x1.d2ae4a94c2114p-6;
  double p2 = -0x1.30dc1e26cda41p-32;
  p2 = p2 * v4 - 0x1.0bd174d4b12e5p-25;
  p2 = p2 * v4 - 0x1.64658087abca3p-20;
  p2 = p2 * v4 - 0x1.6cd2cad5a1245p-15;
  p2 = p2 * v4 + 0x1.e1de1850bd7fdp-8;
  p2 = p2 * v4 + 0x1.2080c815e57e8p-6;
  double p3 = -0x1.85ba9bc3e141dp-29;
  p3 = p3 * v4 - 0x1.7f63600ed3cfap-24;
  p3 = p3 * v4 - 0x1.1f138d200c4a9p-16;
  p3 = p3 * v4 - 0x1.afa2728475093p-10;
  p3 = p3 * v4 - 0x1.1e9361921ddf2p-5;
  const double slope = (p0 + v * p1) + v2 * (p2 + v * p3);
  const impl::DoublePair p = impl::fast_two_sum(0x1.de8d491b05917p-2, v * slope);

  // e^(−a²/2) p / (a + 1), with all of their low parts.
  const impl::DoublePair square = impl::two_product(a, a);
  const impl::ExpParts e = impl::exp_parts({-0.5 * square.high, -0.5 * square.low});
  impl::DoublePair numerator = impl::two_product(e.mantissa.high, p.high);
  numerator.low += e.mantissa.high * p.low + e.mantissa.low * p.high;
  const impl::DoublePair divisor = impl::two_sum(a, 1.0);
  const double quotient = numerator.high / divisor.high;
  const impl::DoublePair back = impl::two_product(quotient, divisor.high);
  const double lost =
      (((numerator.high - back.high) - back.low) + (numerator.low - quotient * divisor.low)) / divisor.high;

  if (x <= 0.0) return impl::scaled(quotient + lost, e.exponent);
  const double scale = e.exponent < -200 ? 0.0 : impl::power_of_two(e.exponent);
  const impl::DoublePair above = impl::fast_two_sum(1.0, -(scale * quotient));
  return above.high + (above.low - scale * lost);
}

/// normal_cdf in float: the double result rounded, with an error below 0.5001 ulp.
KOKKOS_FORCEINLINE_FUNCTION float normal_cdf(std::same_as<float> auto x) {
  return impl::narrow(normal_cdf(static_cast<double>(x)));
}

/// normal_quantile in float: the double result rounded, with an error below 0.5001 ulp.
KOKKOS_FORCEINLINE_FUNCTION float normal_quantile(std::same_as<float> auto p) {
  return impl::narrow(normal_quantile(static_cast<double>(p)));
}

}  // namespace sporos::math
