// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/networks/network_run.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// @file
/// Queues, services, places and losses at stations: members of NetworkRun.

namespace sporos::models {

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::join(int number, int s) {
  Customer& customer = m_customers[number];
  Station& station = m_stations[s];
  customer.station = static_cast<std::uint8_t>(s);
  customer.joined = customer.since = now();
  customer.has_begun = false;
  const std::int64_t number_of_visit = customer.visits++;
  const auto drawn = pair_of(customer.entity, NetworkData::services, number_of_visit);
  customer.work = duration_of(visit(customer).service, drawn.first());
  customer.route = is_choice(visit(customer).next) ? double(drawn.second()) : 0.0;
  set_ticket(customer, {});
  ++station.number;
  m_watcher.note_number(now(), s, station.number);
  if (is_observed()) ++tally(customer).came;
  if (shares(s)) {
    work_until_now(station);
    customer.work += station.work;
    customer.doing = Doing::in_service;
    tell(NetworkHappening::service_begins, customer);
    m_customers.push_back(station.in_service, number);
    if (is_observed()) ++tally(customer).waits;
    schedule_shared_end(s);
    return;
  }
  customer.doing = Doing::waiting;
  queue(number);
  serve(s);
  if (m_network.stations[s].discipline == Discipline::preemptive && customer.doing == Doing::waiting)
    interrupt_for(number);
  const DurationData& limit = visit(customer).patience;
  if (customer.doing == Doing::waiting && limit.is_given()) {
    const auto patience = pair_of(customer.entity, NetworkData::patience, number_of_visit);
    const double end = now() + duration_of(limit, patience.first());
    set_ticket(customer, m_calendar.schedule(end, {Step::customer, static_cast<std::int16_t>(number)}));
  }
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::queue(int number) {
  Station& station = m_stations[m_customers[number].station];
  switch (m_network.stations[m_customers[number].station].discipline) {
    case Discipline::last_in_first_out:
      m_customers.push_front(station.queue, number);
      break;
    case Discipline::priority:
    case Discipline::preemptive:
      // A customer whose service was interrupted comes first among waiting customers of the same priority.
      m_customers.insert_by(station.queue, number, [this](const Customer& a, const Customer& b) {
        const int first = m_classes[a.of_class].priority, second = m_classes[b.of_class].priority;
        return first < second || (first == second && a.joined < b.joined);
      });
      break;
    default:
      if (m_customers[number].has_begun) {  // its service was interrupted
        m_customers.push_front(station.queue, number);
      } else {
        m_customers.push_back(station.queue, number);
      }
  }
}

// Interrupts the customer in service with the largest priority number, if that is larger than the arriving customer's.
// Among several, interrupts the one whose service started last. Nobody is interrupted if a server works overtime after
// its shift, because it serves nobody else.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::interrupt_for(int number) {
  const int s = m_customers[number].station;
  if (m_stations[s].busy > m_stations[s].servers) return;
  int last = -1, greatest = m_classes[m_customers[number].of_class].priority;
  for (int other = m_stations[s].in_service.first; other >= 0; other = m_customers.next(other)) {
    const int priority = m_classes[m_customers[other].of_class].priority;
    if (priority < greatest || (priority == greatest && last < 0)) continue;
    greatest = priority;
    last = other;
  }
  if (last < 0) return;
  interrupt(last);
  serve(s);
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher>::has_free_server(const Station& station,
                                                                  const StationData& data) const {
  if (data.discipline == Discipline::processor_sharing) return station.number < station.servers;
  return data.up.is_given() ? (station.up & ~station.used) != 0 : station.busy < station.servers;
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::serve(int s) {
  Station& station = m_stations[s];
  while (station.queue.size > 0 && has_free_server(station, m_network.stations[s]))
    start(m_customers.pop_front(station.queue));
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::start(int number) {
  Customer& customer = m_customers[number];
  Station& station = m_stations[customer.station];
  Tally& of = tally(customer);
  of.waiting_area += observed_since(customer.since);
  if (!customer.has_begun) {
    customer.has_begun = true;
    m_calendar.cancel({customer.ticket_slot, customer.ticket_order});
    end_wait(customer, true);
  }
  ++station.busy;
  if (m_network.stations[customer.station].up.is_given()) {
    const std::uint64_t free = station.up & ~station.used;
    int server = 0;
    while ((free >> server & 1) == 0) ++server;
    customer.server = static_cast<std::int16_t>(server);
    station.used |= std::uint64_t{1} << server;
  }
  customer.doing = Doing::in_service;
  customer.since = now();
  tell(NetworkHappening::service_begins, customer);
  m_customers.push_back(station.in_service, number);
  const double end = now() + customer.work / station.speed;
  set_ticket(customer, m_calendar.schedule(end, {Step::customer, static_cast<std::int16_t>(number)}));
}

// Records the wait of a customer when its first service begins or it reneges.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::end_wait(const Customer& customer, bool is_served) {
  if (!is_observed()) return;
  Tally& of = tally(customer);
  Station& station = m_stations[customer.station];
  const double wait = now() - customer.joined;
  of.wait += wait;
  ++of.waits;
  for (int i = 0; i < m_network.wait_limit_count; ++i) {
    const bool is_late = wait > m_network.wait_limits[i];
    station.late[i] += is_late ? 1 : 0;
    station.served_within[i] += is_served && !is_late ? 1 : 0;
  }
  if (m_network.wait_quantile_count > 0) m_waits[customer.station].add(wait);
}

// Frees the server of a customer and records its busy or blocked time.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::free_server(Customer& customer) {
  Station& station = m_stations[customer.station];
  if (station.busy > station.servers) count_servers(station);
  --station.busy;
  if (customer.server >= 0) station.used &= ~(std::uint64_t{1} << customer.server);
  customer.server = -1;
  (customer.doing == Doing::blocked ? station.blocked_area : station.busy_area) += observed_since(customer.since);
  customer.since = now();
}

// Returns a customer in service to the queue with its remaining service.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::interrupt(int number) {
  Customer& customer = m_customers[number];
  Station& station = m_stations[customer.station];
  m_calendar.cancel({customer.ticket_slot, customer.ticket_order});
  const double left = customer.work - (now() - customer.since) * station.speed;
  customer.work = left > 0 ? left : 0;
  m_customers.take_out(station.in_service, number);
  free_server(customer);
  tell(NetworkHappening::is_interrupted, customer);
  customer.doing = Doing::waiting;
  queue(number);
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::end_service(int number) {
  Customer& customer = m_customers[number];
  const int s = customer.station;
  m_customers.take_out(m_stations[s].in_service, number);
  tell(NetworkHappening::service_ends, customer);
  const int to = next_station(customer);
  if (to >= 0 && is_full(to) && m_network.stations[to].when_full == WhenFull::block) {
    block(number);
    return;
  }
  free_server(customer);
  move(number, to);
}

// Keeps a served customer on its server until one of its next stations has a place.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::block(int number) {
  Customer& customer = m_customers[number];
  m_stations[customer.station].busy_area += observed_since(customer.since);
  customer.since = now();
  customer.doing = Doing::blocked;
  tell(NetworkHappening::is_blocked, customer);
  m_customers.push_back(m_blocked, number);
  const auto [first, end] = branch_taken_by(customer).targets;
  for (int i = first; i < end; ++i) ++m_stations[m_network.targets[i]].awaited;
}

// Removes and returns the customer who has been blocked longest for a place at station s. Requires `awaited` > 0.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION int NetworkRun<Inputs, Watcher>::unblock_for(int s) {
  int number = m_blocked.first;
  while (!can_go_to(m_customers[number], s)) number = m_customers.next(number);
  m_customers.take_out(m_blocked, number);
  const auto [first, end] = branch_taken_by(m_customers[number]).targets;
  for (int i = first; i < end; ++i) --m_stations[m_network.targets[i]].awaited;
  return number;
}

