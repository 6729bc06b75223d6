// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/derivatives/longest_path.hpp>
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/score.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/response_properties.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace sporos::models {

namespace impl {

// Number of directions of the duals that a model computes if longest paths can replace them, otherwise 0: in lanes, if
// the draws are not scored. In 13 directions, a core of an AMD EPYC takes 43 instead of 57 ns for a replication
// (bench_gradients --benchmark_filter=serial/network/13).
template <class Inputs, class Number>
inline constexpr int path_directions = 0;
template <class Inputs, int directions>
inline constexpr int path_directions<Inputs, Dual<directions, Pack>> =
    ScoredDraw<decltype(std::declval<Inputs&>()(0))> ? 0 : directions;

}  // namespace impl

/// Stochastic activity network of SimOpt (problems SAN-1 and SAN-2): nine events joined by 13 activities with
/// exponential durations. The decision variables are the mean durations. An event happens when the last activity that
/// leads to it has ended; an activity from i to j begins at event i. `Real` is double, or a Dual for derivatives
/// (pathwise.hpp).
template <class Real = double>
struct BasicActivityNetwork {
  static constexpr std::string_view name = "activity-network";  ///< name on the command line
  static constexpr std::string_view title = "project of 13 activities with exponential durations";  ///< title in lists

  /// An activity from one event to another; events are counted from 1.
  struct Arc {
    int from;  ///< event at which the activity begins
    int to;    ///< event that waits for the activity
  };
  /// The activities, ordered by the event at which they begin.
  static constexpr std::array<Arc, 13> arcs{
      {{1, 2}, {1, 3}, {2, 3}, {2, 4}, {2, 6}, {3, 6}, {4, 5}, {4, 7}, {5, 6}, {5, 8}, {6, 9}, {7, 8}, {8, 9}}};

  Real mean_1_2;  ///< mean duration of the activity from event 1 to event 2
  Real mean_1_3;  ///< mean duration from 1 to 3
  Real mean_2_3;  ///< mean duration from 2 to 3
  Real mean_2_4;  ///< mean duration from 2 to 4
  Real mean_2_6;  ///< mean duration from 2 to 6
  Real mean_3_6;  ///< mean duration from 3 to 6
  Real mean_4_5;  ///< mean duration from 4 to 5
  Real mean_4_7;  ///< mean duration from 4 to 7
  Real mean_5_6;  ///< mean duration from 5 to 6
  Real mean_5_8;  ///< mean duration from 5 to 8
  Real mean_6_9;  ///< mean duration from 6 to 9
  Real mean_7_8;  ///< mean duration from 7 to 8
  Real mean_8_9;  ///< mean duration from 8 to 9

  /// The only input variable. Its draws are the durations in the order of `arcs`.
  enum Input { duration, input_count };

  /// Duration of the project, which is the time of event 9, and the times of two earlier events.
  static constexpr auto response_names = std::array{"duration", "time of event 6", "time of event 8"};

  /// Parameters of the densities of the durations: all means.
  static constexpr auto scored_parameters =
      std::array{"mean_1_2", "mean_1_3", "mean_2_3", "mean_2_4", "mean_2_6", "mean_3_6", "mean_4_5",
                 "mean_4_7", "mean_5_6", "mean_5_8", "mean_6_9", "mean_7_8", "mean_8_9"};

  /// Control variate: the total of the durations, each in units of its mean.
  static constexpr auto control_names = std::array{"total of durations"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    const auto mean = [](std::string_view parameter, Real BasicActivityNetwork::*member) {
      return Parameter<BasicActivityNetwork, Real>{parameter,     member, 1.0, "time", "mean duration of the activity",
                                                   check_positive};
    };
    using N = BasicActivityNetwork;
    return std::tuple{mean("mean_1_2", &N::mean_1_2), mean("mean_1_3", &N::mean_1_3), mean("mean_2_3", &N::mean_2_3),
                      mean("mean_2_4", &N::mean_2_4), mean("mean_2_6", &N::mean_2_6), mean("mean_3_6", &N::mean_3_6),
                      mean("mean_4_5", &N::mean_4_5), mean("mean_4_7", &N::mean_4_7), mean("mean_5_6", &N::mean_5_6),
                      mean("mean_5_8", &N::mean_5_8), mean("mean_6_9", &N::mean_6_9), mean("mean_7_8", &N::mean_7_8),
                      mean("mean_8_9", &N::mean_8_9)};
  }

  /// Optimization problems over this model.
  static std::vector<DescribedProblem> problems() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    DescribedProblem one{.name = "san-1",
                         .title = "mean durations of 13 activities: project duration plus cost of fast activities",
                         .source = "SimOpt, SAN-1",
                         .objective = "duration",
                         .optimum = KnownOptimum{.kind = OptimumKind::exact,
                                                 .value = 18.0492705691,
                                                 .x = {1.03499273, 1.92176789, 1.73298029, 1.14323150, 2.06012802,
                                                       1.54684472, 1.31962898, 1.50836635, 1.58127325, 1.56840028,
                                                       1.22372749, 1.50836635, 1.27623210},
                                                 .source = "recursion over sets of completed activities, L-BFGS"},
                         .is_smooth = true,
                         .is_convex = true,
                         .has_unbiased_path = true};
    for_each_parameter<BasicActivityNetwork>([&](const auto& parameter) {
      const std::string mean(parameter.name);
      // 0.1 and 10 are the 2.5 % and 97.5 % quantiles.
      one.decisions.push_back({mean, 0.01, infinity, 8, "lognormal(0, 1.174788)"});
      one.objective += " + 1 / " + mean;
    });
    DescribedProblem two = one;
    two.name = "san-2";
    two.title = "san-1 with the mean times of two events at most 5";
    two.source = "SimOpt, SAN-2, whose code uses event 7 instead of 6";
    two.constraints = {"time of event 6 <= 5", "time of event 8 <= 5"};
    for (ProblemDecision& decision : two.decisions) decision.high = 100;
    two.optimum = KnownOptimum{
        .kind = OptimumKind::exact,
        .value = 18.5428993,
        .x = {0.7820041292, 1.4632290674, 1.3160363779, 0.8730689731, 1.5634992638, 1.1759537051, 0.9876295486,
              1.2671079532, 1.1866727042, 1.3335206442, 1.2340336832, 1.2671079532, 1.2325159660},
        .source = "recursion over sets of completed activities, Karush-Kuhn-Tucker conditions"};
    DescribedProblem fixed = one;
    fixed.name = "fixedsan-1";
    fixed.source = "SimOpt, FIXEDSAN-1: SAN-1 from another start";
    for (ProblemDecision& decision : fixed.decisions) decision.start = 10;
    return {one, two, fixed};
  }

  /// Throws std::invalid_argument if a mean is not positive.
  void check() const { check_parameters(*this); }

  /// Range of a response: times are non-negative.
  ResponseRange response_range(int) const { return {.least = 0}; }

  /// Returns the mean durations in the order of `arcs`.
  KOKKOS_FUNCTION Kokkos::Array<Real, 13> means() const {
    return {{mean_1_2, mean_1_3, mean_2_3, mean_2_4, mean_2_6, mean_3_6, mean_4_5, mean_4_7, mean_5_6, mean_5_8,
             mean_6_9, mean_7_8, mean_8_9}};
  }

  /// Returns the exact means of all responses, computed by exact_network_times.
  ExactMeans<BasicActivityNetwork> exact_means() const;

  /// Number of draws: one per activity.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 1> input_draws() const { return {{{1, 13}}}; }

  /// Replications can run in SIMD lanes.
  KOKKOS_FUNCTION bool runs_in_lanes() const { return true; }

  /// Responses of a replication: numbers, or the lengths of longest paths.
  template <class Inputs, class Number = NumberIn<Inputs, Real>, int directions = impl::path_directions<Inputs, Number>>
  using Times = std::conditional_t<(directions > 0), PathLengths<static_cast<int>(arcs.size()), directions, 3>,
                                   Kokkos::Array<Number, 3>>;

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION auto operator()(Inputs& inputs) const -> Times<Inputs>;

  /// Variables on which `conditioned` conditions (core/replication/conditional.hpp).
  static constexpr std::string_view conditional_on = "all activities except the last ones before each event";

  /// Simulates the conditional expectation of each response, given all durations except those of some activities that
  /// end at its event: 6–9 and 8–9 for event 9, 3–6 for event 6, 5–8 and 7–8 for event 8.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 3> conditioned(Inputs& inputs) const;

 private:
  // Draws the duration of an activity and adds it to the activities. A lambda would not be inlined.
  template <class Inputs, class Activities>
  struct ActivityDraw {
    Inputs& inputs;
    Activities& activities;

    KOKKOS_FORCEINLINE_FUNCTION LongestPath operator()(const Real& mean) const {
      return activities.add(standard_variate<StandardExponential>(inputs(duration)), mean);
    }
  };

  // Times of the events 9, 6 and 8, as numbers or longest paths. Calls `lasts(mean)` once for each activity, in the
  // order of `arcs`.
  template <class Time, class Lasts>
  KOKKOS_FUNCTION Kokkos::Array<Time, 3> times(const Lasts& lasts) const;

  // E[max(a, b + X)] for exponential X with mean `mean`.
  KOKKOS_FUNCTION static double later_of(double a, double b, double mean) {
    return a > b ? a + mean * math::exp((b - a) / mean) : b + mean;
  }
  // E[max(a + X, b + Y)] for independent exponential X and Y with these means.
  KOKKOS_FUNCTION static double later_of(double a, double mean_x, double b, double mean_y) {
    if (a < b) return later_of(b, mean_y, a, mean_x);
    return a + mean_x + math::exp((b - a) / mean_y) * mean_y * mean_y / (mean_x + mean_y);
  }
};

