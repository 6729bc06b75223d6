// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/markov_chain.hpp>
#include <sporos/core/replication/replication_length.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/replication/series_model.hpp>
#include <sporos/models/queues/busy_cycle.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::models {

/// M/M/c/k queue of Cheng (2014), Massively parallel programming in statistical optimization & simulation, section 4:
/// Poisson arrivals, exponential service times, c servers and at most k customers in the system. A customer who finds
/// the system full is lost.
///
/// By default, a replication observes the queue in equilibrium, for the mean time in which `customers` customers
/// arrive. It starts with a number of customers drawn from the stationary distribution and ends at a fixed time. The
/// time averages are therefore unbiased for any length.
///
/// With `from_empty`, a replication is that of Cheng (2014): it starts empty, admits `customers` customers and ends
/// when the last of them has left. Its time averages are over this random duration. They differ from the stationary
/// ones by a term of order 1 / customers.
struct MMCK {
  static constexpr std::string_view name = "mmck";  ///< name on the command line
  static constexpr std::string_view title =
      "M/M/c/k queue: c servers, at most k customers in the system";  ///< title in lists

  double arrival_rate;     ///< λ > 0, arrivals per unit of time
  double service_rate;     ///< μ > 0, customers served per unit of time and busy server
  std::int64_t servers;    ///< number of servers c >= 1
  std::int64_t capacity;   ///< k >= c, maximum number of customers waiting and in service
  std::int64_t customers;  ///< expected number of arrivals, lost ones included; from empty, the number admitted

  /// With 1, from empty until the last of `customers` admitted customers has left; with 0, in equilibrium.
  std::int64_t from_empty = 0;

  /// Input variables. `initial_number` has one draw (none from empty), `interarrival` one per arrival, `service` one
  /// per departure and per change of the number of busy servers.
  enum Input { initial_number, interarrival, service, input_count };

  static constexpr bool warps_on_hosts = true;  ///< Serial and OpenMP compile a kernel for Mapping::warp

  /// Time averages over a replication, except the mean wait. The mean wait is the time average of the queue divided by
  /// the rate of admitted customers (Little's law). A replication returns the ratio of its own values; the estimate is
  /// the ratio of means (see ratios). From empty, the mean wait is the average over the admitted customers, and all
  /// estimates are averages over replications, as in Cheng (2014).
  static constexpr auto response_names =
      std::array{"mean number in system", "blocking probability", "mean wait", "utilization"};

  /// Control variates made from the inputs.
  static constexpr auto control_names = std::array{"initial number", "interarrival times", "service times"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    return std::tuple{
        Parameter<MMCK, double>{"arrival_rate", &MMCK::arrival_rate, 4.0, "1/time", "customers arriving", check_rate},
        Parameter<MMCK, double>{"service_rate", &MMCK::service_rate, 1.0, "1/time", "customers served by a busy server",
                                check_rate},
        Parameter<MMCK, std::int64_t>{"servers", &MMCK::servers, 3, "", "number of servers c", check_positive_integer},
        Parameter<MMCK, std::int64_t>{"capacity", &MMCK::capacity, 5, "", "maximum number of customers in the system k",
                                      check_steps},
        Parameter<MMCK, std::int64_t>{"customers", &MMCK::customers, 2000, "",
                                      "expected arrivals, including lost customers", check_steps},
        Parameter<MMCK, std::int64_t>{
            "from_empty", &MMCK::from_empty, 0, "",
            "1: start empty, end when `customers` admitted customers have left; 0: start in equilibrium",
            check_zero_or_one}};
  }

  /// Optimization problems over this model.
  static std::vector<DescribedProblem> problems() {
    return {{.name = "staffing",
             .title = "number and speed of servers: cost of servers plus cost of lost customers",
             .source = "Sporos",
             .decisions = {{"servers", 1, 8, 3}, {"service_rate", 0.2, 4, 1}},
             .objective = "servers * (1 + service_rate^2) + 40 * blocking probability",
             .parameters = {{"capacity", 10}, {"customers", 200}},
             .optimum = KnownOptimum{.kind = OptimumKind::exact,
                                     .value = 11.5376539173,
                                     .x = {4, 1.16998301},
                                     .source = "stationary distribution, enumeration of servers"}}};
  }

