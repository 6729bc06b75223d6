// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/networks/network_run.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// @file
/// Resources that customers seize before a service and release after it or a later one: members of NetworkRun.
///
/// A customer seizes all that it needs at once, with the server or the person who serves it, and holds nothing new
/// while it waits. Customers who lack something do not hold up others.

namespace sporos::models {

// Changes the number of units of a resource that customers hold.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::count_units(int r, int change) {
  auto& resource = m_memory.resources.all[r];
  const double length = observed_since(resource.since);
  resource.area += resource.in_use * length;
  if (length > 0 && resource.in_use > resource.largest) resource.largest = resource.in_use;
  resource.since = now();
  resource.in_use += change;
  if (m_network.has_levels) note_units(r);
}

// Notes the numbers of units for the values of periods.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::note_units(int r) {
  const int place = level_of_resource(r);
  integrate(place, now());
  m_memory.measures.levels[place].servers = m_memory.resources.all[r].units;
  m_memory.measures.levels[place].busy = m_memory.resources.all[r].in_use;
}

// Returns how many units of a resource a customer needs in addition to those that it holds.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION int NetworkRun<Inputs, Watcher, is_plain>::missing_units(int number, const UnitsData& need) const {
  const int held = held_units(number, need.resource);
  return held < need.units ? need.units - held : 0;
}

// Whether all units that a waiting customer lacks are free.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::can_seize(int number) {
  const auto [first, end] = m_network.needs[visit_index(customer(number))];
  for (int i = first; i < end; ++i) {
    const auto& resource = m_memory.resources.all[m_network.units[i].resource];
    if (missing_units(number, m_network.units[i]) > resource.units - resource.in_use) return false;
  }
  return true;
}

// Returns the line of a waiting customer. All customers of a visit who hold nothing of what they need lack the same, so
// that only the first of them can be the next one. What a customer holds does not change while it waits.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION Line& NetworkRun<Inputs, Watcher, is_plain>::seizing_line(int number) {
  const int index = visit_index(customer(number));
  const auto [first, end] = m_network.needs[index];
  bool holds_some = false;
  for (int i = first; i < end; ++i) holds_some = holds_some || held_units(number, m_network.units[i].resource) > 0;
  return m_memory.resources.lines[2 * index + (holds_some ? 1 : 0)];
}

template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::queue_for_resources(int number) {
  m_memory.customers.push_back(seizing_line(number), number);
  ++station(customer(number).station).queue.size;
}

template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::leave_seizing_line(int number) {
  m_memory.customers.take_out(seizing_line(number), number);
  --station(customer(number).station).queue.size;
}

// Returns the first customer of a visit for whom all resources are free, or −1.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION int NetworkRun<Inputs, Watcher, is_plain>::next_equipped(int visit) {
  int first = m_memory.resources.lines[2 * visit].first, other = m_memory.resources.lines[2 * visit + 1].first;
  if (first >= 0 && !can_seize(first)) first = -1;
  while (other >= 0 && !can_seize(other)) other = m_memory.customers.next(other);
  if (first < 0 || other < 0) return first < 0 ? other : first;
  return precedes(other, false, first, false) ? other : first;
}

// Returns the first customer of a visit for whom a server or an idle person and all resources are free, or −1.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION int NetworkRun<Inputs, Watcher, is_plain>::next_seizing(const SeizingData& seizing) {
  const auto& lines = m_memory.resources.lines;
  if (lines[2 * seizing.visit].first < 0 && lines[2 * seizing.visit + 1].first < 0) return -1;
  const StationData& data = m_network.stations[seizing.station];
  if (!has_free_server(seizing.station)) return -1;
  const int number = next_equipped(seizing.visit);
  return number >= 0 && data.has_roles && idle_person_for(customer(number)) < 0 ? -1 : number;
}

// Lets a customer take the units that it lacks.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::seize(int number) {
  const Customer& waits = customer(number);
  const auto [first, end] = m_network.needs[visit_index(waits)];
  for (int i = first; i < end; ++i) {
    const UnitsData& need = m_network.units[i];
    const int missing = missing_units(number, need);
    if (missing == 0) continue;
    count_units(need.resource, missing);
    held_units(number, need.resource) += missing;
    tell_of_units(NetworkHappening::seizes, number, need.resource, missing);
    if (!is_observed()) continue;
    auto& resource = m_memory.resources.all[need.resource];
    resource.wait += now() - waits.joined;
    ++resource.waits;
    if (m_network.has_levels) measure_wait(level_of_resource(need.resource), now() - waits.joined);
  }
}

// Begins the services of all customers for whom a server or an idle person and all resources are free: over all
// stations, by priority and by the longest wait. If `before` is a customer, begins only services of those who precede
// it. Returns whether a service has begun.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::serve_seizing(int before) {
  for (bool has_begun = false;; has_begun = true) {
    int best = -1;
    bool has_priority = false;
    for (int i = 0; i < m_network.seizing_count; ++i) {
      const SeizingData& seizing = m_network.seizing[i];
      const int number = next_seizing(seizing);
      if (number < 0 || (best >= 0 && !precedes(number, seizing.has_priority, best, has_priority))) continue;
      best = number;
      has_priority = seizing.has_priority;
    }
    if (best < 0 || (before >= 0 && !precedes(best, has_priority, before, has_priority_at(before)))) return has_begun;
    if (m_network.stations[customer(best).station].has_roles) {
      const int person = idle_person_for(customer(best));
      m_memory.people.take_out(m_memory.roles[m_memory.people[person].role].idle, person);
      leave_line(best, true);
      employ(person, best);
    } else {
      leave_seizing_line(best);
    }
    seize(best);
    start(best, customer(best).work);
    if (m_network.has_levels) note_levels(customer(best).station);
  }
}

