// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/failure.hpp>
#include <sporos/core/events/free_slots.hpp>
#include <sporos/core/events/slots.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// A line of entities of a pool, in order; 12 bytes, empty at first. A network has one for each station.
struct Line {
  int first = -1;  ///< number of the first entity; -1 where there is none
  int last = -1;   ///< of the last one
  int size = 0;    ///< how many
};

/// The entities of one replication, at most `slots` at a time, each named by its number; they stand in lines of the
/// pool, at most in one at a time. Many lines whose lengths nobody knows share the storage, and an entity goes from one
/// line to another without being copied. `Entity` is a small trivially copyable struct.
///
/// An entity is added, may stand in lines, in events and in servers by its number, and is removed. Adding without room
/// fails the pool: the replication ends without numbers (responses_unless_failed).
template <class Entity, int slots>
class EntityPool {
 public:
  /// Adds an entity, in no line. Its number, or -1 without room: end the replication.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION int add(const Entity& entity) {
    const int number = m_free.take();
    if (number < 0) {
      m_fails = true;
    } else {
      m_entities[number] = entity;
    }
    return number;
  }

  /// Removes an entity that stands in no line.
  KOKKOS_FORCEINLINE_FUNCTION void remove(int number) { m_free.give_back(number); }

  /// An entity.
  KOKKOS_FORCEINLINE_FUNCTION Entity& operator[](int number) { return m_entities[number]; }
  /// An entity.
  KOKKOS_FORCEINLINE_FUNCTION const Entity& operator[](int number) const { return m_entities[number]; }

  /// Puts an entity at the end of a line: first in, first out.
  KOKKOS_FORCEINLINE_FUNCTION void push_back(Line& line, int number) { insert(line, number, line.last, -1); }
  /// Puts an entity before all others in a line: last in, first out.
  KOKKOS_FORCEINLINE_FUNCTION void push_front(Line& line, int number) { insert(line, number, -1, line.first); }
  /// Puts an entity behind all those of the line that do not come after it: `comes_before(a, b)` of two entities is a
  /// strict weak order, such as higher priority; of equal ones the first to come stays in front. O(those it passes).
  template <class Order>
  KOKKOS_INLINE_FUNCTION void insert_by(Line& line, int number, const Order& comes_before) {
    int before = line.last;
    while (before >= 0 && comes_before(m_entities[number], m_entities[before])) before = m_links[before].before;
    insert(line, number, before, before < 0 ? line.first : m_links[before].behind);
  }

  /// Takes the first entity out of a line; there must be one. It stays in the pool.
  KOKKOS_FORCEINLINE_FUNCTION int pop_front(Line& line) {
    const int number = line.first;
    take_out(line, number);
    return number;
  }
  /// Takes an entity out of the line that it stands in, such as one that waits no longer. It stays in the pool.
  KOKKOS_INLINE_FUNCTION void take_out(Line& line, int number) {
    const auto [before, behind] = m_links[number];
    (before < 0 ? line.first : m_links[before].behind) = behind;
    (behind < 0 ? line.last : m_links[behind].before) = before;
    --line.size;
  }

  /// Number of the entity behind one in its line; -1 behind the last one.
  KOKKOS_FORCEINLINE_FUNCTION int behind(int number) const { return m_links[number].behind; }

  /// Entities that there are.
  KOKKOS_FORCEINLINE_FUNCTION int size() const { return m_free.taken(); }
  /// Most entities at a time.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint32_t capacity() { return slots; }
  /// Failure::pool_full where one was added without room.
  KOKKOS_FORCEINLINE_FUNCTION Failure failure() const { return m_fails ? Failure::pool_full : Failure::none; }

 private:
  struct Links {
    int before, behind;
  };

  KOKKOS_INLINE_FUNCTION void insert(Line& line, int number, int before, int behind) {
    m_links[number] = {before, behind};
    (before < 0 ? line.first : m_links[before].behind) = number;
    (behind < 0 ? line.last : m_links[behind].before) = number;
    ++line.size;
  }

  impl::FreeSlots<slots> m_free;
  bool m_fails = false;
  Links m_links[slots];
  impl::Slots<Entity, slots> m_entities;
};

}  // namespace sporos
