// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/warp_collectives.hpp>

#include <Kokkos_Core.hpp>

namespace sporos::impl {

/// Sorts two sets of numbers, one number of each set per lane, in ascending order over the lanes (Batcher's bitonic
/// sort). No number may be a NaN.
template <class Number>
KOKKOS_FUNCTION void sort_lanes(Number& first, Number& second) {
  for (int run = 2; run <= lane_count(); run *= 2) {
    for (int distance = run / 2; distance > 0; distance /= 2) {
      const bool wants_lower = ((lane_index() & run) == 0) == ((lane_index() & distance) == 0);
      const Number other_first = shuffle_xor(first, distance), other_second = shuffle_xor(second, distance);
      if (wants_lower == (other_first < first)) first = other_first;
      if (wants_lower == (other_second < second)) second = other_second;
    }
  }
}

/// Sorts each of `kinds` interleaved sequences of `size` numbers in ascending order; `size` is a power of two. All
/// lanes of a thread call this together (see warp_collectives.hpp) and see the sorted numbers afterwards. No number may
/// be a NaN. (Kokkos has sort_thread from version 4 on.)
template <class Number>
KOKKOS_FUNCTION void sort_by_lanes(Number* numbers, int kinds, int size) {
  for (int run = 2; run <= size; run *= 2) {
    for (int distance = run / 2; distance > 0; distance /= 2) {
      for (int i = lane_index(); i < kinds * size / 2; i += lane_count()) {
        const int pair = i / kinds, first = 2 * pair - pair % distance, kind = i % kinds;
        const bool is_ascending = (first & run & (size - 1)) == 0;
        Number &a = numbers[first * kinds + kind], &b = numbers[(first + distance) * kinds + kind];
        if ((b < a) != is_ascending) continue;
        const Number kept = a;
        a = b;
        b = kept;
      }
      sync_warp();
    }
  }
}

}  // namespace sporos::impl
