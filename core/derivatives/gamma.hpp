// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/dual.hpp>
#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/math/digamma.hpp>
#include <sporos/core/math/gamma.hpp>
#include <sporos/core/math/incomplete_gamma.hpp>
#include <sporos/core/math/log.hpp>

#include <Kokkos_Core.hpp>

namespace sporos::math {

/// Digamma function ψ(x), x > 0.
template <int n>
KOKKOS_FORCEINLINE_FUNCTION Dual<n> digamma(const Dual<n>& x) {
  return Dual<n>::of(digamma(x.value), trigamma(x.value), x);
}

/// ln Γ(x), x > 0; also for duals of duals.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> log_gamma(const Dual<n, Real>& x) {
  return Dual<n, Real>::of(log_gamma(x.value), digamma(x.value), x);
}

namespace impl {

inline constexpr int max_gamma_terms = 100'000;  // about √a terms are needed

// Returns −(∂P(a, x)/∂a) / f(x), where f is the density, for x ≤ a + 1. P = x^a e^−x / Γ(a + 1) · Σ t_n, whose terms
// t_n = xⁿ / ((a + 1) ⋯ (a + n)) have the derivatives −t_n Σ 1 / (a + k). Terms of derivatives become negligible later.
template <class Number>
KOKKOS_INLINE_FUNCTION Number gamma_shape_slope_by_series(const Number& a, const Number& x) {
  constexpr double negligible = DualNumber<Number> ? 0x1p-80 : 0x1p-56;
  Number term = 1.0, sum = 1.0, reciprocals = 0.0, slope = 0.0;
  for (int n = 1; n < max_gamma_terms && term * reciprocals >= negligible * slope; ++n) {
    const Number reciprocal = 1.0 / (a + static_cast<double>(n));
    reciprocals += reciprocal;
    term *= x * reciprocal;
    sum += term;
    slope += term * reciprocals;
  }
  return (slope - sum * (log(x) - digamma(a + 1.0))) * (x / a);
}

// Returns −(∂P(a, x)/∂a) / f(x) for x > a + 1: 1 − P = x^a e^−x / Γ(a) · C with Legendre's continued fraction C,
// evaluated with its derivative by Lentz's method. Second derivatives converge later; twice as many terms suffice for
// them.
template <class Number>
KOKKOS_INLINE_FUNCTION Number gamma_shape_slope_by_fraction(const Number& a, const Number& x) {
  using Slope = Dual<1, Number>;
  const Slope shape(a, {Number(1.0)});
  Slope b = Slope(x + 1.0, {Number(0.0)}) - shape, d = 1.0 / b, c = 1e300, fraction = d;
  for (int i = 1, last = max_gamma_terms; i < last; ++i) {
    const Slope numerator = static_cast<double>(i) * (shape - static_cast<double>(i));
    b += 2.0;
    d = 1.0 / (numerator * d + b);
    c = b + numerator / c;
    const Slope factor = c * d;
    fraction *= factor;
    const double change = absolute(value_of(factor) - 1.0), change_of_slope = absolute(value_of(factor.slope[0]));
    const double slope = absolute(value_of(fraction.slope[0]));
    if (last < max_gamma_terms || change >= 0x1p-52 || change_of_slope * value_of(fraction) >= 0x1p-52 * slope)
      continue;
    last = DualNumber<Number> ? 2 * i + 8 : i;
  }
  return x * (fraction.value * (log(x) - digamma(a)) + fraction.slope[0]);
}

// ∂x/∂a of the quantile x = P⁻¹(a, p), as a function of a and x.
KOKKOS_INLINE_FUNCTION double gamma_shape_slope(double a, double x) {
  if (!(x > 0.0)) return 0.0;
  return x <= a + 1.0 ? gamma_shape_slope_by_series(a, x) : gamma_shape_slope_by_fraction(a, x);
}

// Overload for duals, whose value is bitwise identical to that of the overload for doubles.
template <int n>
KOKKOS_INLINE_FUNCTION Dual<n> gamma_shape_slope(const Dual<n>& a, const Dual<n>& x) {
  if (!(x > 0.0)) return 0.0;
  Dual<n> slope = x <= a + 1.0 ? gamma_shape_slope_by_series(a, x) : gamma_shape_slope_by_fraction(a, x);
  slope.value = gamma_shape_slope(a.value, x.value);
  return slope;
}

}  // namespace impl

/// The p-quantile of the gamma distribution of the given shape and scale 1, with its derivative with respect to the
/// shape, −(∂P/∂a) / f at the quantile (Figurnov, Mohamed, Mnih, 2018, Implicit reparameterization gradients). The
/// relative error of the derivative is about 10⁻¹², and that of the second derivative, with duals of duals, about
/// 10⁻¹⁰.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> gamma_p_inverse(const Dual<n, Real>& shape, double p) {
  const Real quantile = gamma_p_inverse(shape.value, p);
  return Dual<n, Real>::of(quantile, impl::gamma_shape_slope(shape.value, quantile), shape);
}

}  // namespace sporos::math
