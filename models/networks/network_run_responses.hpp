// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/failure.hpp>
#include <sporos/core/events/resource_deadlock.hpp>
#include <sporos/models/networks/network_run.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// @file
/// Responses of a replication of a network: members of NetworkRun.

namespace sporos::models {

// Adds the contributions of the customers and servers who are present at the end.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::finish(double end) {
  m_observed = end - m_network.warm_up;
  for (int i = 0; i < NetworkMeasures::level_count(m_network); ++i) integrate(i, end);
  m_memory.customers.for_each([&](const Customer& customer, int number) { finish(customer, number, end); });
  if (m_network.has_roles) finish_roles(end);
  if (m_network.has_resources) finish_resources(end);
  for (int s = 0; s < m_network.station_count; ++s) {
    Station& at = station(s);
    StationExtra& of = extra(s);
    const int there = at.busy > at.servers ? at.busy : at.servers;
    of.server_area += there * observed_until(end, of.servers_since);
    if (!shares(s)) continue;
    const double number = of.in_service.size, servers = at.servers;
    at.busy_area += (number < servers ? number : servers) * observed_until(end, of.work_time);
  }
}

template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::finish(const Customer& customer, int number, double end) {
  tally(customer).number_area += observed_until(end, customer.joined);
  class_of(customer).area += observed_until(end, m_memory.entries[number].time);
  if (customer.doing == Doing::waiting) {
    tally(customer).waiting_area += observed_until(end, waiting_since(customer));
  } else if (!shares(customer.station) && customer.doing != Doing::accompanied) {
    held_area(customer) += observed_until(end, customer.since);
  }
}

template <class Inputs, class Watcher, bool is_plain>
template <class Responses>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::write(Responses& responses) const {
  const double mark = failure_of_run();
  for (int i = 0; i < m_network.response_count; ++i)
    responses.set(i, mark == 0 ? value_of(m_network.responses[i]) : mark);
}

// Returns the mark of the reason why the replication has failed; 0 if it has not.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION double NetworkRun<Inputs, Watcher, is_plain>::failure_of_run() const {
  double mark = 0;
  if (m_memory.timers.failure() != Failure::none) mark = failure_mark(m_memory.timers.failure(), 0);
  if (m_memory.customers.failure() != Failure::none) {
    int fullest = 0;
    for (int s = 1; s < m_network.station_count; ++s)
      if (station(s).number > station(fullest).number) fullest = s;
    mark = overload_mark(m_network.most_customers, fullest);
  }
  if (m_is_endless) mark = failure_mark(Failure::no_progress, static_cast<std::uint32_t>(max_events_at_once));
  if (m_has_no_branch) mark = failure_mark(Failure::no_branch, 0);
  if (m_memory.people.failure() != Failure::none)
    mark = failure_mark(Failure::pool_full, static_cast<std::uint32_t>(m_network.most_people));
  if (m_deadlocked >= 0 && m_network.until.kind != NetworkUntil::Kind::deadlock) {
    const Customer& waits = m_memory.customers[m_deadlocked];
    const int resource = waits.doing == Doing::blocked ? -1 : stuck_resource(waits, m_deadlocked);
    if (resource >= 0) return resource_deadlock_mark(waits.station, m_network.station_count + resource);
    mark = deadlock_mark(waits.station, waits.doing == Doing::blocked
                                            ? m_network.targets[branch_taken_by(waits).targets.first]
                                            : waits.station);  // blocked customers hold its servers
  }
  return mark;
}

// Integral of the number of customers in an area.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION double NetworkRun<Inputs, Watcher, is_plain>::integral_in_area(int area) const {
  const auto [first, end] = m_network.areas[area].stations;
  double sum = 0;
  for (int i = first; i < end; ++i) {
    const int s = m_network.area_members[i];
    for (int c = 0; c < m_network.class_count; ++c) sum += m_memory.tallies[s * m_network.class_count + c].number_area;
  }
  return sum;
}

