// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// Writes the indices i in [0, size) for which `is_wanted(i)`, in ascending order, to the front of `indices`, which
/// must have room for all of them. Returns their number; this call blocks.
template <class ExecutionSpace, class Predicate>
std::int64_t select_indices(const ExecutionSpace& space, std::int64_t size, const Predicate& is_wanted,
                            const Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& indices) {
  std::int64_t count = 0;
  Kokkos::parallel_scan(
      "sporos::select_indices", Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, size),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & before, bool is_final) {
        if (!is_wanted(i)) return;
        if (is_final) indices(before) = i;
        ++before;
      },
      count);
  return count;
}

/// The number of the `count` ascending `indices` that lie below `bound`.
template <class Indices>
KOKKOS_INLINE_FUNCTION std::int64_t count_below(const Indices& indices, std::int64_t count, std::int64_t bound) {
  std::int64_t low = 0, high = count;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (indices(middle) < bound) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace sporos
