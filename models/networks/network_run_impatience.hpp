// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/networks/network_run.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// @file
/// Customers who balk, renege to other stations, jockey, or change their class while they wait: members of NetworkRun.

namespace sporos::models {

// Counts an arrival in the areas. Returns whether the customer does not join the station: it is lost or balks.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::check_arrival(int number, int s, int from, bool is_lost) {
  if (m_network.area_count > 0) note_arrival_in_areas(s, from);
  return is_lost || (m_network.stations[s].may_balk && balks(number, s));
}

// Starts the counts that belong to a visit. A customer who jockeys continues its visit.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::clear_counts(int number) {
  if (m_network.has_attempts) m_memory.attempts[number] = 0;
  if (m_network.has_changes && number != m_jockey) m_memory.changed[number] = 0;
}

// Whether a customer who finds a place at station s balks. Customers who have been blocked or jockey do not.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::balks(int number, int s) {
  const Customer& comes = customer(number);
  if (comes.doing == Doing::blocked || number == m_jockey) return false;
  const ImpatienceData& rules = impatience(comes);
  const auto [first, end] = rules.balking;
  auto drawn = pair_of(comes.entity, NetworkData::balking, comes.visits);
  if (end > first) {
    const int found = station(s).number < end - first ? station(s).number : end - first - 1;
    if (double(drawn.first()) < m_network.balking_chances[first + found]) return true;
  }
  if (!rules.balking_wait.is_given()) return false;
  constexpr double rounding = 1e-12;  // a wait equal to the limit is accepted
  const double most = time_of(rules.balking_wait, drawn.second(), comes.entity, Sum::balking_wait, comes.visits);
  return expected_wait(comes, s) > (1 + rounding) * most;
}

// Returns the wait that a customer expects at station s, from the mean services of the customers there: 0 if it is
// served immediately. Otherwise, the waiting customers who precede it and one customer in service are served by all
// servers together. If all servers are blocked or away, that customer counts as one of its class.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION double NetworkRun<Inputs, Watcher, is_plain>::expected_wait(const Customer& comes, int s) {
  const Station& at = station(s);
  const StationData& data = m_network.stations[s];
  if (has_free_server(s)) return 0;
  const bool is_ranked = data.discipline == Discipline::priority || data.discipline == Discipline::preemptive;
  const int own = class_of(comes).priority;
  double served = 0;
  for (int other = extra(s).in_service.first; other >= 0; other = m_memory.customers.next(other)) {
    if (data.discipline == Discipline::preemptive && class_of(customer(other)).priority > own) {
      if (at.busy <= at.servers) return 0;
    }
    served += impatience(customer(other)).mean_service;
  }
  double work = extra(s).in_service.size > 0 ? served / extra(s).in_service.size : impatience(comes).mean_service;
  if (data.discipline != Discipline::last_in_first_out) {
    for (int other = at.queue.first; other >= 0; other = m_memory.customers.next(other)) {
      if (is_ranked && class_of(customer(other)).priority > own) break;
      work += impatience(customer(other)).mean_service;
    }
  }
  double speeds = at.servers;
  if (data.tracks_servers) {
    speeds = 0;
    for (int i = 0; i < at.servers; ++i) speeds += m_memory.servers[data.first_server + i].speed;
  }
  return work / (speeds * extra(s).speed);
}

// Chooses the station to which a reneging customer goes, and its class there. Returns −1 if it leaves the network.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION int NetworkRun<Inputs, Watcher, is_plain>::reneging_target(Customer& customer) {
  const TableRange& route = impatience(customer).reneging;
  if (route.end == route.first) return -1;
  const double u =
      is_choice(route) ? double(pair_of(customer.entity, NetworkData::patience, customer.visits - 1).second()) : 0.0;
  const int branch = branch_of(route, u);
  if (branch == route.end) return -1;
  const BranchData& taken = m_network.branches[branch];
  const int to = target_of(taken, customer.station);
  if (to < 0) return -1;
  if (taken.becomes >= 0) customer.of_class = static_cast<std::int16_t>(taken.becomes);
  customer.station = static_cast<std::int16_t>(to);
  return to;
}

