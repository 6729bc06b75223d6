// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/networks/network_run.hpp>

#include <Kokkos_Core.hpp>

/// @file
/// Areas of several stations: members of NetworkRun.

namespace sporos::models {

template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::is_in_area(int s, int area) const {
  const auto [first, end] = m_network.areas_of[s];
  for (int i = first; i < end; ++i) {
    if (m_network.area_members[i] == area) return true;
  }
  return false;
}

// Whether an area that a customer enters on the way from station `from` to station s is full. Customers from outside of
// the network have a negative `from`.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::has_full_area(int s, int from) const {
  const auto [first, end] = m_network.areas_of[s];
  for (int i = first; i < end; ++i) {
    const int area = m_network.area_members[i];
    if (m_memory.areas[area].number >= m_memory.areas[area].room && (from < 0 || !is_in_area(from, area))) return true;
  }
  return false;
}

// Whether station s or an area that the customer enters is full, and all that are full block.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::is_blocked_by_areas(int s, int from) const {
  bool blocks = is_full(s);
  if (blocks && m_network.stations[s].when_full == WhenFull::lose) return false;
  const auto [first, end] = m_network.areas_of[s];
  for (int i = first; i < end; ++i) {
    const int area = m_network.area_members[i];
    if (m_memory.areas[area].number < m_memory.areas[area].room || is_in_area(from, area)) continue;
    if (m_network.areas[area].when_full == WhenFull::lose) return false;
    blocks = true;
  }
  return blocks;
}

// Adds `change` to the numbers of customers in the areas of station s.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::count_in_areas(int s, int change) {
  const auto [first, end] = m_network.areas_of[s];
  for (int i = first; i < end; ++i) m_memory.areas[m_network.area_members[i]].number += change;
}

// Counts a customer who comes to station s for the areas that it enters, as lost for the full ones.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::note_arrival_in_areas(int s, int from) {
  if (!is_observed()) return;
  const auto [first, end] = m_network.areas_of[s];
  for (int i = first; i < end; ++i) {
    const int area = m_network.area_members[i];
    if (from >= 0 && is_in_area(from, area)) continue;
    auto& at = m_memory.areas[area];
    ++at.came;
    at.lost += at.number >= at.room ? 1 : 0;
  }
}

// Moves the customer who has been blocked longest among those whose next station and its areas have a place.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION auto NetworkRun<Inputs, Watcher, is_plain>::unblock_in_areas() -> Move {
  for (int number = m_blocked.first; number >= 0; number = m_memory.customers.next(number)) {
    const Customer& blocked = customer(number);
    const int to = target_of(branch_taken_by(blocked), blocked.station);
    if (!is_closed(to, blocked.station)) return unblock(number, to);
  }
  return {};
}

}  // namespace sporos::models
