// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/networks/network_run.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// @file
/// Queues, services, places and losses at stations: members of NetworkRun.

namespace sporos::models {

// Puts a customer into the queue of station s, or into service if its servers are shared. A customer of a plain network
// who finds a free server does not enter the queue, which takes time, but is returned.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION auto NetworkRun<Inputs, Watcher, is_plain>::join(int number, int s) -> Served {
  Customer& joins = customer(number);
  Station& at = station(s);
  const VisitData& visits = visit(joins);
  auto drawn = pair_of(joins.entity, NetworkData::services, joins.visits++);
  const double work = time_of(visits.service, drawn.first(), joins.entity, Sum::service, joins.visits - 1);
  joins.route = is_choice(visits.next) ? double(drawn.second()) : 0.0;
  joins.joined = now();
  if (!is_plain) joins.has_begun = false;
  if (has(m_network.counts_by_visit)) clear_counts(number);
  ++at.number;
  if (has(m_network.area_count > 0)) count_in_areas(s, 1);
  m_watcher.note_number(now(), s, at.number);
  if (is_observed()) ++tally(joins).came;
  if (is_plain && at.queue.size == 0 && at.busy < at.servers) return {number, work};
  joins.work = work;
  if (!is_plain) joins.since = now();
  if (shares(s)) {
    work_until_now(s);
    joins.work += extra(s).work;
    joins.doing = Doing::in_service;
    tell_of(NetworkHappening::service_begins, number);
    m_memory.customers.push_back(extra(s).in_service, number);
    if (is_observed()) ++tally(joins).waits;
    schedule_shared_end(s);
  } else {
    joins.doing = Doing::waiting;
    queue(number);
  }
  return {};
}

// Starts the patience and the change of class of a customer who has joined a station and is not served at once. A
// customer who has jockeyed keeps the end of its patience.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::stay(int number) {
  const Customer& stays = customer(number);
  const VisitData& visits = visit(stays);
  if (stays.doing != Doing::waiting || !visits.has_timers) return;
  if (has(visits.changes)) schedule_change(number);
  const DurationData& limit = visits.patience;
  if (!limit.is_given() || has(number == m_jockey)) return;
  auto patience = pair_of(stays.entity, NetworkData::patience, stays.visits - 1);
  m_memory.timers.start(number,
                        now() + time_of(limit, patience.first(), stays.entity, Sum::patience, stays.visits - 1));
}

template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::queue(int number) {
  const Customer& waits = customer(number);
  if (has(m_network.has_roles) && m_network.stations[waits.station].has_roles) return queue_for_people(number);
  if (has(m_network.has_resources)) {
    m_has_new_wait = true;
    if (m_network.stations[waits.station].seizes) return queue_for_resources(number);
  }
  Line& line = station(waits.station).queue;
  const Discipline discipline = m_network.stations[waits.station].discipline;
  if (has(discipline == Discipline::priority || discipline == Discipline::preemptive)) {
    // A customer whose service was interrupted comes first among waiting customers of the same priority.
    m_memory.customers.insert_by(line, number, [this](const Customer& a, const Customer& b) {
      const int first = class_of(a).priority, second = class_of(b).priority;
      return first < second || (first == second && a.joined < b.joined);
    });
  } else if (discipline == Discipline::last_in_first_out || has(waits.has_begun)) {  // its service was interrupted
    m_memory.customers.push_front(line, number);
  } else {
    m_memory.customers.push_back(line, number);
  }
}

// Interrupts the customer in service with the largest priority number, if that is larger than the priority number of
// customer `number`, who waits. Among several, interrupts the one whose service started last. Returns false if nobody
// is interrupted: also if a server works overtime after its shift, because it serves nobody else.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::interrupt_for(int number) {
  const Customer& waits = customer(number);
  if (waits.doing != Doing::waiting) return false;
  const Station& at = station(waits.station);
  if (at.busy > at.servers) return false;
  int last = -1, greatest = class_of(waits).priority;
  for (int other = extra(waits.station).in_service.first; other >= 0; other = m_memory.customers.next(other)) {
    const int priority = class_of(customer(other)).priority;
    if (priority < greatest || (priority == greatest && last < 0)) continue;
    greatest = priority;
    last = other;
  }
  if (last < 0) return false;
  interrupt(last, m_network.stations[waits.station].preempted);
  return true;
}

