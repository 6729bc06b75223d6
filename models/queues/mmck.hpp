// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/replication_length.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/models/queues/busy_cycle.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::models {

/// The M/M/c/k queue of paper 000, section 4: Poisson arrivals, exponential service, c servers, at most k customers in
/// the system; whoever finds it full is lost.
///
/// A replication watches the queue in equilibrium for as long as `customers` customers take to arrive on average: it
/// begins with a number of customers drawn from the stationary distribution and ends at a fixed time. So the time
/// averages are estimated without bias by runs of any length.
///
/// Or it is the paper's (`from_empty`): it begins empty, lets in `customers` customers, then no more, and ends when the
/// last of them has left. Its time averages are those over this run, whose duration is random, and differ from the
/// stationary ones by a term of the order 1 / customers.
struct MMCK {
  static constexpr std::string_view name = "mmck";                                             ///< on the command line
  static constexpr std::string_view title = "M/M/c/k queue: c servers, room for k customers";  ///< in lists

  double arrival_rate;     ///< λ > 0, customers a unit of time
  double service_rate;     ///< μ > 0, customers a unit of time and server
  std::int64_t servers;    ///< c >= 1
  std::int64_t capacity;   ///< k >= c, customers waiting and in service
  std::int64_t customers;  ///< expected arrivals in a replication, lost ones included; from empty, those let in

  /// 1 for a run from empty until the last of `customers` that were let in has left, 0 for one in equilibrium.
  std::int64_t from_empty = 0;

  /// Input variables. Draws: one initial number (none from empty), one interarrival time an arrival, one service time
  /// for each change of the number of busy servers and each departure.
  enum Input { initial_number, interarrival, service, input_count };

  static constexpr bool warps_on_hosts = true;  ///< Serial and OpenMP have a kernel for Mapping::warp

  /// Time averages over the run, but for the mean wait: the time average of the queue over the rate at which customers
  /// are let in (Little's law). Of a replication it is the ratio of what happened there; its estimate is the ratio of
  /// means (see ratios). From empty it is the average over the customers let in, and all estimates are averages of
  /// replications, as in the paper.
  static constexpr auto response_names =
      std::array{"mean number in system", "blocking probability", "mean wait", "utilization"};

