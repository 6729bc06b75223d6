// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/replication_length.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/models/queues/busy_cycle.hpp>
#include <sporos/models/queues/mm1_exact_means.hpp>
#include <sporos/models/queues/wait_chain.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::models {

/// The M/M/1 queue of papers 001 and 003, empty at time 0, customer by customer (Lindley's recursion): watched until
/// `customers` customers have been served, or for a time `horizon`; the other of the two is 0. `Real` is double, or a
/// Dual where derivatives are wanted (pathwise.hpp).
template <class Real = double>
struct BasicMM1 {
  static constexpr std::string_view name = "mm1";                                             ///< on the command line
  static constexpr std::string_view title = "M/M/1 queue, from empty, by customers or time";  ///< in lists

  Real arrival_rate;       ///< λ > 0, customers a unit of time
  Real service_rate;       ///< μ > 0, customers a unit of time
  std::int64_t customers;  ///< customers in a replication; 0 where the horizon ends it
  Real horizon;            ///< duration of a replication; 0 where the customers end it

  /// Input variables. Draws: one of each a customer.
  enum Input { interarrival, service, input_count };

  static constexpr bool warps_on_hosts = true;  ///< Serial and OpenMP have a kernel for Mapping::warp

  /// Time in queue and in system: averages over the customers who arrive in the run, each observed to its end even
  /// where that lies behind the horizon; 0 where no one arrives. Idle time: the total time in which the server stands
  /// idle. Queue length: time average of the number waiting. A run by customers ends with the last one's departure; as
  /// its duration is random, the queue length is then estimated as the ratio of the mean area under it to the mean
  /// duration.
  static constexpr auto response_names = std::array{"time in queue", "time in system", "idle time", "queue length"};

  /// Both rates enter by the densities of interarrival and service times.
  static constexpr auto scored_parameters = std::array{"arrival_rate", "service_rate"};

  /// What control variates are made of the inputs.
  static constexpr auto control_names = std::array{"interarrival times", "service times"};

  /// The parameters, described.
  static constexpr auto parameters() {
    constexpr auto check_count = [](std::string_view parameter, std::int64_t value) {
      check_non_negative(parameter, static_cast<double>(value));
    };
    return std::tuple{Parameter<BasicMM1, Real>{"arrival_rate", &BasicMM1::arrival_rate, 0.5, "1/time",
                                                "customers arriving", check_rate},
                      Parameter<BasicMM1, Real>{"service_rate", &BasicMM1::service_rate, 1.0, "1/time",
                                                "customers served while there are any", check_rate},
                      Parameter<BasicMM1, std::int64_t>{"customers", &BasicMM1::customers, 10000, "",
                                                        "customers in a replication; 0 with a horizon", check_count},
                      Parameter<BasicMM1, Real>{"horizon", &BasicMM1::horizon, 0.0, "time",
                                                "duration of a replication; 0 with customers", check_non_negative}};
  }

  /// What is optimized over it.
  static std::vector<DescribedProblem> problems() {
    return {{.name = "mm1",
             .title = "rate of service of a queue: short stays against the cost of speed",
             .source = "SimOpt, MM1, without its warm-up: the first 200 customers",
             .decisions = {{"service_rate", 0.01, std::numeric_limits<double>::infinity(), 5,
                            "exponential(0.3333333333333333)"}},
             .objective = "time in system + 0.1 * service_rate^2",
             .parameters = {{"arrival_rate", 1.5}, {"customers", 200}},
             .budget = 1000,
             .optimum = KnownOptimum{.kind = OptimumKind::exact,
                                     .value = 1.54359094,
                                     .x = {2.81249184},
                                     .source = "chain of the numbers found by the first customers"},
             .is_smooth = true,
             .is_convex = true,
             .has_unbiased_path = true}};
  }

  /// Throws std::invalid_argument for parameters that make no run.
  void check() const {
    check_parameters(*this);
    if (customers == 0 && horizon == 0) {
      throw std::invalid_argument("customers and horizon are both 0, expected one of them to end the replication");
    }
    if (customers > 0 && horizon > 0) {
      throw std::invalid_argument("customers and horizon are both given, expected one of them to be 0");
    }
    if (customers > 0) check_steps("customers", customers);
    check_expected_steps("number of customers who arrive until the horizon", arrival_rate * horizon);
  }

  /// No time is negative, nor idle for longer than a horizon; a single customer does not wait.
  ResponseRange response_range(int response) const {
    if (customers == 1 && (response == 0 || response == 3)) return ResponseRange::constant(0);
    return response == 2 && customers == 0 ? ResponseRange{0, horizon} : ResponseRange{.least = 0};
  }

  /// Of a run by n customers, the queue length: n · time in queue / (idle time + n · (time in system − time in queue)).
  std::vector<RatioOfMeans> ratios() const {
    if (customers < 2) return {};
    const auto n = static_cast<double>(customers);
    return {{3, {0, {{0, n}}}, {0, {{2, 1}, {1, n}, {0, -n}}}}};
  }

  /// The means over just this run; for a run by customers, the queue length is the ratio of the mean area to the mean
  /// duration. None where the queue is still far from equilibrium after a million customers, or a run by horizon
  /// (mm1_exact_means.hpp) is too long.
  ExactMeans<BasicMM1> exact_means() const;

  /// One of each a customer; not known in advance in a run by horizon.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 2> input_draws() const { return {{{customers}, {customers}}}; }

  /// Exponential times.
  static constexpr auto draw_transform = DrawTransform::logarithm;

  /// In lanes where all replications serve as many customers.
  KOKKOS_FUNCTION bool runs_in_lanes() const { return customers > 0; }

