// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/few_values.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/math/bits.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

/// Priority queues of the events in a calendar: keys in up to `slots` numbered slots, with access to the smallest key.
/// All of them give the same order and differ only in speed:
///
///     void insert(int slot, const EventKey& key);        // into a slot without a key
///     void replace(int slot, const EventKey& key);       // in a slot with a key
///     void remove(int slot);                             // from a slot with a key
///     bool holds(int slot, std::uint64_t order) const;   // whether a slot, once filled, has the key of this order
///     Winner least() const;                              // smallest key and its slot; no_event() if all are empty
namespace sporos::impl {

/// Sort key of an event: its time and, for events at equal times, the number of the call that scheduled it.
struct EventKey {
  std::uint64_t time;   ///< bits of a time of at least +0, which sort like the times
  std::uint64_t order;  ///< number of the call

  /// Compares without a branch, which processors could not predict.
  KOKKOS_FORCEINLINE_FUNCTION bool is_before(const EventKey& other) const { return whole() < other.whole(); }

 private:
  __extension__ typedef unsigned __int128 Whole;  // nvcc does not accept `using` here
  KOKKOS_FORCEINLINE_FUNCTION Whole whole() const { return Whole{time} << 64 | order; }
};

/// Key of an empty slot, which sorts after all others.
KOKKOS_FORCEINLINE_FUNCTION constexpr EventKey no_event() {
  return {math::impl::to_bits(math::impl::infinity), ~std::uint64_t{0}};
}

/// Smallest of several keys, and its slot.
struct Winner {
  EventKey key;
  int slot;

  KOKKOS_FORCEINLINE_FUNCTION void meet(const EventKey& other, int other_slot) {
    const bool loses = other.is_before(key);
    key.time = loses ? other.time : key.time;
    key.order = loses ? other.order : key.order;
    slot = loses ? other_slot : slot;
  }
};

/// Array in which `least` scans all keys: O(1) per change, O(slots) per call of `least`.
template <int slots>
class ScannedKeys {
 public:
  KOKKOS_FORCEINLINE_FUNCTION ScannedKeys() { remove_all(std::make_integer_sequence<int, slots>()); }

  KOKKOS_FORCEINLINE_FUNCTION void insert(int slot, const EventKey& key) {
    m_times.set(slot, key.time);
    m_orders.set(slot, key.order);
  }
  KOKKOS_FORCEINLINE_FUNCTION void replace(int slot, const EventKey& key) { insert(slot, key); }
  KOKKOS_FORCEINLINE_FUNCTION void remove(int slot) { insert(slot, no_event()); }
  KOKKOS_FORCEINLINE_FUNCTION bool holds(int slot, std::uint64_t order) const { return m_orders.get(slot) == order; }
  KOKKOS_FORCEINLINE_FUNCTION Winner least() const { return least_of(std::make_integer_sequence<int, slots>()); }

 private:
  template <int... places>
  KOKKOS_FORCEINLINE_FUNCTION void remove_all(std::integer_sequence<int, places...>) {
    (remove(places), ...);
  }
  template <int... places>
  KOKKOS_FORCEINLINE_FUNCTION Winner least_of(std::integer_sequence<int, places...>) const {
    Winner winner{{m_times.template at<0>(), m_orders.template at<0>()}, 0};
    (winner.meet({m_times.template at<places>(), m_orders.template at<places>()}, places), ...);
    return winner;
  }

  // Two arrays, since a load of both halves at once would wait for two stores.
  FewValues<std::uint64_t, slots> m_times, m_orders;
};

/// Tournament tree: each inner node stores the slot of the smaller of its two sides. O(log slots) per change, by a
/// climb from a leaf to the root, O(1) for `least`, and O(slots) to construct (Knuth, The Art of Computer Programming
/// 3, section 5.4.1).
template <int slots>
class KeyTournament {
 public:
  KOKKOS_INLINE_FUNCTION KeyTournament() {
    for (int leaf = 0; leaf < leaves; ++leaf) {
      m_times[leaf] = no_event().time;
      m_orders[leaf] = no_event().order;
      m_winners[leaves + leaf] = static_cast<Slot>(leaf);
    }
    for (int node = leaves - 1; node > 0; --node) m_winners[node] = m_winners[2 * node];
  }

