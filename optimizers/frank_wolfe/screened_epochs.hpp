// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/team_policy.hpp>
#include <sporos/core/linear_algebra/least.hpp>
#include <sporos/core/linear_algebra/select.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/optimizers/frank_wolfe/problem.hpp>
#include <sporos/optimizers/frank_wolfe/regions/budget.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

/// Frank–Wolfe over a budget with one look at all coordinates for many iterations: safe screening.
///
/// The vertices of {x >= 0, aᵀx <= C} are the points C/a_j on the axes, so an iteration needs one thing of the
/// gradient: where (C/a_j) ∂_j f̂ is least. Over a window of iterations with steps known beforehand all coordinates but
/// a few shrink by a known factor, and the partial derivatives move little. One pass over the sample therefore brackets
/// each of them for the whole window; coordinates whose lower bound lies above what the least is sure not to exceed
/// cannot win, and the iterations look at the others alone. The iterates are those of plain Frank–Wolfe.
///
/// The window grows and shrinks with the number of candidates it leaves. Several repetitions, each with random numbers
/// of its own, run side by side in the same launches.
namespace sporos {

/// Iterates, one row a repetition.
template <class ExecutionSpace>
using Iterates = Kokkos::View<double**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space>;

/// The polytope {x >= 0, Σ x_j / s_j <= 1} by its vertices s_j e_j and, unless the budget must be spent, the origin.
template <class ExecutionSpace>
struct AxisVertices {
  double limit = 1;                   ///< C
  ConstVector<ExecutionSpace> costs;  ///< a_j > 0; without extent where all are 1
  bool has_origin = true;             ///< whether the origin is one of them

  /// s_j = C / a_j.
  KOKKOS_FORCEINLINE_FUNCTION double amount(std::int64_t j) const {
    return costs.extent(0) > 0 ? limit / costs(j) : limit;
  }
};

/// The window of iterations that a screening is for: iteration i of it takes the step 2 / (first + i + 2).
struct ScreeningWindow {
  std::int64_t first;       ///< the step rule's index of its first iteration
  std::int64_t iterations;  ///< in it

  /// The step of its i-th iteration.
  KOKKOS_FORCEINLINE_FUNCTION double step(std::int64_t i) const { return 2.0 / static_cast<double>(first + i + 2); }

  /// What is left of a coordinate after `count` iterations in which no vertex lay on its axis: Π (1 − step).
  KOKKOS_FORCEINLINE_FUNCTION double shrinkage(std::int64_t count) const {
    double product = 1;
    for (std::int64_t i = 0; i < count; ++i) product *= 1 - step(i);
    return product;
  }
};

/// The coordinates that may win, repetition after repetition, each in the order of its coordinates.
template <class ExecutionSpace>
struct Candidates {
  Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space> places;  ///< repetition · dimension + coordinate
  Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>
      offsets;                     ///< of each repetition's first, and the end
  Vector<ExecutionSpace> x;        ///< their coordinates of the iterates
  Vector<ExecutionSpace> amounts;  ///< of the vertices on their axes
  std::int64_t count = 0;          ///< of all of them
};

namespace impl {

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

}  // namespace impl

/// A problem's part in screening, for all repetitions at once.
///
/// - `bracket(x, seeds, sample, window, vertices)`: looks at the sample once, at the iterates x, each repetition under
/// its
///   seed.
/// - `load(seeds, sample, candidates)`: prepares what `partial` needs of these.
/// - `witnesses(iterations)`: among how many coordinates, at least, one keeps below its upper bound during a window.
/// - `on_device()`: a function object for kernels with `lower(repetition, j)` and `upper(repetition, j)`, the bracket
/// of ∂_j
///   f̂ during the window; `partial(repetition, c, x_j)`, the derivative by candidate c at its coordinate x_j; and
///   `move(team, repetition, step, c, amount)`, called by all of a team, the step towards `amount` on candidate c's
///   axis, or to the origin where c < 0.
template <class Screen>
concept ProblemScreen =
    requires(Screen& screen, const Iterates<typename Screen::execution_space>& x,
             const Kokkos::View<std::uint64_t*, typename Screen::execution_space::memory_space>& seeds,
             const SampleRange& sample, const ScreeningWindow& window,
             const AxisVertices<typename Screen::execution_space>& vertices,
             const Candidates<typename Screen::execution_space>& candidates) {
  screen.bracket(x, seeds, sample, window, vertices);
  screen.load(seeds, sample, candidates);
  { screen.witnesses(window.iterations) } -> std::convertible_to<std::int64_t>;
  screen.on_device();
};

/// A problem that can be screened, if `screen(repetitions)` has a value.
template <class Problem>
concept ScreenableProblem = StochasticProblem<Problem> && requires(const Problem& problem) {
  requires ProblemScreen<std::remove_cvref_t<decltype(*problem.screen(1))>>;
};

/// Runs epochs of Frank–Wolfe with known steps over a budget for one or several repetitions.
template <ProblemScreen Screen>
class ScreenedEpochs {
 public:
  using execution_space = typename Screen::execution_space;     ///< where it runs
  using memory_space = typename execution_space::memory_space;  ///< where the iterates lie

