// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/markov_chain.hpp>
#include <sporos/core/replication/replication_length.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/replication/series_model.hpp>
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

/// M/M/1 queue, empty at time 0, simulated customer by customer (Lindley's recursion). It is the queue of Aloui and
/// Ourbih-Tari (2011), The use of refined descriptive sampling and applications in parallel Monte Carlo simulation, and
/// of Passerat-Palmbach et al. (2011), Warp-level parallelism: enabling multiple replications in parallel on GPU.
///
/// A replication ends when `customers` customers have been served, or at time `horizon`; the other of the two
/// must be 0. `Real` is double, or a Dual for derivatives (pathwise.hpp).
template <class Real = double>
struct BasicMM1 {
  static constexpr std::string_view name = "mm1";                            ///< name on the command line
  static constexpr std::string_view title = "M/M/1 queue, initially empty";  ///< title in lists

  Real arrival_rate;       ///< λ > 0, customers per unit of time
  Real service_rate;       ///< μ > 0, customers per unit of time
  std::int64_t customers;  ///< customers in a replication; 0 if the horizon ends it
  Real horizon;            ///< duration of a replication; 0 if the number of customers ends it

  /// Input variables, each with one draw per customer.
  enum Input { interarrival, service, input_count };

  static constexpr bool warps_on_hosts = true;  ///< Serial and OpenMP compile a kernel for Mapping::warp

  /// Responses:
  /// - time in queue, time in system: averages over the customers who arrive in the replication, each observed to its
  ///   end even after the horizon; 0 if nobody arrives;
  /// - idle time: total time during which the server is idle;
  /// - queue length: time average of the number waiting.
  ///
  /// A replication by customers ends when the last one departs. Because its duration is random, the queue length is
  /// then estimated as the ratio of the mean area under it to the mean duration.
  static constexpr auto response_names = std::array{"time in queue", "time in system", "idle time", "queue length"};

  /// Parameters of the densities of interarrival and service times.
  static constexpr auto scored_parameters = std::array{"arrival_rate", "service_rate"};

  /// Control variates made from the inputs.
  static constexpr auto control_names = std::array{"interarrival times", "service times"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    constexpr auto check_count = [](std::string_view parameter, std::int64_t value) {
      check_non_negative(parameter, static_cast<double>(value));
    };
    return std::tuple{
        Parameter<BasicMM1, Real>{"arrival_rate", &BasicMM1::arrival_rate, 0.5, "1/time", "customers arriving",
                                  check_rate},
        Parameter<BasicMM1, Real>{"service_rate", &BasicMM1::service_rate, 1.0, "1/time",
                                  "customers served while the server is busy", check_rate},
        Parameter<BasicMM1, std::int64_t>{"customers", &BasicMM1::customers, 10000, "",
                                          "customers in a replication; 0 if `horizon` is given", check_count},
        Parameter<BasicMM1, Real>{"horizon", &BasicMM1::horizon, 0.0, "time",
                                  "duration of a replication; 0 if `customers` is given", check_non_negative}};
  }

  /// Optimization problems over this model.
  static std::vector<DescribedProblem> problems() {
    return {{.name = "mm1",
             .title = "service rate of a queue: time in system plus cost of the service rate",
             .source = "SimOpt, MM1, without its warm-up: the first 200 customers",
             .decisions = {{"service_rate", 0.01, std::numeric_limits<double>::infinity(), 5,
                            "exponential(0.3333333333333333)"}},
             .objective = "time in system + 0.1 * service_rate^2",
             .parameters = {{"arrival_rate", 1.5}, {"customers", 200}},
             .budget = 1000,
             .optimum = KnownOptimum{.kind = OptimumKind::exact,
                                     .value = 1.54359094,
                                     .x = {2.81249184},
                                     .source = "Markov chain of the numbers in system found by the first customers"},
             .is_smooth = true,
             .is_convex = true,
             .has_unbiased_path = true}};
  }

  /// Throws std::invalid_argument if the parameters are invalid.
  void check() const {
    check_parameters(*this);
    if (customers == 0 && horizon == 0) {
      throw std::invalid_argument("customers and horizon are both 0, expected one of them to end the replication");
    }
    if (customers > 0 && horizon > 0) {
      throw std::invalid_argument("customers and horizon are both given, expected one of them to be 0");
    }
    if (customers > 0) check_steps("customers", customers);
    check_expected_steps("number of arrivals up to the horizon", arrival_rate * horizon);
  }

  /// Range of a response: times are non-negative, idle time is at most the horizon, and a single customer does not
  /// wait.
  ResponseRange response_range(int response) const {
    if (customers == 1 && (response == 0 || response == 3)) return ResponseRange::constant(0);
    return response == 2 && customers == 0 ? ResponseRange{0, horizon} : ResponseRange{.least = 0};
  }

