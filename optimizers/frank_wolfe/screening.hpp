// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <vector>

/// Frank–Wolfe over a budget with one look at few coordinates for many iterations: safe screening.
///
/// The vertices of {x >= 0, aᵀx <= C} are the points C/a_j on the axes, so an iteration needs one thing of the
/// gradient: where the key (C/a_j) ∂_j f̂ is least. Coordinates that cannot have the least key are left out in two
/// steps.
///
/// Before anything is drawn: every ∂_j f̂ has a floor below which no sample and no x takes it. Coordinates are kept in
/// the order of their floors' keys, and those whose floor lies above a guess of what the least key will not exceed are
/// not even drawn. The guess comes from the window before, with a margin; a look that finds it too low is repeated with
/// a better one, so that the guess decides how much is drawn and nothing else.
///
/// After one pass over the sample of the others: over a window of iterations with steps known beforehand all
/// coordinates but a few shrink by a known factor, and the partial derivatives move little. The pass brackets each of
/// them for the whole window; coordinates whose lower bound lies above what the least is sure not to exceed cannot win,
/// and the iterations look at the others alone. The iterates are those of plain Frank–Wolfe.
///
/// The window grows and shrinks with the number of candidates it leaves. Several repetitions, each with random numbers
/// of its own, run side by side in the same launches.
namespace sporos {

/// Iterates, one row a repetition.
template <class ExecutionSpace>
using Iterates = Kokkos::View<double**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space>;

/// The polytope {x >= 0, Σ x_j / s_j <= 1} by its vertices s_j e_j and, unless the budget must be spent, the origin.
struct AxisVertices {
  double limit = 1;               ///< C
  const double* costs = nullptr;  ///< a_j > 0; null where all are 1
  bool has_origin = true;         ///< whether the origin is one of them

  /// a_j.
  KOKKOS_FORCEINLINE_FUNCTION double cost(std::int64_t j) const { return costs != nullptr ? costs[j] : 1; }
  /// s_j = C / a_j.
  KOKKOS_FORCEINLINE_FUNCTION double amount(std::int64_t j) const { return limit / cost(j); }
};

/// The window of iterations that a screening is for: iteration i of it takes the step 2 / (first + i + 2).
struct ScreeningWindow {
  std::int64_t first;       ///< the step rule's index of its first iteration
  std::int64_t iterations;  ///< in it

  /// The step of its i-th iteration.
  KOKKOS_FORCEINLINE_FUNCTION double step(std::int64_t i) const { return 2.0 / static_cast<double>(first + i + 2); }
  /// Π (1 − step) over its iterations i, …, k − 1 is terms(i) / terms(k).
  KOKKOS_FORCEINLINE_FUNCTION double terms(std::int64_t i) const {
    return static_cast<double>(first + i) * static_cast<double>(first + i + 1);
  }
};

/// Iterations on one sample.
struct SampleIterations {
  SampleRange sample;       ///< under any seed
  std::int64_t first;       ///< the step rule's index of the first iteration
  std::int64_t iterations;  ///< number of them

  /// The sample under that seed.
  KOKKOS_FORCEINLINE_FUNCTION SampleRange sample_under(std::uint64_t seed) const {
    return {seed, sample.first, sample.size};
  }
};

/// Bounds of a partial derivative during a window.
struct DerivativeBounds {
  double lower;  ///< at most ∂_j f̂
  double upper;  ///< at least ∂_j f̂, while no step goes towards j's vertex where `witnesses` says so
};

/// Where a window begins, for the kernels of a screening.
struct WindowStart {
  SampleRange sample;       ///< under the repetition's seed
  std::int64_t repetition;  ///< which one
  std::int64_t iterations;  ///< of the window
  double shrinkage;         ///< what is left of a coordinate before the window's last iteration: Π (1 − step)
  const double* x;          ///< the repetition's iterate
  std::int64_t first;       ///< the step rule's index of the first iteration
  std::int64_t part;        ///< which sample of those of the launch
};

/// Samples that a screen is to draw ahead of the looks at them.
struct SamplesAhead {
  const SampleIterations* of_parts;  ///< the samples, of all repetitions
  const std::uint64_t* seeds;        ///< one a repetition
  const std::int64_t* order;         ///< in which pairs of coordinates are looked at
  std::int64_t parts;                ///< number of samples
  std::int64_t repetitions;          ///< number of them
  std::int64_t pairs;                ///< to be drawn, the first in their order
  std::int64_t most_pairs;           ///< of samples, at any time

