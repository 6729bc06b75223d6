// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <type_traits>

/// Derivatives of what a program computes, by forward-mode automatic differentiation: see Dual.
namespace sporos {

/// A number and its derivatives in `directions` directions, which arithmetic carries along by the chain rule
/// (Griewank, Walther: Evaluating derivatives, 2nd edition, chapter 3). For kernels and the host.
///
/// The value has the bits that the same program gives for plain numbers, and derivatives have the same bits on every
/// backend. Comparisons look at values alone, so that a program takes the same branches. A number that depends on no
/// direction may stay a double. `Real` may be a Dual itself, for second derivatives.
///
/// Functions of duals are in functions.hpp.
template <int directions, class Real = double>
struct Dual {
  static_assert(directions > 0, "Sporos: a dual number has at least one direction");

  Real value{};                             ///< f
  Kokkos::Array<Real, directions> slope{};  ///< ∂f along each direction

  /// 0, which depends on nothing.
  KOKKOS_DEFAULTED_FUNCTION Dual() = default;
  /// A constant.
  KOKKOS_FORCEINLINE_FUNCTION Dual(double constant) : value(constant) {}
  /// A number with these derivatives.
  KOKKOS_FORCEINLINE_FUNCTION Dual(const Real& value_, const Kokkos::Array<Real, directions>& slope_)
      : value(value_), slope(slope_) {}

  /// f(x) with f' there, by the chain rule.
  KOKKOS_FORCEINLINE_FUNCTION static Dual of(const Real& f, const Real& f_x, const Dual& x) {
    Dual result;
    result.value = f;
    for (int i = 0; i < directions; ++i) result.slope[i] = f_x * x.slope[i];
    return result;
  }
  /// f(x, y) with its partial derivatives there.
  KOKKOS_FORCEINLINE_FUNCTION static Dual of(const Real& f, const Real& f_x, const Dual& x, const Real& f_y,
                                             const Dual& y) {
    Dual result;
    result.value = f;
    for (int i = 0; i < directions; ++i) result.slope[i] = f_x * x.slope[i] + f_y * y.slope[i];
    return result;
  }

  /// +x.
  KOKKOS_FORCEINLINE_FUNCTION friend Dual operator+(const Dual& x) { return x; }
  /// -x.
  KOKKOS_FORCEINLINE_FUNCTION friend Dual operator-(const Dual& x) {
    Dual result;
    result.value = -x.value;
    for (int i = 0; i < directions; ++i) result.slope[i] = -x.slope[i];
    return result;
  }

  /// x + y.
  KOKKOS_FORCEINLINE_FUNCTION friend Dual operator+(const Dual& x, const Dual& y) {
    Dual result;
    result.value = x.value + y.value;
    for (int i = 0; i < directions; ++i) result.slope[i] = x.slope[i] + y.slope[i];
    return result;
  }
  /// x - y.
  KOKKOS_FORCEINLINE_FUNCTION friend Dual operator-(const Dual& x, const Dual& y) {
    Dual result;
    result.value = x.value - y.value;
    for (int i = 0; i < directions; ++i) result.slope[i] = x.slope[i] - y.slope[i];
    return result;
  }
  /// x * y.
  KOKKOS_FORCEINLINE_FUNCTION friend Dual operator*(const Dual& x, const Dual& y) {
    return of(x.value * y.value, y.value, x, x.value, y);
  }
  /// x / y.
  KOKKOS_FORCEINLINE_FUNCTION friend Dual operator/(const Dual& x, const Dual& y) {
    Dual result;
    result.value = x.value / y.value;
    const Real reciprocal = 1.0 / y.value;
    for (int i = 0; i < directions; ++i) result.slope[i] = (x.slope[i] - result.value * y.slope[i]) * reciprocal;
    return result;
  }

