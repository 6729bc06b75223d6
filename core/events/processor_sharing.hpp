// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/priority_queue.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// Server that serves all present entities at once, in equal shares: each of n entities is served at rate / n. All
/// entities have received the same service V(t) since the server was last empty. An entity that arrives at time t with
/// work w leaves when V reaches V(t) + w, so an entity costs O(log n) and not O(n).
///
/// The body keeps the next departure in its calendar and reschedules it whenever an entity arrives or leaves:
///
///     if (!server.push(now, customer, work)) break;
///     departure = calendar.reschedule(departure, server.next_departure(), Step::departure);
template <class Entity, int slots>
class ProcessorSharing {
 public:
  /// Serves `rate` > 0 units of work per unit of time.
  KOKKOS_FORCEINLINE_FUNCTION explicit ProcessorSharing(double rate = 1) : m_rate(rate) {}

  /// Adds `entity`, which needs `work` > 0, at `now`. Returns false if there is no room; end the replication then.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION bool push(double now, const Entity& entity, double work) {
    serve_until(now);
    return m_entities.push(entity, m_served + work);
  }

  /// Removes and returns the entity that leaves at `now`, which must be next_departure(). Among entities that leave at
  /// the same time, the first to arrive comes first.
  KOKKOS_INLINE_FUNCTION Entity pop(double now) {
    m_served = m_entities.front_rank();
    m_now = now;
    const Entity leaving = m_entities.pop();
    if (m_entities.is_empty()) m_served = 0;  // keeps V small, so that differences lose no accuracy
    return leaving;
  }

  /// Time of the next departure if no entity arrives before; infinity if the server is empty.
  KOKKOS_INLINE_FUNCTION double next_departure() const {
    if (m_entities.is_empty()) return math::impl::infinity;
    const double left = (m_entities.front_rank() - m_served) * static_cast<double>(size()) / m_rate;
    return left > 0 ? m_now + left : m_now;
  }

  /// Number of entities in service.
  KOKKOS_FORCEINLINE_FUNCTION int size() const { return m_entities.size(); }
  /// Whether the server is empty.
  KOKKOS_FORCEINLINE_FUNCTION bool is_empty() const { return m_entities.is_empty(); }
  /// Largest number of entities at a time.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint32_t capacity() { return slots; }
  /// Failure::queue_full if an entity was pushed without room.
  KOKKOS_FORCEINLINE_FUNCTION Failure failure() const { return m_entities.failure(); }

 private:
  KOKKOS_INLINE_FUNCTION void serve_until(double now) {
    if (!is_empty()) m_served += (now - m_now) * m_rate / static_cast<double>(size());
    m_now = now;
  }

  double m_rate;
  double m_served = 0, m_now = 0;           // V and its last update
  PriorityQueue<Entity, slots> m_entities;  // ordered by the V at which they leave
};

}  // namespace sporos
