// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/linear_algebra/least.hpp>
#include <sporos/core/linear_algebra/select.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/optimizers/frank_wolfe/screening.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::impl {

/// The sorted places of all repetitions, cut into those of each.
template <class Places, class Offsets>
struct RowCutter {
  Places places;
  Offsets offsets;
  std::int64_t count, dimension;

  KOKKOS_FUNCTION void operator()(std::int64_t repetition) const {
    offsets(repetition) = count_below(places, count, repetition * dimension);
  }
};

/// The least upper bounds of groups of coordinates.
template <class ExecutionSpace, class Screen>
struct GroupBounder {
  Screen screen;
  AxisVertices<ExecutionSpace> vertices;
  Iterates<ExecutionSpace> bounds;
  std::int64_t dimension, groups;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t repetition = i / groups, group = i % groups;
    double least = Located{}.value;
    for (std::int64_t j = group; j < dimension; j += groups) {
      const double bound = vertices.amount(j) * screen.upper(repetition, j);
      least = bound < least ? bound : least;
    }
    bounds(repetition, group) = least;
  }
};

/// What the least is sure not to exceed: of the groups' bounds the one that as many as `witnesses` do not exceed, so
/// that one of these is a coordinate that still shrinks; and 0 where the origin is a vertex.
template <class ExecutionSpace>
struct ThresholdFinder {
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  static constexpr std::int64_t width = runs_on_host<ExecutionSpace> ? 64 : 1;  // groups of a thread

  Iterates<ExecutionSpace> bounds;
  Vector<ExecutionSpace> thresholds;
  std::int64_t groups, witnesses;
  bool has_origin;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const auto repetition = static_cast<std::int64_t>(team.league_rank());
    const double* of = &bounds(repetition, 0);
    double threshold = -Located{}.value;
    for (std::int64_t w = 0; w < witnesses; ++w) {
      double next;
      Kokkos::parallel_reduce(
          Kokkos::TeamThreadRange(team, (groups + width - 1) / width),
          [&](std::int64_t part, double& least) {
            const double here = least_above(threshold, of + part * width, smaller(width, groups - part * width));
            least = smaller(here, least);
          },
          Kokkos::Min<double, typename ExecutionSpace::memory_space>(next));
      threshold = next;
    }
    Kokkos::single(Kokkos::PerTeam(team),
                   [&]() { thresholds(repetition) = has_origin && threshold > 0 ? 0 : threshold; });
  }

  /// The least of `count` numbers that exceed `floor`, in lanes that a host computes side by side.
  KOKKOS_FUNCTION static double least_above(double floor, const double* numbers, std::int64_t count) {
    constexpr std::int64_t lanes = width < 8 ? width : 8;
    double least[lanes];
    for (double& of_lane : least) of_lane = Located{}.value;
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      for (std::int64_t lane = 0; lane < lanes; ++lane) {
        const double number = numbers[i + lane] > floor ? numbers[i + lane] : Located{}.value;
        least[lane] = smaller(number, least[lane]);
      }
    }
    for (; i < count; ++i) least[0] = numbers[i] > floor ? smaller(numbers[i], least[0]) : least[0];
    for (std::int64_t lane = 1; lane < lanes; ++lane) least[0] = smaller(least[lane], least[0]);
    return least[0];
  }

  template <class Number>
  KOKKOS_FORCEINLINE_FUNCTION static Number smaller(Number a, Number b) {
    return a < b ? a : b;
  }
};

/// Whether a coordinate may win.
template <class ExecutionSpace, class Screen>
struct CandidateTest {
  Screen screen;
  AxisVertices<ExecutionSpace> vertices;
  Vector<ExecutionSpace> thresholds;
  std::int64_t dimension;

  KOKKOS_FUNCTION bool operator()(std::int64_t place) const {
    const std::int64_t repetition = place / dimension, j = place % dimension;
    const double lower = vertices.amount(j) * screen.lower(repetition, j), threshold = thresholds(repetition);
    // The bracket and the iterations round differently.
    constexpr double slack = 1e-12;
    return !(lower > threshold + slack * (threshold < 0 ? -threshold : threshold));  // what is no number is looked at
  }
};

/// The iterations of a window, by one team for each repetition.
template <class ExecutionSpace, class Screen>
struct WindowRunner {
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;

  Screen screen;
  AxisVertices<ExecutionSpace> vertices;
  Candidates<ExecutionSpace> candidates;
  ScreeningWindow window;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    for (std::int64_t i = 0; i < window.iterations; ++i) iterate(team, window.step(i));
  }

  KOKKOS_FUNCTION void iterate(const Team& team, double step) const {
    const auto repetition = static_cast<std::int64_t>(team.league_rank());
    const std::int64_t begin = candidates.offsets(repetition), end = candidates.offsets(repetition + 1);
    Located best;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, begin, end),
        [&](std::int64_t c, Located& least) {
          const double key = candidates.amounts(c) * screen.partial(repetition, c, candidates.x(c));
          const Located here{key == key ? key : -Located{}.value, c};
          if (here.comes_before(least)) least = here;
        },
        Least<typename ExecutionSpace::memory_space>(best));
    const bool is_origin = best.index >= end || (vertices.has_origin && !(best.value < 0));
    const double amount = is_origin ? 0 : amount_towards(best);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, begin, end), [&](std::int64_t c) {
      candidates.x(c) = (1 - step) * candidates.x(c) + (c == best.index ? step * amount : 0);
    });
    screen.move(team, repetition, step, is_origin ? -1 : best.index, amount);
    team.team_barrier();
  }

  // A derivative that is no number makes the iterate none, for all to see.
  KOKKOS_FORCEINLINE_FUNCTION double amount_towards(const Located& best) const {
    const double amount = candidates.amounts(best.index);
    return best.value > -Located{}.value ? amount : best.value - best.value;
  }
};

/// All coordinates shrink; the candidates' are known better.
template <class ExecutionSpace>
struct Shrinker {
  Iterates<ExecutionSpace> x;
  double shrinkage;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    double& coordinate = x.data()[place];
    if (coordinate != 0) coordinate *= shrinkage;
  }
};

/// The candidates' coordinates and vertices.
template <class ExecutionSpace>
struct CandidateTaker {
  Iterates<ExecutionSpace> x;
  AxisVertices<ExecutionSpace> vertices;
  Candidates<ExecutionSpace> candidates;

  KOKKOS_FUNCTION void operator()(std::int64_t c) const {
    const std::int64_t place = candidates.places(c);
    candidates.x(c) = x.data()[place];
    candidates.amounts(c) = vertices.amount(place % static_cast<std::int64_t>(x.extent(1)));
  }
};

/// The candidates' coordinates, back into the iterates.
template <class ExecutionSpace>
struct CandidateReturner {
  Iterates<ExecutionSpace> x;
  Candidates<ExecutionSpace> candidates;

  KOKKOS_FUNCTION void operator()(std::int64_t c) const { x.data()[candidates.places(c)] = candidates.x(c); }
};

}  // namespace sporos::impl
