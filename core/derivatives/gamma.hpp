// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/dual.hpp>
#include <sporos/core/math/digamma.hpp>
#include <sporos/core/math/gamma.hpp>
#include <sporos/core/math/incomplete_gamma.hpp>
#include <sporos/core/math/log.hpp>

#include <Kokkos_Core.hpp>

namespace sporos::math {

/// ln Γ(x), x > 0.
template <int n>
KOKKOS_FORCEINLINE_FUNCTION Dual<n> log_gamma(const Dual<n>& x) {
  return Dual<n>::of(log_gamma(x.value), digamma(x.value), x);
}

namespace impl {

inline constexpr int most_gamma_terms = 100'000;  // about √a of them are needed

// −(∂P(a, x)/∂a) / f(x) with f the density, where x ≤ a + 1: P = x^a e^−x / Γ(a + 1) · Σ t_n, of which
// t_n = xⁿ / ((a + 1) ⋯ (a + n)) has the derivative −t_n Σ 1 / (a + k).
KOKKOS_INLINE_FUNCTION double gamma_shape_slope_by_series(double a, double x) {
  double term = 1, sum = 1, reciprocals = 0, slope = 0;
  for (int n = 1; n < most_gamma_terms && term * reciprocals >= 0x1p-56 * slope; ++n) {
    const double reciprocal = 1.0 / (a + n);
    reciprocals += reciprocal;
    term *= x * reciprocal;
    sum += term;
    slope += term * reciprocals;
  }
  return (slope - sum * (log(x) - digamma(a + 1.0))) * (x / a);
}

// The same where x > a + 1: 1 − P = x^a e^−x / Γ(a) · C with Legendre's continued fraction C, evaluated with its
// derivative by Lentz's method.
KOKKOS_INLINE_FUNCTION double gamma_shape_slope_by_fraction(double a, double x) {
  const Dual<1> shape(a, {1.0});
  Dual<1> b = (x + 1.0) - shape, d = 1.0 / b, c = 1e300, fraction = d;
  for (int i = 1; i < most_gamma_terms; ++i) {
    const Dual<1> numerator = static_cast<double>(i) * (shape - static_cast<double>(i));
    b += 2.0;
    d = 1.0 / (numerator * d + b);
    c = b + numerator / c;
    const Dual<1> factor = c * d;
    fraction *= factor;
    const double change = absolute(factor.value - 1.0), change_of_slope = absolute(factor.slope[0]);
    if (change < 0x1p-52 && change_of_slope * fraction.value < 0x1p-52 * absolute(fraction.slope[0])) break;
  }
  return x * (fraction.value * (log(x) - digamma(a)) + fraction.slope[0]);
}

// ∂x/∂a of the quantile x = P⁻¹(a, p).
KOKKOS_INLINE_FUNCTION double gamma_shape_slope(double a, double x) {
  if (!(x > 0.0)) return 0.0;
  return x <= a + 1.0 ? gamma_shape_slope_by_series(a, x) : gamma_shape_slope_by_fraction(a, x);
}

}  // namespace impl

/// The p-quantile of the gamma distribution of that shape and scale 1, by its shape (Figurnov, Mohamed, Mnih: Implicit
/// reparameterization gradients, NeurIPS 2018: −(∂P/∂a) / f at the quantile), to about 10⁻¹² of it.
template <int n>
KOKKOS_FORCEINLINE_FUNCTION Dual<n> gamma_p_inverse(const Dual<n>& shape, double p) {
  const double quantile = gamma_p_inverse(shape.value, p);
  return Dual<n>::of(quantile, impl::gamma_shape_slope(shape.value, quantile), shape);
}

}  // namespace sporos::math