  /// One replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs, Real>, 4> operator()(Inputs& inputs) const;

  /// Where a run without end stands (core/replication/series.hpp): how long the customer waits who comes next.
  struct SeriesState {
    double wait;  ///< 0 for the first
  };
  /// Of customer by customer, from empty.
  static constexpr auto series_names = std::array{"time in queue", "time in system"};
  /// What ends a replication.
  static constexpr auto series_ignores = std::array{"customers", "horizon"};
  /// A customer who does not wait finds the queue as the first one does.
  static constexpr bool series_regenerates = true;

  /// The stationary means ρ / (μ − λ) and 1 / (μ − λ).
  std::array<std::optional<double>, 2> series_means() const {
    const double spare = value_of(service_rate) - value_of(arrival_rate);
    return {value_of(arrival_rate) / value_of(service_rate) / spare, 1 / spare};
  }

  /// Throws std::invalid_argument where the queue grows without end.
  void check_series() const {
    if (value_of(arrival_rate) < value_of(service_rate)) return;
    throw std::invalid_argument("arrival_rate is " + std::to_string(value_of(arrival_rate)) +
                                ", expected less than service_rate, " + std::to_string(value_of(service_rate)) +
                                ": otherwise there is no steady state");
  }

  /// Rare events of a busy cycle (core/replication/markov_chain.hpp).
  static constexpr std::string_view chain_level = "number in system";
  /// From the customer who finds the queue empty on.
  static constexpr std::string_view chain_cycle = "a busy cycle";
  /// The number of customers, event by event.
  BusyCycle chain() const { return {value_of(arrival_rate), value_of(service_rate), 1, BusyCycle::endless}; }
  /// That so many are there before none is.
  std::optional<double> exact_reach(double level) const { return chain().exact_reach(level); }

  /// Arrays of chains (core/replication/array_chain.hpp): the wait of customer after customer.
  static constexpr std::string_view array_response = "time in queue";
  /// After so many of them.
  static constexpr std::string_view array_step = "customer";
  /// From empty.
  WaitChain array_chain(std::int64_t) const { return {value_of(arrival_rate), value_of(service_rate)}; }
  /// The mean wait of customer `steps` + 1: what it adds to that of all before.
  std::optional<double> exact_after(std::int64_t steps) const {
    const auto total = [&](std::int64_t served) -> std::optional<double> {
      const auto means = mm1_means_of_customers(value_of(arrival_rate), value_of(service_rate), served);
      if (!means) return std::nullopt;
      return static_cast<double>(served) * means->time_in_queue;
    };
    const auto before = total(steps), then = total(steps + 1);
    if (!before || !then) return std::nullopt;
    return *then - *before;
  }

  /// The first customer arrives at an empty queue. When does not matter, but is drawn: so every later draw is that of a
  /// replication with the same customers.
  template <class Inputs>
  KOKKOS_FUNCTION SeriesState begin_series(Inputs& inputs) const {
    exponential_by_mean(inputs(interarrival), 1.0 / arrival_rate);
    return {0};
  }

  /// The next customers (Lindley's recursion).
  template <class Inputs, class Series>
  KOKKOS_FUNCTION void observe(SeriesState& state, Inputs& inputs, Series& series) const {
    const double mean_gap = 1.0 / arrival_rate, mean_service = 1.0 / service_rate;
    while (series.goes_on()) {
      if (state.wait == 0) series.regenerate();
      const double stay = state.wait + exponential_by_mean(inputs(service), mean_service);
      series.record(state.wait, stay);
      const double lead = stay - exponential_by_mean(inputs(interarrival), mean_gap);
      state.wait = lead > 0 ? lead : 0.0;
    }
  }
};

/// The queue in plain numbers.
using MM1 = BasicMM1<>;

template <class Real>
template <class Inputs>
KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs, Real>, 4> BasicMM1<Real>::operator()(Inputs& inputs) const {
  constexpr double never = 1e300;
  using math::max, math::min;
  using Number = NumberIn<Inputs, Real>;
  const Real mean_gap = 1.0 / arrival_rate, mean_service = 1.0 / service_rate;
  const Real end = customers > 0 ? Real(never) : horizon;
  const std::int64_t most = customers > 0 ? customers : INT64_MAX;

  Number arrival = 0, departure = 0;  // of the latest customer
  Number wait = 0, stay = 0, idle = 0, queue_area = 0;
  std::int64_t arrived = 0;
  for (; arrived < most; ++arrived) {
    arrival += exponential_by_mean(inputs(interarrival), mean_gap);
    const auto stands_idle = arrival > departure;
    if (math::any(stands_idle)) idle += math::select(stands_idle, min(arrival, end) - min(departure, end), 0.0);
    if (math::any(arrival >= end)) break;  // in no lane: they serve customers
    const Number start = max(arrival, departure);
    departure = start + exponential_by_mean(inputs(service), mean_service);
    queue_area += min(start, end) - arrival;
    wait += start - arrival;
    stay += departure - arrival;
  }
  const Number duration = customers > 0 ? departure : Number(horizon);
  const auto average = [&](const Number& total) {
    return arrived > 0 ? total / static_cast<double>(arrived) : Number(0);
  };
  return {{average(wait), average(stay), idle, queue_area / duration}};
}

template <class Real>
ExactMeans<BasicMM1<Real>> BasicMM1<Real>::exact_means() const {
  const auto means = customers > 0 ? mm1_means_of_customers(arrival_rate, service_rate, customers)
                                   : mm1_means_until(arrival_rate, service_rate, horizon);
  if (!means) return {};
  return {means->time_in_queue, means->time_in_system, means->idle_time, means->queue_length};
}

}  // namespace sporos::models
