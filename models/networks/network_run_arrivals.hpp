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

template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::schedule_arrival(int c) {
  const ClassData& data = m_network.classes[c];
  Class& of = m_memory.classes[c];
  if (data.max_arrivals > 0 && of.arrived == data.max_arrivals) return;
  if (has(data.appointments.times.end > data.appointments.times.first)) return schedule_appointment(c);
  if (!data.interarrival.is_given() && data.rates.steps.end == data.rates.steps.first) return;
  auto drawn = pair_of(c, NetworkData::arrivals, of.arrivals++);
  const std::int64_t pair = of.arrivals - 1;
  const double time =
      data.interarrival.is_given()
          ? now() + at_speed(time_of(data.interarrival, drawn.first(), c, Sum::interarrival, pair), of.arrival_speed)
          : time_by_rates(data, of.arrival_speed, exponential_by_mean(drawn.first(), 1.0));
  m_memory.timers.start(arrival_timer(c), time);
}

// Returns the time at which the integral of the rate from now on reaches `left`.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION double NetworkRun<Inputs, Watcher, is_plain>::time_by_rates(const ClassData& data,
                                                                                        double speed,
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
  // The search begins where the step would be if all had the same length.
  int step = first;
  if (has_cycle && end - first > 8) step += static_cast<int>((time - start) * (end - first) / cycle);
  step = step < end ? step : end - 1;
  while (step > first && start + m_network.steps[step].from > time) --step;
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

// Returns the time of appointment n of a class, counting through all cycles. Returns infinity after the last one.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION double NetworkRun<Inputs, Watcher, is_plain>::time_of_appointment(int c, std::int64_t n) const {
  const AppointmentData& data = m_network.classes[c].appointments;
  const std::int64_t count = data.times.end - data.times.first;
  if (n < count) return m_network.appointment_times[data.times.first + n];
  if (!(data.cycle < math::impl::infinity)) return math::impl::infinity;
  const double start = static_cast<double>(n / count) * data.cycle;
  return start < m_network.horizon ? start + m_network.appointment_times[data.times.first + n % count]
                                   : math::impl::infinity;
}

// Whether the customer of appointment n comes.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::comes_to(int c, std::int64_t n) {
  const double no_shows = m_network.classes[c].appointments.no_shows;
  return !(no_shows > 0) || !(double(pair_of(c, NetworkData::appointments, n).second()) < no_shows);
}

// Schedules the next appointment of a class: with lateness, all of them at time 0, because customers may overtake each
// other.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::schedule_appointment(int c) {
  const AppointmentData& data = m_network.classes[c].appointments;
  if (data.lateness.is_given()) return schedule_appointments(c);
  std::int64_t& n = m_memory.classes[c].arrivals;
  double time = time_of_appointment(c, n);
  while (time < m_network.horizon && !comes_to(c, n)) time = time_of_appointment(c, ++n);
  ++n;
  m_memory.timers.start(arrival_timer(c), time > now() ? time : now());
}

template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::schedule_appointments(int c) {
  const AppointmentData& data = m_network.classes[c].appointments;
  for (int n = 0; n < data.count; ++n) {
    if (!comes_to(c, n)) continue;
    const double time = time_of_appointment(c, n) + data.lateness(pair_of(c, NetworkData::appointments, n).first());
    m_memory.timers.start(appointment_timer(data.first_timer + n), time > 0 ? time : 0.0);
  }
}

// Lets the customers of an appointment with lateness enter.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION auto NetworkRun<Inputs, Watcher, is_plain>::keep_appointment(int appointment) -> Move {
  int c = 0;
  while (appointment < m_network.classes[c].appointments.first_timer ||
         appointment >= m_network.classes[c].appointments.first_timer + m_network.classes[c].appointments.count)
    ++c;
  const ClassData& data = m_network.classes[c];
  if (data.max_arrivals == 0 || m_memory.classes[c].arrived < data.max_arrivals)
    arrive(c, appointment - data.appointments.first_timer);
  return {};
}

// Schedules the next arrival of a class and lets the customers of the present one enter.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::arrive(int c) {
  m_memory.customers.prefetch_free();
  arrive(c, m_memory.classes[c].arrivals - 1);
  schedule_arrival(c);
}

// Lets the first customer of batch n of a class enter.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::arrive(int c, std::int64_t n) {
  const ClassData& data = m_network.classes[c];
  Class& of = m_memory.classes[c];
  double batch = 1;
  if (data.batch.is_given()) batch = data.batch(pair_of(c, NetworkData::arrivals, n).second());
  if (data.max_arrivals > 0) {  // the last batch may be truncated
    const double left = static_cast<double>(data.max_arrivals - of.arrived);
    if (batch > left) batch = left;
    of.arrived += static_cast<std::int64_t>(batch);
  }
  // The draws of a customer belong to its appointment, whether or not earlier customers come.
  if (has(data.appointments.times.end > data.appointments.times.first) && !data.batch.is_given())
    of.entered = data.population + n;
  m_batch_class = c;
  m_batch_left = batch - 1;
  m_has_moves = m_batch_left > 0;
  m_entering = c;
}

template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION auto NetworkRun<Inputs, Watcher, is_plain>::add_customer(int c) -> Move {
  Customer customer{};
  customer.entity = std::int64_t{c} << 48 | m_memory.classes[c].entered++;
  const TableRange& enters = m_network.classes[c].enters;
  const double u = is_choice(enters) ? double(pair_of(customer.entity, NetworkData::entries, 0).first()) : 0.0;
  const BranchData& branch = m_network.branches[branch_of(enters, u)];
  const int to = target_of(branch, -1);
  customer.joined = customer.since = now();
  customer.of_class = static_cast<std::int16_t>(branch.becomes < 0 ? c : branch.becomes);
  prefetch(to, customer.of_class);
  customer.station = static_cast<std::int16_t>(to);
  const int number = m_memory.customers.add(customer);
  if (number < 0) return {};
  m_memory.entries[number] = {now(), static_cast<std::int32_t>(m_named++)};
  tell_of(NetworkHappening::arrival, number);
  return {.number = number, .to = to};
}

}  // namespace sporos::models