  /// What control variates are made of the inputs.
  static constexpr auto control_names = std::array{"initial number", "interarrival times", "service times"};

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
                                      "arrivals expected in a replication, lost ones included", check_steps},
        Parameter<MMCK, std::int64_t>{"from_empty", &MMCK::from_empty, 0, "",
                                      "1: from empty until the last of so many customers, let in, has left; 0: in "
                                      "equilibrium",
                                      check_zero_or_one}};
  }

  /// What is optimized over it.
  static std::vector<DescribedProblem> problems() {
    return {{.name = "staffing",
             .title = "servers and their speed: their cost against customers lost",
             .source = "Sporos",
             .decisions = {{"servers", 1, 8, 3}, {"service_rate", 0.2, 4, 1}},
             .objective = "servers * (1 + service_rate^2) + 40 * blocking probability",
             .parameters = {{"capacity", 10}, {"customers", 200}},
             .optimum = KnownOptimum{.kind = OptimumKind::exact,
                                     .value = 11.5376539173,
                                     .x = {4, 1.16998301},
                                     .source = "stationary distribution, enumeration of servers"}}};
  }

  /// Throws std::invalid_argument for parameters that make no queue.
  void check() const {
    check_parameters(*this);
    if (capacity < servers) {
      throw std::invalid_argument("capacity is " + std::to_string(capacity) + ", expected at least the " +
                                  std::to_string(servers) + " servers");
    }
  }

  /// The stationary means. From empty, the mean wait alone: by the expected area under the queue, from each number of
  /// customers in the system at the arrival of each who is let in (nothing where that would take more than a second).
  ExactMeans<MMCK> exact_means() const;

  /// Numbers up to k, shares up to 1; no one waits where k = c, nor, from empty, of at most c customers.
  ResponseRange response_range(int response) const {
    if (response == 0) return {0, static_cast<double>(capacity)};
    if (response != 2) return {0, 1};
    const bool waits = capacity > servers && (from_empty == 0 || customers > servers);
    return waits ? ResponseRange{.least = 0} : ResponseRange::constant(0);
  }

  /// The mean wait: (mean number − c · utilization) / (λ (1 − blocking probability)). None from empty.
  std::vector<RatioOfMeans> ratios() const {
    if (capacity == servers || from_empty == 1) return {};
    const double all_servers = static_cast<double>(servers);
    return {{2, {0, {{0, 1}, {3, -all_servers}}}, {arrival_rate, {{1, -arrival_rate}}}}};
  }

  /// On a GPU it is faster from 300 customers on, and with 100 it is not (docs/gpu.md).
  bool draws_ahead() const { return customers >= 300; }

  /// One replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 4> operator()(Inputs& inputs) const;

  /// The number of customers in the system, from the stationary distribution by inversion of `u` in (0, 1).
  KOKKOS_FUNCTION std::int64_t stationary_number(double u) const;

  /// Where a run without end stands (core/replication/series.hpp).
  struct SeriesState {
    double number;          ///< customers in the system
    double next_arrival;    ///< time until then
    double next_departure;  ///< likewise; never where no one is served
  };
  /// Averages over one mean interarrival time after the other: of the number, of whether the system is full, of the
  /// share of servers that are busy.
  static constexpr auto series_names = std::array{"mean number in system", "blocking probability", "utilization"};
  /// What ends a replication.
  static constexpr auto series_ignores = std::array{"customers"};
  /// Intervals of time do not begin where the system is empty.
  static constexpr bool series_regenerates = false;

  /// The stationary means.
  std::array<std::optional<double>, 3> series_means() const {
    MMCK stationary = *this;
    stationary.from_empty = 0;
    const auto means = stationary.exact_means();
    return {means[0], means[1], means[3]};
  }

  /// A queue with room for a finite number of customers has a steady state.
  void check_series() const {}

  /// Rare events of a busy cycle (core/replication/markov_chain.hpp).
  static constexpr std::string_view chain_level = "number in system";
  /// From the customer who finds the queue empty on.
  static constexpr std::string_view chain_cycle = "a busy cycle";
  /// The number of customers, event by event.
  BusyCycle chain() const { return {arrival_rate, service_rate, servers, capacity}; }
  /// That so many are there before none is.
  std::optional<double> exact_reach(double level) const { return chain().exact_reach(level); }

  /// Empty, or with a number drawn from the stationary distribution.
  template <class Inputs>
  KOKKOS_FUNCTION SeriesState begin_series(Inputs& inputs) const;

  /// The next intervals.
  template <class Inputs, class Series>
  KOKKOS_FUNCTION void observe(SeriesState& state, Inputs& inputs, Series& series) const;

 private:
  static void check_zero_or_one(std::string_view parameter, std::int64_t value) {
    if (value == 0 || value == 1) return;
    throw std::invalid_argument(std::string(parameter) + " is " + std::to_string(value) + ", expected 0 or 1");
  }

  // The mean wait of the customers let in, from empty.
  std::optional<double> mean_wait_from_empty() const;

  // From one departure to the next, where that many customers are in the system.
  KOKKOS_FORCEINLINE_FUNCTION double mean_time_to_departure(double number) const {
    const double all_servers = static_cast<double>(servers);
    return 1.0 / service_rate / (number < all_servers ? number : all_servers);
  }

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

  // Goes through all numbers of customers with their weights relative to the mode's: from the mode up, then down. Those
  // too small for a normal number count as 0, and are passed over: rounding could keep the smallest from ever becoming
  // 0.
  struct Weights {
    static constexpr double least = 2.2250738585072014e-308;

    const MMCK& queue;
    std::int64_t mode = queue.mode(), number = mode;
    double weight = 1;

    KOKKOS_FUNCTION bool has_number() const { return number >= 0; }

    KOKKOS_FUNCTION void advance() {
      if (number >= mode && number < queue.capacity) {
        weight *= queue.ratio_above(number++);
        if (weight < least) weight = 0, number = queue.capacity;
      } else {
        if (number >= mode) {
          number = mode;
          weight = 1;
        }
        if (--number >= 0) weight /= queue.ratio_above(number);
        if (weight < least && number > 0) weight = 0, number = 0;
      }
    }
  };
};

