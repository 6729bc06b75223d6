// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/replication_length.hpp>
#include <sporos/core/replication/response_properties.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::models {

/// The M/M/c/k queue of paper 000, section 4: Poisson arrivals, exponential service, c servers, at most k customers in
/// the system; whoever finds it full is lost.
///
/// A replication watches the queue in equilibrium for as long as `customers` customers take to arrive on average: it
/// begins with a number of customers drawn from the stationary distribution and ends at a fixed time. So the time
/// averages are estimated without bias by runs of any length. (The paper begins empty and ends when the last
/// customer has left: 7168 replications of 2000 customers then give 3.5745 ± 0.0014 where 3.5831 is exact.)
struct MMCK {
  static constexpr std::string_view name = "mmck";                                             ///< on the command line
  static constexpr std::string_view title = "M/M/c/k queue: c servers, room for k customers";  ///< in lists

  double arrival_rate;     ///< λ > 0, customers a unit of time
  double service_rate;     ///< μ > 0, customers a unit of time and server
  std::int64_t servers;    ///< c >= 1
  std::int64_t capacity;   ///< k >= c, customers waiting and in service
  std::int64_t customers;  ///< expected arrivals in a replication, lost ones included

  /// Input variables. Draws: one initial number, one interarrival time an arrival, one service time for each change of
  /// the number of busy servers and each departure.
  enum Input { initial_number, interarrival, service, input_count };

  /// Time averages over the run, but for the mean wait: the time average of the queue over the rate at which customers
  /// are let in (Little's law). Of a replication it is the ratio of what happened there; its estimate is the ratio of
  /// means (see ratios).
  static constexpr auto response_names =
      std::array{"mean number in system", "blocking probability", "mean wait", "utilization"};

  /// The parameters, described.
  static constexpr auto parameters() {
    return std::tuple{
        Parameter<MMCK, double>{"arrival_rate", &MMCK::arrival_rate, 4.0, "1/time", "customers arriving", check_rate},
        Parameter<MMCK, double>{"service_rate", &MMCK::service_rate, 1.0, "1/time", "customers served by a busy server",
                                check_rate},
        Parameter<MMCK, std::int64_t>{"servers", &MMCK::servers, 3, "", "number of servers c", check_positive_integer},
        Parameter<MMCK, std::int64_t>{"capacity", &MMCK::capacity, 5, "", "most customers in the system k",
                                      check_steps},
        Parameter<MMCK, std::int64_t>{"customers", &MMCK::customers, 2000, "",
                                      "arrivals expected in a replication, lost ones included", check_steps}};
  }

  /// Throws std::invalid_argument for parameters that make no queue.
  void check() const {
    check_parameters(*this);
    if (capacity < servers) {
      throw std::invalid_argument("capacity is " + std::to_string(capacity) + ", expected at least the " +
                                  std::to_string(servers) + " servers");
    }
  }

  /// The stationary means.
  ExactMeans<MMCK> exact_means() const;

  /// Numbers up to k, shares up to 1; no one waits where k = c.
  ResponseRange response_range(int response) const {
    if (response == 0) return {0, static_cast<double>(capacity)};
    if (response != 2) return {0, 1};
    return capacity == servers ? ResponseRange::constant(0) : ResponseRange{.least = 0};
  }

  /// The mean wait: (mean number − c · utilization) / (λ (1 − blocking probability)).
  std::vector<RatioOfMeans> ratios() const {
    if (capacity == servers) return {};
    const double all_servers = static_cast<double>(servers);
    return {{2, {0, {{0, 1}, {3, -all_servers}}}, {arrival_rate, {{1, -arrival_rate}}}}};
  }

  /// One replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 4> operator()(Inputs& inputs) const;

 private:
  // Customers in service where n are in the system.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t busy_servers(std::int64_t n) const { return n < servers ? n : servers; }

  // Stationary probability of n + 1 customers over that of n.
  KOKKOS_FORCEINLINE_FUNCTION double ratio_above(std::int64_t n) const {
    return arrival_rate / (service_rate * static_cast<double>(busy_servers(n + 1)));
  }

