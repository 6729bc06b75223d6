// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/failure.hpp>
#include <sporos/core/events/slots.hpp>
#include <sporos/core/execution/prefetch.hpp>
#include <sporos/core/execution/replication_storage.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace sporos {

/// Ordered line of entities of an EntityPool, initially empty. A line takes 12 bytes. A network has one line per
/// station. The size and the last number are not neighbours: compilers would store both together, for which the next
/// test of the size would wait. Apart, they save 3 % of a Jackson network on a host.
struct Line {
  int size = 0;    ///< number of entities
  int first = -1;  ///< number of the first entity; -1 if the line is empty
  int last = -1;   ///< number of the last entity; -1 if the line is empty
};

namespace impl {

/// Room for `slots` elements, known at compile time.
template <int slots>
struct FixedRoom {
  template <class T>
  using Array = Slots<T, slots>;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint32_t capacity() { return slots; }
};

/// Room in a ReplicationStorage.
struct StoredRoom {
  template <class T>
  using Array = StoredArray<T>;
  std::uint32_t slots;
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t capacity() const { return slots; }
};

}  // namespace impl

/// Storage for the entities of one replication; see EntityPool and StoredEntityPool. Each entity has a number and is in
/// at most one line of the pool. Many lines of unknown lengths share the storage, and an entity moves from one line to
/// another without a copy. `Entity` must be a small trivially copyable struct.
///
/// The number that `add` returns is valid until you remove the entity. Store it in events and servers, and pass it to
/// the functions that change lines. If you add an entity to a full pool, the pool reports a failure, and
/// responses_unless_failed marks the replication as failed.
template <class Entity, class Room>
class BasicEntityPool {
  struct Node;

 public:
  BasicEntityPool() = default;
  /// A pool of at most `capacity` entities in `storage`, a ReplicationStorage or StorageParts.
  template <class Storage>
  KOKKOS_INLINE_FUNCTION BasicEntityPool(Storage& storage, int capacity)
      : m_room{static_cast<std::uint32_t>(capacity)}, m_nodes(storage.template take<Node>(capacity)) {}

  /// Returns the state of this pool, without the address of its entities.
  KOKKOS_INLINE_FUNCTION BasicEntityPool without_memory() const { return in_memory_of({}); }
  /// Returns a pool that is in the state of this one and whose entities are in the memory of `other`. Use it to
  /// continue a replication whose memory has moved.
  KOKKOS_INLINE_FUNCTION BasicEntityPool in_memory_of(const BasicEntityPool& other) const {
    BasicEntityPool moved = *this;
    moved.m_nodes = other.m_nodes;
    return moved;
  }

  /// Adds an entity to the pool, but not to a line. Returns its number. If the pool is full, returns -1; the caller
  /// must then end the replication.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION int add(const Entity& entity) {
    int number = m_removed;
    if (number >= 0) {
      m_removed = m_nodes[number].next;
    } else if (m_touched < static_cast<int>(capacity())) {
      number = m_touched++;
    } else {
      m_fails = true;
      return -1;
    }
    m_nodes[number] = {no_entity, no_entity, entity};
    ++m_size;
    return number;
  }

  /// Removes an entity that is in no line.
  KOKKOS_FORCEINLINE_FUNCTION void remove(int number) {
    m_nodes[number].before = removed;
    m_nodes[number].next = m_removed;
    m_removed = number;
    --m_size;
  }

  /// Calls `work(entity)` or `work(entity, number)` for all entities in the pool, in the order of their numbers.
  template <class Work>
  KOKKOS_INLINE_FUNCTION void for_each(const Work& work) {
    for (int number = 0; number < m_touched; ++number) {
      if (m_nodes[number].before == removed) continue;
      if constexpr (std::is_invocable_v<const Work&, Entity&, int>) {
        work(m_nodes[number].entity, number);
      } else {
        work(m_nodes[number].entity);
      }
    }
  }

  /// Returns the entity with a number.
  KOKKOS_FORCEINLINE_FUNCTION Entity& operator[](int number) { return m_nodes[number].entity; }
  /// Returns the entity with a number.
  KOKKOS_FORCEINLINE_FUNCTION const Entity& operator[](int number) const { return m_nodes[number].entity; }

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
    while (before >= 0 && comes_before(m_nodes[number].entity, m_nodes[before].entity))
      before = before == line.first ? no_entity : m_nodes[before].before;
    insert(line, number, before, before < 0 ? line.first : m_nodes[before].next);
  }

  /// Removes the first entity from a line, which must not be empty, and returns its number. The entity stays in the
  /// pool.
  KOKKOS_FORCEINLINE_FUNCTION int pop_front(Line& line) {
    const int number = line.first;
    line.first = m_nodes[number].next;
    if (line.first < 0) line.last = no_entity;
    --line.size;
    return number;
  }
  /// Removes an entity from its line, for example one that stops waiting. The entity stays in the pool.
  KOKKOS_FORCEINLINE_FUNCTION void take_out(Line& line, int number) {
    if (number == line.first) {
      pop_front(line);
      return;
    }
    const int before = m_nodes[number].before, next = m_nodes[number].next;
    m_nodes[before].next = next;
    (next < 0 ? line.last : m_nodes[next].before) = before;
    --line.size;
  }

  /// Starts to load an entity; see sporos::prefetch. Does nothing if the number is negative.
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(int number) const {
    if (number >= 0) sporos::prefetch(m_nodes[number]);
  }
  /// Starts to load the place that `add` takes next, if an entity has been removed from it.
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_free() const { prefetch(m_removed); }

  /// Number of the entity after `number` in its line; -1 after the last one.
  KOKKOS_FORCEINLINE_FUNCTION int next(int number) const { return m_nodes[number].next; }

  /// Number of entities in the pool.
  KOKKOS_FORCEINLINE_FUNCTION int size() const { return m_size; }
  /// Largest number of entities at a time.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t capacity() const { return m_room.capacity(); }
  /// Returns Failure::pool_full if an entity was added to a full pool, otherwise Failure::none.
  KOKKOS_FORCEINLINE_FUNCTION Failure failure() const { return m_fails ? Failure::pool_full : Failure::none; }

 private:
  static constexpr int no_entity = -1, removed = -2;

  struct Node {
    // Neighbours in its line. `before` of the first entity may be any number of at least −1, so that pop_front needs no
    // access to the next entity. Of a removed entity, `before` is `removed` and `next` is the one removed before it.
    int before, next;
    Entity entity;
  };

  KOKKOS_FORCEINLINE_FUNCTION void insert(Line& line, int number, int before, int next) {
    m_nodes[number].before = before;
    m_nodes[number].next = next;
    (before < 0 ? line.first : m_nodes[before].next) = number;
    (next < 0 ? line.last : m_nodes[next].before) = number;
    ++line.size;
  }

  Room m_room;
  int m_removed = no_entity;  // the entity removed last
  int m_touched = 0;          // number of entities that have ever been in the pool at the same time
  int m_size = 0;
  bool m_fails = false;
  typename Room::template Array<Node> m_nodes;
};

/// Pool of at most `slots` entities, known at compile time, as a member of the body's own state.
template <class Entity, int slots>
using EntityPool = BasicEntityPool<Entity, impl::FixedRoom<slots>>;

/// Pool in a ReplicationStorage, whose capacity is known at run time.
template <class Entity>
using StoredEntityPool = BasicEntityPool<Entity, impl::StoredRoom>;

}  // namespace sporos
