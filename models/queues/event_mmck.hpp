// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/events/calendar.hpp>
#include <sporos/core/events/failure.hpp>
#include <sporos/core/events/fifo_queue.hpp>
#include <sporos/core/events/resource.hpp>
#include <sporos/core/events/tally.hpp>
#include <sporos/core/events/time_average.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/models/queues/mmck.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace sporos::models {

/// Event-driven simulation of the M/M/c/k queue (MMCK), with a calendar of arrivals and departures, a
/// first-in-first-out line and a resource of servers. A replication is as long as MMCK's, from equilibrium or from
/// empty, and its first four responses have the same expectations. Its draws differ, because each customer has a
/// service time.
///
/// `max_servers` and `room` are the storage for servers and for waiting customers. If a queue exceeds it, the
/// replication ends without responses (core/events/failure.hpp).
template <int max_servers, int room>
struct BasicEventMMCK {
  static constexpr std::string_view name = "event-mmck";  ///< name on the command line
  static constexpr std::string_view title =
      "M/M/c/k queue, as mmck, simulated with an event calendar";  ///< title in lists

  double arrival_rate;          ///< λ > 0, arrivals per unit of time
  double service_rate;          ///< μ > 0, customers served per unit of time and busy server
  std::int64_t servers;         ///< number of servers c, 1 <= c <= max_servers
  std::int64_t capacity;        ///< k >= c, maximum number of customers waiting and in service
  std::int64_t customers;       ///< expected number of arrivals, lost ones included; from empty, the number admitted
  std::int64_t from_empty = 0;  ///< 1: from empty until the last of `customers` has left; 0: in equilibrium

  /// Input variables. `initial_number` has one draw (none from empty), `interarrival` one per arrival, `service` one
  /// per served customer.
  enum Input { initial_number, interarrival, service, input_count };

  /// Responses of MMCK, then the longest wait of a customer whose service began in the replication.
  static constexpr auto response_names =
      std::array{"mean number in system", "blocking probability", "mean wait", "utilization", "longest wait"};

  /// Kinds of events.
  enum class Step { arrival, departure, end };
  /// Names of the kinds in traces.
  static constexpr auto event_names = std::array{"arrival", "departure", "end"};

  using Events = Calendar<Step, max_servers + 2>;  ///< one arrival, the departures, and the end
  using Waiting = FifoQueue<double, room>;         ///< arrival times of waiting customers
  /// Size of the storage of a replication in bytes.
  static constexpr std::size_t storage_bytes = sizeof(Events) + sizeof(Waiting);

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    using Queue = BasicEventMMCK;
    return std::tuple{
        Parameter<Queue, double>{"arrival_rate", &Queue::arrival_rate, 4.0, "1/time", "customers arriving", check_rate},
        Parameter<Queue, double>{"service_rate", &Queue::service_rate, 1.0, "1/time",
                                 "customers served by a busy server", check_rate},
        Parameter<Queue, std::int64_t>{"servers", &Queue::servers, 3, "", "number of servers c", check_servers},
        Parameter<Queue, std::int64_t>{"capacity", &Queue::capacity, 5, "",
                                       "maximum number of customers in the system k", check_steps},
        Parameter<Queue, std::int64_t>{"customers", &Queue::customers, 2000, "",
                                       "expected arrivals, including lost customers", check_steps},
        Parameter<Queue, std::int64_t>{
            "from_empty", &Queue::from_empty, 0, "",
            "1: start empty, end when `customers` admitted customers have left; 0: start in equilibrium", nullptr}};
  }

  /// Returns the same queue as a model by recurrence.
  KOKKOS_FUNCTION MMCK recurrence() const {
    return {arrival_rate, service_rate, servers, capacity, customers, from_empty};
  }

  /// Throws std::invalid_argument if the parameters are invalid.
  void check() const {
    check_parameters(*this);
    recurrence().check();
  }

  /// Returns the exact means of MMCK. The mean of the longest wait is not known.
  ExactMeans<BasicEventMMCK> exact_means() const {
    const auto means = recurrence().exact_means();
    return {means[0], means[1], means[2], means[3], std::nullopt};
  }

  /// Range of a response: as in MMCK; a wait is non-negative.
  ResponseRange response_range(int response) const {
    return response < 4 ? recurrence().response_range(response) : ResponseRange{.least = 0};
  }

  /// Ratios of MMCK.
  std::vector<RatioOfMeans> ratios() const { return recurrence().ratios(); }

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 5> operator()(Inputs& inputs) const;

 private:
  static void check_servers(std::string_view parameter, std::int64_t value) {
    check_positive_integer(parameter, value);
    if (value <= max_servers) return;
    throw std::invalid_argument(std::string(parameter) + " is " + std::to_string(value) + ", expected at most " +
                                std::to_string(max_servers) + ", the limit of the event calendar");
  }
};

