// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::models {

/// Some rows of a table, or all of them, for kernels; does not own the indices.
struct RowSelection {
  const std::int64_t* indices;  ///< of the rows, in any order and as often as wanted; null for all rows
  std::int64_t count;           ///< number of rows

  /// The table's row that is selected in place i.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t operator[](std::int64_t i) const {
    return indices == nullptr ? i : indices[i];
  }
};

}  // namespace sporos::models
