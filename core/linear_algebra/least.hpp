// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/across_lanes.hpp>

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

/// The first of what the first `count` lanes of a thread hold (see across_lanes.hpp).
KOKKOS_FORCEINLINE_FUNCTION Located least_of_lanes(Located own, std::int64_t count = 1 << 30) {
  int mask = lane_count() / 2;
  while (mask > 0 && mask >= count) mask /= 2;
  for (; mask > 0; mask /= 2) {
    const Located other{from_partner(own.value, mask), from_partner(own.index, mask)};
    if (other.comes_before(own)) own = other;
  }
  return {from_lane(own.value, 0), from_lane(own.index, 0)};
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