template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION double NetworkRun<Inputs, Watcher, is_plain>::value_of(const NetworkResponse& response) const {
  const auto [sum, all] = ratio_of(response);
  return all > 0 ? sum / all : 0.0;
}

// Returns the sum that a response averages, and the time or number by which it divides the sum.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION NetworkRatio NetworkRun<Inputs, Watcher, is_plain>::ratio_of(const NetworkResponse& response) const {
  const auto part = [](double sum, double all) { return NetworkRatio{sum, all}; };
  const auto count = [](std::int64_t number) { return static_cast<double>(number); };
  if (is_measured(response.what)) return measured(response);
  if (response.what >= Observation::resource_number) return ratio_of_resources(response);
  if (response.what >= Observation::at_once) return ratio_of_roles(response);
  if (response.what == Observation::end_time) return part(end(), 1);
  if (response.what == Observation::ended) return part(m_early_end < math::impl::infinity ? 1 : 0, 1);
  if (response.what == Observation::area_number) return part(integral_in_area(response.limit), m_observed);
  if (response.what == Observation::area_lost)
    return part(m_memory.areas[response.limit].lost, m_memory.areas[response.limit].came);
  if (response.station < 0) {
    double area = 0, time = 0, served = 0, lost = 0, over = 0;
    for (int c = 0; c < m_network.class_count; ++c) {
      if (response.of_class >= 0 && response.of_class != c) continue;
      const Class& of = m_memory.classes[c];
      area += of.area;
      time += of.time;
      served += count(of.served);
      lost += count(of.lost);
      if (response.what == Observation::time_over)
        over += count(m_memory.over[c * m_network.time_limit_count + response.limit]);
    }
    if (response.what == Observation::number) return part(area, m_observed);
    if (response.what == Observation::losses) return part(lost, m_observed);
    if (response.what == Observation::time_over) return part(over, served);
    return response.what == Observation::time ? part(time, served) : part(served, m_observed);
  }
  const int limit = response.station * m_network.wait_limit_count + response.limit;
  Tally sum;
  for (int c = 0; c < m_network.class_count; ++c) {
    if (response.of_class >= 0 && response.of_class != c) continue;
    const Tally& of = m_memory.tallies[response.station * m_network.class_count + c];
    sum.number_area += of.number_area;
    sum.waiting_area += of.waiting_area;
    sum.wait += of.wait;
    sum.time += of.time;
    sum.came += of.came;
    sum.waits += of.waits;
    sum.served += of.served;
    sum.lost += of.lost;
    sum.reneged += of.reneged;
    sum.balked += of.balked;
    sum.jockeyed += of.jockeyed;
  }
  switch (response.what) {
    case Observation::number:
      // Rounding may leave a class from which customers change just below 0.
      return part(sum.number_area > 0 ? sum.number_area : 0.0, m_observed);
    case Observation::waiting:
      return part(sum.waiting_area, m_observed);
    case Observation::wait:
      return part(sum.wait, count(sum.waits));
    case Observation::late:
      return part(count(m_memory.late[limit]), count(sum.waits));
    case Observation::served_within:
      return part(count(m_memory.served_within[limit]), count(sum.waits));
    case Observation::wait_quantile:
      return part(m_memory.waits[response.station].quantile(m_network.wait_quantiles[response.limit]), 1);
    case Observation::time:
      return part(sum.time, count(sum.served));
    case Observation::utilization:
      return part(station(response.station).busy_area, extra(response.station).server_area);
    case Observation::blocked:
      return part(extra(response.station).blocked_area, extra(response.station).server_area);
    case Observation::throughput:
      return part(count(sum.served), m_observed);
    case Observation::lost:
      return part(count(sum.lost), count(sum.came));
    case Observation::losses:
      return part(count(sum.lost), m_observed);
    case Observation::reneging:
      return part(count(sum.reneged), count(sum.waits));
    case Observation::balking:
      return part(count(sum.balked), count(sum.came));
    case Observation::jockeying:
      return part(count(sum.jockeyed), count(sum.waits));
    default:  // of the whole network only, or measured elsewhere
      break;
  }
  return part(0, 1);
}

}  // namespace sporos::models
