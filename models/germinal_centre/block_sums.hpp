// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/lane.hpp>
#include <sporos/core/execution/warp_collectives.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::models::impl {

/// Numbers of elements with their sums over blocks of 32, of 32², … elements, all in one view: what stands before an
/// element is the sum of a few of them, which each team can form for itself, without a scan of all. Blocks are as large
/// as it takes for at most 64 of the largest.
struct BlockSums {
  static constexpr int shift = 5;          ///< binary logarithm of how many of a level are one of the next
  static constexpr int most_largest = 64;  ///< of the last level
  static constexpr int most_levels = 6;    ///< of 2^31 elements

  int levels = 0;  ///< the first has a number for each element
  Kokkos::Array<std::int64_t, most_levels + 1> begin =
      {};  ///< where each level begins; behind the last how many numbers there are

  /// Sums before an element and of all.
  struct Sums {
    std::int64_t before, all;
  };

  /// Of so many elements, less than 2^31.
  static BlockSums of(std::int64_t elements) {
    BlockSums sums;
    for (std::int64_t count = elements;; count = (count + (1 << shift) - 1) >> shift) {
      sums.begin[sums.levels + 1] = sums.begin[sums.levels] + count;
      ++sums.levels;
      if (count <= most_largest) return sums;
    }
  }

  /// How many numbers there are.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t size() const { return begin[levels]; }

  /// Adds to the number of an element, and to the sums that hold it.
  template <class Numbers>
  KOKKOS_INLINE_FUNCTION void add(const Numbers& numbers, int element, std::int64_t number) const {
    for (int level = 0; level < levels; ++level) {
      Kokkos::atomic_add(&numbers(begin[level] + (element >> shift * level)), number);
    }
  }

  /// Sets the number of an element to 0, and the sums that begin with it. To be called for all elements.
  template <class Numbers>
  KOKKOS_INLINE_FUNCTION void clear(const Numbers& numbers, int element) const {
    for (int level = 0; level < levels && element >> shift * level << shift * level == element; ++level) {
      numbers(begin[level] + (element >> shift * level)) = 0;
    }
  }

  /// The sum of all, by a thread alone.
  template <class Numbers>
  KOKKOS_INLINE_FUNCTION std::int64_t all(const Numbers& numbers) const {
    std::int64_t sum = 0;
    for (std::int64_t i = begin[levels - 1]; i < begin[levels]; ++i) sum += numbers(i);
    return sum;
  }

  /// What a lane has read of what stands before an element, and of all. To be summed by the warp.
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
    // Each lane takes one number of a level and two of the last one: all loads are on their way together.
    std::int64_t lower[most_levels - 1], upper[2];
    for (int level = 0; level < most_levels - 1; ++level) {
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
    for (int level = 0; level < most_levels - 1; ++level) parts.before += lower[level];
    return parts;
  }

  /// The sums of what the lanes of a warp have read. They call it together.
  KOKKOS_INLINE_FUNCTION static Sums sums_of(const Sums& parts) {
    return {sporos::impl::warp_sum(parts.before), sporos::impl::warp_sum(parts.all)};
  }
};

}  // namespace sporos::models::impl
