// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/event_keys.hpp>
#include <sporos/core/events/failure.hpp>
#include <sporos/core/events/free_slots.hpp>
#include <sporos/core/events/slots.hpp>
#include <sporos/core/math/bits.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// Queue of entities by rank: smallest rank first, and first in, first out among equal ranks. A rank is for example a
/// class of customers, a due date, or the length of a job (shortest job first). It is a heap with room for `slots`
/// entities, whose operations are O(log size); otherwise it is like FifoQueue.
template <class Entity, int slots>
class PriorityQueue {
 public:
  /// Inserts `entity` after all of its rank; `rank` must not be NaN. Returns false if there is no room; end the
  /// replication then.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION bool push(const Entity& entity, double rank) {
    const int slot = m_free.take();
    if (slot < 0) {
      m_fails = true;
      return false;
    }
    m_entities[slot] = entity;
    m_keys.insert(slot, {math::impl::ordered_bits(rank + 0.0), m_pushed++});  // + 0.0 turns -0 into +0
    return true;
  }

  /// Removes and returns the first entity; there must be one.
  KOKKOS_INLINE_FUNCTION Entity pop() {
    const int slot = m_keys.least().slot;
    m_keys.remove(slot);
    m_free.give_back(slot);
    return m_entities[slot];
  }

  /// Returns the first entity; there must be one.
  KOKKOS_FORCEINLINE_FUNCTION const Entity& front() const { return m_entities[m_keys.least().slot]; }
  /// Rank of the first entity; there must be one.
  KOKKOS_FORCEINLINE_FUNCTION double front_rank() const {
    return math::impl::from_ordered_bits(m_keys.least().key.time);
  }
  /// Number of waiting entities.
  KOKKOS_FORCEINLINE_FUNCTION int size() const { return m_free.taken(); }
  /// Whether no entity waits.
  KOKKOS_FORCEINLINE_FUNCTION bool is_empty() const { return size() == 0; }
  /// Largest number of entities at a time.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint32_t capacity() { return slots; }
  /// Failure::queue_full if an entity was pushed without room.
  KOKKOS_FORCEINLINE_FUNCTION Failure failure() const { return m_fails ? Failure::queue_full : Failure::none; }

 private:
  impl::KeyHeap<slots> m_keys;  // the rank takes the place of the time
  impl::FreeSlots<slots> m_free;
  std::uint64_t m_pushed = 0;
  bool m_fails = false;
  impl::Slots<Entity, slots> m_entities;
};

}  // namespace sporos
