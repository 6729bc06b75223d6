// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>
#include <sporos/models/networks/network_run.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// @file
/// Shared servers, shifts and breakdowns: members of NetworkRun.

namespace sporos::models {

// Work done for each customer per unit of time.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION double NetworkRun<Inputs, Watcher>::shared_rate(const Station& station) const {
  const double servers = station.servers, number = station.number;
  return station.speed * (number <= servers ? 1.0 : servers / number);
}

// Adds the work since work_time. All customers present since then are in `in_service`.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::work_until_now(Station& station) {
  const int number = station.in_service.size;
  const double servers = station.servers;
  if (number > 0) {
    const double share = number <= servers ? 1.0 : servers / number;
    station.work += station.speed * share * (now() - station.work_time);
    station.busy_area += (number < servers ? number : servers) * observed_since(station.work_time);
  } else {
    station.work = 0;
  }
  station.work_time = now();
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::schedule_shared_end(int s) {
  Station& station = m_stations[s];
  m_calendar.cancel(station.shared_end);
  double least = math::impl::infinity;
  for (int number = station.in_service.first; number >= 0; number = m_customers.next(number))
    least = m_customers[number].work < least ? m_customers[number].work : least;
  const double left = least > station.work ? least - station.work : 0.0;
  station.shared_end =
      m_calendar.schedule(now() + left / shared_rate(station), {Step::shared_service, static_cast<std::int16_t>(s)});
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::end_shared_service(int s) {
  Station& station = m_stations[s];
  work_until_now(station);
  int first = station.in_service.first;
  for (int number = first; number >= 0; number = m_customers.next(number)) {
    if (m_customers[number].work < m_customers[first].work) first = number;
  }
  Customer& customer = m_customers[first];
  station.work = customer.work;
  m_customers.take_out(station.in_service, first);
  tell(NetworkHappening::service_ends, customer);
  const int to = next_station(customer);
  move(first, to);
  if (station.in_service.size > 0) schedule_shared_end(s);
}

// Integrates the number of servers that are scheduled or still busy after their shift.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::count_servers(Station& station) {
  const int there = station.busy > station.servers ? station.busy : station.servers;
  station.server_area += there * observed_since(station.servers_since);
  station.servers_since = now();
}

// Schedules step `step` of the shifts (an index in the table), in a cycle that began at `cycle_start`.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::schedule_shift(int s, int step, double cycle_start) {
  const ScheduleData& shifts = m_network.stations[s].shifts;
  const double time = step < shifts.steps.end ? cycle_start + m_network.steps[step].from : cycle_start + shifts.cycle;
  m_calendar.schedule(time > now() ? time : now(), {Step::shift, static_cast<std::int16_t>(s)});
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::change_shift(int s) {
  const TableRange steps = m_network.stations[s].shifts.steps;
  const double cycle = m_network.stations[s].shifts.cycle;
  Station& station = m_stations[s];
  count_servers(station);
  // Rounding may leave the quotient just below a whole number.
  const double start = cycle < math::impl::infinity ? ::floor(now() / cycle + 1e-9) * cycle : 0.0;
  int step = steps.first;
  while (step + 1 < steps.end && start + m_network.steps[step + 1].from <= now()) ++step;
  station.servers = static_cast<int>(m_network.steps[step].value);
  tell(NetworkHappening::shift_begins, s, -1);
  schedule_shift(s, step + 1, start);
  // More servers also mean more places if `waiting` limits the station.
  do give_place(s);
  while (station.awaited > 0 && !is_full(s));
}

// Breaks down or repairs a server.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::change_server(int server) {
  int s = 0;
  while (!m_network.stations[s].up.is_given() || server < m_network.stations[s].first_server ||
         server >= m_network.stations[s].first_server + m_stations[s].servers)
    ++s;
  const StationData& data = m_network.stations[s];
  Station& station = m_stations[s];
  const int place = server - data.first_server;
  const std::uint64_t bit = std::uint64_t{1} << place;
  const bool breaks = (station.up & bit) != 0;
  station.up ^= bit;
  tell(breaks ? NetworkHappening::server_breaks_down : NetworkHappening::server_is_repaired, s, place);
  if (!breaks) ++m_repairs[server];
  const auto drawn = pair_of(server, NetworkData::breakdowns, m_repairs[server]);
  const double after = breaks ? duration_of(data.down, drawn.second()) : duration_of(data.up, drawn.first());
  m_calendar.schedule(now() + after, {Step::server, static_cast<std::int16_t>(server)});
  if (breaks) {
    for (int number = station.in_service.first; number >= 0; number = m_customers.next(number)) {
      if (m_customers[number].server != place) continue;
      interrupt(number);
      break;
    }
  }
  serve(s);
}

}  // namespace sporos::models
