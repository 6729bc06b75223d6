// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/event_keys.hpp>
#include <sporos/core/events/failure.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/replication_storage.hpp>
#include <sporos/core/math/bits.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

namespace impl {

// Nodes of a heap in a ReplicationStorage. The lower `slot_bits` of an order are the slot, so that a node has 16 bytes.
// The four children of a node are in one group of 64 bytes. The places of slots are stored only on request.
//
// On a host, unused places of a group have keys after all others, so that the smallest child is always that of four;
// without them, Erlang A takes 1.24 times as long. A device compares only the children that there are: the stores of
// these keys let ten stations take 1.25 times as long on an H200.
class StoredNodes {
 public:
  static constexpr int slot_bits = 24;

  StoredNodes() = default;
  template <class Storage>
  KOKKOS_FORCEINLINE_FUNCTION StoredNodes(Storage& storage, int slots, bool finds_slots)
      : m_groups(storage.template take<Group>(groups_for(slots))),
        m_top(storage.in_scratch(m_groups, groups_for(slots) < top_groups ? groups_for(slots) : top_groups)),
        m_places(storage.template take<int>(finds_slots ? slots : 0)),
        m_finds_slots(finds_slots) {}

  KOKKOS_FORCEINLINE_FUNCTION static int slot_of(std::uint64_t order) {
    return static_cast<int>(order & ((1u << slot_bits) - 1));
  }

