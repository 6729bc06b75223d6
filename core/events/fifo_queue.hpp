// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/failure.hpp>
#include <sporos/core/events/slots.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// Entities that wait, first in, first out: a ring buffer with room for `slots` of them. `Entity` is a small trivially
/// copyable struct, or a double such as the time of an arrival.
///
/// `slots` is storage, and not the room of a queue in a model, which is a number that the body compares with size().
/// Push without room fails the queue: the replication ends without numbers (responses_unless_failed).
template <class Entity, int slots>
class FifoQueue {
 public:
  /// Adds `entity` as the last one. False without room: end the replication.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool push(const Entity& entity) {
    if (m_size == slots) {
      m_fails = true;
      return false;
    }
    const int place = m_first + m_size++;
    m_entities[place < slots ? place : place - slots] = entity;
    return true;
  }

  /// Takes the one who has waited longest; there must be one.
  KOKKOS_FORCEINLINE_FUNCTION Entity pop() {
    const Entity first = m_entities[m_first++];
    if (m_first == slots) m_first = 0;
    --m_size;
    return first;
  }

  /// The one who has waited longest; there must be one.
  KOKKOS_FORCEINLINE_FUNCTION const Entity& front() const { return m_entities[m_first]; }
  /// Entities that wait.
  KOKKOS_FORCEINLINE_FUNCTION int size() const { return m_size; }
  /// Whether none waits.
  KOKKOS_FORCEINLINE_FUNCTION bool is_empty() const { return m_size == 0; }
  /// Most entities at a time.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint32_t capacity() { return slots; }
  /// Failure::queue_full where one was pushed without room.
  KOKKOS_FORCEINLINE_FUNCTION Failure failure() const { return m_fails ? Failure::queue_full : Failure::none; }

 private:
  int m_first = 0, m_size = 0;
  bool m_fails = false;
  impl::Slots<Entity, slots> m_entities;
};

}  // namespace sporos