template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::has_free_server(int s) const {
  const Station& at = station(s);
  const StationData& data = m_network.stations[s];
  if (has(data.discipline == Discipline::processor_sharing)) return at.number < at.servers;
  return has(data.tracks_servers) ? extra(s).idle_up > 0 : at.busy < at.servers;
}

// Begins services at station s: first that of a customer who has joined it and is not in the queue, if there is one.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::serve(int s, Served joined) {
  Station& at = station(s);
  const StationData& data = m_network.stations[s];
  // People and resources that have become free here may serve customers who wait at other stations.
  if (has(m_network.has_roles)) {
    assign();
    if (data.has_roles) return;
  } else if (has(m_network.has_resources)) {
    serve_seizing(-1);
  }
  if (has(m_network.has_resources && data.seizes) || shares(s)) return;
  if (has(data.serves_groups)) return start_groups(s);
  while (joined.number >= 0 || (at.queue.size > 0 && has_free_server(s))) {
    const bool has_waited = joined.number < 0;
    const int number = has_waited ? m_memory.customers.pop_front(at.queue) : joined.number;
    start(number, has_waited ? customer(number).work : joined.work, has_waited);
    joined = {};
  }
}

template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::start(int number, double work,
                                                                              bool has_waited) {
  Customer& served = customer(number);
  Station& at = station(served.station);
  leave_queue(number, has_waited);
  ++at.busy;
  const StationData& data = m_network.stations[served.station];
  if (has(data.tracks_servers)) take_server(number);
  served.doing = Doing::in_service;
  tell_of(NetworkHappening::service_begins, number);
  if (has(data.lists_services)) m_memory.customers.push_back(extra(served.station).in_service, number);
  m_memory.timers.start(number, now() + at_speed(work, speed_of(number)));
}

// Records that a customer is served now, who has waited in a queue or just joined the station.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::leave_queue(int number, bool has_waited) {
  Customer& served = customer(number);
  if (has_waited) tally(served).waiting_area += observed_since(waiting_since(served));
  served.since = now();
  if (has(served.has_begun)) return;
  if (!is_plain) served.has_begun = true;
  if (has_waited) stop_waiting(number);
  end_wait(served, has_waited ? now() - served.joined : 0.0, true);
}

// Speed at which a customer is served.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION double NetworkRun<Inputs, Watcher, is_plain>::speed_of(int number) const {
  const int s = m_memory.customers[number].station;
  if (is_plain && !m_has_speeds) return 1;
  const double speed = extra(s).speed;
  return has(m_network.stations[s].tracks_servers) ? speed * m_memory.servers[m_memory.held[number]].speed : speed;
}

// Stops the timers of a customer who waits for the first service at a station.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::stop_waiting(int number) {
  const VisitData& visits = visit(customer(number));
  if (!visits.has_timers) return;
  m_memory.timers.stop(number);
  if (has(visits.changes)) m_memory.timers.stop(change_timer(number));
}

// Lets free servers take groups of waiting customers, see NetworkGroup.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::start_groups(int s) {
  Station& at = station(s);
  const StationData& data = m_network.stations[s];
  const bool departs = m_departs == s;
  m_departs = -1;
  while (
      at.queue.size > 0 && has_free_server(s) &&
      (departs || at.queue.size >= data.group.least || customer(at.queue.first).joined + data.group.after <= now())) {
    start_group(s);
  }
  if (!(data.group.after < math::impl::infinity)) return;
  m_memory.timers.stop(group_timer(2 * s));
  if (at.queue.size > 0 && has_free_server(s))
    m_memory.timers.start(group_timer(2 * s), customer(at.queue.first).joined + data.group.after);
}

