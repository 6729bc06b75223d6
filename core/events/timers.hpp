// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/event_keys.hpp>
#include <sporos/core/events/failure.hpp>
#include <sporos/core/execution/replication_storage.hpp>
#include <sporos/core/math/bits.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

namespace impl {

// Nodes of a heap in a ReplicationStorage. The lower `slot_bits` of an order are the slot, so that a node has 16 bytes.
// The four children of a node are in one group of 64 bytes.
class StoredNodes {
 public:
  static constexpr int slot_bits = 24;

  StoredNodes() = default;
  template <class Storage>
  KOKKOS_FORCEINLINE_FUNCTION StoredNodes(Storage& storage, int slots)
      : m_groups(storage.template take<Group>((slots + before_root + 3) / 4)),
        m_places(storage.template take<int>(slots)) {}

  KOKKOS_FORCEINLINE_FUNCTION Winner node(int place) const {
    const EventKey& key = key_at(place);
    return {key, static_cast<int>(key.order & ((1u << slot_bits) - 1))};
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(int place, const Winner& node) {
    key_at(place) = node.key;
    m_places[node.slot] = place;
  }
  KOKKOS_FORCEINLINE_FUNCTION int place_of(int slot) const { return m_places[slot]; }

 private:
  static constexpr int before_root = 3;  // unused keys, so that the children of each node fill a group
  struct alignas(64) Group {
    EventKey keys[4];
  };

  KOKKOS_FORCEINLINE_FUNCTION EventKey& key_at(int place) const {
    return m_groups[(place + before_root) >> 2].keys[(place + before_root) & 3];
  }

  StoredArray<Group> m_groups;
  StoredArray<int> m_places;
};

}  // namespace impl

/// Future events of one replication in a ReplicationStorage, whose number is known at run time. Each entity that can
/// have one future event at a time, such as a customer, a server or a source of arrivals, has a timer. Timers that end
/// at exactly the same time end in the order in which they were started, so the order is the same on every backend.
///
/// Starting a timer in the past fails: no timer ends afterwards.
class Timers {
 public:
  /// Largest number of timers.
  static constexpr int max_timers = 1 << impl::StoredNodes::slot_bits;

  /// No timers.
  Timers() = default;
  /// `count` timers in a ReplicationStorage or StorageParts, none of them running.
  template <class Storage>
  KOKKOS_INLINE_FUNCTION Timers(Storage& storage, int count) : m_keys(impl::StoredNodes(storage, count)) {}

  /// Returns timers that are in the state of these and whose elements are in the memory of `other`. Use it to continue
  /// a replication whose memory has moved.
  KOKKOS_INLINE_FUNCTION Timers in_memory_of(const Timers& other) const {
    Timers moved = *this;
    moved.m_keys = m_keys.in_memory_of(other.m_keys);
    return moved;
  }

  /// Starts a timer, which must not be running, so that it ends at `time`, at least now(). If `time` is infinite, the
  /// timer does not start.
  KOKKOS_INLINE_FUNCTION void start(int timer, double time) {
    if (!(time >= m_now)) {
      m_failure = Failure::event_in_the_past;
      return;
    }
    if (time == math::impl::infinity) return;
    const std::uint64_t order = ++m_started << impl::StoredNodes::slot_bits | static_cast<std::uint32_t>(timer);
    const impl::Winner started{{math::impl::to_bits(time + 0.0), order}, timer};  // + 0.0 turns -0 into +0
    if (m_first.slot < 0) {
      m_first = started;
    } else if (m_second.slot < 0) {
      m_second = started;
    } else {
      m_keys.insert(timer, started.key);
    }
  }

  /// Stops a timer if it is running.
  KOKKOS_INLINE_FUNCTION void stop(int timer) {
    if (m_first.slot == timer) {
      m_first.slot = none;
    } else if (m_second.slot == timer) {
      m_second.slot = none;
    } else if (m_keys.has(timer) && !(timer == m_ended && m_keys.is_first(timer))) {
      m_keys.remove(timer);
    }
  }

  /// Advances to the end of the next timer and returns the timer. Returns -1 if no timer is running or a start failed.
  KOKKOS_INLINE_FUNCTION int next() {
    update();
    const impl::Winner least = m_keys.least();
    if (least.key.time == impl::no_event().time || m_failure != Failure::none) return -1;
    m_ended = least.slot;
    m_now = math::impl::from_bits(least.key.time);
    return m_ended;
  }

  /// End of the next timer; infinity if no timer is running.
  KOKKOS_INLINE_FUNCTION double next_time() {
    update();
    return math::impl::from_bits(m_keys.least().key.time);
  }

  /// End of the last timer that has ended; initially 0.
  KOKKOS_FORCEINLINE_FUNCTION double now() const { return m_now; }
  /// Reason for the failure, or Failure::none.
  KOKKOS_FORCEINLINE_FUNCTION Failure failure() const { return m_failure; }

 private:
  static constexpr int none = -1;

  // Brings the heap up to date: the first timer started takes the place of the one that has ended.
  KOKKOS_FORCEINLINE_FUNCTION void update() {
    if (m_ended != none) {
      m_keys.replace_least(m_first.slot != none ? m_first : m_keys.take_last());
    } else if (m_first.slot != none) {
      m_keys.insert(m_first.slot, m_first.key);
    }
    if (m_second.slot != none) m_keys.insert(m_second.slot, m_second.key);
    m_ended = m_first.slot = m_second.slot = none;
  }

  impl::KeyHeapOf<impl::StoredNodes> m_keys;
  int m_ended = none;  // the last timer that has ended, while its node is in the heap
  // Timers that have been started since the heap was up to date. Most events start one or two. Lanes of a warp whose
  // events differ thus change their heaps together.
  impl::Winner m_first{{}, none}, m_second{{}, none};
  double m_now = 0;
  std::uint64_t m_started = 0;
  Failure m_failure = Failure::none;
};

}  // namespace sporos