// Starts the time after which a waiting customer changes its class. Each change at each visit has a separate draw.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::schedule_change(int number) {
  const Customer& waits = customer(number);
  const std::int64_t pair = std::int64_t{waits.visits} << 24 | m_memory.changed[number]++;
  auto drawn = pair_of(waits.entity, NetworkData::changes, pair);
  const double after = time_of(impatience(waits).change, drawn.first(), waits.entity, Sum::change, pair);
  m_memory.timers.start(change_timer(number), now() + after);
}

// Changes the class of a waiting customer, and with it the service and the place in a queue with priorities. Times of
// arrival and the end of patience stay.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION auto NetworkRun<Inputs, Watcher, is_plain>::change_class(int number) -> Move {
  Customer& changes = customer(number);
  const int s = changes.station;
  tally(changes).waiting_area += observed_since(changes.since);
  tally(changes).number_area += observed_since(changes.joined);
  changes.of_class = static_cast<std::int16_t>(impatience(changes).becomes);
  tally(changes).number_area -= observed_since(changes.joined);  // take_leave adds the time since then
  changes.since = now();
  tell_of(NetworkHappening::changes_class, number);
  const VisitData& visits = visit(changes);
  auto drawn = pair_of(changes.entity, NetworkData::services, changes.visits - 1);
  changes.work = time_of(visits.service, drawn.first(), changes.entity, Sum::service, changes.visits - 1);
  changes.route = is_choice(visits.next) ? double(drawn.second()) : 0.0;
  if (visits.changes) schedule_change(number);
  const Discipline discipline = m_network.stations[s].discipline;
  if (discipline == Discipline::priority || discipline == Discipline::preemptive) {
    m_memory.customers.take_out(station(s).queue, number);
    queue(number);
    interrupt_for(number);
  }
  return {.freed = s};
}

// Finds a waiting customer who changes to another queue: the last of the longest queue from which one can change.
// Among several queues for it, takes the one with the fewest waiting customers, a free server counting as one fewer.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::find_jockey(Move& move) {
  m_jockey = -1;
  int from = -1, to = -1;
  for (int s = 0; s < m_network.station_count; ++s) {
    const auto& [targets, difference] = m_network.jockeying[s];
    const Line& line = station(s).queue;
    if (line.size == 0 || targets.end == targets.first || customer(line.last).has_begun) continue;
    if (from >= 0 && line.size <= station(from).queue.size) continue;
    int best = 0;
    for (int i = targets.first; i < targets.end; ++i) {
      const int other = m_network.targets[i];
      if (is_closed(other, s)) continue;
      const bool is_free = has_free_server(other);
      const int shorter = line.size - station(other).queue.size;
      if (!is_free && shorter < difference) continue;
      if (shorter + (is_free ? 1 : 0) <= best) continue;
      best = shorter + (is_free ? 1 : 0);
      from = s;
      to = other;
    }
  }
  if (from < 0) return false;
  move = jockey(station(from).queue.last, to);
  return true;
}

// Moves a waiting customer to another station. It keeps the number of its visit, and hence its draws.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION auto NetworkRun<Inputs, Watcher, is_plain>::jockey(int number, int to) -> Move {
  Customer& moves = customer(number);
  const int s = moves.station;
  tell_of(NetworkHappening::jockeys, number);
  if (visit(moves).changes) m_memory.timers.stop(change_timer(number));
  tally(moves).waiting_area += observed_since(moves.since);
  if (is_observed()) ++tally(moves).jockeyed;
  end_wait(moves, now() - moves.joined, false);
  m_memory.customers.take_out(station(s).queue, number);
  take_leave(moves, false);
  --moves.visits;
  moves.station = static_cast<std::int16_t>(to);
  tell_of(NetworkHappening::comes, number);
  m_jockey = number;
  return {number, to, s};
}

}  // namespace sporos::models