/// The queue with enough storage for most uses.
using EventMMCK = BasicEventMMCK<62, 4096>;

template <int max_servers, int room>
template <class Inputs>
KOKKOS_FUNCTION Kokkos::Array<double, 5> BasicEventMMCK<max_servers, room>::operator()(Inputs& inputs) const {
  const double mean_gap = 1.0 / arrival_rate, mean_service = 1.0 / service_rate;
  const bool in_equilibrium = from_empty == 0;
  const double most = static_cast<double>(capacity);
  std::int64_t to_enter = in_equilibrium ? INT64_MAX : customers;

  Events calendar;  // not in one struct with the line, so that a GPU can keep a small calendar in registers
  Waiting waiting;
  const auto schedule_departure = [&](double now) {
    calendar.schedule(now + exponential_by_mean(inputs(service), mean_service), Step::departure);
  };

  Resource busy(static_cast<double>(servers));
  if (in_equilibrium) {
    calendar.schedule(static_cast<double>(customers) * mean_gap, Step::end);
    const std::int64_t present = recurrence().stationary_number(inputs(initial_number));
    for (std::int64_t customer = 0; customer < present; ++customer) {
      if (busy.try_seize(0)) {
        schedule_departure(0);
      } else if (!waiting.push(0)) {
        break;
      }
    }
  }
  TimeAverage line(waiting.size());
  const auto number = [&] { return line.value() + busy.used(); };
  TimeAverage full(number() == most ? 1 : 0);
  Tally waits;
  calendar.schedule(exponential_by_mean(inputs(interarrival), mean_gap), Step::arrival);
  while (waiting.failure() == Failure::none && calendar.next(inputs)) {
    const double now = calendar.now();
    if (calendar.event() == Step::end) break;
    if (calendar.event() == Step::arrival) {
      const bool enters = number() < most;
      to_enter -= enters ? 1 : 0;
      if (to_enter > 0) calendar.schedule(now + exponential_by_mean(inputs(interarrival), mean_gap), Step::arrival);
      if (!enters) continue;
      if (busy.try_seize(now)) {
        waits.add(0);
        schedule_departure(now);
      } else {
        if (!waiting.push(now)) break;
        line.add(now, 1);
      }
      if (number() == most) full.set(now, 1);
    } else {
      if (number() == most) full.set(now, 0);
      if (waiting.is_empty()) {
        busy.release(now);
      } else {
        waits.add(now - waiting.pop());
        line.add(now, -1);
        schedule_departure(now);
      }
    }
  }
  const double end = calendar.now();
  const double entered = in_equilibrium ? arrival_rate * (end - full.area(end)) : static_cast<double>(customers);
  return responses_unless_failed<5>(
      {{line.average(end) + busy.average_used(end), full.average(end), entered > 0 ? line.area(end) / entered : 0.0,
        busy.utilization(end), waits.maximum()}},
      calendar, waiting);
}

}  // namespace sporos::models