  /// For iterates that `x` holds, each repetition under a seed of its own.
  ScreenedEpochs(const execution_space& space, Screen screen, const Budget<execution_space>& region,
                 const Iterates<execution_space>& x, const Kokkos::View<std::uint64_t*, memory_space>& seeds);

  /// Takes `iterations` steps 2 / (first + i + 2) on this sample. `first` counts over all epochs, or starts anew in
  /// each.
  void run(const SampleRange& sample, std::int64_t first, std::int64_t iterations);

  /// Iterations that the next look at all coordinates will be for: part of the state of a run.
  std::int64_t window() const { return m_window; }
  /// Goes on with a window, as the one before left it.
  void set_window(std::int64_t iterations) { m_window = iterations; }

 private:
  std::int64_t repetitions() const { return static_cast<std::int64_t>(m_x.extent(0)); }
  std::int64_t dimension() const { return static_cast<std::int64_t>(m_x.extent(1)); }
  Kokkos::RangePolicy<execution_space, Kokkos::IndexType<std::int64_t>> range(std::int64_t size) const {
    return {m_space, 0, size};
  }

 public:
  /// The launches of a window, one after the other; public only because nvcc wants it of what holds kernels.
  void find_thresholds(const ScreeningWindow& window);
  /// The second.
  void select_candidates();
  /// The third.
  void iterate(const ScreeningWindow& window);

 private:
  void adapt_window(std::int64_t iterations_left_after);

  static constexpr std::int64_t most_groups = 1024;