KOKKOS_INLINE_FUNCTION std::int64_t MMCK::stationary_number(double u) const {
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

template <class Inputs>
KOKKOS_FUNCTION Kokkos::Array<double, 4> MMCK::operator()(Inputs& inputs) const {
  constexpr double never = 1e300;
  const double mean_gap = 1.0 / arrival_rate, mean_service = 1.0 / service_rate;
  // From empty, the run ends when neither an arrival nor a departure is to come.
  double horizon = from_empty == 1 ? never : static_cast<double>(customers) * mean_gap;
  std::int64_t to_enter = from_empty == 1 ? customers : INT64_MAX;

  // Whole numbers as doubles: sums of areas want them so, and to convert them costs more than to add in doubles.
  const double all_servers = static_cast<double>(servers), most = static_cast<double>(capacity);
  double number = from_empty == 1 ? 0.0 : static_cast<double>(stationary_number(inputs(initial_number)));
  double busy = number < all_servers ? number : all_servers;
  // From one departure to the next. Of few servers one for each number of busy ones is kept: a division takes a GPU a
  // third of an event.
  constexpr std::int64_t few = 8;
  double mean_departures[few + 1];
  for (std::int64_t n = 1; n <= busy_servers(few); ++n) mean_departures[n] = mean_service / static_cast<double>(n);
  const bool are_kept = servers <= few && capacity <= UINT32_MAX;
  const auto most_busy = static_cast<std::uint32_t>(servers);
  auto present = static_cast<std::uint32_t>(number);  // where they are kept
  const auto mean_departure = [&] {
    return are_kept ? mean_departures[present < most_busy ? present : most_busy] : mean_service / busy;
  };
  double now = 0, next_arrival = exponential_by_mean(inputs(interarrival), mean_gap);
  double next_departure = never;
  if (busy > 0) next_departure = exponential_by_mean(inputs(service), mean_departure());
  double number_area = 0, busy_area = 0, full_time = 0;
  while (true) {
    const bool arrives = next_arrival < next_departure;
    const double next_event = arrives ? next_arrival : next_departure;
    const bool is_over = next_event >= horizon, is_full = number == most;
    const double spent = (is_over ? horizon : next_event) - now;
    number_area += spent * number;
    busy_area += spent * busy;
    full_time += is_full ? spent : 0.0;
    if (is_over) break;
    now = next_event;
    if (arrives) next_arrival = now + exponential_by_mean(inputs(interarrival), mean_gap);
    if (arrives && is_full) continue;
    if (arrives && --to_enter == 0) next_arrival = never;
    number += arrives ? 1.0 : -1.0;
    present += arrives ? 1u : ~0u;
    // Without memory, the next departure is drawn anew whenever one has happened or a server has begun to work.
    if (arrives && busy == all_servers) continue;
    busy = number < all_servers ? number : all_servers;
    next_departure = busy > 0 ? now + exponential_by_mean(inputs(service), mean_departure()) : never;
  }
  if (from_empty == 1) horizon = now;
  const double entered = from_empty == 1 ? static_cast<double>(customers) : arrival_rate * (horizon - full_time);
  return {{number_area / horizon, full_time / horizon, entered > 0 ? (number_area - busy_area) / entered : 0.0,
           busy_area / (horizon * static_cast<double>(servers))}};
}

template <class Inputs>
KOKKOS_FUNCTION MMCK::SeriesState MMCK::begin_series(Inputs& inputs) const {
  SeriesState state{0, exponential_by_mean(inputs(interarrival), 1.0 / arrival_rate), 1e300};
  if (from_empty == 1) return state;
  state.number = static_cast<double>(stationary_number(inputs(initial_number)));
  if (state.number > 0)
    state.next_departure = exponential_by_mean(inputs(service), mean_time_to_departure(state.number));
  return state;
}

// Without memory, the next departure is drawn anew whenever one has happened or a server has begun to work.
template <class Inputs, class Series>
KOKKOS_FUNCTION void MMCK::observe(SeriesState& state, Inputs& inputs, Series& series) const {
  const double interval = 1.0 / arrival_rate;
  const double all_servers = static_cast<double>(servers), most = static_cast<double>(capacity);
  while (series.goes_on()) {
    double left = interval, number_area = 0, busy_area = 0, full_time = 0;
    while (left > 0) {
      const double busy = state.number < all_servers ? state.number : all_servers;
      const bool arrives = state.next_arrival < state.next_departure;
      const double next_event = arrives ? state.next_arrival : state.next_departure;
      const bool is_beyond = next_event >= left;
      const double spent = is_beyond ? left : next_event;
      number_area += spent * state.number;
      busy_area += spent * busy;
      full_time += state.number == most ? spent : 0.0;
      state.next_arrival -= spent;
      state.next_departure -= spent;
      if (is_beyond) break;
      left -= spent;
      if (arrives) state.next_arrival = exponential_by_mean(inputs(interarrival), interval);
      if (arrives && state.number == most) continue;
      state.number += arrives ? 1.0 : -1.0;
      if (arrives && busy == all_servers) continue;
      state.next_departure =
          state.number > 0 ? exponential_by_mean(inputs(service), mean_time_to_departure(state.number)) : 1e300;
    }
    series.record(number_area / interval, full_time / interval, busy_area / (interval * all_servers));
  }
}

// Between arrivals of those let in, the state after one enters is n = 1 … k. The wait costs (n − c)⁺ a unit of time.
// Let v(n) be the expected cost from there until the run ends; before the last has entered, the next event at n < k is
// an arrival with probability λ/(λ + μ min(n, c)), at k only a departure counts.
inline std::optional<double> MMCK::mean_wait_from_empty() const {
  constexpr std::int64_t most_steps = 100'000'000;
  if (capacity > most_steps / customers) return std::nullopt;
  const auto size = static_cast<std::size_t>(capacity) + 1;
  std::vector<double> after(size, 0.0), now(size, 0.0);  // expected cost where one fewer is, and where all are to come
  const auto rate = [&](std::size_t n) {
    return service_rate * static_cast<double>(busy_servers(static_cast<std::int64_t>(n)));
  };
  const auto queue = [&](std::size_t n) {
    return std::max(static_cast<double>(n) - static_cast<double>(servers), 0.0);
  };
  for (std::size_t n = 1; n < size; ++n) after[n] = after[n - 1] + queue(n) / rate(n);  // no one is to come
  for (std::int64_t to_come = 1; to_come <= customers; ++to_come) {
    now[0] = after[1];
    for (std::size_t n = 1; n < size; ++n) {
      const bool is_full = n + 1 == size;
      const double arrivals = is_full ? 0.0 : arrival_rate, all = arrivals + rate(n);
      now[n] = (queue(n) + rate(n) * now[n - 1] + (is_full ? 0.0 : arrivals * after[n + 1])) / all;
    }
    after.swap(now);
  }
  return after[0] / static_cast<double>(customers);
}

inline ExactMeans<MMCK> MMCK::exact_means() const {
  if (from_empty == 1) return {std::nullopt, std::nullopt, mean_wait_from_empty(), std::nullopt};
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