// Moves a served customer from its station to station `to`, or out of the network if `to` is negative, and passes on
// its place.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::move(int number, int to) {
  Customer& customer = m_customers[number];
  const int s = customer.station;
  take_leave(customer, true);
  customer.of_class = customer.becomes;
  if (to < 0) {
    leave_network(number, true);
  } else {
    customer.station = static_cast<std::uint8_t>(to);
    tell(NetworkHappening::comes, customer);
    if (is_full(to)) {
      lose(number);
    } else {
      join(number, to);
    }
  }
  give_place(s);
}

// Removes a customer from the counts of its station.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::take_leave(Customer& customer, bool is_served) {
  Station& station = m_stations[customer.station];
  Tally& of = tally(customer);
  --station.number;
  m_watcher.note_number(now(), customer.station, station.number);
  of.number_area += observed_since(customer.joined);
  if (!is_served || !is_observed()) return;
  of.time += now() - customer.joined;
  ++of.served;
}

// Passes on the server and the place that a customer has left at station s. If a blocked customer takes the place, its
// own server and place are passed on in turn.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::give_place(int s) {
  for (;;) {
    if (!shares(s)) serve(s);
    if (m_stations[s].awaited == 0 || is_full(s)) return;
    const int number = unblock_for(s);
    Customer& customer = m_customers[number];
    const int from = customer.station;
    free_server(customer);
    take_leave(customer, true);
    customer.of_class = customer.becomes;
    tell(NetworkHappening::comes, s, customer.name);
    join(number, s);
    s = from;
  }
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::leave_network(int number, bool is_served) {
  const Customer& customer = m_customers[number];
  Class& of = m_classes[customer.of_class];
  of.area += observed_since(customer.entered);
  m_idle_events = 0;
  if (is_served) tell(NetworkHappening::leaves, customer);
  if (is_observed()) {
    ++m_left;
    if (is_served) {
      const double time = now() - customer.entered;
      of.time += time;
      ++of.served;
      for (int i = 0; i < m_network.time_limit_count; ++i) of.over[i] += time > m_network.time_limits[i] ? 1 : 0;
    }
  }
  m_customers.remove(number);
}

// Removes a customer who finds no place at its station.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::lose(int number) {
  const Customer& customer = m_customers[number];
  tell(NetworkHappening::is_lost, customer);
  if (is_observed()) {
    ++tally(customer).came;
    ++tally(customer).lost;
    ++m_classes[customer.of_class].lost;
  }
  leave_network(number, false);
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::renege(int number) {
  Customer& customer = m_customers[number];
  const int s = customer.station;
  Tally& of = tally(customer);
  tell(NetworkHappening::reneges, customer);
  of.waiting_area += observed_since(customer.since);
  if (is_observed()) ++of.reneged;
  end_wait(customer, false);
  m_customers.take_out(m_stations[s].queue, number);
  take_leave(customer, false);
  leave_network(number, false);
  give_place(s);
}

}  // namespace sporos::models
