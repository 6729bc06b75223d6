// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/failure.hpp>
#include <sporos/core/events/free_slots.hpp>
#include <sporos/core/events/slots.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// Ordered line of entities of an EntityPool, initially empty. A line takes 12 bytes. A network has one line per
/// station.
struct Line {
  int first = -1;  ///< number of the first entity; -1 if the line is empty
  int last = -1;   ///< number of the last entity; -1 if the line is empty
  int size = 0;    ///< number of entities
};

/// Storage for the entities of one replication, at most `slots` at a time. Each entity has a number and is in at most
/// one line of the pool. Many lines of unknown lengths share the storage, and an entity moves from one line to another
/// without a copy. `Entity` must be a small trivially copyable struct.
///
/// The number that `add` returns is valid until you remove the entity. Store it in events and servers, and pass it to
/// the functions that change lines. If you add an entity to a full pool, the pool reports a failure, and
/// responses_unless_failed marks the replication as failed.
template <class Entity, int slots>
class EntityPool {
 public:
  /// Adds an entity to the pool, but not to a line. Returns its number. If the pool is full, returns -1; the caller
  /// must then end the replication.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION int add(const Entity& entity) {
    const int number = m_free.take();
    if (number < 0) {
      m_fails = true;
    } else {
      m_entities[number] = entity;
    }
    return number;
  }

  /// Removes an entity that is in no line.
  KOKKOS_FORCEINLINE_FUNCTION void remove(int number) { m_free.give_back(number); }

  /// Returns the entity with a number.
  KOKKOS_FORCEINLINE_FUNCTION Entity& operator[](int number) { return m_entities[number]; }
  /// Returns the entity with a number.
  KOKKOS_FORCEINLINE_FUNCTION const Entity& operator[](int number) const { return m_entities[number]; }

  /// Appends an entity to a line (first in, first out).
  KOKKOS_FORCEINLINE_FUNCTION void push_back(Line& line, int number) { insert(line, number, line.last, -1); }
  /// Inserts an entity at the front of a line (last in, first out).
  KOKKOS_FORCEINLINE_FUNCTION void push_front(Line& line, int number) { insert(line, number, -1, line.first); }
  /// Inserts an entity into a sorted line, before all entities that must come after it. `comes_before(a, b)` compares
  /// two entities and must be a strict weak order, for example "a has higher priority than b". A new entity goes after
  /// equal ones. The search starts at the end of the line; the time is proportional to the number of entities that it
  /// passes.
  template <class Order>
  KOKKOS_INLINE_FUNCTION void insert_by(Line& line, int number, const Order& comes_before) {
    int before = line.last;
    while (before >= 0 && comes_before(m_entities[number], m_entities[before])) before = m_links[before].before;
    insert(line, number, before, before < 0 ? line.first : m_links[before].next);
  }

  /// Removes the first entity from a line, which must not be empty, and returns its number. The entity stays in the
  /// pool.
  KOKKOS_FORCEINLINE_FUNCTION int pop_front(Line& line) {
    const int number = line.first;
    take_out(line, number);
    return number;
  }
  /// Removes an entity from its line, for example one that stops waiting. The entity stays in the pool.
  KOKKOS_INLINE_FUNCTION void take_out(Line& line, int number) {
    const auto [before, next] = m_links[number];
    (before < 0 ? line.first : m_links[before].next) = next;
    (next < 0 ? line.last : m_links[next].before) = before;
    --line.size;
  }

  /// Number of the entity after `number` in its line; -1 after the last one.
  KOKKOS_FORCEINLINE_FUNCTION int next(int number) const { return m_links[number].next; }

  /// Number of entities in the pool.
  KOKKOS_FORCEINLINE_FUNCTION int size() const { return m_free.taken(); }
  /// Largest number of entities at a time.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint32_t capacity() { return slots; }
  /// Returns Failure::pool_full if an entity was added to a full pool, otherwise Failure::none.
  KOKKOS_FORCEINLINE_FUNCTION Failure failure() const { return m_fails ? Failure::pool_full : Failure::none; }

 private:
  struct Links {
    int before, next;
  };

  KOKKOS_INLINE_FUNCTION void insert(Line& line, int number, int before, int next) {
    m_links[number] = {before, next};
    (before < 0 ? line.first : m_links[before].next) = number;
    (next < 0 ? line.last : m_links[next].before) = number;
    ++line.size;
  }

  impl::FreeSlots<slots> m_free;
  bool m_fails = false;
  Links m_links[slots];
  impl::Slots<Entity, slots> m_entities;
};

}  // namespace sporos
