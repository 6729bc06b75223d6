// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Operations on numbers with the rules of Python, for models that are translated from Python. All results have the
/// bits of CPython.
namespace sporos::math {

/// Returns a // b, the quotient rounded towards −∞, for b ≠ 0.
KOKKOS_FORCEINLINE_FUNCTION std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
  if (b == -1)
    return static_cast<std::int64_t>(0u - static_cast<std::uint64_t>(a));  // the least integer has no opposite
  const std::int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// Returns a % b, which has the sign of b, for b ≠ 0.
KOKKOS_FORCEINLINE_FUNCTION std::int64_t floor_remainder(std::int64_t a, std::int64_t b) {
  if (b == -1) return 0;
  const std::int64_t remainder = a % b;
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

/// Returns a % b, which has the sign of b, for b ≠ 0.
KOKKOS_INLINE_FUNCTION double modulo(double a, double b) {
  const double remainder = ::fmod(a, b);
  if (remainder == 0) return ::copysign(0.0, b);
  return (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

/// Returns a // b, a whole number, for b ≠ 0.
KOKKOS_INLINE_FUNCTION double floor_division(double a, double b) {
  const double remainder = ::fmod(a, b);
  double quotient = (a - remainder) / b;
  if (remainder != 0 && (remainder < 0) != (b < 0)) quotient -= 1.0;
  if (quotient == 0) return ::copysign(0.0, a / b);
  const double whole = ::floor(quotient);
  return quotient - whole > 0.5 ? whole + 1.0 : whole;
}

/// Returns the whole number next to x; of two that are equally near, the even one.
KOKKOS_FORCEINLINE_FUNCTION double nearest_even(double x) { return ::rint(x); }

/// Returns the smallest whole number that is not below x.
KOKKOS_FORCEINLINE_FUNCTION double ceil(double x) { return ::ceil(x); }

/// Returns the smaller of two integers.
KOKKOS_FORCEINLINE_FUNCTION std::int64_t smaller(std::int64_t a, std::int64_t b) { return b < a ? b : a; }

/// Returns the larger of two integers.
KOKKOS_FORCEINLINE_FUNCTION std::int64_t larger(std::int64_t a, std::int64_t b) { return a < b ? b : a; }

/// Returns |x|.
KOKKOS_FORCEINLINE_FUNCTION std::int64_t magnitude(std::int64_t x) { return x < 0 ? -x : x; }

}  // namespace sporos::math
