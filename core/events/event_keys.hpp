// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

/// The orders of events in a calendar: keys in up to `slots` numbered slots, of which the one with the least key is
/// asked. All give the same order, and differ in speed alone:
///
///     void insert(int slot, const EventKey& key);        // into a slot without a key
///     void replace(int slot, const EventKey& key);       // in a slot with one
///     void remove(int slot);                             // from a slot with one
///     bool holds(int slot, std::uint64_t order) const;   // whether a slot that has had a key has that of this order
///     Winner least() const;                              // the least key and its slot; no_event() where there is none
namespace sporos::impl {

/// What events are sorted by: the time, and of equal times the number of the call that scheduled them.
struct EventKey {
  std::uint64_t time;   ///< bits of a time of at least +0: in the order of the times
  std::uint64_t order;  ///< number of the call

  /// Compares without a branch, which no processor could foresee.
  KOKKOS_FORCEINLINE_FUNCTION bool is_before(const EventKey& other) const { return whole() < other.whole(); }

 private:
  __extension__ typedef unsigned __int128 Whole;  // nvcc takes no `using` here
  KOKKOS_FORCEINLINE_FUNCTION Whole whole() const { return Whole{time} << 64 | order; }
};

/// The key of a slot without one: behind all others.
KOKKOS_FORCEINLINE_FUNCTION constexpr EventKey no_event() {
  return {math::impl::to_bits(math::impl::infinity), ~std::uint64_t{0}};
}

/// The least of some keys, and its slot.
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

/// An array of which all keys are looked at. O(1) to change, O(slots) to ask.
template <int slots>
class ScannedKeys {
 public:
  KOKKOS_FORCEINLINE_FUNCTION ScannedKeys() {
    for (int slot = 0; slot < slots; ++slot) remove(slot);
  }

  KOKKOS_FORCEINLINE_FUNCTION void insert(int slot, const EventKey& key) {
    m_times[slot] = key.time;
    m_orders[slot] = key.order;
  }
  KOKKOS_FORCEINLINE_FUNCTION void replace(int slot, const EventKey& key) { insert(slot, key); }
  KOKKOS_FORCEINLINE_FUNCTION void remove(int slot) { insert(slot, no_event()); }
  KOKKOS_FORCEINLINE_FUNCTION bool holds(int slot, std::uint64_t order) const { return m_orders[slot] == order; }
  KOKKOS_FORCEINLINE_FUNCTION Winner least() const {
    Winner winner{{m_times[0], m_orders[0]}, 0};
    for (int slot = 1; slot < slots; ++slot) winner.meet({m_times[slot], m_orders[slot]}, slot);
    return winner;
  }

 private:
  // Apart: a load of both halves at once would wait for two stores.
  std::uint64_t m_times[slots], m_orders[slots];
};

/// A tournament tree: each inner node names the slot of the less of its two sides. O(log slots) to change by a climb
/// from a leaf to the root, O(1) to ask (Knuth, The Art of Computer Programming 3, section 5.4.1). Begun in O(slots).
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
  Slot m_winners[2 * leaves];  // of node 1, the root, with the children 2 i and 2 i + 1 of node i; then the leaves
};

/// A heap in which a node has 4 children, which lie side by side: half as deep as a binary one. O(log size) to change,
/// O(1) to ask and to begin: what is never used costs nothing.
template <int slots>
class KeyHeap {
 public:
  KOKKOS_INLINE_FUNCTION void insert(int slot, const EventKey& key) { rise(m_size++, {key, slot}); }
  KOKKOS_INLINE_FUNCTION void replace(int slot, const EventKey& key) { settle(m_places[slot], {key, slot}); }
  KOKKOS_INLINE_FUNCTION void remove(int slot) {
    const int place = m_places[slot];
    const Winner last = node(--m_size);
    if (place < m_size) settle(place, last);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool holds(int slot, std::uint64_t order) const {
    const int place = m_places[slot];
    return place < m_size && m_slots[place] == slot && m_orders[place] == order;
  }
  KOKKOS_FORCEINLINE_FUNCTION Winner least() const { return m_size > 0 ? node(0) : Winner{no_event(), 0}; }

 private:
  KOKKOS_FORCEINLINE_FUNCTION EventKey key(int place) const { return {m_times[place], m_orders[place]}; }
  KOKKOS_FORCEINLINE_FUNCTION Winner node(int place) const { return {key(place), m_slots[place]}; }
  KOKKOS_FORCEINLINE_FUNCTION void put(int place, const Winner& node) {
    m_times[place] = node.key.time;
    m_orders[place] = node.key.order;
    m_slots[place] = node.slot;
    m_places[node.slot] = place;
  }

  // Puts `moved` where it belongs on the way from `place`, whose node is gone, up.
  KOKKOS_INLINE_FUNCTION void rise(int place, const Winner& moved) {
    while (place > 0) {
      const int parent = (place - 1) / 4;
      if (!moved.key.is_before(key(parent))) break;
      put(place, node(parent));
      place = parent;
    }
    put(place, moved);
  }

  // The same up or down.
  KOKKOS_INLINE_FUNCTION void settle(int place, const Winner& moved) {
    if (place > 0 && moved.key.is_before(key((place - 1) / 4))) return rise(place, moved);
    while (4 * place + 1 < m_size) {
      const int first = 4 * place + 1, end = first + 4 < m_size ? first + 4 : m_size;
      Winner least{key(first), first};
      for (int child = first + 1; child < end; ++child) least.meet(key(child), child);
      if (!least.key.is_before(moved.key)) break;
      put(place, node(least.slot));
      place = least.slot;
    }
    put(place, moved);
  }

  // Of the node at a place; the children of node i are 4 i + 1 to 4 i + 4.
  std::uint64_t m_times[slots], m_orders[slots];
  int m_slots[slots];
  int m_places[slots];  // of a slot that has, or has had, a key
  int m_size = 0;
};

}  // namespace sporos::impl
