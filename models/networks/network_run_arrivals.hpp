// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/models/networks/network_run.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// @file
/// Arrivals of customers in a network: members of NetworkRun.

namespace sporos::models {

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::schedule_arrival(int c) {
  const ClassData& data = m_network.classes[c];
  const double speed = m_classes[c].arrival_speed;
  if (data.max_arrivals > 0 && m_classes[c].arrived == data.max_arrivals) return;
  double time = math::impl::infinity;
  if (data.interarrival.is_given() || data.rates.steps.end > data.rates.steps.first) {
    const auto drawn = pair_of(c, NetworkData::arrivals, m_classes[c].arrivals++);
    time = data.interarrival.is_given() ? now() + duration_of(data.interarrival, drawn.first()) / speed
                                        : time_by_rates(data, speed, exponential_by_mean(drawn.first(), 1.0));
  }
  m_calendar.schedule(time, {Step::arrival, static_cast<std::int16_t>(c)});
}

// Returns the time at which the integral of the rate from now on reaches `left`.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION double NetworkRun<Inputs, Watcher>::time_by_rates(const ClassData& data, double speed,
                                                                  double left) const {
  const auto [first, end] = data.rates.steps;
  const double cycle = data.rates.cycle;
  const bool has_cycle = cycle < math::impl::infinity;
  double start = has_cycle ? ::floor(now() / cycle) * cycle : 0.0;
  double time = now();
  if (has_cycle) {
    const double cycles = ::floor(left / (speed * data.rates.integral));
    left -= cycles * speed * data.rates.integral;
    start += cycles * cycle;
    time += cycles * cycle;
  }
  int step = first;
  while (step + 1 < end && start + m_network.steps[step + 1].from <= time) ++step;
  for (;;) {
    const double rate = speed * m_network.steps[step].value;
    const double until = step + 1 < end ? start + m_network.steps[step + 1].from
                         : has_cycle    ? start + cycle
                                        : math::impl::infinity;
    if (rate > 0 && left <= rate * (until - time)) return time + left / rate;
    if (until >= m_network.horizon) return math::impl::infinity;
    if (rate > 0 && until > time) left -= rate * (until - time);
    time = until;
    if (++step == end) {
      step = first;
      start += cycle;
    }
  }
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::arrive(int c) {
  const ClassData& data = m_network.classes[c];
  double batch = 1;
  if (data.batch.is_given())
    batch = duration_of(data.batch, pair_of(c, NetworkData::arrivals, m_classes[c].arrivals - 1).second());
  if (data.max_arrivals > 0) {  // the last batch may be truncated
    const double left = static_cast<double>(data.max_arrivals - m_classes[c].arrived);
    if (batch > left) batch = left;
    m_classes[c].arrived += static_cast<std::int64_t>(batch);
  }
  schedule_arrival(c);
  for (double i = 0; i < batch && !is_over(); ++i) add_customer(c);
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::add_customer(int c) {
  Customer customer{};
  customer.entity = std::int64_t{c} << 48 | m_classes[c].entered++;
  const TableRange& enters = m_network.classes[c].enters;
  const double u = is_choice(enters) ? double(pair_of(customer.entity, NetworkData::entries, 0).first()) : 0.0;
  const BranchData& branch = m_network.branches[branch_of(enters, u)];
  const int to = target_of(branch);
  customer.entered = customer.joined = customer.since = now();
  customer.of_class = static_cast<std::uint8_t>(branch.becomes < 0 ? c : branch.becomes);
  customer.station = static_cast<std::uint8_t>(to);
  customer.server = -1;
  customer.name = m_named++;
  const int number = m_customers.add(customer);
  if (number < 0) return;
  tell(NetworkHappening::arrival, customer);
  if (is_full(to)) {
    lose(number);
  } else {
    join(number, to);
  }
}

}  // namespace sporos::models