// Lets a server take the first waiting customers. The last of them holds the server, and the others accompany it.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::start_group(int s) {
  Line& waiting = station(s).queue;
  const int most = m_network.stations[s].group.most;
  const double work = customer(waiting.first).work;
  Line companions;
  for (int left = most < waiting.size ? most : waiting.size; left > 1; --left) {
    const int number = m_memory.customers.pop_front(waiting);
    Customer& joins = customer(number);
    leave_queue(number);
    joins.doing = Doing::accompanied;
    tell_of(NetworkHappening::service_begins, number);
    m_memory.customers.push_back(companions, number);
  }
  const int holder = m_memory.customers.pop_front(waiting);
  m_memory.groups[holder] = companions;
  customer(holder).work = work;
  start(holder, work);
}

// Reacts to the end of a timer of a station that serves groups. settle() lets the groups depart.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION auto NetworkRun<Inputs, Watcher, is_plain>::end_group_wait(int timer) -> Move {
  const int s = timer / 2;
  if (timer % 2 == 1) {
    const double every = m_network.stations[s].group.every;
    m_departs = s;
    m_memory.timers.start(group_timer(timer), every * (::floor(now() / every + 0.5) + 1));
  }
  return {.freed = s};
}

// Takes the first idle server that is not broken down.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::take_server(int number) {
  const int s = customer(number).station;
  int server = m_network.stations[s].first_server;
  while (!m_memory.servers[server].is_up || m_memory.servers[server].is_used) ++server;
  m_memory.held[number] = server;
  m_memory.servers[server].is_used = true;
  --extra(s).idle_up;
}

// Records the wait of a customer when its first service begins or it reneges.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::end_wait(const Customer& customer, double wait,
                                                                                 bool is_served) {
  if (!is_observed()) return;
  Tally& of = tally(customer);
  if (wait > 0) of.wait += wait;  // most waits are 0, and a device takes long to store the sum
  ++of.waits;
  const int limits = m_network.wait_limit_count;
  for (int i = 0; i < limits; ++i) {
    const bool is_late = wait > m_network.wait_limits[i];
    m_memory.late[customer.station * limits + i] += is_late ? 1 : 0;
    m_memory.served_within[customer.station * limits + i] += is_served && !is_late ? 1 : 0;
  }
  if (m_network.wait_quantile_count > 0) m_memory.waits[customer.station].add(wait);
  if (has(m_network.has_levels)) measure_wait(customer.station, wait);
}

// Frees the server of a customer and records its busy or blocked time.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::free_server(int number) {
  Customer& served = customer(number);
  Station& at = station(served.station);
  if (has(at.busy > at.servers)) count_servers(served.station);
  --at.busy;
  const StationData& data = m_network.stations[served.station];
  if (has(data.has_roles)) {
    free_person(m_memory.held[number]);
  } else if (has(data.tracks_servers)) {
    Server& server = m_memory.servers[m_memory.held[number]];
    server.is_used = false;
    if (server.is_up) ++extra(served.station).idle_up;
  }
  held_area(served) += observed_since(served.since);
}

// Returns a customer in service to the queue, with its remaining service or from the start.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::interrupt(int number, ShiftEnd how) {
  Customer& served = customer(number);
  m_memory.timers.stop(number);
  const double left = served.work - (now() - served.since) * speed_of(number);
  if (how == ShiftEnd::resample) ++m_memory.attempts[number];
  served.work = how != ShiftEnd::resume ? service_time(number) : left > 0 ? left : 0.0;
  m_memory.customers.take_out(extra(served.station).in_service, number);
  free_server(number);
  tell_of(NetworkHappening::is_interrupted, number);
  served.since = now();
  served.doing = Doing::waiting;
  queue(number);
}

// Returns the service time at speed 1 of a customer: from its arrival at the station, or from its last attempt.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION double NetworkRun<Inputs, Watcher, is_plain>::service_time(int number) {
  const Customer& of = customer(number);
  const std::int64_t attempt = m_network.has_attempts ? m_memory.attempts[number] : 0;
  const std::int64_t pair = attempt == 0 ? of.visits - 1 : std::int64_t{of.visits} << 16 | attempt;
  auto drawn = pair_of(of.entity, attempt == 0 ? NetworkData::services : NetworkData::attempts, pair);
  return time_of(visit(of).service, drawn.first(), of.entity, attempt == 0 ? Sum::service : Sum::attempt, pair);
}

