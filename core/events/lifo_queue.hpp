// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/failure.hpp>
#include <sporos/core/events/slots.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// Entities that wait, last in, first out, with room for `slots` of them; otherwise as FifoQueue.
template <class Entity, int slots>
class LifoQueue {
 public:
  /// Adds `entity` as the first one. False without room: end the replication.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool push(const Entity& entity) {
    m_fails = m_fails || m_size == slots;
    if (m_size == slots) return false;
    m_entities[m_size++] = entity;
    return true;
  }

  /// Takes the one who came last; there must be one.
  KOKKOS_FORCEINLINE_FUNCTION Entity pop() { return m_entities[--m_size]; }

  /// The one who came last; there must be one.
  KOKKOS_FORCEINLINE_FUNCTION const Entity& front() const { return m_entities[m_size - 1]; }
  /// Entities that wait.
  KOKKOS_FORCEINLINE_FUNCTION int size() const { return m_size; }
  /// Whether none waits.
  KOKKOS_FORCEINLINE_FUNCTION bool is_empty() const { return m_size == 0; }
  /// Most entities at a time.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint32_t capacity() { return slots; }
  /// Failure::queue_full where one was pushed without room.
  KOKKOS_FORCEINLINE_FUNCTION Failure failure() const { return m_fails ? Failure::queue_full : Failure::none; }

 private:
  int m_size = 0;
  bool m_fails = false;
  impl::Slots<Entity, slots> m_entities;
};

}  // namespace sporos
