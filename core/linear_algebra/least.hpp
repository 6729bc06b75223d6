// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/core/math/bits.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>

namespace sporos {

/// A value and where it stands.
struct Located {
  double value = std::numeric_limits<double>::infinity();         ///< the value
  std::int64_t index = std::numeric_limits<std::int64_t>::max();  ///< its place

  /// Whether this one comes first: the smaller value, and of equal ones the lower index.
  KOKKOS_FORCEINLINE_FUNCTION bool comes_before(const Located& other) const {
    return value < other.value || (value == other.value && index < other.index);
  }
};

namespace impl {

/// Of some lanes those whose number is least.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t lanes_with_least(std::uint32_t value, std::uint32_t lanes) {
  const bool is_in = (lanes >> lane_index() & 1) != 0;
  return lanes & ballot(value == warp_min(is_in ? value : ~std::uint32_t{0}));
}

/// The lane of a thread (see warp_collectives.hpp) whose key is least, and of those with the same key the one whose
/// place is; and the upper half of that key.
///
/// The lanes compare 32 bits at a time, which a GPU does for all of them at once, and the upper ones nearly always tell
/// the first: a quarter of the time of five rounds of comparing numbers and their places.
KOKKOS_FORCEINLINE_FUNCTION int lane_of_least(std::uint64_t key, std::int64_t place, std::uint32_t& upper_half) {
  const auto own = static_cast<std::uint32_t>(key >> 32);
  upper_half = warp_min(own);
  if (lane_count() == 1) return 0;
  std::uint32_t lanes = ballot(own == upper_half);
  if ((lanes & (lanes - 1)) != 0) {
    lanes = lanes_with_least(static_cast<std::uint32_t>(key), lanes);
    lanes = lanes_with_least(static_cast<std::uint32_t>(place >> 32), lanes);
    lanes = lanes_with_least(static_cast<std::uint32_t>(place), lanes);
  }
  return first_bit(lanes);
}

/// Numbers in the order of these keys; equal zeros have the same, and none may be a NaN.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint64_t key_of(double number) {
  return math::impl::ordered_bits(number + 0.0);
}

/// The lane of a thread that holds the first of all; none of them is a NaN.
KOKKOS_FORCEINLINE_FUNCTION int lane_of_least(const Located& own) {
  std::uint32_t upper_half = 0;
  return lane_of_least(key_of(own.value), own.index, upper_half);
}

/// The first of what the lanes hold.
KOKKOS_FORCEINLINE_FUNCTION Located warp_min(const Located& own) {
  const int lane = lane_of_least(own);
  return {shuffle(own.value, lane), shuffle(own.index, lane)};
}

}  // namespace impl

/// A reducer that finds the least value, and of equal ones the one with the lowest index: the same on every backend,
/// with any number of threads. A NaN is never found.
template <class MemorySpace>
struct Least {
  using reducer = Least;                                                                 ///< as Kokkos wants it
  using value_type = Located;                                                            ///< as Kokkos wants it
  using result_view_type = Kokkos::View<Located, MemorySpace, Kokkos::MemoryUnmanaged>;  ///< as Kokkos wants it

  /// Into `found`.
  KOKKOS_FUNCTION explicit Least(Located& found) : m_found(&found) {}

  /// The first of both.
  KOKKOS_FORCEINLINE_FUNCTION void join(Located& into, const Located& other) const {
    if (other.comes_before(into)) into = other;
  }
  /// The same, as Kokkos before 4 wants it.
  KOKKOS_FORCEINLINE_FUNCTION void join(volatile Located& into, const volatile Located& other) const {
    if (other.value < into.value || (other.value == into.value && other.index < into.index)) {
      into.value = other.value;
      into.index = other.index;
    }
  }
  /// Nothing found.
  KOKKOS_FORCEINLINE_FUNCTION void init(Located& found) const { found = Located{}; }
  /// Where it is found.
  KOKKOS_FORCEINLINE_FUNCTION Located& reference() const { return *m_found; }
  /// The same.
  KOKKOS_FORCEINLINE_FUNCTION result_view_type view() const { return result_view_type(m_found); }

 private:
  Located* m_found;
};

}  // namespace sporos