  /// Throws std::invalid_argument if the parameters are invalid.
  void check() const {
    check_parameters(*this);
    if (capacity < servers) {
      throw std::invalid_argument("capacity is " + std::to_string(capacity) + ", expected at least the " +
                                  std::to_string(servers) + " servers");
    }
  }

  /// Returns the stationary means. From empty, only the mean wait is known: a recursion over the number of customers in
  /// the system at each admission computes the expected area under the queue. There is no result if that would take
  /// more than a second.
  ExactMeans<MMCK> exact_means() const;

  /// Range of a response: numbers up to k, fractions up to 1. Nobody waits if k = c or, from empty, if there are at
  /// most c customers.
  ResponseRange response_range(int response) const {
    if (response == 0) return {0, static_cast<double>(capacity)};
    if (response != 2) return {0, 1};
    const bool waits = capacity > servers && (from_empty == 0 || customers > servers);
    return waits ? ResponseRange{.least = 0} : ResponseRange::constant(0);
  }

  /// Returns the mean wait as a ratio of means: (mean number − c · utilization) / (λ (1 − blocking probability)).
  /// Returns none from empty.
  std::vector<RatioOfMeans> ratios() const {
    if (capacity == servers || from_empty == 1) return {};
    const double all_servers = static_cast<double>(servers);
    return {{2, {0, {{0, 1}, {3, -all_servers}}}, {arrival_rate, {{1, -arrival_rate}}}}};
  }

  /// Whether a GPU uses pre-generated random numbers. They are faster for 300 customers or more, but not for 100
  /// (docs/explanation/threads-and-warps.md, Pre-generated draws).
  bool buffers_draws() const { return customers >= 300; }

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 4> operator()(Inputs& inputs) const;

  /// Returns a number of customers drawn from the stationary distribution by inversion of `u` in (0, 1).
  KOKKOS_FUNCTION std::int64_t stationary_number(double u) const;

  /// State of a series (core/replication/series.hpp).
  struct SeriesState {
    double number;          ///< number of customers in the system
    double next_arrival;    ///< time until the next arrival
    double next_departure;  ///< time until the next departure; `never` if nobody is served
  };
  /// Observations of a series: averages over consecutive intervals of one mean interarrival time. The averages are of
  /// the number, the indicator of a full system, and the fraction of busy servers.
  /// A series does not regenerate, because intervals of time do not start when the system becomes empty.
  static constexpr ObservedSeries<3, 1> observed_series{
      {"mean number in system", "blocking probability", "utilization"}, {"customers"}};

  /// Returns the stationary means.
  std::array<std::optional<double>, 3> series_means() const {
    MMCK stationary = *this;
    stationary.from_empty = 0;
    const auto means = stationary.exact_means();
    return {means[0], means[1], means[3]};
  }

  /// Does nothing: a queue with finite capacity has a steady state.
  void check_series() const {}

  /// Names of the Markov chain (core/replication/markov_chain.hpp). It starts with a customer who finds the system
  /// empty.
  static constexpr ChainNames chain_names{"number in system", "a busy cycle"};
  /// Returns the chain of the number of customers, with one step per event.
  BusyCycle chain() const { return {arrival_rate, service_rate, servers, capacity}; }
  /// Returns the probability that `level` customers are present before the system is empty.
  std::optional<double> exact_reach(double level) const { return chain().exact_reach(level); }

  /// Starts a series with an empty system, or with a number drawn from the stationary distribution.
  template <class Inputs>
  KOKKOS_FUNCTION SeriesState begin_series(Inputs& inputs) const;

  /// Observes the next intervals.
  template <class Inputs, class Series>
  KOKKOS_FUNCTION void observe(SeriesState& state, Inputs& inputs, Series& series) const;

 private:
  static void check_zero_or_one(std::string_view parameter, std::int64_t value) {
    if (value == 0 || value == 1) return;
    throw std::invalid_argument(std::string(parameter) + " is " + std::to_string(value) + ", expected 0 or 1");
  }

  // Mean wait of the admitted customers, from empty.
  std::optional<double> mean_wait_from_empty() const;