  KOKKOS_FORCEINLINE_FUNCTION Winner node(int place) const {
    const EventKey key = group_of(place).key(place_in_group(place));
    return {key, slot_of(key.order)};
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(int place, const Winner& node) {
    group_of(place).set(place_in_group(place), node.key);
    if (m_finds_slots) m_places[node.slot] = place;
  }
  KOKKOS_FORCEINLINE_FUNCTION int place_of(int slot) const { return m_places[slot]; }

  KOKKOS_FORCEINLINE_FUNCTION Winner least_child(int parent, [[maybe_unused]] int size) const {
    SPOROS_IF_ON_DEVICE((return least_child_of(*this, parent, size);))
    SPOROS_IF_ON_HOST((const Group& children = m_groups[parent + 1]; const int least = children.least();
                       return {children.key(least), 4 * parent + 1 + least};))
  }
  KOKKOS_FORCEINLINE_FUNCTION void open([[maybe_unused]] int place) {
    SPOROS_IF_ON_HOST((if (place_in_group(place) == 0) close_from(place + 1);))
  }
  KOKKOS_FORCEINLINE_FUNCTION void close([[maybe_unused]] int place) {
    SPOROS_IF_ON_HOST((const int i = place_in_group(place); group_of(place).set(i, Group::no_key(i));))
  }
  // Closes all places of the last group after those of `size` nodes, which a device may have left open.
  KOKKOS_FORCEINLINE_FUNCTION void close_from(int size) {
    for (int place = size; place_in_group(place) != 0; ++place) close(place);
  }

 private:
  static constexpr int before_root = 3;  // unused keys, so that the children of each node fill a group
  static constexpr int top_groups = 4;   // groups that are in scratch memory if it has room: 13 places

  // The halves of keys are apart: a load of both at once would wait for two stores on a host, which took 4 % of the
  // time of a Jackson network.
  struct alignas(16) Group {
    std::uint64_t times[4], orders[4];

    KOKKOS_FORCEINLINE_FUNCTION EventKey key(int i) const { return {times[i], orders[i]}; }
    KOKKOS_FORCEINLINE_FUNCTION void set(int i, const EventKey& key) {
      times[i] = key.time;
      orders[i] = key.order;
    }

    // Key of an unused place. They differ, so that they are not equal times to least().
    KOKKOS_FORCEINLINE_FUNCTION static EventKey no_key(int i) {
      return {no_event().time + static_cast<unsigned>(i), no_event().order};
    }

    // Index of the smallest key. Times that differ are compared by themselves, without a branch, which processors could
    // not predict: with whole keys, Erlang A takes 2 % longer on a host.
    KOKKOS_FORCEINLINE_FUNCTION int least() const {
      const std::uint64_t t0 = times[0], t1 = times[1], t2 = times[2], t3 = times[3];
      const unsigned a = t1 < t0, b = 2 + (t3 < t2);
      const std::uint64_t time_a = t1 < t0 ? t1 : t0, time_b = t3 < t2 ? t3 : t2;
      const unsigned takes_b = time_b < time_a;
      if ((t0 == t1) | (t2 == t3) | (time_a == time_b)) return least_of_keys();
      return static_cast<int>(a ^ ((a ^ b) & -takes_b));
    }
    KOKKOS_FORCEINLINE_FUNCTION int least_of_keys() const {
      const int a = key(1).is_before(key(0)), b = 2 + key(3).is_before(key(2));
      return key(b).is_before(key(a)) ? b : a;
    }
  };

  KOKKOS_FORCEINLINE_FUNCTION static int groups_for(int slots) { return (slots + before_root + 3) / 4; }
  KOKKOS_FORCEINLINE_FUNCTION Group& group_of(int place) const {
    const int group = (place + before_root) >> 2;
    SPOROS_IF_ON_DEVICE((return group < top_groups ? m_top[group] : m_groups[group];))
    SPOROS_IF_ON_HOST((return m_groups[group];))
  }
  KOKKOS_FORCEINLINE_FUNCTION static int place_in_group(int place) { return (place + before_root) & 3; }

  StoredArray<Group> m_groups;
  ScratchArray<Group> m_top;  // the first groups
  StoredArray<int> m_places;
  bool m_finds_slots = true;
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
  /// `count` timers in a ReplicationStorage or StorageParts, none of them running. Timers that are never stopped take
  /// less memory and time.
  template <class Storage>
  KOKKOS_INLINE_FUNCTION Timers(Storage& storage, int count, bool can_stop = true)
      : m_keys(impl::StoredNodes(storage, count, can_stop)) {}

  /// Returns the state of these timers, without the addresses of their elements.
  KOKKOS_INLINE_FUNCTION Timers without_memory() const {
    Timers state = *this;
    state.m_keys = m_keys.without_memory();
    return state;
  }
  /// Returns timers that are in the state of these and whose elements are in the memory of `other`. Use it to continue
  /// a replication whose memory has moved.
  KOKKOS_INLINE_FUNCTION Timers in_memory_of(const Timers& other) const {
    Timers moved = *this;
    moved.m_keys = m_keys.in_memory_of(other.m_keys);
    return moved;
  }

  /// Starts a timer, which must not be running, so that it ends at `time`, at least now(). If `time` is infinite, the
  /// timer does not start.
  KOKKOS_FORCEINLINE_FUNCTION void start(int timer, double time) {
    if (!(time >= m_now)) {
      m_failure = Failure::event_in_the_past;
      return;
    }
    if (time == math::impl::infinity) return;
    const std::uint64_t order = ++m_started << impl::StoredNodes::slot_bits | static_cast<std::uint32_t>(timer);
    const std::uint64_t bits = math::impl::to_bits(time + 0.0);  // + 0.0 turns -0 into +0
    if (m_first_order == 0) {
      m_first_time = bits;
      m_first_order = order;
    } else if (m_second_order == 0) {
      m_second_time = bits;
      m_second_order = order;
    } else {
      m_keys = with(m_keys, bits, order);
    }
  }

  /// Stops a timer if it is running. Requires `can_stop`.
  KOKKOS_FORCEINLINE_FUNCTION void stop(int timer) {
    if (m_first_order != 0 && timer_of(m_first_order) == timer) {
      m_first_order = 0;
    } else if (m_second_order != 0 && timer_of(m_second_order) == timer) {
      m_second_order = 0;
    } else {
      m_keys = without(m_keys, timer, m_ended);
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

  /// Advances to the end of the next timer if that is before `end`, and returns the timer. Otherwise returns -1, as it
  /// does if no timer is running or a start failed.
  KOKKOS_FORCEINLINE_FUNCTION int next_before(double end) {
    update();
    const impl::Winner least = m_keys.least();
    const double time = math::impl::from_bits(least.key.time);
    if (!(time < end) || m_failure != Failure::none) return -1;
    m_ended = least.slot;
    m_now = time;
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
  using Keys = impl::KeyHeapOf<impl::StoredNodes>;
  static constexpr int none = -1;

  // Changes of the heap in other cases than update(). They are out of line and take a copy of the heap's state, so that
  // the timers of a replication can stay in registers.
  SPOROS_NOINLINE KOKKOS_FUNCTION static Keys with(Keys keys, std::uint64_t time, std::uint64_t order) {
    keys.insert(timer_of(order), {time, order});
    return keys;
  }
  SPOROS_NOINLINE KOKKOS_FUNCTION static Keys without(Keys keys, int timer, int ended) {
    if (keys.has(timer) && !(timer == ended && keys.is_first(timer))) keys.remove(timer);
    return keys;
  }

  // Brings the heap up to date: the first timer started takes the place of the one that has ended.
  KOKKOS_FORCEINLINE_FUNCTION void update() {
    if (m_ended != none) {
      m_keys.replace_least(m_first_order != 0 ? node_of(m_first_time, m_first_order) : m_keys.take_last());
    } else if (m_first_order != 0) {
      m_keys.insert_in_loop(node_of(m_first_time, m_first_order));
    }
    if (m_second_order != 0) m_keys.insert_in_loop(node_of(m_second_time, m_second_order));
    m_ended = none;
    m_first_order = m_second_order = 0;
  }

  KOKKOS_FORCEINLINE_FUNCTION static int timer_of(std::uint64_t order) { return impl::StoredNodes::slot_of(order); }
  KOKKOS_FORCEINLINE_FUNCTION static impl::Winner node_of(std::uint64_t time, std::uint64_t order) {
    return {{time, order}, timer_of(order)};
  }

  Keys m_keys;
  int m_ended = none;  // the last timer that has ended, while its node is in the heap
  // Timers that have been started since the heap was up to date. Most events start one or two. Lanes of a warp whose
  // events differ thus change their heaps together. An order of 0 stands for none. The time and the order of a timer
  // are not neighbours, because compilers would store both by one vector, which takes longer.
  std::uint64_t m_first_time = 0, m_second_time = 0, m_first_order = 0, m_second_order = 0;
  double m_now = 0;
  std::uint64_t m_started = 0;
  Failure m_failure = Failure::none;
};

}  // namespace sporos
