// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/log.hpp>

namespace sporos::math {

/// x^y.
KOKKOS_INLINE_FUNCTION double pow(double x, double y) {
  if (y == 0.0 || x == 1.0) return 1.0;
  return exp(y * log(x));
}
KOKKOS_FORCEINLINE_FUNCTION float pow(float x, float y) {
  return impl::narrow(pow(static_cast<double>(x), static_cast<double>(y)));
}

}  // namespace sporos::math
