// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/core/math/log.hpp>

#include <Kokkos_Macros.hpp>

namespace sporos::math {

namespace impl {

inline constexpr double one_over_sqrt_two_pi = 0.3989422804014327;

/// (1/Γ(1 + w) − 1) / w for |w| <= ½, by the polynomial of degree 15 through its Chebyshev points. The error is below
/// 6e-19.
KOKKOS_FORCEINLINE_FUNCTION double reciprocal_gamma_slope(double w) {
  double p = 5.1041498417163275e-09;
  p = p * w + 4.939580133523849e-09;
  p = p * w - 2.056750434568255e-07;
  p = p * w + 1.1335045480626792e-06;
  p = p * w - 1.250484796492716e-06;
  p = p * w - 2.01349556850396e-05;
  p = p * w + 0.0001280502813722699;
  p = p * w - 0.00021524166229467653;
  p = p * w - 0.0011651675917944975;
  p = p * w + 0.007218943245911072;
  p = p * w - 0.00962197152787899;
  p = p * w - 0.04219773455552084;
  p = p * w + 0.1665386113822915;
  p = p * w - 0.042002635034095515;
  p = p * w - 0.6558780715202539;
  return p * w + 0.5772156649015329;
}

/// Γ(1 + a) for −½ <= a < 10.
KOKKOS_INLINE_FUNCTION double gamma_of_one_plus(double a) {
  double product = 1.0;
  while (a > 0.5) {
    product *= a;
    a -= 1.0;
  }
  return product / (1.0 + a * reciprocal_gamma_slope(a));
}

/// ln Γ(1 + w) for |w| <= ½.
KOKKOS_FORCEINLINE_FUNCTION double log_gamma_of_one_plus(double w) { return -log1p(w * reciprocal_gamma_slope(w)); }

/// ln Γ(x) − (x − ½) ln x + x − ½ ln 2π for x >= 10, by Stirling's series with an error below 1e-17.
KOKKOS_FORCEINLINE_FUNCTION double stirling_correction(double x) {
  const double r = 1.0 / x, s = r * r;
  double p = -0.029550653594771242;
  p = p * s + 0.00641025641025641;
  p = p * s - 0.0019175269175269176;
  p = p * s + 0.0008417508417508417;
  p = p * s - 0.0005952380952380953;
  p = p * s + 0.0007936507936507937;
  p = p * s - 0.002777777777777778;
  return (p * s + 0.08333333333333333) * r;
}

}  // namespace impl

/// ln Γ(x) for x > 0, by Stirling's series if x >= 10, otherwise by recurrence from Γ(1 + w), |w| <= ½.
///
/// ln Γ(0) = ∞ and ln Γ(∞) = ∞. The result is NaN for x < 0, since Γ has two signs there. The relative error is below
/// 1.5e-15, also next to the zeros at 1 and 2.
SPOROS_NOINLINE KOKKOS_INLINE_FUNCTION double log_gamma(double x) {
  constexpr double half_log_two_pi = 0.9189385332046728;
  if (!(x > 0.0)) return x == 0.0 ? impl::infinity : impl::quiet_nan;
  if (x == impl::infinity) return x;
  if (x >= 10.0) return (x - 0.5) * (log(x) - 1.0) + ((half_log_two_pi - 0.5) + impl::stirling_correction(x));
  if (x < 0.5) return impl::log_gamma_of_one_plus(x) - log(x);
  if (x <= 1.5) return impl::log_gamma_of_one_plus(x - 1.0);
  if (x > 2.5) return log(impl::gamma_of_one_plus(x - 1.0));
  // Γ(2 + w) = (1 + w) / (1 + w h) = 1 + w (1 − h) / (1 + w h)
  const double w = x - 2.0, h = impl::reciprocal_gamma_slope(w);
  return log1p(w * (1.0 - h) / (1.0 + w * h));
}

}  // namespace sporos::math
