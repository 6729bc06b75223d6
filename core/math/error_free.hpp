// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/device_code.hpp>
#include <sporos/core/math/bits.hpp>

#include <Kokkos_Macros.hpp>

#include <cmath>

namespace sporos::math::impl {

/// Unevaluated sum high + low: high is the rounded sum, low the rounding error.
struct DoublePair {
  double high, low;
};

/// a + b without error, if |a| >= |b| or a = 0 (Dekker 1971).
KOKKOS_FORCEINLINE_FUNCTION DoublePair fast_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, (a - sum) + b};
}

/// a + b without error (Knuth, The Art of Computer Programming 2, 4.2.2, theorem B).
KOKKOS_FORCEINLINE_FUNCTION DoublePair two_sum(double a, double b) {
  const double sum = a + b, b_seen = sum - a;
  return {sum, (a - (sum - b_seen)) + (b - b_seen)};
}

/// a b without error, for |a|, |b| < 2^996 and a product that is zero or above 2^-968.
///
/// The rounding error is itself a double, so a fused multiply-add and Dekker's splitting give the same bits. The fused
/// multiply-add is used if the hardware has one, since the splitting takes 17 operations.
KOKKOS_FORCEINLINE_FUNCTION DoublePair two_product(double a, double b) {
  const double product = a * b;
#ifdef SPOROS_IMPL_HAS_FMA
  return {product, std::fma(a, b, -product)};
#else
  constexpr double splitter = 0x1p27 + 1;
  const double a_scaled = splitter * a, a_high = a_scaled - (a_scaled - a), a_low = a - a_high;
  const double b_scaled = splitter * b, b_high = b_scaled - (b_scaled - b), b_low = b - b_high;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
#endif
}

}  // namespace sporos::math::impl
