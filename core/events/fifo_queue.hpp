// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/failure.hpp>
#include <sporos/core/events/slots.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// First-in, first-out queue: a ring buffer with room for `slots` entities. `Entity` is a small trivially copyable
/// struct, or a double such as the time of an arrival.
///
/// `slots` is the storage, not the capacity of a queue in a model; compare that capacity with size() in the body. A
/// push without room fails the queue and so the replication (responses_unless_failed).
template <class Entity, int slots>
class FifoQueue {
 public:
  /// Appends `entity`. Returns false if there is no room; end the replication then.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool push(const Entity& entity) {
    if (m_size == slots) {
      m_fails = true;
      return false;
    }
    const int place = m_first + m_size++;
    m_entities[place < slots ? place : place - slots] = entity;
    return true;
  }

  /// Removes and returns the entity that has waited longest; there must be one.
  KOKKOS_FORCEINLINE_FUNCTION Entity pop() {
    const Entity first = m_entities[m_first++];
    if (m_first == slots) m_first = 0;
    --m_size;
    return first;
  }

  /// Returns the entity that has waited longest; there must be one.
  KOKKOS_FORCEINLINE_FUNCTION const Entity& front() const { return m_entities[m_first]; }
  /// Number of waiting entities.
  KOKKOS_FORCEINLINE_FUNCTION int size() const { return m_size; }
  /// Whether no entity waits.
  KOKKOS_FORCEINLINE_FUNCTION bool is_empty() const { return m_size == 0; }
  /// Largest number of entities at a time.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint32_t capacity() { return slots; }
  /// Failure::queue_full if an entity was pushed without room.
  KOKKOS_FORCEINLINE_FUNCTION Failure failure() const { return m_fails ? Failure::queue_full : Failure::none; }

 private:
  int m_first = 0, m_size = 0;
  bool m_fails = false;
  impl::Slots<Entity, slots> m_entities;
};

}  // namespace sporos
