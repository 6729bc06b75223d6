// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/networks/network_run.hpp>

#include <Kokkos_Core.hpp>

/// @file
/// Long runs of a network, for means in steady state: members of NetworkRun.
///
/// A time slot is observed as a replication is, with its beginning as the end of the warm-up. Sums are cleared at its
/// end, so that they lose no digits in long runs.

namespace sporos::models {

template <class Inputs, class Watcher, bool is_plain>
template <class Series>
KOKKOS_FUNCTION double NetworkRun<Inputs, Watcher, is_plain>::observe(NetworkData& network, bool begins,
                                                                      const MemberChange* changes, int count,
                                                                      NetworkSeriesState& state, Series& series) {
  std::int64_t slots = 0;
  if (begins) {
    change(changes, count);
    begin();
  } else {
    m_changes = changes;
    m_change_count = count;
    slots = state.slots;
  }
  double mark = 0;
  while (mark == 0 && series.goes_on()) {
    network.warm_up = static_cast<double>(slots) * network.slot;
    const double end = static_cast<double>(slots + 1) * network.slot;
    advance(end);
    mark = failure_of_run();
    if (mark != 0) break;
    finish(end);
    record(series);
    clear_statistics();
    ++slots;
  }
  state.run = *this;
  state.timers = m_memory.timers.without_memory();
  state.customers = m_memory.customers.without_memory();
  state.slots = slots;
  return mark;
}

// Integral of the number of customers in the network who are of class `of_class` at the time, or of any class if that
// is negative. Class::area counts the whole time of a customer for its last class.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION double NetworkRun<Inputs, Watcher, is_plain>::number_area(int of_class) const {
  double sum = 0;
  for (int s = 0; s < m_network.station_count; ++s) {
    for (int c = 0; c < m_network.class_count; ++c)
      if (of_class < 0 || of_class == c) sum += m_memory.tallies[s * m_network.class_count + c].number_area;
  }
  return sum;
}

// Records the responses of a slot as an observation.
template <class Inputs, class Watcher, bool is_plain>
template <class Series>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::record(Series& series) const {
  for (int i = 0; i < m_network.series_term_count; ++i) {
    const NetworkSeriesTerm& term = m_network.series_terms[i];
    const NetworkResponse& response = term.response;
    NetworkRatio ratio = ratio_of(response);
    if (response.what == Observation::number && response.station < 0) ratio.sum = number_area(response.of_class);
    series.record(term.sum, term.all < 0 ? ratio.sum / ratio.all : ratio.sum);
    if (term.records_all) series.record(term.all, ratio.all);
  }
  series.end_observation();
}

// Clears the sums of a slot.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::clear_statistics() {
  const int stations = m_network.station_count, classes = m_network.class_count;
  for (int s = 0; s < stations; ++s) station(s).busy_area = extra(s).blocked_area = extra(s).server_area = 0;
  for (int v = 0; v < stations * classes; ++v) m_memory.tallies[v] = Tally();
  for (int c = 0; c < classes; ++c) {
    Class& of = m_memory.classes[c];
    of.served = of.lost = 0;
    of.time = of.area = 0;
  }
  for (int i = 0; i < stations * m_network.wait_limit_count; ++i) m_memory.late[i] = m_memory.served_within[i] = 0;
  for (int i = 0; i < classes * m_network.time_limit_count; ++i) m_memory.over[i] = 0;
  for (int a = 0; a < m_network.area_count; ++a) m_memory.areas[a].came = m_memory.areas[a].lost = 0;
  m_memory.resources.clear_statistics(m_network);
  const NetworkMeasures& measures = m_memory.measures;
  const int levels = NetworkMeasures::level_count(m_network);
  for (int i = 0; i < levels * m_network.number_limit_count; ++i) measures.over[i] = 0;
  for (int i = 0; i < levels * m_network.period_count; ++i) measures.periods[i] = {};
}

}  // namespace sporos::models
