// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/core/math/bits.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>

namespace sporos {

/// A value and its index.
struct Located {
  double value = std::numeric_limits<double>::infinity();         ///< the value
  std::int64_t index = std::numeric_limits<std::int64_t>::max();  ///< index of the value

  /// Whether this element precedes `other`: it has the smaller value, or the same value and the lower index.
  KOKKOS_FORCEINLINE_FUNCTION bool comes_before(const Located& other) const {
    return value < other.value || (value == other.value && index < other.index);
  }
};

namespace impl {

/// The subset of `lanes`, one bit each, whose `value` is the smallest.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t lanes_with_smallest(std::uint32_t value, std::uint32_t lanes) {
  const bool is_in = (lanes >> lane_index() & 1) != 0;
  return lanes & ballot(value == warp_min(is_in ? value : ~std::uint32_t{0}));
}

/// The lane of a thread (see warp_collectives.hpp) with the smallest key; ties go to the smallest position.
/// `upper_half` receives the upper 32 bits of the smallest key.
///
/// The lanes compare 32 bits at a time, which a GPU does for all of them at once. The upper bits nearly always decide.
/// This takes a quarter of the time of five rounds that compare numbers and their positions.
KOKKOS_FORCEINLINE_FUNCTION int lane_of_smallest(std::uint64_t key, std::int64_t place, std::uint32_t& upper_half) {
  const auto own = static_cast<std::uint32_t>(key >> 32);
  upper_half = warp_min(own);
  if (lane_count() == 1) return 0;
  std::uint32_t lanes = ballot(own == upper_half);
  if ((lanes & (lanes - 1)) != 0) {
    lanes = lanes_with_smallest(static_cast<std::uint32_t>(key), lanes);
    lanes = lanes_with_smallest(static_cast<std::uint32_t>(place >> 32), lanes);
    lanes = lanes_with_smallest(static_cast<std::uint32_t>(place), lanes);
  }
  return first_bit(lanes);
}

/// An integer key with the order of the numbers. Zeros of both signs have the same key; `number` must not be a NaN.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint64_t key_of(double number) {
  return math::impl::ordered_bits(number + 0.0);
}

/// The lane of a thread whose element precedes all others. No value may be a NaN.
KOKKOS_FORCEINLINE_FUNCTION int lane_of_smallest(const Located& own) {
  std::uint32_t upper_half = 0;
  return lane_of_smallest(key_of(own.value), own.index, upper_half);
}

/// The element that precedes all others among those of the lanes.
KOKKOS_FORCEINLINE_FUNCTION Located warp_min(const Located& own) {
  const int lane = lane_of_smallest(own);
  return {shuffle(own.value, lane), shuffle(own.index, lane)};
}

}  // namespace impl

/// A Kokkos reducer that finds the smallest value and, among equal values, the lowest index. The result is the same on
/// every backend and with any number of threads. NaN values are ignored.
template <class MemorySpace>
struct Least {
  using reducer = Least;                                                                 ///< required by Kokkos
  using value_type = Located;                                                            ///< required by Kokkos
  using result_view_type = Kokkos::View<Located, MemorySpace, Kokkos::MemoryUnmanaged>;  ///< required by Kokkos

  /// Creates a reducer that writes its result to `found`.
  KOKKOS_FUNCTION explicit Least(Located& found) : m_found(&found) {}

  /// Replaces `into` by `other` if `other` precedes it.
  KOKKOS_FORCEINLINE_FUNCTION void join(Located& into, const Located& other) const {
    if (other.comes_before(into)) into = other;
  }
  /// Replaces `into` by `other` if `other` precedes it; Kokkos before 4 requires volatile arguments.
  KOKKOS_FORCEINLINE_FUNCTION void join(volatile Located& into, const volatile Located& other) const {
    if (other.value < into.value || (other.value == into.value && other.index < into.index)) {
      into.value = other.value;
      into.index = other.index;
    }
  }
  /// Sets `found` to the identity of the reduction: +∞ with the largest index.
  KOKKOS_FORCEINLINE_FUNCTION void init(Located& found) const { found = Located{}; }
  /// Reference to the result.
  KOKKOS_FORCEINLINE_FUNCTION Located& reference() const { return *m_found; }
  /// Unmanaged View of the result.
  KOKKOS_FORCEINLINE_FUNCTION result_view_type view() const { return result_view_type(m_found); }

 private:
  Located* m_found;
};

}  // namespace sporos
