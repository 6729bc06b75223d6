// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/failure.hpp>
#include <sporos/models/networks/network_run.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// @file
/// Responses of a replication of a network: members of NetworkRun.

namespace sporos::models {

// Adds the contributions of the customers and servers who are present at the end.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::finish(double end) {
  m_observed = end - m_network.warm_up;
  const auto finish_line = [&](const Line& line) {
    for (int number = line.first; number >= 0; number = m_customers.next(number)) finish(m_customers[number], end);
  };
  for (int s = 0; s < m_network.station_count; ++s) {
    Station& station = m_stations[s];
    finish_line(station.queue);
    finish_line(station.in_service);
    for (int number = m_blocked.first; number >= 0; number = m_customers.next(number)) {
      const Customer& customer = m_customers[number];
      if (m_network.targets[branch_taken_by(customer).targets.first] == s) finish(customer, end);
    }
    const int there = station.busy > station.servers ? station.busy : station.servers;
    station.server_area += there * observed_until(end, station.servers_since);
    if (!shares(s)) continue;
    const double number = station.in_service.size, servers = station.servers;
    station.busy_area += (number < servers ? number : servers) * observed_until(end, station.work_time);
  }
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::finish(const Customer& customer, double end) {
  Tally& of = tally(customer);
  Station& station = m_stations[customer.station];
  of.number_area += observed_until(end, customer.joined);
  m_classes[customer.of_class].area += observed_until(end, customer.entered);
  if (customer.doing == Doing::waiting) {
    of.waiting_area += observed_until(end, customer.since);
  } else if (!shares(customer.station)) {
    (customer.doing == Doing::blocked ? station.blocked_area : station.busy_area) +=
        observed_until(end, customer.since);
  }
}

template <class Inputs, class Watcher>
template <class Responses>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::write(Responses& responses) const {
  double mark = 0;
  if (m_calendar.failure() != Failure::none) mark = failure_mark(m_calendar.failure(), m_calendar.capacity());
  if (m_customers.failure() != Failure::none) {
    int fullest = 0;
    for (int s = 1; s < m_network.station_count; ++s)
      if (m_stations[s].number > m_stations[fullest].number) fullest = s;
    mark = overload_mark(static_cast<int>(m_customers.capacity()), fullest);
  }
  if (m_is_endless) mark = failure_mark(Failure::no_progress, static_cast<std::uint32_t>(max_events_at_once));
  if (m_has_no_branch) mark = failure_mark(Failure::no_branch, 0);
  for (int i = 0; i < m_network.response_count; ++i)
    responses.set(i, mark == 0 ? value_of(m_network.responses[i]) : mark);
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION double NetworkRun<Inputs, Watcher>::value_of(const NetworkResponse& response) const {
  const auto part = [](double sum, double all) { return all > 0 ? sum / all : 0.0; };
  const auto count = [](std::int64_t number) { return static_cast<double>(number); };
  if (response.station < 0) {
    double area = 0, time = 0, served = 0, lost = 0, over = 0;
    for (int c = 0; c < m_network.class_count; ++c) {
      if (response.of_class >= 0 && response.of_class != c) continue;
      area += m_classes[c].area;
      time += m_classes[c].time;
      served += count(m_classes[c].served);
      lost += count(m_classes[c].lost);
      if (response.what == Observation::time_over) over += count(m_classes[c].over[response.limit]);
    }
    if (response.what == Observation::number) return part(area, m_observed);
    if (response.what == Observation::losses) return part(lost, m_observed);
    if (response.what == Observation::time_over) return part(over, served);
    return response.what == Observation::time ? part(time, served) : part(served, m_observed);
  }
  const Station& station = m_stations[response.station];
  Tally sum;
  for (int c = 0; c < m_network.class_count; ++c) {
    if (response.of_class >= 0 && response.of_class != c) continue;
    const Tally& of = m_tallies[response.station * m_network.class_count + c];
    sum.number_area += of.number_area;
    sum.waiting_area += of.waiting_area;
    sum.wait += of.wait;
    sum.time += of.time;
    sum.came += of.came;
    sum.waits += of.waits;
    sum.served += of.served;
    sum.lost += of.lost;
    sum.reneged += of.reneged;
  }
  switch (response.what) {
    case Observation::number:
      return part(sum.number_area, m_observed);
    case Observation::waiting:
      return part(sum.waiting_area, m_observed);
    case Observation::wait:
      return part(sum.wait, count(sum.waits));
    case Observation::late:
      return part(count(station.late[response.limit]), count(sum.waits));
    case Observation::served_within:
      return part(count(station.served_within[response.limit]), count(sum.waits));
    case Observation::wait_quantile:
      return m_waits[response.station].quantile(m_network.wait_quantiles[response.limit]);
    case Observation::time:
      return part(sum.time, count(sum.served));
    case Observation::utilization:
      return part(station.busy_area, station.server_area);
    case Observation::blocked:
      return part(station.blocked_area, station.server_area);
    case Observation::throughput:
      return part(count(sum.served), m_observed);
    case Observation::lost:
      return part(count(sum.lost), count(sum.came));
    case Observation::losses:
      return part(count(sum.lost), m_observed);
    case Observation::reneging:
      return part(count(sum.reneged), count(sum.waits));
    case Observation::time_over:  // of the whole network only
      break;
  }
  return 0;
}

}  // namespace sporos::models
