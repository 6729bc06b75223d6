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
  KOKKOS_INLINE_FUNCTION void add(const Numbers& numbers, std::int64_t element, std::int64_t number) const {
    for (int level = 0; level < levels; ++level) add_to_block(numbers, level, element, number);
  }

  /// Adds to the sum of one level that holds an element.
  template <class Numbers>
  KOKKOS_INLINE_FUNCTION void add_to_block(const Numbers& numbers, int level, std::int64_t element,
                                           std::int64_t number) const {
    Kokkos::atomic_add(&numbers(begin[level] + (element >> shift * level)), number);
  }

  /// Whether two elements are in the same block of a level.
  KOKKOS_INLINE_FUNCTION static bool same_block(int level, std::int64_t first, std::int64_t second) {
    return first >> shift * level == second >> shift * level;
  }

  /// Sets the number of an element to 0, and the sums that begin with it. To be called for all elements.
  template <class Numbers>
  KOKKOS_INLINE_FUNCTION void clear(const Numbers& numbers, std::int64_t element) const {
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

  /// What stands before an element. All lanes of a warp call it together.
  template <class Numbers>
  KOKKOS_INLINE_FUNCTION Sums sums(const Numbers& numbers, std::int64_t element) const {
    const int last = levels - 1, lane = sporos::impl::lane_index(), lanes = sporos::impl::lane_count();
    std::int64_t before = 0, all = 0;
    for (int level = 0; level < last; ++level) {
      const std::int64_t block = element >> shift * level;
      for (std::int64_t i = (block >> shift << shift) + lane; i < block; i += lanes)
        before += numbers(begin[level] + i);
    }
    for (std::int64_t i = lane; i < begin[last + 1] - begin[last]; i += lanes) {
      const std::int64_t number = numbers(begin[last] + i);
      all += number;
      if (i < element >> shift * last) before += number;
    }
    return {sporos::impl::warp_sum(before), sporos::impl::warp_sum(all)};
  }
};

}  // namespace sporos::models::impl