  // The most probable number, from which weights fall to both sides, so that none overflows.
  KOKKOS_FUNCTION std::int64_t mode() const {
    const double load = arrival_rate / service_rate;
    if (load >= static_cast<double>(servers)) return capacity;
    return static_cast<std::int64_t>(load);
  }

  // Goes through all numbers of customers with their weights relative to the mode's: from the mode up, then down.
  struct Weights {
    const MMCK& queue;
    std::int64_t mode = queue.mode(), number = mode;
    double weight = 1;

    KOKKOS_FUNCTION bool has_number() const { return number >= 0; }

    KOKKOS_FUNCTION void advance() {
      if (number >= mode && number < queue.capacity) {
        weight *= queue.ratio_above(number++);
        if (weight == 0) number = queue.capacity;  // there is nothing on the way
      } else {
        if (number >= mode) {
          number = mode;
          weight = 1;
        }
        if (--number >= 0) weight /= queue.ratio_above(number);
        if (weight == 0 && number > 0) number = 0;
      }
    }
  };

  KOKKOS_FUNCTION std::int64_t stationary_number(double u) const {
    double total = 0;
    for (Weights at{*this}; at.has_number(); at.advance()) total += at.weight;
    double left = u * total;
    std::int64_t number = 0;
    for (Weights at{*this}; at.has_number() && left > 0; at.advance()) {
      left -= at.weight;
      number = at.number;
    }
    return number;
  }
};

template <class Inputs>
KOKKOS_FUNCTION Kokkos::Array<double, 4> MMCK::operator()(Inputs& inputs) const {
  constexpr double never = 1e300;
  const double mean_gap = 1.0 / arrival_rate, mean_service = 1.0 / service_rate;
  const double horizon = static_cast<double>(customers) * mean_gap;

  // Whole numbers as doubles: sums of areas want them so, and to convert them costs more than to add in doubles.
  const double all_servers = static_cast<double>(servers), most = static_cast<double>(capacity);
  double number = static_cast<double>(stationary_number(inputs(initial_number)));
  double busy = number < all_servers ? number : all_servers;
  double mean_departure = busy > 0 ? mean_service / busy : never;  // from one departure to the next
  double now = 0, next_arrival = exponential_by_mean(inputs(interarrival), mean_gap);
  double next_departure = never;
  if (busy > 0) next_departure = exponential_by_mean(inputs(service), mean_departure);
  double number_area = 0, busy_area = 0, full_time = 0;
  while (true) {
    const bool arrives = next_arrival < next_departure;
    const double next_event = arrives ? next_arrival : next_departure;
    const double spent = (next_event < horizon ? next_event : horizon) - now;
    number_area += spent * number;
    busy_area += spent * busy;
    full_time += number == most ? spent : 0.0;
    if (next_event >= horizon) break;
    now = next_event;
    if (arrives) next_arrival = now + exponential_by_mean(inputs(interarrival), mean_gap);
    if (arrives && number == most) continue;
    number += arrives ? 1.0 : -1.0;
    // Without memory, the next departure is drawn anew whenever one has happened or a server has begun to work.
    if (arrives && busy == all_servers) continue;
    const double busy_before = busy;
    busy = number < all_servers ? number : all_servers;
    if (busy == 0) {
      next_departure = never;
      continue;
    }
    if (busy != busy_before) mean_departure = mean_service / busy;
    next_departure = now + exponential_by_mean(inputs(service), mean_departure);
  }
  const double entered = arrival_rate * (horizon - full_time);
  return {{number_area / horizon, full_time / horizon, entered > 0 ? (number_area - busy_area) / entered : 0.0,
           busy_area / (horizon * static_cast<double>(servers))}};
}

inline ExactMeans<MMCK> MMCK::exact_means() const {
  double total = 0, number = 0, busy = 0, full = 0;
  for (Weights at{*this}; at.has_number(); at.advance()) {
    total += at.weight;
    number += at.weight * static_cast<double>(at.number);
    busy += at.weight * static_cast<double>(busy_servers(at.number));
    if (at.number == capacity) full = at.weight;
  }
  const double entering = arrival_rate * (1 - full / total);
  return {number / total, full / total, (number - busy) / total / entering,
          busy / total / static_cast<double>(servers)};
}

}  // namespace sporos::models
