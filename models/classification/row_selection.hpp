// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::models {

/// Some rows of a table, for kernels; does not own the indices.
struct RowSelection {
  const std::int64_t* indices;  ///< of the rows, in any order and as often as wanted; null for neighbours
  std::int64_t count;           ///< number of rows
  std::int64_t first = 0;       ///< of neighbours

  /// The table's row that is selected in place i.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t operator[](std::int64_t i) const {
    return indices == nullptr ? first + i : indices[i];
  }

  /// Those that are selected in places `begin` to `end` − 1.
  RowSelection between(std::int64_t begin, std::int64_t end) const {
    return {indices == nullptr ? nullptr : indices + begin, end - begin, first + begin};
  }
};

}  // namespace sporos::models
