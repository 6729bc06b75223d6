// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>
#include <sporos/models/networks/network_run.hpp>

#include <Kokkos_Core.hpp>

/// @file
/// Shared servers, shifts and breakdowns: members of NetworkRun.

namespace sporos::models {

// Work done for each customer per unit of time.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION double NetworkRun<Inputs, Watcher, is_plain>::shared_rate(int s) const {
  const double servers = station(s).servers, number = station(s).number;
  return extra(s).speed * (number <= servers ? 1.0 : servers / number);
}

// Adds the work since work_time. All customers present since then are in `in_service`.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::work_until_now(int s) {
  StationExtra& at = extra(s);
  const int number = at.in_service.size;
  const double servers = station(s).servers;
  if (number > 0) {
    const double share = number <= servers ? 1.0 : servers / number;
    at.work += at.speed * share * (now() - at.work_time);
    station(s).busy_area += (number < servers ? number : servers) * observed_since(at.work_time);
  } else {
    at.work = 0;
  }
  at.work_time = now();
}

template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::schedule_shared_end(int s) {
  const StationExtra& at = extra(s);
  m_memory.timers.stop(shared_timer(s));
  double least = math::impl::infinity;
  for (int number = at.in_service.first; number >= 0; number = m_memory.customers.next(number))
    least = customer(number).work < least ? customer(number).work : least;
  const double left = least > at.work ? least - at.work : 0.0;
  m_memory.timers.start(shared_timer(s), now() + left / shared_rate(s));
}

template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION auto NetworkRun<Inputs, Watcher, is_plain>::end_shared_service(int s) -> Move {
  StationExtra& at = extra(s);
  work_until_now(s);
  int first = at.in_service.first;
  for (int number = first; number >= 0; number = m_memory.customers.next(number)) {
    if (customer(number).work < customer(first).work) first = number;
  }
  at.work = customer(first).work;
  m_memory.customers.take_out(at.in_service, first);
  tell_of(NetworkHappening::service_ends, first);
  if (m_network.has_resources) release(first);
  const Next next = next_of(customer(first));
  const Move move = leave_station(first, next.station, next.of_class);
  if (at.in_service.size > 0) schedule_shared_end(s);
  return move;
}

// Integrates the number of servers that are scheduled or still busy after their shift.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::count_servers(int s) {
  const Station& at = station(s);
  const int there = at.busy > at.servers ? at.busy : at.servers;
  extra(s).server_area += there * observed_since(extra(s).servers_since);
  extra(s).servers_since = now();
}

// Schedules step `step` of the shifts (an index in the table), in a cycle that began at `cycle_start`.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::schedule_shift(int s, int step, double cycle_start) {
  const ScheduleData& shifts = m_network.stations[s].shifts;
  const double time = step < shifts.steps.end ? cycle_start + m_network.steps[step].from : cycle_start + shifts.cycle;
  m_memory.timers.start(shift_timer(s), time > now() ? time : now());
}

// Begins a shift. More servers also mean more places if `waiting` limits the station.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::change_shift(int s) {
  const TableRange steps = m_network.stations[s].shifts.steps;
  const double cycle = m_network.stations[s].shifts.cycle;
  Station& at = station(s);
  count_servers(s);
  // Rounding may leave the quotient just below a whole number.
  const double start = cycle < math::impl::infinity ? ::floor(now() / cycle + 1e-9) * cycle : 0.0;
  int step = steps.first;
  while (step + 1 < steps.end && start + m_network.steps[step + 1].from <= now()) ++step;
  at.servers = static_cast<int>(m_network.steps[step].value);
  m_has_new_wait = true;
  tell(NetworkHappening::shift_begins, s, -1);
  if (m_network.stations[s].shift_end != ShiftEnd::complete) {
    while (at.busy > at.servers && interrupt_last(s)) continue;
  }
  schedule_shift(s, step + 1, start);
}

// Interrupts the service that began last, unless it ends now. Returns false if there is none: blocked customers keep
// their servers.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::interrupt_last(int s) {
  int last = -1;
  for (int number = extra(s).in_service.first; number >= 0; number = m_memory.customers.next(number)) {
    const Customer& served = customer(number);
    if (served.since + at_speed(served.work, speed_of(number)) > now()) last = number;
  }
  if (last >= 0) interrupt(last, m_network.stations[s].shift_end);
  return last >= 0;
}

// Returns the station of a server that breaks down.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION int NetworkRun<Inputs, Watcher, is_plain>::station_of_server(int server) const {
  int s = 0;
  while (!m_network.stations[s].tracks_servers || server >= m_network.stations[s].first_server + station(s).servers)
    ++s;
  return s;
}

// Breaks down or repairs a server.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION auto NetworkRun<Inputs, Watcher, is_plain>::change_server(int number) -> Move {
  const int s = station_of_server(number);
  const StationData& data = m_network.stations[s];
  Server& server = m_memory.servers[number];
  const bool breaks = server.is_up;
  server.is_up = !breaks;
  if (!server.is_used) extra(s).idle_up += breaks ? -1 : 1;
  tell(breaks ? NetworkHappening::server_breaks_down : NetworkHappening::server_is_repaired, s,
       number - data.first_server);
  if (!breaks) ++server.repairs;
  auto drawn = pair_of(number, NetworkData::breakdowns, server.repairs);
  const double after = breaks ? time_of(data.down, drawn.second(), number, Sum::down, server.repairs)
                              : time_of(data.up, drawn.first(), number, Sum::up, server.repairs);
  m_memory.timers.start(server_timer(number), now() + after);
  if (breaks) {
    for (int served = extra(s).in_service.first; served >= 0; served = m_memory.customers.next(served)) {
      if (m_memory.held[served] != number) continue;
      interrupt(served, ShiftEnd::resume);
      break;
    }
  }
  return {.freed = s};
}

}  // namespace sporos::models
