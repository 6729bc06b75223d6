// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>
#include <sporos/models/networks/network_run.hpp>

#include <Kokkos_Core.hpp>

/// @file
/// Measures that a case observes only on request: members of NetworkRun.
///
/// A level keeps the numbers at a station since their last change. Numbers that hold for no time, such as those between
/// two events at one time, are not observed.

namespace sporos::models {

// Notes the numbers at station s, and in the network, after an event.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::note_levels(int s) {
  const Station& at = station(s);
  Level& level = m_memory.measures.levels[s];
  integrate(s, now());
  const bool is_shared = shares(s);
  level.number = at.number;
  level.waiting = at.queue.size;
  level.busy = is_shared ? (at.number < at.servers ? at.number : at.servers) : at.busy - level.blocked;
  level.servers = !is_shared && at.busy > at.servers ? at.busy : at.servers;
  integrate(m_network.station_count, now());
  m_memory.measures.levels[m_network.station_count].number = m_memory.customers.size();
}

// Integrates a level up to time `end`. The numbers have been the same since the last call.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::integrate(int place, double end) {
  Level& level = m_memory.measures.levels[place];
  const double length = observed_until(end, level.since);
  if (length > 0) {
    if (level.number > level.largest_number) level.largest_number = level.number;
    if (level.waiting > level.largest_waiting) level.largest_waiting = level.waiting;
    const int limits = m_network.number_limit_count;
    for (int i = 0; i < limits && level.number > m_network.number_limits[i]; ++i)
      m_memory.measures.over[place * limits + i] += length;
  }
  if (m_network.period_count > 0) integrate_periods(place, end);
  level.since = end;
}

// Integrates a level up to time `end`, and lets `level.period` be the period that contains `end`.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::integrate_periods(int place, double end) {
  Level& level = m_memory.measures.levels[place];
  const double cycle = m_network.period_cycle;
  double from = level.since;
  for (;;) {
    const double start = level.cycles > 0 ? level.cycles * cycle : 0.0;
    const double period_end = start + m_network.period_ends[level.period];
    const double to = end < period_end ? end : period_end;
    const double length = observed_until(to, from);
    auto& sums = m_memory.measures.periods[place * m_network.period_count + level.period];
    sums.length += length;
    sums.number += length * level.number;
    sums.waiting += length * level.waiting;
    sums.busy += length * level.busy;
    sums.servers += length * level.servers;
    if (end < period_end) return;
    from = period_end;
    if (level.period + 1 < m_network.period_count) {
      ++level.period;
    } else {
      if (!(cycle < math::impl::infinity)) return;  // the last period ends with the replication
      level.period = 0;
      ++level.cycles;
    }
  }
}

// Returns the sums of the period that contains the time of the event.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION NetworkMeasures::Period& NetworkRun<Inputs, Watcher, is_plain>::period_of(int place) {
  integrate(place, now());
  return m_memory.measures.periods[place * m_network.period_count + m_memory.measures.levels[place].period];
}

// Measures an observed wait at a station or for a resource.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::measure_wait(int place, double wait) {
  Level& level = m_memory.measures.levels[place];
  if (wait > level.longest) level.longest = wait;
  if (m_network.period_count == 0) return;
  auto& sums = period_of(place);
  sums.wait += wait;
  ++sums.waits;
}

// Measures an observed service at a station, or a departure of a served customer from the network.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::measure_served(int place) {
  if (m_network.period_count > 0) ++period_of(place).served;
}

// Measures the observed time in the network of a served customer of class c.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::measure_time(int c, double time) {
  if (m_network.time_quantile_count > 0) {
    m_memory.measures.times[c].add(time);
    if (m_network.class_count > 1) m_memory.measures.times[m_network.class_count].add(time);
  }
  if (!m_network.has_levels) return;
  Level& level = m_memory.measures.levels[m_network.station_count];
  if (time > level.longest) level.longest = time;
  measure_served(m_network.station_count);
}

// Returns the value of a response that this file measures, as a ratio.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION NetworkRatio NetworkRun<Inputs, Watcher, is_plain>::measured(const NetworkResponse& response) const {
  const auto part = [](double sum, double all) { return NetworkRatio{sum, all}; };
  const NetworkMeasures& measures = m_memory.measures;
  const int index = response.limit;
  if (response.what == Observation::time_quantile) {
    const int place = response.of_class >= 0 ? response.of_class : NetworkMeasures::times_count(m_network) - 1;
    return part(measures.times[place].quantile(m_network.time_quantiles[index]), 1);
  }
  const int place = response.station >= 0 ? response.station : m_network.station_count;
  const Level& level = measures.levels[place];
  if (response.what == Observation::largest_number) return part(level.largest_number, 1);
  if (response.what == Observation::largest_waiting) return part(level.largest_waiting, 1);
  if (response.what == Observation::longest) return part(level.longest, 1);
  if (response.what == Observation::number_over) {
    const double over = measures.over[place * m_network.number_limit_count + index];
    return part(over < m_observed ? over : m_observed, m_observed);  // a sum of lengths can exceed it by rounding
  }
  const int periods = m_network.period_count;
  const double length = measures.periods[m_network.station_count * periods + index].length;
  const auto& sums = measures.periods[place * periods + index];
  switch (response.what) {
    case Observation::period_number:
      return part(sums.number, length);
    case Observation::period_waiting:
      return part(sums.waiting, length);
    case Observation::period_wait:
      return part(sums.wait, sums.waits);
    case Observation::period_utilization:
      return part(sums.busy, sums.servers);
    default:
      return part(sums.served, length);
  }
}

}  // namespace sporos::models
