// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::models {

/// A selection of rows of a table, for kernels. Does not own the indices.
struct RowSelection {
  const std::int64_t* indices;  ///< indices of the rows, in any order, with repetitions; null for a contiguous range
  std::int64_t count;           ///< number of rows
  std::int64_t first = 0;       ///< first row of a contiguous range

  /// The table's row number of element i of the selection.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t operator[](std::int64_t i) const {
    return indices == nullptr ? first + i : indices[i];
  }

  /// Elements `begin` to `end` − 1 of the selection.
  RowSelection between(std::int64_t begin, std::int64_t end) const {
    return {indices == nullptr ? nullptr : indices + begin, end - begin, first + begin};
  }
};

namespace impl {

/// Returns Σ term(i) for i = `first`, …, `end` − 1, added in order. Loads several terms from memory at once.
template <class Term>
KOKKOS_INLINE_FUNCTION double sum_in_order(std::int64_t first, std::int64_t end, const Term& term) {
  constexpr int batch = 16;
  double sum = 0;
  for (; first + batch <= end; first += batch) {
    double terms[batch];
    for (int k = 0; k < batch; ++k) terms[k] = term(first + k);
    for (int k = 0; k < batch; ++k) sum += terms[k];
  }
  for (; first < end; ++first) sum += term(first);
  return sum;
}

}  // namespace impl

}  // namespace sporos::models