  /// x + y, one of them a constant.
  KOKKOS_FORCEINLINE_FUNCTION friend Dual operator+(const Dual& x, double y) { return {x.value + y, x.slope}; }
  /// x + y, one of them a constant.
  KOKKOS_FORCEINLINE_FUNCTION friend Dual operator+(double x, const Dual& y) { return {x + y.value, y.slope}; }
  /// x - y, one of them a constant.
  KOKKOS_FORCEINLINE_FUNCTION friend Dual operator-(const Dual& x, double y) { return {x.value - y, x.slope}; }
  /// x - y, one of them a constant.
  KOKKOS_FORCEINLINE_FUNCTION friend Dual operator-(double x, const Dual& y) {
    Dual result = -y;
    result.value = x - y.value;
    return result;
  }
  /// x * y, one of them a constant.
  KOKKOS_FORCEINLINE_FUNCTION friend Dual operator*(const Dual& x, double y) { return of(x.value * y, y, x); }
  /// x * y, one of them a constant.
  KOKKOS_FORCEINLINE_FUNCTION friend Dual operator*(double x, const Dual& y) { return of(x * y.value, x, y); }
  /// x / y, one of them a constant.
  KOKKOS_FORCEINLINE_FUNCTION friend Dual operator/(const Dual& x, double y) { return of(x.value / y, 1.0 / y, x); }
  /// x / y, one of them a constant.
  KOKKOS_FORCEINLINE_FUNCTION friend Dual operator/(double x, const Dual& y) {
    const Real quotient = x / y.value;
    return of(quotient, -quotient / y.value, y);
  }

  /// x = x + y.
  template <class Number>
  KOKKOS_FORCEINLINE_FUNCTION Dual& operator+=(const Number& y) {
    return *this = *this + y;
  }
  /// x = x - y.
  template <class Number>
  KOKKOS_FORCEINLINE_FUNCTION Dual& operator-=(const Number& y) {
    return *this = *this - y;
  }
  /// x = x * y.
  template <class Number>
  KOKKOS_FORCEINLINE_FUNCTION Dual& operator*=(const Number& y) {
    return *this = *this * y;
  }
  /// x = x / y.
  template <class Number>
  KOKKOS_FORCEINLINE_FUNCTION Dual& operator/=(const Number& y) {
    return *this = *this / y;
  }

  /// Whether x == y, by their values.
  KOKKOS_FORCEINLINE_FUNCTION friend bool operator==(const Dual& x, const Dual& y) { return x.value == y.value; }
  /// Whether x != y, by their values.
  KOKKOS_FORCEINLINE_FUNCTION friend bool operator!=(const Dual& x, const Dual& y) { return x.value != y.value; }
  /// Whether x < y, by their values.
  KOKKOS_FORCEINLINE_FUNCTION friend bool operator<(const Dual& x, const Dual& y) { return x.value < y.value; }
  /// Whether x > y, by their values.
  KOKKOS_FORCEINLINE_FUNCTION friend bool operator>(const Dual& x, const Dual& y) { return x.value > y.value; }
  /// Whether x <= y, by their values.
  KOKKOS_FORCEINLINE_FUNCTION friend bool operator<=(const Dual& x, const Dual& y) { return x.value <= y.value; }
  /// Whether x >= y, by their values.
  KOKKOS_FORCEINLINE_FUNCTION friend bool operator>=(const Dual& x, const Dual& y) { return x.value >= y.value; }
};

namespace impl {

template <class Number>
inline constexpr bool is_dual = false;
template <int directions, class Real>
inline constexpr bool is_dual<Dual<directions, Real>> = true;

template <class... Numbers>
struct CommonNumber {
  using type = double;
};
template <class First, class... Others>
struct CommonNumber<First, Others...> {
  using type = typename std::conditional_t<is_dual<First>, std::type_identity<First>, CommonNumber<Others...>>::type;
};

}  // namespace impl

/// A dual number.
template <class Number>
concept DualNumber = impl::is_dual<Number>;

/// The type of what is computed from such numbers: that of the duals among them, which are of one type, or double.
template <class... Numbers>
using NumberOf = typename impl::CommonNumber<Numbers...>::type;

/// The plain number in `x`: the value of a dual, of a dual's value and so on.
KOKKOS_FORCEINLINE_FUNCTION double value_of(double x) { return x; }
/// The same.
template <int directions, class Real>
KOKKOS_FORCEINLINE_FUNCTION double value_of(const Dual<directions, Real>& x) {
  return value_of(x.value);
}

}  // namespace sporos