// Returns a variate of a duration, or of one of its components, which the uniform u selects. Its position among the
// uniforms of this component is the uniform of the variate.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION double NetworkRun<Inputs, Watcher, is_plain>::component_of(const DurationData& duration,
                                                                           double u) const {
  const auto [first, end] = duration.components;
  if (first == end) return duration(u);
  int i = first;
  double below = 0;
  while (i + 1 < end && u >= m_network.components[i].cumulative) below = m_network.components[i++].cumulative;
  const ComponentData& component = m_network.components[i];
  double within = (u - below) / (component.cumulative - below);
  constexpr double least = 0x1p-54, most = 1 - 0x1p-53;
  within = within < least ? least : within > most ? most : within;
  return component.unit * variate(within, component.distribution);
}

// Returns the second and further parts of a sum of durations.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION double NetworkRun<Inputs, Watcher, is_plain>::further_parts(const DurationData& duration,
                                                                            std::int64_t entity, Sum sum,
                                                                            std::int64_t pair) {
  double parts = 0;
  for (int i = duration.first_part; i < duration.end_part; ++i) {
    const std::int64_t of_sum = pair * static_cast<int>(Sum::count) + static_cast<int>(sum);
    const std::int64_t part = of_sum * static_cast<int>(max_summands) + i - duration.first_part;
    const double u = standard_variate<StandardUniform>(pair_of(entity, NetworkData::parts, part).first());
    parts += component_of(m_network.sum_parts[i], u);
  }
  return parts;
}

// Ends a service. If a group was served, one of its customers leaves the station, and m_group makes the others follow;
// the last one frees the server.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION auto NetworkRun<Inputs, Watcher, is_plain>::end_service(int number) -> Move {
  bool holds_server = true;
  if (has(m_network.stations[customer(number).station].serves_groups)) {
    Line& companions = m_memory.groups[number];
    holds_server = companions.size == 0;
    m_group = holds_server ? -1 : number;
    if (!holds_server) number = m_memory.customers.pop_front(companions);
  }
  Customer& served = customer(number);
  prefetch(served.station, served.of_class);
  if (has(m_network.stations[served.station].lists_services))
    m_memory.customers.take_out(extra(served.station).in_service, number);
  tell_of(NetworkHappening::service_ends, number);
  if (has(m_network.has_resources)) release(number);
  const Next next = next_of(served);
  if (next.station >= 0) prefetch(next.station, next.of_class);
  m_memory.customers.prefetch(station(served.station).queue.first);
  if (!is_plain && next.station >= 0 && is_blocked(next.station, served.station)) {
    block(number, next);
    return {.freed = m_network.has_resources ? served.station : -1};
  }
  if (holds_server) free_server(number);
  return leave_station(number, next.station, next.of_class);
}

// Keeps a served customer on its server until one of its next stations has a place.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::block(int number, const Next& next) {
  Customer& blocked = customer(number);
  blocked.branch = static_cast<std::int16_t>(next.branch);
  blocked.becomes = static_cast<std::int16_t>(next.of_class);
  station(blocked.station).busy_area += observed_since(blocked.since);
  blocked.since = now();
  blocked.doing = Doing::blocked;
  m_has_new_wait = true;
  tell_of(NetworkHappening::is_blocked, number);
  m_memory.customers.push_back(m_blocked, number);
  if (m_network.has_levels) {
    ++m_memory.measures.levels[blocked.station].blocked;
    note_levels(blocked.station);
  }
  const auto [first, end] = branch_taken_by(blocked).targets;
  for (int i = first; i < end; ++i) ++extra(m_network.targets[i]).awaited;
}

// Moves the customer who has been blocked longest for a place at station s. Requires `awaited` > 0.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION auto NetworkRun<Inputs, Watcher, is_plain>::unblock_for(int s) -> Move {
  int number = m_blocked.first;
  while (!can_go_to(customer(number), s)) number = m_memory.customers.next(number);
  return unblock(number, s);
}

