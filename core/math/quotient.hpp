// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>

#include <Kokkos_Macros.hpp>

namespace sporos::math {

/// a / b, correctly rounded as `/` is, for |b| and, unless a = 0, |a| and |a / b| from 2^−900 to 2^900.
///
/// nvcc makes of `/` these same Newton steps and, for operands near overflow and underflow, a branch to a function. The
/// branch costs as much as two steps, and nothing is interleaved across it.
KOKKOS_FORCEINLINE_FUNCTION double quotient(double a, double b) {
#ifdef __CUDA_ARCH__
  double y;  // 1 / b to 20 bits or more, then to all but the last, then rounded
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(b));
  const double e = __fma_rn(-b, y, 1.0);
  y = __fma_rn(y, __fma_rn(e, e, e), y);
  y = __fma_rn(y, __fma_rn(-b, y, 1.0), y);
  const double q = a * y;
  return __fma_rn(y, __fma_rn(-b, q, a), q);
#else
  return a / b;
#endif
}

}  // namespace sporos::math
