// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/dual.hpp>
#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/derivatives/gamma.hpp>
#include <sporos/core/math/digamma.hpp>
#include <sporos/core/math/incomplete_beta.hpp>

#include <Kokkos_Core.hpp>

namespace sporos::math {

namespace impl {

// ∂s/∂a and ∂s/∂b of s = ln(x / (1 − x)), where x is the quantile of the beta distribution of shapes a and b.
template <class Number>
struct BetaSlopes {
  Number by_a, by_b;
};

// Computes the slopes −(∂I/∂a) / (∂I/∂s) from a, b and x if is_lower_of_beta selects I instead of 1 − I, where
// I = x^a y^b / B(a, b) · S. The derivatives of the continued fraction S need more terms than S itself; twice as many
// suffice.
template <class Number>
KOKKOS_INLINE_FUNCTION BetaSlopes<Number> beta_slopes_of_lower(const Number& a, const Number& b, const Number& x,
                                                               const Number& y, const Number& log_x,
                                                               const Number& log_y) {
  using Slope = Dual<2, Number>;
  const double terms = converged_beta_fraction(value_of(a), value_of(b), value_of(x), value_of(y)).m;
  BetaFraction<Slope> fraction(Slope(a, {Number(1.0), Number(0.0)}), Slope(b, {Number(0.0), Number(1.0)}),
                               Slope(x, {Number(0.0), Number(0.0)}), Slope(y, {Number(0.0), Number(0.0)}));
  while (fraction.m < 2.0 * terms + 8.0) fraction.advance();
  const Number of_sum = digamma(Number(a + b));
  return {-(fraction.sum.value * (log_x - digamma(a) + of_sum) + fraction.sum.slope[0]),
          -(fraction.sum.value * (log_y - digamma(b) + of_sum) + fraction.sum.slope[1])};
}

template <class Number>
KOKKOS_INLINE_FUNCTION BetaSlopes<Number> beta_slopes(const Number& a, const Number& b, const Number& x,
                                                      const Number& y) {
  const Number log_x = value_of(x) < 0.5 ? log(x) : log1p(-y), log_y = value_of(x) < 0.5 ? log1p(-x) : log(y);
  if (is_lower_of_beta(value_of(a), value_of(b), value_of(x))) return beta_slopes_of_lower(a, b, x, y, log_x, log_y);
  const BetaSlopes<Number> of_complement = beta_slopes_of_lower(b, a, y, x, log_y, log_x);
  return {-of_complement.by_b, -of_complement.by_a};
}

template <int n, class Real>
KOKKOS_INLINE_FUNCTION UnitPoint<Dual<n, Real>> beta_point_of(const UnitPoint<Real>& at, const Dual<n, Real>& a,
                                                              const Dual<n, Real>& b) {
  if (!(at.x > 0.0 && at.y > 0.0)) return {Dual<n, Real>(at.x, {}), Dual<n, Real>(at.y, {})};
  const BetaSlopes<Real> slopes = beta_slopes(a.value, b.value, at.x, at.y);
  const Real scale = at.x * at.y, by_a = scale * slopes.by_a, by_b = scale * slopes.by_b;
  return {Dual<n, Real>::of(at.x, by_a, a, by_b, b), Dual<n, Real>::of(at.y, -by_a, a, -by_b, b)};
}

}  // namespace impl

/// The p-quantile of the beta distribution with its derivatives with respect to the shapes. For example, the derivative
/// with respect to a is −(∂I/∂a) / f at the quantile. The relative error is about 10⁻¹². Duals of duals are supported.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION UnitPoint<Dual<n, Real>> beta_p_inverse(const Dual<n, Real>& a, const Dual<n, Real>& b,
                                                                    double p) {
  return impl::beta_point_of(beta_p_inverse(a.value, b.value, p), a, b);
}
/// The quantile for q = 1 − p, with its derivatives as in beta_p_inverse.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION UnitPoint<Dual<n, Real>> beta_q_inverse(const Dual<n, Real>& a, const Dual<n, Real>& b,
                                                                    double q) {
  return impl::beta_point_of(beta_q_inverse(a.value, b.value, q), a, b);
}

}  // namespace sporos::math