  KOKKOS_INLINE_FUNCTION void insert(int slot, const EventKey& key) {
    m_times[slot] = key.time;
    m_orders[slot] = key.order;
    Winner winner{key, slot};
    for (int node = leaves + slot; node > 1; node /= 2) {
      const int other = m_winners[node ^ 1];
      winner.meet({m_times[other], m_orders[other]}, other);
      m_winners[node / 2] = static_cast<Slot>(winner.slot);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void replace(int slot, const EventKey& key) { insert(slot, key); }
  KOKKOS_FORCEINLINE_FUNCTION void remove(int slot) { insert(slot, no_event()); }
  KOKKOS_FORCEINLINE_FUNCTION bool holds(int slot, std::uint64_t order) const { return m_orders[slot] == order; }
  KOKKOS_FORCEINLINE_FUNCTION Winner least() const {
    const int slot = m_winners[1];
    return {{m_times[slot], m_orders[slot]}, slot};
  }

 private:
  static constexpr int leaves_for(int count) {
    int power = 2;
    while (power < count) power *= 2;
    return power;
  }
  static constexpr int leaves = leaves_for(slots);
  using Slot = std::conditional_t<leaves <= 256, std::uint8_t, std::conditional_t<leaves <= 65536, std::uint16_t, int>>;

  std::uint64_t m_times[leaves], m_orders[leaves];
  // winner of each node: 1 is the root, 2 i and 2 i + 1 are the children of i; leaves come last
  Slot m_winners[2 * leaves];
};

/// Heap in which a node has 4 adjacent children, so it is half as deep as a binary heap. O(log size) per change, O(1)
/// for `least` and to construct: unused slots cost nothing. `Nodes` stores the nodes by their places in the heap:
///
///     Winner node(int place) const;
///     void put(int place, const Winner& node);
///     int place_of(int slot) const;                    // place of a slot that has, or has had, a key
///     Winner least_child(int parent, int size) const;  // smallest key of the children of a place, and its place
///     void open(int place);                            // called before a node is put behind all others, at `place`
///     void close(int place);                           // called after the last node has been taken from `place`
///     void close_from(int size);                       // called by in_memory_of: the memory has `size` nodes
template <class Nodes>
class KeyHeapOf {
 public:
  KeyHeapOf() = default;
  KOKKOS_FORCEINLINE_FUNCTION explicit KeyHeapOf(const Nodes& nodes) : m_nodes(nodes) {}
  /// Returns the state of this heap, without the address of its nodes.
  KOKKOS_INLINE_FUNCTION KeyHeapOf without_memory() const {
    KeyHeapOf state;
    state.m_size = m_size;
    return state;
  }
  /// Returns a heap that is in the state of this one and whose nodes are in the memory of `other`.
  KOKKOS_INLINE_FUNCTION KeyHeapOf in_memory_of(const KeyHeapOf& other) const {
    KeyHeapOf moved = other;
    moved.m_size = m_size;
    moved.m_nodes.close_from(m_size);
    return moved;
  }

  KOKKOS_INLINE_FUNCTION void insert(int slot, const EventKey& key) {
    m_nodes.open(m_size);
    rise(m_size++, {key, slot});
  }
  KOKKOS_INLINE_FUNCTION void replace(int slot, const EventKey& key) { settle(m_nodes.place_of(slot), {key, slot}); }
  KOKKOS_INLINE_FUNCTION void remove(int slot) {
    const int place = m_nodes.place_of(slot);
    const Winner last = take_last();
    if (place < m_size) settle(place, last);
  }
  /// Takes the node out that is last in memory, which may be the smallest one.
  KOKKOS_FORCEINLINE_FUNCTION Winner take_last() {
    const Winner last = m_nodes.node(--m_size);
    m_nodes.close(m_size);
    return last;
  }

  // The next two functions are for loops of events, and require nodes whose copies share their memory. On a device
  // their code is inlined, so that a heap whose state is a local value can stay in registers. On a host such a loop
  // leaves too few registers to this code: inlined, it makes networks 3 to 10 % slower.

  /// Inserts a node.
  KOKKOS_FORCEINLINE_FUNCTION void insert_in_loop(const Winner& node) {
    m_nodes.open(m_size);
    const int place = m_size++;
    SPOROS_IF_ON_DEVICE((rise(place, node);))
    SPOROS_IF_ON_HOST((rise_out_of_line(*this, place, node.key.time, node.key.order, node.slot);))
  }
  /// Replaces the smallest node by one that is not in the heap. Does nothing if take_last() has taken the smallest one.
  KOKKOS_FORCEINLINE_FUNCTION void replace_least(const Winner& node) {
    if (m_size == 0) return;
    SPOROS_IF_ON_DEVICE((settle(0, node);))
    SPOROS_IF_ON_HOST((settle_out_of_line(*this, node.key.time, node.key.order, node.slot);))
  }

  KOKKOS_FORCEINLINE_FUNCTION bool holds(int slot, std::uint64_t order) const {
    return has(slot) && m_nodes.node(m_nodes.place_of(slot)).key.order == order;
  }
  /// Whether a slot has a key. The slot may never have had one.
  KOKKOS_FORCEINLINE_FUNCTION bool has(int slot) const {
    const int place = m_nodes.place_of(slot);
    return place >= 0 && place < m_size && m_nodes.node(place).slot == slot;
  }
  /// Whether a slot that has a key has the smallest one.
  KOKKOS_FORCEINLINE_FUNCTION bool is_first(int slot) const { return m_nodes.place_of(slot) == 0; }
  KOKKOS_FORCEINLINE_FUNCTION Winner least() const { return m_size > 0 ? m_nodes.node(0) : Winner{no_event(), 0}; }

 private:
  // Moves `moved` from the empty `place` up towards the root to its position.
  KOKKOS_FORCEINLINE_FUNCTION void rise(int place, const Winner& moved) {
    while (place > 0) {
      const int parent = (place - 1) / 4;
      const Winner above = m_nodes.node(parent);
      if (!moved.key.is_before(above.key)) break;
      m_nodes.put(place, above);
      place = parent;
    }
    m_nodes.put(place, moved);
  }

  // Moves `moved` from the empty `place` up or down to its position.
  KOKKOS_FORCEINLINE_FUNCTION void settle(int place, const Winner& moved) {
    if (place > 0 && moved.key.is_before(m_nodes.node((place - 1) / 4).key)) return rise(place, moved);
    while (4 * place + 1 < m_size) {
      const Winner least = m_nodes.least_child(place, m_size);
      if (!least.key.is_before(moved.key)) break;
      m_nodes.put(place, m_nodes.node(least.slot));
      place = least.slot;
    }
    m_nodes.put(place, moved);
  }

  // A node is passed in registers.
  SPOROS_NOINLINE static void rise_out_of_line(KeyHeapOf heap, int place, std::uint64_t time, std::uint64_t order,
                                               int slot) {
    heap.rise(place, {{time, order}, slot});
  }
  SPOROS_NOINLINE static void settle_out_of_line(KeyHeapOf heap, std::uint64_t time, std::uint64_t order, int slot) {
    heap.settle(0, {{time, order}, slot});
  }

  Nodes m_nodes;
  int m_size = 0;
};

/// Smallest key of the children of a place in a heap of `size` nodes, and its place.
template <class Nodes>
KOKKOS_FORCEINLINE_FUNCTION Winner least_child_of(const Nodes& nodes, int parent, int size) {
  const int first = 4 * parent + 1, end = first + 4 < size ? first + 4 : size;
  Winner least{nodes.node(first).key, first};
  for (int child = first + 1; child < end; ++child) least.meet(nodes.node(child).key, child);
  return least;
}

/// Nodes of a heap with a fixed number of slots.
template <int slots>
class FixedNodes {
 public:
  KOKKOS_FORCEINLINE_FUNCTION Winner node(int place) const {
    return {{m_times[place], m_orders[place]}, m_slots[place]};
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(int place, const Winner& node) {
    m_times[place] = node.key.time;
    m_orders[place] = node.key.order;
    m_slots[place] = node.slot;
    m_places[node.slot] = place;
  }
  KOKKOS_FORCEINLINE_FUNCTION int place_of(int slot) const { return m_places[slot]; }
  KOKKOS_FORCEINLINE_FUNCTION Winner least_child(int parent, int size) const {
    return least_child_of(*this, parent, size);
  }
  KOKKOS_FORCEINLINE_FUNCTION void open(int) {}
  KOKKOS_FORCEINLINE_FUNCTION void close(int) {}

 private:
  std::uint64_t m_times[slots], m_orders[slots];
  int m_slots[slots];
  int m_places[slots];
};

/// Heap of a fixed number of slots.
template <int slots>
using KeyHeap = KeyHeapOf<FixedNodes<slots>>;

}  // namespace sporos::impl
