// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/warp_collectives.hpp>

#include <Kokkos_Core.hpp>

namespace sporos::impl {

/// The numbers of a thread's lanes in ascending order, one a lane: Batcher's bitonic sort. None is a NaN.
template <class Number>
KOKKOS_FUNCTION Number sorted_by_lanes(Number number) {
  for (int run = 2; run <= lane_count(); run *= 2) {
    for (int distance = run / 2; distance > 0; distance /= 2) {
      const Number other = shuffle_xor(number, distance);
      const bool wants_lower = ((lane_index() & run) == 0) == ((lane_index() & distance) == 0);
      if (wants_lower == (other < number)) number = other;
    }
  }
  return number;
}

/// Puts each of `rows` rows of `size` numbers, a power of two, in ascending order, by all lanes of a thread together
/// (see warp_collectives.hpp), which see them in order afterwards. None is a NaN. (Kokkos has sort_thread from version
/// 4 on.)
template <class Number>
KOKKOS_FUNCTION void sort_by_lanes(Number* numbers, int rows, int size) {
  for (int run = 2; run <= size; run *= 2) {
    for (int distance = run / 2; distance > 0; distance /= 2) {
      for (int i = lane_index(); i < rows * size / 2; i += lane_count()) {
        const int first = 2 * i - i % distance, second = first + distance;
        const bool is_ascending = (first & run & (size - 1)) == 0;
        const Number a = numbers[first], b = numbers[second];
        if ((b < a) != is_ascending) continue;
        numbers[first] = b;
        numbers[second] = a;
      }
      sync_warp();
    }
  }
}

/// How many of `size` numbers, a power of two from 32 on, in ascending order, are at most x; the last one is not.
template <class Number>
KOKKOS_FORCEINLINE_FUNCTION int count_up_to(const Number* sorted, int size, Number x) {
  int count = 0;
  for (int step = size / 2; step > 16; step /= 2) count += sorted[count + step - 1] <= x ? step : 0;
  for (int step = 16; step > 0; step /= 2) count += sorted[count + step - 1] <= x ? step : 0;  // without a loop
  return count;
}

}  // namespace sporos::impl