// Moves a blocked customer to station s.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION auto NetworkRun<Inputs, Watcher, is_plain>::unblock(int number, int s) -> Move {
  m_memory.customers.take_out(m_blocked, number);
  if (m_network.has_levels) --m_memory.measures.levels[customer(number).station].blocked;
  const auto [first, end] = branch_taken_by(customer(number)).targets;
  for (int i = first; i < end; ++i) --extra(m_network.targets[i]).awaited;
  free_server(number);
  return leave_station(number, s, customer(number).becomes);
}

// Lets a served customer leave its station for station `to`, or leave the network if `to` is negative. Its class is
// then `of_class`.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION auto NetworkRun<Inputs, Watcher, is_plain>::leave_station(int number, int to, int of_class)
    -> Move {
  Customer& served = customer(number);
  const int s = served.station;
  take_leave(served, true);
  if (to < 0) {
    served.of_class = static_cast<std::int16_t>(of_class);
    leave_network(number, true);
    return {.freed = s};
  }
  served.station = static_cast<std::int16_t>(to);
  served.of_class = static_cast<std::int16_t>(of_class);
  tell_of(NetworkHappening::comes, number);
  return {number, to, s};
}

// Removes a customer from the counts of its station.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::take_leave(Customer& customer, bool is_served) {
  Station& at = station(customer.station);
  Tally& of = tally(customer);
  --at.number;
  if (has(m_network.area_count > 0)) count_in_areas(customer.station, -1);
  m_watcher.note_number(now(), customer.station, at.number);
  of.number_area += observed_since(customer.joined);
  if (!is_served || !is_observed()) return;
  of.time += now() - customer.joined;
  ++of.served;
  if (has(m_network.has_levels)) measure_served(customer.station);
}

template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::leave_network(int number, bool is_served) {
  const Customer& leaves = customer(number);
  Class& of = class_of(leaves);
  const double entered = m_memory.entries[number].time;
  of.area += observed_since(entered);
  m_idle_events = 0;
  if (is_served) tell_of(NetworkHappening::leaves, number);
  if (is_observed()) {
    ++m_left;
    if (is_served) {
      const double time = now() - entered;
      of.time += time;
      ++of.served;
      const int limits = m_network.time_limit_count;
      for (int i = 0; i < limits; ++i)
        m_memory.over[leaves.of_class * limits + i] += time > m_network.time_limits[i] ? 1 : 0;
      if (has(m_network.has_levels || m_network.time_quantile_count > 0)) measure_time(leaves.of_class, time);
    }
  }
  if (has(m_network.has_resources)) release_all(number);
  m_memory.customers.remove(number);
}

// Removes a customer who finds no place at its station, or balks.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::turn_away(int number, bool is_lost) {
  const Customer& leaves = customer(number);
  tell_of(is_lost ? NetworkHappening::is_lost : NetworkHappening::balks, number);
  if (is_observed()) {
    Tally& of = tally(leaves);
    ++of.came;
    ++(is_lost ? of.lost : of.balked);
    class_of(leaves).lost += is_lost ? 1 : 0;
  }
  leave_network(number, false);
}

// Lets a customer whose patience has ended leave its station, and the network unless a route leads to a station.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION auto NetworkRun<Inputs, Watcher, is_plain>::renege(int number) -> Move {
  Customer& leaves = customer(number);
  const int s = leaves.station;
  tell_of(NetworkHappening::reneges, number);
  tally(leaves).waiting_area += observed_since(waiting_since(leaves));
  if (is_observed()) ++tally(leaves).reneged;
  stop_waiting(number);
  end_wait(leaves, now() - leaves.joined, false);
  if (has(m_network.has_roles) && m_network.stations[s].has_roles) {
    leave_line(number, false);
  } else if (has(m_network.has_resources) && m_network.stations[s].seizes) {
    leave_seizing_line(number);
  } else {
    m_memory.customers.take_out(station(s).queue, number);
  }
  take_leave(leaves, false);
  const int to = has(m_network.has_impatience) ? reneging_target(leaves) : -1;
  if (to >= 0) {
    tell_of(NetworkHappening::comes, number);
    return {number, to, s};
  }
  leave_network(number, false);
  return {.freed = s};
}

}  // namespace sporos::models
