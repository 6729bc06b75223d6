// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/pack.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

/// Forward-mode automatic differentiation; see Dual.
namespace sporos {

template <int directions, class Real>
struct Dual;

namespace impl {

// Type of a number with one value for each replication in a pack's lanes.
template <class Number>
struct InLanes {
  using type = Pack;
};
template <int directions, class Real>
struct InLanes<Dual<directions, Real>> {
  using type = Dual<directions, typename InLanes<Real>::type>;
};

template <class Number>
inline constexpr bool is_in_lanes = std::is_same_v<Number, typename InLanes<Number>::type>;

}  // namespace impl

/// A number and its derivatives in `directions` directions, which arithmetic propagates by the chain rule (Griewank,
/// Walther, 2008, Evaluating derivatives, 2nd edition, chapter 3). For kernels and the host.
///
/// The value has the same bits as in the same program with plain numbers, and the derivatives have the same bits on
/// every backend. Comparisons use values only, so a program takes the same branches. A number that depends on no
/// direction may stay a double. `Real` may itself be a Dual, for second derivatives, or a Pack.
///
/// Functions of duals are in functions.hpp.
template <int directions, class Real = double>
struct Dual {
  static_assert(directions > 0, "Sporos: a dual number must have at least one direction");

  Real value{};                             ///< f, the value of the number
  Kokkos::Array<Real, directions> slope{};  ///< ∂f in each direction

  /// The constant 0.
  KOKKOS_DEFAULTED_FUNCTION Dual() = default;
  /// A constant: all slopes are 0.
  KOKKOS_FORCEINLINE_FUNCTION Dual(double constant) : value(constant) {}
  /// A number with the given value and slopes.
  KOKKOS_FORCEINLINE_FUNCTION Dual(const Real& value_, const Kokkos::Array<Real, directions>& slope_)
      : value(value_), slope(slope_) {}

  /// A number that is the same in every lane.
  template <class Plain>
  requires(!impl::is_in_lanes<Plain> && std::same_as<typename impl::InLanes<Plain>::type, Real>)
      KOKKOS_FORCEINLINE_FUNCTION Dual(const Dual<directions, Plain>& x)
      : value(x.value) {
    for (int i = 0; i < directions; ++i) slope[i] = x.slope[i];
  }
  /// A constant for each lane.
  KOKKOS_FORCEINLINE_FUNCTION Dual(const Pack& constant) requires impl::is_in_lanes<Real> : value(constant) {}

  /// f(x) with the derivative f_x at x, by the chain rule.
  KOKKOS_FORCEINLINE_FUNCTION static Dual of(const Real& f, const Real& f_x, const Dual& x) {
    Dual result;
    result.value = f;
    for (int i = 0; i < directions; ++i) result.slope[i] = f_x * x.slope[i];
    return result;
  }
  /// f(x, y) with its partial derivatives f_x and f_y at (x, y).
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

  /// Result type of a comparison.
  using Truth = decltype(std::declval<Real>() < std::declval<Real>());

  /// Whether x == y, by their values.
  KOKKOS_FORCEINLINE_FUNCTION friend Truth operator==(const Dual& x, const Dual& y) { return x.value == y.value; }
  /// Whether x != y, by their values.
  KOKKOS_FORCEINLINE_FUNCTION friend Truth operator!=(const Dual& x, const Dual& y) { return x.value != y.value; }
  /// Whether x < y, by their values.
  KOKKOS_FORCEINLINE_FUNCTION friend Truth operator<(const Dual& x, const Dual& y) { return x.value < y.value; }
  /// Whether x > y, by their values.
  KOKKOS_FORCEINLINE_FUNCTION friend Truth operator>(const Dual& x, const Dual& y) { return x.value > y.value; }
  /// Whether x <= y, by their values.
  KOKKOS_FORCEINLINE_FUNCTION friend Truth operator<=(const Dual& x, const Dual& y) { return x.value <= y.value; }
  /// Whether x >= y, by their values.
  KOKKOS_FORCEINLINE_FUNCTION friend Truth operator>=(const Dual& x, const Dual& y) { return x.value >= y.value; }
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

template <int directions, class Real>
using DualInLanes = typename InLanes<Dual<directions, Real>>::type;

// Type of `Number`, or of a number in lanes if `in_lanes`.
template <class Number, bool in_lanes>
using NumberInLanes = typename std::conditional_t<in_lanes, InLanes<Number>, std::type_identity<Number>>::type;

}  // namespace impl

/// A dual number.
template <class Number>
concept DualNumber = impl::is_dual<Number>;

/// Type of a result computed from `Numbers`: the type of the duals among them, which must be one type, or double if
/// there is none. If any of the numbers is in lanes, so is the result.
template <class... Numbers>
using NumberOf =
    impl::NumberInLanes<typename impl::CommonNumber<Numbers...>::type, (impl::is_in_lanes<Numbers> || ...)>;

/// x + y, where the pack is a constant for each lane.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION impl::DualInLanes<n, Real> operator+(const Dual<n, Real>& x, const Pack& y) {
  impl::DualInLanes<n, Real> result = x;
  result.value = x.value + y;
  return result;
}
/// x + y, where the pack is a constant for each lane.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION impl::DualInLanes<n, Real> operator+(const Pack& x, const Dual<n, Real>& y) {
  impl::DualInLanes<n, Real> result = y;
  result.value = x + y.value;
  return result;
}
/// x - y, where the pack is a constant for each lane.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION impl::DualInLanes<n, Real> operator-(const Dual<n, Real>& x, const Pack& y) {
  impl::DualInLanes<n, Real> result = x;
  result.value = x.value - y;
  return result;
}
/// x - y, where the pack is a constant for each lane.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION impl::DualInLanes<n, Real> operator-(const Pack& x, const Dual<n, Real>& y) {
  impl::DualInLanes<n, Real> result = -y;
  result.value = x - y.value;
  return result;
}
/// x * y, where the pack is a constant for each lane.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION impl::DualInLanes<n, Real> operator*(const Dual<n, Real>& x, const Pack& y) {
  impl::DualInLanes<n, Real> result;
  result.value = x.value * y;
  for (int i = 0; i < n; ++i) result.slope[i] = y * x.slope[i];
  return result;
}
/// x * y, where the pack is a constant for each lane.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION impl::DualInLanes<n, Real> operator*(const Pack& x, const Dual<n, Real>& y) {
  return y * x;
}
/// x / y, where the pack is a constant for each lane.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION impl::DualInLanes<n, Real> operator/(const Dual<n, Real>& x, const Pack& y) {
  return impl::DualInLanes<n, Real>::of(x.value / y, 1.0 / y, x);
}
/// x / y, where the pack is a constant for each lane.
template <int n, class Real>
KOKKOS_FORCEINLINE_FUNCTION impl::DualInLanes<n, Real> operator/(const Pack& x, const Dual<n, Real>& y) {
  const auto quotient = x / y.value;
  return impl::DualInLanes<n, Real>::of(quotient, -quotient / y.value, y);
}

/// Plain number in `x`: for a dual, its value without any derivatives.
KOKKOS_FORCEINLINE_FUNCTION double value_of(double x) { return x; }
/// Plain number in a dual, also in a dual of duals.
template <int directions, class Real>
KOKKOS_FORCEINLINE_FUNCTION double value_of(const Dual<directions, Real>& x) {
  return value_of(x.value);
}

}  // namespace sporos
