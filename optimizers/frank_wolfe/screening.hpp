// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

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

/// A problem's part in screening, for all repetitions at once.
///
/// - `bracket(x, seeds, sample, window, vertices)`: looks at the sample once, at the iterates x, each repetition under
///   its seed.
/// - `load(seeds, sample, candidates)`: prepares what `partial` needs of these.
/// - `witnesses(iterations)`: among how many coordinates, at least, one keeps below its upper bound during a window.
/// - `on_device()`: a function object for kernels with `lower(repetition, j)` and `upper(repetition, j)`, the bracket
///   of ∂_j f̂ during the window; `partial(repetition, c, x_j)`, the derivative by candidate c at its coordinate x_j;
///   and `move(team, repetition, step, c, amount)`, called by all of a team, the step towards `amount` on candidate c's
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

}  // namespace sporos
