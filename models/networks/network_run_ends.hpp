// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/networks/network_run.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// @file
/// Deadlocks and conditions that end a replication before its horizon: members of NetworkRun.

namespace sporos::models {

// Whether a deadlock or a condition ends the replication. Sets the time of the end.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::ends() {
  const NetworkUntil& until = m_network.until;
  const bool may_lock = m_network.has_resources ? m_has_new_wait : m_blocked.size > 0;
  m_has_new_wait = false;
  if (m_network.can_deadlock && may_lock && (m_network.has_resources ? is_locked_by_resources() : is_deadlocked())) {
    tell_of(NetworkHappening::is_deadlocked, m_deadlocked);
    m_early_end = now();
  } else if (until.kind == NetworkUntil::Kind::empty_after) {
    if (m_memory.customers.size() > 0) return false;
    if (now() >= until.time) m_early_end = now();
    if (now() < until.time && m_memory.timers.next_time() >= until.time) m_early_end = until.time;
  } else if (is_until(until)) {
    m_early_end = now();
  }
  return m_early_end < math::impl::infinity;
}

// Whether a number has reached the one of the condition.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::is_until(const NetworkUntil& until) {
  if (until.kind == NetworkUntil::Kind::number)
    return (until.station < 0 ? m_memory.customers.size() : station(until.station).number) >= until.count;
  if (until.kind != NetworkUntil::Kind::lost) return false;
  std::int64_t lost = 0;
  for (int c = 0; c < m_network.class_count; ++c) lost += m_memory.classes[c].lost;
  return lost >= until.count;
}

// Sets `locks`. That of a station is the number of blocked customers there, or −1 if one of its customers will move: it
// is served, will be, or loses its patience.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::set_locks() {
  const auto& locks = m_memory.locks;
  for (int s = 0; s < m_network.station_count; ++s) locks[s] = 0;
  for (int b = m_blocked.first; b >= 0; b = m_memory.customers.next(b)) ++locks[customer(b).station];
  for (int s = 0; s < m_network.station_count; ++s) locks[s] = is_live(s, locks[s]) ? -1 : locks[s];
}

// Unlocks the stations from which a customer will jockey. Returns whether there are any.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::unlock_jockeys() {
  const auto& locks = m_memory.locks;
  bool has_changed = false;
  for (int s = 0; m_network.has_jockeying && s < m_network.station_count; ++s) {
    if (locks[s] < 0 || station(s).queue.size == 0 || !can_jockey(s)) continue;
    locks[s] = -1;
    has_changed = true;
  }
  return has_changed;
}

// Looks for a customer who is blocked for ever: none of its next stations will have a place. Unlocks stations from
// which a blocked or jockeying customer will move, until no more are found.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::is_deadlocked() {
  const auto& locks = m_memory.locks;
  set_locks();
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    m_deadlocked = -1;
    for (int b = m_blocked.first; b >= 0; b = m_memory.customers.next(b)) {
      const int s = customer(b).station;
      if (!can_move(customer(b))) {
        if (m_deadlocked < 0) m_deadlocked = b;
      } else if (locks[s] >= 0) {
        locks[s] = -1;
        has_changed = true;
      }
    }
    has_changed = unlock_jockeys() || has_changed;
  }
  return m_deadlocked >= 0;
}

// Maximum number of servers of station s from now on.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION int NetworkRun<Inputs, Watcher, is_plain>::later_servers(int s) const {
  const ScheduleData& shifts = m_network.stations[s].shifts;
  int servers = station(s).servers;
  for (int i = shifts.steps.first; i < shifts.steps.end; ++i) {
    const int later = static_cast<int>(m_network.steps[i].value);
    const bool comes = shifts.cycle < math::impl::infinity || m_network.steps[i].from > now();
    servers = comes && later > servers ? later : servers;
  }
  return servers;
}

// Whether a customer at station s, `blocked` of whose customers are blocked, is served, will be, or loses its patience.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::is_live(int s, int blocked) {
  const Station& at = station(s);
  if (at.number - at.queue.size > blocked) return true;
  if (at.queue.size > 0 && !m_network.stations[s].seizes && later_servers(s) > blocked) return true;
  for (int number = at.queue.first; number >= 0; number = m_memory.customers.next(number)) {
    if (visit(customer(number)).patience.is_given() && !customer(number).has_begun) return true;
  }
  return false;
}

// Whether a station to which the customers of station s jockey will have a place.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::can_jockey(int s) const {
  const auto [first, end] = m_network.jockeying[s].targets;
  for (int i = first; i < end; ++i) {
    if (will_have_place(m_network.targets[i], s)) return true;
  }
  return false;
}

// Whether a blocked customer will have a place at one of its next stations.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::can_move(const Customer& blocked) const {
  const auto [first, end] = branch_taken_by(blocked).targets;
  for (int i = first; i < end; ++i) {
    if (will_have_place(m_network.targets[i], blocked.station)) return true;
  }
  return false;
}

// Whether station s, and the areas that a customer from station `from` enters there, have or will have a place.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::will_have_place(int s, int from) const {
  const Station& at = station(s);
  const auto& locks = m_memory.locks;
  const StationExtra& of = extra(s);
  const bool is_open = at.number < of.room &&
                       (of.waiting == unlimited ||
                        at.number - of.waiting < std::int64_t{later_servers(s)} * m_network.stations[s].group.most);
  if (!is_open && locks[s] >= 0) return false;
  if (m_network.area_count == 0) return true;
  const auto [first, end] = m_network.areas_of[s];
  for (int i = first; i < end; ++i) {
    const int area = m_network.area_members[i];
    if (m_memory.areas[area].number < m_memory.areas[area].room || is_in_area(from, area)) continue;
    const auto [first_station, end_station] = m_network.areas[area].stations;
    int member = first_station;
    while (member < end_station && locks[m_network.area_members[member]] >= 0) ++member;
    if (member == end_station) return false;
  }
  return true;
}

}  // namespace sporos::models