  // Mean time to the next departure with `number` customers in the system.
  KOKKOS_FORCEINLINE_FUNCTION double mean_time_to_departure(double number) const {
    const double all_servers = static_cast<double>(servers);
    return 1.0 / service_rate / (number < all_servers ? number : all_servers);
  }

  // Number of customers in service with n in the system.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t busy_servers(std::int64_t n) const { return n < servers ? n : servers; }

  // Stationary probability of n + 1 customers divided by that of n.
  KOKKOS_FORCEINLINE_FUNCTION double ratio_above(std::int64_t n) const {
    return arrival_rate / (service_rate * static_cast<double>(busy_servers(n + 1)));
  }

  // Returns the most probable number. Weights relative to it decrease on both sides, so that none overflows.
  KOKKOS_FUNCTION std::int64_t mode() const {
    const double load = arrival_rate / service_rate;
    if (load >= static_cast<double>(servers)) return capacity;
    return static_cast<std::int64_t>(load);
  }

  // Iterates over all numbers of customers with their weights relative to the mode's: from the mode up, then from the
  // mode down. Weights below the smallest normal number count as 0 and are skipped, because rounding could keep them
  // from ever reaching 0.
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
  const double mean_gap = 1.0 / arrival_rate, mean_service = 1.0 / service_rate;
  // From empty, the replication ends when neither an arrival nor a departure is pending.
  double horizon = from_empty == 1 ? never : static_cast<double>(customers) * mean_gap;
  std::int64_t to_enter = from_empty == 1 ? customers : INT64_MAX;

  // Whole numbers are stored as doubles because the areas are sums of doubles, and conversions cost more than
  // additions.
  const double all_servers = static_cast<double>(servers), most = static_cast<double>(capacity);
  double number = from_empty == 1 ? 0.0 : static_cast<double>(stationary_number(inputs(initial_number)));
  double busy = number < all_servers ? number : all_servers;
  // Mean time to the next departure. With few servers it is tabulated by the number of busy ones, because a division
  // takes a third of the time of an event on a GPU.
  constexpr std::int64_t few = 8;
  double mean_departures[few + 1];
  for (std::int64_t n = 1; n <= busy_servers(few); ++n) mean_departures[n] = mean_service / static_cast<double>(n);
  const bool are_kept = servers <= few && capacity <= UINT32_MAX;
  const auto most_busy = static_cast<std::uint32_t>(servers);
  auto present = static_cast<std::uint32_t>(number);  // used with the table
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
    // The service is memoryless: draw the next departure again after each departure and each start of a service.
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
  SeriesState state{0, exponential_by_mean(inputs(interarrival), 1.0 / arrival_rate), never};
  if (from_empty == 1) return state;
  state.number = static_cast<double>(stationary_number(inputs(initial_number)));
  if (state.number > 0)
    state.next_departure = exponential_by_mean(inputs(service), mean_time_to_departure(state.number));
  return state;
}

// The service is memoryless: the next departure is drawn again after each departure and each start of a service.
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
          state.number > 0 ? exponential_by_mean(inputs(service), mean_time_to_departure(state.number)) : never;
    }
    series.record(number_area / interval, full_time / interval, busy_area / (interval * all_servers));
  }
}

// Between arrivals of admitted customers, the state after one enters is n = 1 … k. Waiting costs (n − c)⁺ per unit of
// time. Let v(n) be the expected cost from there until the end. Before the last customer has entered, the next event at
// n < k is an arrival with probability λ/(λ + μ min(n, c)); at n = k only departures matter.
inline std::optional<double> MMCK::mean_wait_from_empty() const {
  constexpr std::int64_t max_steps = 100'000'000;
  if (capacity > max_steps / customers) return std::nullopt;
  const auto size = static_cast<std::size_t>(capacity) + 1;
  // Expected cost with one customer fewer to come, and with all of them.
  std::vector<double> after(size, 0.0), now(size, 0.0);
  const auto rate = [&](std::size_t n) {
    return service_rate * static_cast<double>(busy_servers(static_cast<std::int64_t>(n)));
  };
  const auto queue = [&](std::size_t n) {
    return std::max(static_cast<double>(n) - static_cast<double>(servers), 0.0);
  };
  for (std::size_t n = 1; n < size; ++n) after[n] = after[n - 1] + queue(n) / rate(n);  // nobody is to come
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
