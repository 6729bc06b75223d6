// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/failure.hpp>
#include <sporos/core/events/slots.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// Last-in, first-out queue with room for `slots` entities; otherwise it is like FifoQueue.
template <class Entity, int slots>
class LifoQueue {
 public:
  /// Adds `entity` at the front. Returns false if there is no room; end the replication then.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool push(const Entity& entity) {
    m_fails = m_fails || m_size == slots;
    if (m_size == slots) return false;
    m_entities[m_size++] = entity;
    return true;
  }

  /// Removes and returns the entity that came last; there must be one.
  KOKKOS_FORCEINLINE_FUNCTION Entity pop() { return m_entities[--m_size]; }

  /// Returns the entity that came last; there must be one.
  KOKKOS_FORCEINLINE_FUNCTION const Entity& front() const { return m_entities[m_size - 1]; }
  /// Number of waiting entities.
  KOKKOS_FORCEINLINE_FUNCTION int size() const { return m_size; }
  /// Whether no entity waits.
  KOKKOS_FORCEINLINE_FUNCTION bool is_empty() const { return m_size == 0; }
  /// Largest number of entities at a time.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint32_t capacity() { return slots; }
  /// Failure::queue_full if an entity was pushed without room.
  KOKKOS_FORCEINLINE_FUNCTION Failure failure() const { return m_fails ? Failure::queue_full : Failure::none; }

 private:
  int m_size = 0;
  bool m_fails = false;
  impl::Slots<Entity, slots> m_entities;
};

}  // namespace sporos