  /// A sample of a repetition.
  KOKKOS_FORCEINLINE_FUNCTION SampleRange sample_of(std::int64_t repetition, std::int64_t part) const {
    return of_parts[part].sample_under(seeds[repetition]);
  }
};

/// A candidate's numbers for the iterations of a window.
struct Candidate {
  std::int64_t coordinate;  ///< j
  double x;                 ///< x_j
  double* column;           ///< what `load` writes, number r at r `stride`, and `partial` may
  std::int64_t stride;      ///< of the column
  std::int64_t place = 0;   ///< of the coordinate in their order, for `load_ahead`
};

/// A problem's part in screening, for all repetitions at once.
///
/// - `resize(size)`: samples have up to `size` replications from now on.
/// - `floors(limit, size)`: of each ∂_j f̂ a lower bound for every sample of at least `size` replications and every x
///   that is a convex combination of vertices, of which s_j = limit[j]; on the host.
/// - `on_device()`: a small function object for kernels. Its members are called by all lanes of
///   a thread together (see warp_collectives.hpp):
///   - `sums_holdings`: whether `add_holding` and `begin` are wanted; if so `room()` numbers make a row of their sums.
///   - `add_holding(sample, j, x_j, row)`: what coordinate j adds to the row, which begins as zeros; and
///     `begin(repetition, sample, rows, count)`: the sum of `count` rows as a window begins.
///   - `longest_window`: the most iterations that a look may be for; `witnesses(iterations)`: among how many
///     coordinates, at least, one keeps below its upper bound during a window.
///   - `bracket(start, pair, wanted)`: bounds of the derivatives by coordinates 2 pair and 2 pair + 1, where wanted;
///     where the window has one iteration, the derivative itself. Of several lanes each need know those of coordinate
///     2 pair + lane % 2 alone.
///   - `pairs_at_once`: where it is more than 1, a host looks at as many pairs by one call, in which `pair` is an array
///     of them, and `wanted` and the bounds have two elements for each.
///   - `rows(size)`: the numbers in a candidate's column, and `load(sample, candidate)`, which writes them.
///   - `open(repetition, own, size)`: makes a thread's `own` numbers of what moves with the iterations, room() of them;
///     `partial(candidate, sample, own)`: the derivative by a candidate that each lane has for itself, or none, where
///     the column is null; `move(candidate, size, step, amount, own)`: the step towards `amount` on the candidate's
///     axis, or to the origin where its column is null.
///   - Where each derivative is a step function of its own coordinate, a device's screen may say so. A candidate then
///     has a column of `rows_ahead(size)` numbers in one piece, which `draw(start, candidate)` begins where its sample
///     is not drawn ahead and `load_ahead(start, candidate, other)` writes, of two at a time. `reached(column, x)`
///     tells how many jumps of the derivative x is sure to reach, `until` where that holds as x shrinks, and whether it
///     reaches no more, by all lanes together; `reached(column, x, surely)` the same where there are at most so many,
///     by each lane for itself. `until` is compared with `place_of(x)`, a whole number that grows with x.
///     `partial_of(column, count)` is the derivative behind so many jumps, which may err by 2^-40 of it, and
///     `count_reached(sample, coordinate, x)` counts them where `reached` is not certain.
///   - Such a screen draws samples ahead: `draw_ahead(space, SamplesAhead)`, of which a pair of a sample takes
///     `bytes_ahead(size)`. Of the first `pairs_ahead()` pairs each lane then brackets a derivative of its own by
///     `bracket_ahead(start, place, coordinate, terms, x, bounds)`, `place` being that of the coordinate in the order
///     of pairs and `terms` what `terms_of<true>(coordinate)` has loaded. Of the others too, by
///     `bracket_by_lanes(start, coordinate, terms, x, bounds)` and `terms_of<false>`, two neighbours having a pair, if
///     `draws_by_lanes(pairs_of_thread, size)`; if not, `bracket` does it.
///   - Where `partial` is a constant and a part that is linear in `own`, and `move` makes a share of `own` the
///   candidate's
///     column, it may say so: `constant(candidate, size)`, and `product(column, other, stride, size)`, the linear part
///     by the candidate of the first column where `own` is the other one.
template <class Screen>
concept ProblemScreen = requires(Screen& screen, const std::vector<double>& limits, std::int64_t size) {
  typename Screen::execution_space;
  screen.resize(size);
  { screen.floors(limits, size) } -> std::same_as<std::vector<double>>;
  screen.on_device();
};

/// A problem that can be screened, if `screen(repetitions)` has a value.
template <class Problem>
concept ScreenableProblem = StochasticProblem<Problem> && requires(const Problem& problem) {
  requires ProblemScreen<std::remove_cvref_t<decltype(*problem.screen(1))>>;
};

}  // namespace sporos
