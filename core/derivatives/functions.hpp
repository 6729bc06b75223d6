// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/dual.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/gamma.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/core/math/normal.hpp>
#include <sporos/core/math/pack_functions.hpp>
#include <sporos/core/math/pow.hpp>
#include <sporos/core/math/trigonometric.hpp>

#include <Kokkos_Core.hpp>

/// Overloads of the functions of core/math for Dual, and further functions that a model needs for both doubles and
/// duals: `math::sqrt(x)` works for a double and for a Dual. The value of each result has the same bits as the function
/// of the dual's value.
namespace sporos::math {

namespace impl {

template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> chosen(const PackMask& condition, const Dual<n, Real>& x,
                                                 const Dual<n, Real>& y) {
  Dual<n, Real> result;
  result.value = chosen(condition, x.value, y.value);
  for (int i = 0; i < n; ++i) result.slope[i] = chosen(condition, x.slope[i], y.slope[i]);
  return result;
}

}  // namespace impl

/// √x, correctly rounded.
KOKKOS_FORCEINLINE_FUNCTION double sqrt(double x) { return ::sqrt(x); }
/// |x|.
KOKKOS_FORCEINLINE_FUNCTION double abs(double x) { return impl::absolute(x); }
/// The largest whole number that is not above x.
KOKKOS_FORCEINLINE_FUNCTION double floor(double x) { return ::floor(x); }

/// √x; its slope at 0 is infinite.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> sqrt(const Dual<n, Real>& x);
/// |x|, with the slope of x at 0.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> abs(const Dual<n, Real>& x);
/// eˣ.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> exp(const Dual<n, Real>& x);
/// eˣ − 1.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> expm1(const Dual<n, Real>& x);
/// ln x.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> log(const Dual<n, Real>& x);
/// ln(1 + x).
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> log1p(const Dual<n, Real>& x);
/// Sine of x radians.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> sin(const Dual<n, Real>& x);
/// Cosine of x radians.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> cos(const Dual<n, Real>& x);
/// x^y for a constant y.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> pow(const Dual<n, Real>& x, double y);
/// x^y for a constant x ≥ 0.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> pow(double x, const Dual<n, Real>& y);
/// x^y for x ≥ 0.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> pow(const Dual<n, Real>& x, const Dual<n, Real>& y);
/// Φ(x), the standard normal distribution function.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> normal_cdf(const Dual<n, Real>& x);
/// Φ⁻¹(p), the standard normal quantile function, 0 < p < 1.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> normal_quantile(const Dual<n, Real>& p);

/// Returns x if the condition holds, otherwise y. It also works in the lanes of packs, where an `if` does not.
template <class X, class Y>
KOKKOS_FORCEINLINE_FUNCTION NumberOf<X, Y> select(bool condition, const X& x, const Y& y) {
  return condition ? NumberOf<X, Y>(x) : NumberOf<X, Y>(y);
}

/// Returns in each lane x if the condition holds there, otherwise y.
template <class X, class Y>
KOKKOS_FORCEINLINE_FUNCTION NumberOf<Pack, X, Y> select(const PackMask& condition, const X& x, const Y& y) {
  const NumberOf<Pack, X, Y>&yes = x, &no = y;  // references avoid copies of arguments that already have the type
  return impl::chosen(condition, yes, no);
}

/// Returns 1 if the condition holds, otherwise 0. Use it for sums and products without branches: compilers turn
/// `select` into branches.
template <class Number = double>
KOKKOS_FORCEINLINE_FUNCTION Number indicator(bool condition) {
  return static_cast<Number>(condition);
}

/// Returns in each lane 1 if the condition holds there, otherwise 0.
template <class Number = Pack>
KOKKOS_FORCEINLINE_FUNCTION Number indicator(const PackMask& condition) {
  return select(condition, Number(1.0), Number(0.0));
}

/// Smaller of two numbers; `a` if they are equal.
template <class A, class B>
KOKKOS_FORCEINLINE_FUNCTION NumberOf<A, B> min(const A& a, const B& b) {
  return select(b < a, b, a);
}

/// Larger of two numbers; `a` if they are equal.
template <class A, class B>
KOKKOS_FORCEINLINE_FUNCTION NumberOf<A, B> max(const A& a, const B& b) {
  return select(a < b, b, a);
}

template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> sqrt(const Dual<n, Real>& x) {
  const Real root = sqrt(x.value);
  return Dual<n, Real>::of(root, 0.5 / root, x);
}

template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> abs(const Dual<n, Real>& x) {
  return select(x < 0.0, -x, x);
}

template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> exp(const Dual<n, Real>& x) {
  const Real power = exp(x.value);
  return Dual<n, Real>::of(power, power, x);
}

template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> expm1(const Dual<n, Real>& x) {
  return Dual<n, Real>::of(expm1(x.value), exp(x.value), x);
}

template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> log(const Dual<n, Real>& x) {
  return Dual<n, Real>::of(log(x.value), 1.0 / x.value, x);
}

template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> log1p(const Dual<n, Real>& x) {
  return Dual<n, Real>::of(log1p(x.value), 1.0 / (1.0 + x.value), x);
}

template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> sin(const Dual<n, Real>& x) {
  return Dual<n, Real>::of(sin(x.value), cos(x.value), x);
}

template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> cos(const Dual<n, Real>& x) {
  return Dual<n, Real>::of(cos(x.value), -sin(x.value), x);
}

namespace impl {

// ∂x^y/∂x for power = x^y.
template <class Base, class Exponent, class Power>
KOKKOS_FORCEINLINE_FUNCTION Power pow_slope_of_base(const Base& x, const Exponent& y, const Power& power) {
  return x == 0.0 ? Power(y * pow(x, y - 1.0)) : Power(y * power / x);
}

// ∂x^y/∂y for power = x^y.
template <class Base, class Power>
KOKKOS_FORCEINLINE_FUNCTION Power pow_slope_of_exponent(const Base& x, const Power& power) {
  return x == 0.0 ? Power(0.0) : Power(power * log(x));
}

}  // namespace impl

template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> pow(const Dual<n, Real>& x, double y) {
  const Real power = pow(x.value, y);
  return Dual<n, Real>::of(power, impl::pow_slope_of_base(x.value, y, power), x);
}

template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> pow(double x, const Dual<n, Real>& y) {
  const Real power = pow(x, y.value);
  return Dual<n, Real>::of(power, impl::pow_slope_of_exponent(x, power), y);
}

template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> pow(const Dual<n, Real>& x, const Dual<n, Real>& y) {
  const Real power = pow(x.value, y.value);
  return Dual<n, Real>::of(power, impl::pow_slope_of_base(x.value, y.value, power), x,
                           impl::pow_slope_of_exponent(x.value, power), y);
}

namespace impl {

// Density of the standard normal distribution.
template <class Number>
KOKKOS_FORCEINLINE_FUNCTION Number normal_density(const Number& x) {
  return one_over_sqrt_two_pi * exp(-0.5 * (x * x));
}

}  // namespace impl

template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> normal_cdf(const Dual<n, Real>& x) {
  return Dual<n, Real>::of(normal_cdf(x.value), impl::normal_density(x.value), x);
}

template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION Dual<n, Real> normal_quantile(const Dual<n, Real>& p) {
  const Real quantile = normal_quantile(p.value);
  return Dual<n, Real>::of(quantile, 1.0 / impl::normal_density(quantile), p);
}

}  // namespace sporos::math
