// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/leaf_operations.hpp>
#include <sporos/core/math/bits.hpp>

#include <Kokkos_Macros.hpp>

namespace sporos::math {

/// a / b, correctly rounded like `/`. Requires that |b| and, unless a = 0, |a| and |a / b| are from 2^−900 to 2^900.
KOKKOS_FORCEINLINE_FUNCTION double quotient(double a, double b) { return sporos::impl::quotient(a, b); }

}  // namespace sporos::math