/// The network with double parameters.
using ActivityNetwork = BasicActivityNetwork<>;

template <class Real>
template <class Inputs>
KOKKOS_FUNCTION auto BasicActivityNetwork<Real>::operator()(Inputs& inputs) const -> Times<Inputs> {
  using Number = NumberIn<Inputs, Real>;
  if constexpr (std::is_same_v<Times<Inputs>, Kokkos::Array<Number, 3>>) {
    return times<Number>([&](const Real& mean) { return exponential_by_mean(inputs(duration), mean); });
  } else {
    Times<Inputs> found;
    found.paths = times<LongestPath>(ActivityDraw<Inputs, decltype(found.activities)>{inputs, found.activities});
    return found;
  }
}

template <class Real>
template <class Time, class Lasts>
KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<Time, 3> BasicActivityNetwork<Real>::times(const Lasts& lasts) const {
  using math::max;
  const Time event_2 = lasts(mean_1_2);
  const Time from_1_to_3 = lasts(mean_1_3);
  const Time event_3 = max(from_1_to_3, event_2 + lasts(mean_2_3));
  const Time event_4 = event_2 + lasts(mean_2_4);
  Time event_6 = event_2 + lasts(mean_2_6);
  event_6 = max(event_6, event_3 + lasts(mean_3_6));
  const Time event_5 = event_4 + lasts(mean_4_5);
  const Time event_7 = event_4 + lasts(mean_4_7);
  event_6 = max(event_6, event_5 + lasts(mean_5_6));
  Time event_8 = event_5 + lasts(mean_5_8);
  const Time event_9 = event_6 + lasts(mean_6_9);
  event_8 = max(event_8, event_7 + lasts(mean_7_8));
  return {{max(event_9, event_8 + lasts(mean_8_9)), event_6, event_8}};
}

