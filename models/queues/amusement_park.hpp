// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/events/calendar.hpp>
#include <sporos/core/events/failure.hpp>
#include <sporos/core/events/time_average.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace sporos::models {

/// Tourists in a park with seven attractions (AMUSEMENTPARK of SimOpt). They arrive at each attraction as a Poisson
/// process, move from one attraction to another, and leave if a queue is full. The decision variables are the places in
/// the queues.
///
/// An attraction serves one tourist at a time, for an Erlang time with two phases, in order of arrival. A served
/// tourist joins the queue of another attraction or of the same one, or leaves the park with probability 0.2.
///
/// SimOpt calls 1/9 a rate, but uses it as the mean of a phase. In its program, the service of a tourist who moves to
/// an idle attraction begins at the next end of a service elsewhere, or never if there is none; here it begins
/// immediately. Its average number in the park omits the time after the last event of the day.
struct AmusementPark {
  static constexpr std::string_view name = "amusement-park";  ///< name on the command line
  static constexpr std::string_view title =
      "tourists in a park; those who find a queue full leave";  ///< title in lists

  static constexpr int attractions = 7;  ///< number of attractions

  std::int64_t places_1;  ///< places in the queue of attraction 1
  std::int64_t places_2;  ///< places in the queue of attraction 2
  std::int64_t places_3;  ///< places in the queue of attraction 3
  std::int64_t places_4;  ///< places in the queue of attraction 4
  std::int64_t places_5;  ///< places in the queue of attraction 5
  std::int64_t places_6;  ///< places in the queue of attraction 6
  std::int64_t places_7;  ///< places in the queue of attraction 7
  std::int64_t room;      ///< maximum total number of places
  double arrival_rate;    ///< arrival rate of tourists at each attraction
  double phase_mean;      ///< mean of a phase of service
  double length;          ///< length of the day

  /// Input variables. `interarrival` and `first_attraction` have one draw per tourist, `phase` two per service,
  /// `next_attraction` one per completed service.
  enum Input { interarrival, first_attraction, phase, next_attraction, input_count };

  /// Number of tourists who found a queue full, their fraction of all arrivals, and time-average number in the park.
  static constexpr auto response_names = std::array{"lost", "share lost", "number in park"};

  /// An event: a tourist arrives or has been served.
  struct Event {
    /// Kind of an event.
    enum class Kind { arrival, service };
    Kind kind;    ///< kind of the event
    int station;  ///< index of the attraction, from 0
  };
  /// Names of the kinds in traces.
  static constexpr auto event_names = std::array{"arrival", "service"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    using P = AmusementPark;
    constexpr auto check_places = [](std::string_view parameter, std::int64_t value) {
      sporos::impl::check_parameter(value >= 0 && value <= 1'000'000, parameter, static_cast<double>(value),
                                    "a whole number from 0 to 1000000");
    };
    const auto places = [&](std::string_view parameter, std::int64_t P::*member) {
      return Parameter<P, std::int64_t>{parameter,   member, 50, "", "places in the queue of this attraction",
                                        check_places};
    };
    constexpr auto check_to_a_million = [](std::string_view parameter, double value) {
      sporos::impl::check_parameter(value > 0 && value <= 1e6, parameter, value,
                                    "a positive number of at most 1000000");
    };
    constexpr auto check_phase = [](std::string_view parameter, double value) {
      sporos::impl::check_parameter(value >= 1e-6 && value <= 1e6, parameter, value,
                                    "a number from 0.000001 to 1000000");
    };
    return std::tuple{
        places("places_1", &P::places_1),
        places("places_2", &P::places_2),
        places("places_3", &P::places_3),
        places("places_4", &P::places_4),
        places("places_5", &P::places_5),
        places("places_6", &P::places_6),
        places("places_7", &P::places_7),
        Parameter<P, std::int64_t>{"room", &P::room, 350, "", "maximum total number of places", check_places},
        Parameter<P, double>{"arrival_rate", &P::arrival_rate, 1.0, "1/min", "tourists arriving at each attraction",
                             check_to_a_million},
        Parameter<P, double>{"phase_mean", &P::phase_mean, 1.0 / 9, "min",
                             "mean duration of each of the two service phases", check_phase},
        Parameter<P, double>{"length", &P::length, 480.0, "min", "length of the day", check_to_a_million}};
  }

