// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/priority_queue.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// A server that works on all entities that are present at once, at equal shares: of n entities each is served at
/// rate / n. The service that each has received since the server was last empty, V(t), is the same for all; an entity
/// that comes at time t with work w leaves when V reaches V(t) + w. So an entity costs O(log n) and not O(n).
///
/// The body keeps the next departure in its calendar, and moves it whenever an entity comes or leaves:
///
///     if (!server.push(now, customer, work)) break;
///     departure = calendar.reschedule(departure, server.next_departure(), Step::departure);
template <class Entity, int slots>
class ProcessorSharing {
 public:
  /// Does `rate` > 0 units of work a unit of time.
  KOKKOS_FORCEINLINE_FUNCTION explicit ProcessorSharing(double rate = 1) : m_rate(rate) {}

  /// Adds `entity`, which needs `work` > 0, at `now`. False without room: end the replication.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION bool push(double now, const Entity& entity, double work) {
    serve_until(now);
    return m_entities.push(entity, m_served + work);
  }

  /// Takes the one who leaves at `now`, which is next_departure(); of those who leave at once, who came first.
  KOKKOS_INLINE_FUNCTION Entity pop(double now) {
    m_served = m_entities.front_rank();
    m_now = now;
    const Entity leaving = m_entities.pop();
    if (m_entities.is_empty()) m_served = 0;  // so that it never grows so large that differences are lost
    return leaving;
  }

  /// When the next one leaves, if no one comes before; infinite where there is none.
  KOKKOS_INLINE_FUNCTION double next_departure() const {
    if (m_entities.is_empty()) return math::impl::infinity;
    const double left = (m_entities.front_rank() - m_served) * static_cast<double>(size()) / m_rate;
    return left > 0 ? m_now + left : m_now;
  }

  /// Entities in service.
  KOKKOS_FORCEINLINE_FUNCTION int size() const { return m_entities.size(); }
  /// Whether there is none.
  KOKKOS_FORCEINLINE_FUNCTION bool is_empty() const { return m_entities.is_empty(); }
  /// Most entities at a time.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint32_t capacity() { return slots; }
  /// Failure::queue_full where one was pushed without room.
  KOKKOS_FORCEINLINE_FUNCTION Failure failure() const { return m_entities.failure(); }

 private:
  KOKKOS_INLINE_FUNCTION void serve_until(double now) {
    if (!is_empty()) m_served += (now - m_now) * m_rate / static_cast<double>(size());
    m_now = now;
  }

  double m_rate;
  double m_served = 0, m_now = 0;           // V, and when it had this value
  PriorityQueue<Entity, slots> m_entities;  // by the V at which they leave
};

}  // namespace sporos