// Returns the units that a customer gives back after its service.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::release(int number) {
  const auto [first, end] = m_network.returns[visit_index(customer(number))];
  for (int i = first; i < end; ++i) {
    const auto [r, units] = m_network.units[i];
    std::int32_t& held = held_units(number, r);
    const int returned = held < units ? held : units;
    if (returned == 0) continue;
    count_units(r, -returned);
    held -= returned;
    tell_of_units(NetworkHappening::releases, number, r, returned);
  }
}

// Returns all units of a customer who leaves the network.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::release_all(int number) {
  for (int r = 0; r < m_network.resource_count; ++r) {
    std::int32_t& held = held_units(number, r);
    if (held == 0) continue;
    count_units(r, -held);
    tell_of_units(NetworkHappening::releases, number, r, held);
    held = 0;
  }
}

// Looks for a customer who waits for ever for resources or is blocked for ever, as is_deadlocked() does without
// resources. At first, all customers who wait or are blocked may do so for ever. Those who will have all that they need
// once the others move, and return all that they hold, will move, too. The rest never moves.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::is_locked_by_resources() {
  const auto& locks = m_memory.locks;
  mark_stuck();
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    m_deadlocked = -1;
    m_memory.customers.for_each([&](const Customer& waits, int number) {
      if (m_memory.resources.stuck[number] == 0) return;
      if (!will_move(waits, number)) {
        const bool is_cause = waits.doing == Doing::blocked || m_network.stations[waits.station].seizes;
        if (m_deadlocked < 0 && is_cause) m_deadlocked = number;
        return;
      }
      m_memory.resources.stuck[number] = 0;
      for (int r = 0; r < m_network.resource_count; ++r) m_memory.resources.all[r].stuck -= held_units(number, r);
      locks[waits.station] = -1;
      has_changed = true;
    });
    has_changed = unlock_jockeys() || has_changed;
  }
  return m_deadlocked >= 0;
}

// Sets `locks`, and marks all customers who wait or are blocked.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::mark_stuck() {
  set_locks();
  for (int r = 0; r < m_network.resource_count; ++r) m_memory.resources.all[r].stuck = 0;
  m_memory.customers.for_each([&](const Customer& of, int number) {
    const bool is_stuck = of.doing == Doing::waiting || of.doing == Doing::blocked;
    m_memory.resources.stuck[number] = is_stuck ? 1 : 0;
    for (int r = 0; is_stuck && r < m_network.resource_count; ++r)
      m_memory.resources.all[r].stuck += held_units(number, r);
  });
}

// Whether a customer who waits or is blocked loses its patience, or will have what it waits for.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::will_move(const Customer& waits, int number) {
  const int s = waits.station, lock = m_memory.locks[s];
  if (waits.doing == Doing::blocked) return can_move(waits);
  if (visit(waits).has_timers && !waits.has_begun) return true;
  if (!m_network.stations[s].seizes) return lock < 0;
  if (lock >= 0 && later_servers(s) <= lock) return false;
  return stuck_resource(waits, number) < 0;
}

// Returns the first resource of which a waiting customer will not have the units that it lacks, or −1.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION int NetworkRun<Inputs, Watcher, is_plain>::stuck_resource(const Customer& waits, int number) const {
  const auto [first, end] = m_network.needs[visit_index(waits)];
  for (int i = first; i < end; ++i) {
    const UnitsData& need = m_network.units[i];
    const auto& resource = m_memory.resources.all[need.resource];
    if (missing_units(number, need) > resource.units - resource.stuck) return need.resource;
  }
  return -1;
}

// Adds the units in use until the end.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::finish_resources(double end) {
  for (int r = 0; r < m_network.resource_count; ++r) {
    auto& resource = m_memory.resources.all[r];
    const double length = observed_until(end, resource.since);
    resource.area += resource.in_use * length;
    if (length > 0 && resource.in_use > resource.largest) resource.largest = resource.in_use;
  }
}

// Returns the value of a response that this file measures, as a ratio.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION NetworkRatio
NetworkRun<Inputs, Watcher, is_plain>::ratio_of_resources(const NetworkResponse& response) const {
  const auto part = [](double sum, double all) { return NetworkRatio{sum, all}; };
  const auto& resource = m_memory.resources.all[response.limit];
  if (response.what == Observation::resource_wait) return part(resource.wait, resource.waits);
  if (response.what == Observation::resource_largest) return part(resource.largest, 1);
  const double most = resource.units * m_observed;  // a sum of lengths can exceed it by rounding
  const double area = resource.area < most ? resource.area : most;
  return part(area, response.what == Observation::resource_number ? m_observed : most);
}

}  // namespace sporos::models