  /// Optimization problems over this model. check() enforces the limit of 350 places.
  static std::vector<DescribedProblem> problems() {
    DescribedProblem one{.name = "amusement-1",
                         .title = "350 places divided among seven queues to minimize lost tourists",
                         .source = "SimOpt, AMUSEMENTPARK-1, with immediate service at idle attractions",
                         .objective = "lost",
                         .budget = 100};
    // Upper bound: 20 000 replications at x give at most 325.7 (99.9 %). Lower bound for any places: a lost tourist has
    // arrived or moved on, and was neither served nor is still there. Thus with weights w <= 1 of attractions and the
    // routing matrix p, the mean number lost is at least Σ wᵢ arrivalsᵢ - Σ cⱼ servedⱼ - room - Σ wᵢ, where
    // cⱼ = wⱼ - Σ pⱼᵢ wᵢ. With w = 2/3 for attractions 1 to 4 and 1 for the others, c is 1/3 for attractions 5 to 7 and
    // 0 for the others. Attractions 5 to 7 serve at most as many as a renewal process. The bound, 204.583, is loose.
    one.optimum = KnownOptimum{.kind = OptimumKind::certified,
                               .value = 265.2,
                               .x = {15, 15, 15, 15, 120, 120, 50},
                               .source = "upper bound from x, loose lower bound from a balance of tourists",
                               .half_width = 60.7};
    for (int attraction = 1; attraction <= attractions; ++attraction)
      one.decisions.push_back({"places_" + std::to_string(attraction), 0, 350, attraction == 1 ? 344.0 : 1.0});
    return {one};
  }

  /// Throws std::invalid_argument if a parameter is out of range or if there are more places than `room`.
  void check() const {
    check_parameters(*this);
    std::int64_t needed = 0;
    const auto all = queue_places();
    for (int i = 0; i < attractions; ++i) needed += all[i];
    if (needed <= room) return;
    throw std::invalid_argument("there are " + std::to_string(needed) + " places, expected at most room, " +
                                std::to_string(room));
  }

  /// Range of a response: non-negative numbers and a fraction.
  ResponseRange response_range(int response) const {
    return response == 1 ? ResponseRange{0, 1} : ResponseRange{.least = 0};
  }

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(Inputs& inputs) const {
    // Cumulative probabilities of moving to attractions 1 to 6 from each attraction; up to 0.8 it is 7, beyond it the
    // exit.
    constexpr double up_to[attractions][attractions - 1] = {
        {0.1, 0.2, 0.3, 0.4, 0.6, 0.8}, {0.1, 0.2, 0.3, 0.4, 0.6, 0.8}, {0.1, 0.2, 0.3, 0.4, 0.6, 0.8},
        {0.1, 0.2, 0.3, 0.4, 0.6, 0.8}, {0.1, 0.2, 0.3, 0.4, 0.4, 0.5}, {0.1, 0.2, 0.3, 0.4, 0.5, 0.5},
        {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}};
    constexpr double stay = 0.8;
    const auto most = queue_places();
    std::int64_t queue[attractions] = {0, 0, 0, 0, 0, 0, 0};
    bool is_busy[attractions] = {false, false, false, false, false, false, false};
    Calendar<Event, attractions + 1> calendar;
    TimeAverage present;
    double came = 0, lost = 0;
    const auto schedule_arrival = [&] {
      const double gap = exponential_by_mean(inputs(interarrival), 1 / (attractions * arrival_rate));
      const double place = attractions * standard_variate<StandardUniform>(inputs(first_attraction));
      calendar.schedule(calendar.now() + gap, {Event::Kind::arrival, static_cast<int>(place)});
    };
    const auto serve = [&](int station) {
      const double first = exponential_by_mean(inputs(phase), phase_mean);
      const double second = exponential_by_mean(inputs(phase), phase_mean);
      calendar.schedule(calendar.now() + (first + second), {Event::Kind::service, station});
    };
    const auto enter = [&](int station) {
      if (!is_busy[station]) {
        is_busy[station] = true;
        serve(station);
      } else if (queue[station] < most[station]) {
        ++queue[station];
      } else {
        lost += 1;
        present.add(calendar.now(), -1);
      }
    };
    schedule_arrival();
    while (calendar.next_time() < length && calendar.next(inputs)) {
      const Event event = calendar.event();
      const int here = event.station;
      if (event.kind == Event::Kind::arrival) {
        came += 1;
        present.add(calendar.now(), 1);
        schedule_arrival();
        enter(here);
        continue;
      }
      if (queue[here] > 0) {
        --queue[here];
        serve(here);
      } else {
        is_busy[here] = false;
      }
      const double u = standard_variate<StandardUniform>(inputs(next_attraction));
      int next = 0;
      while (next < attractions - 1 && u >= up_to[here][next]) ++next;
      if (u < stay) {
        enter(next);
      } else {
        present.add(calendar.now(), -1);
      }
    }
    return responses_unless_failed<3>({{lost, came > 0 ? lost / came : 0.0, present.average(length)}}, calendar);
  }

 private:
  KOKKOS_FUNCTION Kokkos::Array<std::int64_t, attractions> queue_places() const {
    return {{places_1, places_2, places_3, places_4, places_5, places_6, places_7}};
  }
};

}  // namespace sporos::models
