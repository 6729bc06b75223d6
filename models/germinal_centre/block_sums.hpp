// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/lane.hpp>
#include <sporos/core/execution/warp_collectives.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::models::impl {

/// Numbers of elements and their sums over blocks of 32, of 32², … elements, all in one view. Each team sums a few of
/// them to get the sum before its element, without a scan over all elements. There are as many levels as needed for at
/// most 64 blocks on the last one.
struct BlockSums {
  static constexpr int shift = 5;         ///< binary logarithm of the numbers of a level per block of the next level
  static constexpr int max_largest = 64;  ///< largest size of the last level
  static constexpr int max_levels = 6;    ///< enough for 2^31 elements

  int levels = 0;  ///< number of levels; the first has a number for each element
  Kokkos::Array<std::int64_t, max_levels + 1> begin = {};  ///< offset of each level, then the total size

  /// Sum before an element, and sum of all.
  struct Sums {
    std::int64_t before, all;
  };

  /// Layout for `elements` elements, fewer than 2^31.
  static BlockSums of(std::int64_t elements) {
    BlockSums sums;
    for (std::int64_t count = elements;; count = (count + (1 << shift) - 1) >> shift) {
      sums.begin[sums.levels + 1] = sums.begin[sums.levels] + count;
      ++sums.levels;
      if (count <= max_largest) return sums;
    }
  }

  /// Size of the view.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t size() const { return begin[levels]; }

  /// Adds to the number of an element, and to the block sums that contain it.
  template <class Numbers>
  KOKKOS_INLINE_FUNCTION void add(const Numbers& numbers, int element, std::int64_t number) const {
    for (int level = 0; level < levels; ++level) {
      Kokkos::atomic_add(&numbers(begin[level] + (element >> shift * level)), number);
    }
  }

  /// Sets the number of an element to 0, and the block sums that begin with it. Call it for all elements.
  template <class Numbers>
  KOKKOS_INLINE_FUNCTION void clear(const Numbers& numbers, int element) const {
    for (int level = 0; level < levels && element >> shift * level << shift * level == element; ++level) {
      numbers(begin[level] + (element >> shift * level)) = 0;
    }
  }

  /// Sum of all numbers, computed by a single thread.
  template <class Numbers>
  KOKKOS_INLINE_FUNCTION std::int64_t all(const Numbers& numbers) const {
    std::int64_t sum = 0;
    for (std::int64_t i = begin[levels - 1]; i < begin[levels]; ++i) sum += numbers(i);
    return sum;
  }

  /// A lane's part of the sums, which the warp adds up with `sums_of`.
  template <class Numbers>
  KOKKOS_INLINE_FUNCTION Sums parts(const Numbers& numbers, int element) const {
    const int last = levels - 1, lane = sporos::impl::lane_index(), lanes = sporos::impl::lane_count();
    const int largest = static_cast<int>(begin[last + 1] - begin[last]), block_of_last = element >> shift * last;
    Sums parts{0, 0};
    if (lanes == 1) {
      for (int level = 0; level < last; ++level) {
        const int block = element >> shift * level;
        for (int i = block >> shift << shift; i < block; ++i) parts.before += numbers(begin[level] + i);
      }
      for (int i = 0; i < largest; ++i) {
        const std::int64_t number = numbers(begin[last] + i);
        parts.all += number;
        if (i < block_of_last) parts.before += number;
      }
      return parts;
    }
    // Each lane reads one number of a level and two of the last one; all loads are in flight together.
    std::int64_t lower[max_levels - 1], upper[2];
    for (int level = 0; level < max_levels - 1; ++level) {
      const int block = element >> shift * level, i = (block >> shift << shift) + lane;
      lower[level] = level < last && i < block ? numbers(begin[level] + i) : 0;
    }
    for (int half = 0; half < 2; ++half) {
      const int i = half * lanes + lane;
      upper[half] = i < largest ? numbers(begin[last] + i) : 0;
    }
    for (int half = 0; half < 2; ++half) {
      parts.all += upper[half];
      if (half * lanes + lane < block_of_last) parts.before += upper[half];
    }
    for (int level = 0; level < max_levels - 1; ++level) parts.before += lower[level];
    return parts;
  }

  /// Adds up the parts of the lanes of a warp. All lanes must call it together.
  KOKKOS_INLINE_FUNCTION static Sums sums_of(const Sums& parts) {
    return {sporos::impl::warp_sum(parts.before), sporos::impl::warp_sum(parts.all)};
  }
};

}  // namespace sporos::models::impl
