// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// The orders of events in a calendar: `capacity` slots, each with a key or free, of which the one with the least key
/// is asked. They differ in speed alone.
namespace sporos::impl {

/// What events are sorted by: the time, and of equal times the number of the call that scheduled it.
struct EventKey {
  double time = math::impl::infinity;  ///< infinite in a free slot
  std::uint64_t order = 0;

  KOKKOS_FORCEINLINE_FUNCTION bool is_before(const EventKey& other) const {
    return time < other.time || (time == other.time && order < other.order);
  }
};

/// Keys in an array; the least is found by looking at all of them. O(1) to set, O(capacity) to ask.
template <int slots>
class ScannedKeys {
 public:
  KOKKOS_FORCEINLINE_FUNCTION const EventKey& operator[](int slot) const { return m_keys[slot]; }
  KOKKOS_FORCEINLINE_FUNCTION void set(int slot, const EventKey& key) { m_keys[slot] = key; }
  KOKKOS_FORCEINLINE_FUNCTION void clear(int slot) { m_keys[slot].time = math::impl::infinity; }
  KOKKOS_FORCEINLINE_FUNCTION int least() const {
    int least = 0;
    for (int slot = 1; slot < slots; ++slot) {
      if (m_keys[slot].is_before(m_keys[least])) least = slot;
    }
    return least;
  }

 private:
  EventKey m_keys[slots];
};

}  // namespace sporos::impl