template <class Real>
template <class Inputs>
KOKKOS_FUNCTION Kokkos::Array<double, 3> BasicActivityNetwork<Real>::conditioned(Inputs& inputs) const {
  using math::max;
  const auto lasts = [&](const Real& mean) { return exponential_by_mean(inputs(duration), value_of(mean)); };
  const double event_2 = lasts(mean_1_2), from_1_to_3 = lasts(mean_1_3);
  const double event_3 = max(from_1_to_3, event_2 + lasts(mean_2_3));
  const double event_4 = event_2 + lasts(mean_2_4);
  const double from_2_to_6 = event_2 + lasts(mean_2_6);
  const double from_3_to_6 = event_3 + lasts(mean_3_6);
  const double event_5 = event_4 + lasts(mean_4_5);
  const double event_7 = event_4 + lasts(mean_4_7);
  const double before_6 = max(from_2_to_6, event_5 + lasts(mean_5_6));
  const double event_6 = max(before_6, from_3_to_6);
  const double from_5_to_8 = event_5 + lasts(mean_5_8);
  const double event_8 = max(from_5_to_8, event_7 + lasts(mean_7_8));
  return {{later_of(event_6, value_of(mean_6_9), event_8, value_of(mean_8_9)),
           later_of(before_6, event_3, value_of(mean_3_6)),
           later_of(event_5, value_of(mean_5_8), event_7, value_of(mean_7_8))}};
}

/// Returns the exact expected times of events 9, 6 and 8. The recursion over the sets of ended activities follows
/// Kulkarni and Adlakha (1986), Markov and Markov-regenerative PERT networks, Oper. Res. 34: in each state, the next
/// activity to end is one of those under way, with probability proportional to its rate. If `Real` is a Dual, the
/// derivatives are exact as well.
template <class Real>
std::array<Real, 3> exact_network_times(const BasicActivityNetwork<Real>& network) {
  using Model = BasicActivityNetwork<Real>;
  constexpr std::size_t count = Model::arcs.size();
  constexpr int watched[] = {9, 6, 8};
  constexpr std::size_t all = (std::size_t{1} << count) - 1;
  const auto means = network.means();
  const auto has_happened = [](int event, std::size_t ended) {
    for (std::size_t i = 0; i < count; ++i) {
      if (Model::arcs[i].to == event && !(ended >> i & 1)) return false;
    }
    return true;
  };
  // Expected remaining time until each watched event, by the set of ended activities.
  std::vector<std::array<Real, 3>> left(all + 1);
  for (std::size_t ended = all; ended-- > 0;) {
    std::array<Real, 3>& here = left[ended];
    Real rate = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (ended >> i & 1 || !has_happened(Model::arcs[i].from, ended)) continue;
      const Real own = 1.0 / means[i];
      rate += own;
      for (std::size_t event = 0; event < 3; ++event) here[event] += own * left[ended | std::size_t{1} << i][event];
    }
    for (std::size_t event = 0; event < 3; ++event) {
      if (has_happened(watched[event], ended)) {
        here[event] = 0;
      } else {
        here[event] = (1.0 + here[event]) / rate;
      }
    }
  }
  return left[0];
}

template <class Real>
ExactMeans<BasicActivityNetwork<Real>> BasicActivityNetwork<Real>::exact_means() const {
  const auto times = exact_network_times(*this);
  return {value_of(times[0]), value_of(times[1]), value_of(times[2])};
}

}  // namespace sporos::models