  /// For a replication by n customers, returns the queue length as a ratio of means: n · time in queue / (idle time +
  /// n · (time in system − time in queue)).
  std::vector<RatioOfMeans> ratios() const {
    if (customers < 2) return {};
    const auto n = static_cast<double>(customers);
    return {{3, {0, {{0, n}}}, {0, {{2, 1}, {1, n}, {0, -n}}}}};
  }

  /// Returns the exact means for this run length from an empty queue. In a replication by customers, the queue length
  /// is the ratio of the mean area to the mean duration. Returns nothing if the queue is still far from equilibrium
  /// after a million customers, or if a replication by horizon is too long (mm1_exact_means.hpp).
  ExactMeans<BasicMM1> exact_means() const;

  /// Number of draws: one of each input variable per customer; 0, which stands for unknown, in a replication by
  /// horizon.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 2> input_draws() const { return {{{customers}, {customers}}}; }

  /// Interarrival and service times are exponential, so most draws take a logarithm.
  static constexpr auto draw_transform = DrawTransform::logarithm;

  /// Replications run in SIMD lanes if all of them serve the same number of customers.
  KOKKOS_FUNCTION bool runs_in_lanes() const { return customers > 0; }

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs, Real>, 4> operator()(Inputs& inputs) const;

  /// State of a series (core/replication/series.hpp).
  struct SeriesState {
    double wait;  ///< wait of the next customer; 0 for the first
  };
  /// A series has one observation per customer and starts with an empty queue. It regenerates at each customer who does
  /// not wait, because such a customer finds the queue as the first one does.
  static constexpr ObservedSeries<2, 2> observed_series{
      {"time in queue", "time in system"}, {"customers", "horizon"}, true};

  /// Returns the stationary means ρ / (μ − λ) and 1 / (μ − λ).
  std::array<std::optional<double>, 2> series_means() const {
    const double spare = value_of(service_rate) - value_of(arrival_rate);
    return {value_of(arrival_rate) / value_of(service_rate) / spare, 1 / spare};
  }

  /// Throws std::invalid_argument if the queue has no steady state, that is, λ >= μ.
  void check_series() const {
    if (value_of(arrival_rate) < value_of(service_rate)) return;
    throw std::invalid_argument("arrival_rate is " + std::to_string(value_of(arrival_rate)) +
                                ", expected less than service_rate, " + std::to_string(value_of(service_rate)) +
                                ": the queue has no steady state");
  }

  /// Names of the Markov chain (core/replication/markov_chain.hpp). It starts with a customer who finds the queue
  /// empty.
  static constexpr ChainNames chain_names{"number in system", "a busy cycle"};
  /// Returns the chain of the number of customers, with one step per event.
  BusyCycle chain() const { return {value_of(arrival_rate), value_of(service_rate), 1, BusyCycle::endless}; }
  /// Returns the probability that `level` customers are present before the system is empty.
  std::optional<double> exact_reach(double level) const { return chain().exact_reach(level); }

  /// Response of the chain for array-RQMC (core/replication/array_chain.hpp): the wait of one customer after another.
  static constexpr std::string_view array_response = "time in queue";
  /// Step of the chain.
  static constexpr std::string_view array_step = "customer";
  /// Returns the chain, which starts with an empty queue.
  WaitChain array_chain(std::int64_t) const { return {value_of(arrival_rate), value_of(service_rate)}; }
  /// Returns the mean wait of customer `steps` + 1: the difference of the total waits of `steps` + 1 and of `steps`
  /// customers.
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

  /// Starts a series: the first customer arrives at an empty queue. The arrival time does not matter, but is drawn so
  /// that all later draws are those of a replication with the same customers.
  template <class Inputs>
  KOKKOS_FUNCTION SeriesState begin_series(Inputs& inputs) const {
    exponential_by_mean(inputs(interarrival), 1.0 / arrival_rate);
    return {0};
  }

  /// Observes the next customers (Lindley's recursion).
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

/// The queue with double parameters.
using MM1 = BasicMM1<>;

template <class Real>
template <class Inputs>
KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs, Real>, 4> BasicMM1<Real>::operator()(Inputs& inputs) const {
  using math::max, math::min;
  using Number = NumberIn<Inputs, Real>;
  const Real mean_gap = 1.0 / arrival_rate, mean_service = 1.0 / service_rate;
  const Real end = customers > 0 ? Real(never) : horizon;
  const std::int64_t most = customers > 0 ? customers : INT64_MAX;

  Number arrival = 0, departure = 0;  // times of the latest customer
  Number wait = 0, stay = 0, idle = 0, queue_area = 0;
  std::int64_t arrived = 0;
  for (; arrived < most; ++arrived) {
    arrival += exponential_by_mean(inputs(interarrival), mean_gap);
    const auto stands_idle = arrival > departure;
    if (math::any(stands_idle)) idle += math::select(stands_idle, min(arrival, end) - min(departure, end), 0.0);
    if (math::any(arrival >= end)) break;  // never in SIMD lanes, where a number of customers ends the replication
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