  execution_space m_space;
  Screen m_screen;
  AxisVertices<execution_space> m_vertices;
  Iterates<execution_space> m_x;
  Kokkos::View<std::uint64_t*, memory_space> m_seeds;
  Iterates<execution_space> m_bounds;
  Vector<execution_space> m_thresholds;
  Candidates<execution_space> m_candidates;
  std::int64_t m_window = 1;
};

template <ProblemScreen Screen>
ScreenedEpochs<Screen>::ScreenedEpochs(const execution_space& space, Screen screen,
                                       const Budget<execution_space>& region, const Iterates<execution_space>& x,
                                       const Kokkos::View<std::uint64_t*, memory_space>& seeds)
    : m_space(space),
      m_screen(std::move(screen)),
      m_vertices{region.limit(), region.costs(), !region.must_be_met()},
      m_x(x),
      m_seeds(seeds) {
  m_bounds =
      Iterates<execution_space>("sporos::frank_wolfe::group_bounds", repetitions(), std::min(dimension(), most_groups));
  m_thresholds = Vector<execution_space>("sporos::frank_wolfe::thresholds", repetitions());
  const auto coordinates = static_cast<std::size_t>(repetitions() * dimension());
  m_candidates.places = decltype(m_candidates.places)("sporos::frank_wolfe::candidate_places", coordinates);
  m_candidates.offsets = decltype(m_candidates.offsets)("sporos::frank_wolfe::candidate_offsets", repetitions() + 1);
}

template <ProblemScreen Screen>
void ScreenedEpochs<Screen>::run(const SampleRange& sample, std::int64_t first, std::int64_t iterations) {
  for (std::int64_t done = 0; done < iterations;) {
    const ScreeningWindow window{first + done, std::min(m_window, iterations - done)};
    m_screen.bracket(m_x, m_seeds, sample, window, m_vertices);
    find_thresholds(window);
    select_candidates();
    m_screen.load(m_seeds, sample, m_candidates);
    iterate(window);
    done += window.iterations;
    adapt_window(iterations);
  }
}

template <ProblemScreen Screen>
void ScreenedEpochs<Screen>::find_thresholds(const ScreeningWindow& window) {
  const auto screen = m_screen.on_device();
  const std::int64_t witnesses = m_screen.witnesses(window.iterations);
  // Of 4 w random groups' least bounds the w-th is hardly above the w-th of all bounds. A device wants more threads.
  const std::int64_t wanted = runs_on_host<execution_space> ? 4 * witnesses : most_groups;
  const std::int64_t groups = std::min({dimension(), wanted, most_groups});
  Kokkos::parallel_for(
      "sporos::frank_wolfe::group_bounds", range(repetitions() * groups),
      impl::GroupBounder<execution_space, decltype(screen)>{screen, m_vertices, m_bounds, dimension(), groups});
  Kokkos::parallel_for(
      "sporos::frank_wolfe::thresholds", team_policy(m_space, repetitions()),
      impl::ThresholdFinder<execution_space>{m_bounds, m_thresholds, groups, witnesses, m_vertices.has_origin});
}

template <ProblemScreen Screen>
void ScreenedEpochs<Screen>::select_candidates() {
  const auto screen = m_screen.on_device();
  auto& [places, offsets, x, amounts, count] = m_candidates;
  count = select_indices(
      m_space, repetitions() * dimension(),
      impl::CandidateTest<execution_space, decltype(screen)>{screen, m_vertices, m_thresholds, dimension()}, places);
  Kokkos::parallel_for("sporos::frank_wolfe::candidate_offsets", range(repetitions() + 1),
                       impl::RowCutter<decltype(m_candidates.places), decltype(m_candidates.offsets)>{
                           m_candidates.places, m_candidates.offsets, count, dimension()});
  if (static_cast<std::int64_t>(x.extent(0)) < count) {
    for (Vector<execution_space>* of : {&x, &amounts}) {
      *of = Vector<execution_space>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::frank_wolfe::candidates"),
                                    static_cast<std::size_t>(2 * count));
    }
  }
}

template <ProblemScreen Screen>
void ScreenedEpochs<Screen>::iterate(const ScreeningWindow& window) {
  const auto screen = m_screen.on_device();
  Kokkos::parallel_for("sporos::frank_wolfe::take_candidates", range(m_candidates.count),
                       impl::CandidateTaker<execution_space>{m_x, m_vertices, m_candidates});
  Kokkos::parallel_for("sporos::frank_wolfe::iterate", team_policy(m_space, repetitions()),
                       impl::WindowRunner<execution_space, std::remove_cv_t<decltype(screen)>>{screen, m_vertices,
                                                                                               m_candidates, window});
  Kokkos::parallel_for("sporos::frank_wolfe::shrink", range(repetitions() * dimension()),
                       impl::Shrinker<execution_space>{m_x, window.shrinkage(window.iterations)});
  Kokkos::parallel_for("sporos::frank_wolfe::put_candidates", range(m_candidates.count),
                       impl::CandidateReturner<execution_space>{m_x, m_candidates});
}

// In candidates in an iteration, a look at all coordinates costs about 2 for each, and its launches 1000 (2 of 2.6 GHz
// cores, 25 replications).
template <ProblemScreen Screen>
void ScreenedEpochs<Screen>::adapt_window(std::int64_t most) {
  const std::int64_t look = 2 * repetitions() * dimension() + 1000, work = m_candidates.count * m_window;
  if (work > look) m_window = std::max<std::int64_t>(m_window / 2, 1);
  if (4 * work < look) m_window = std::min(2 * m_window, most);
}

}  // namespace sporos
