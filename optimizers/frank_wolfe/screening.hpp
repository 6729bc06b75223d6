// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

/// Frank–Wolfe over a budget that looks at few coordinates, once for many iterations: safe screening.
///
/// The vertices of {x >= 0, aᵀx <= C} are the points C/a_j on the axes. So all that an iteration needs of the gradient
/// is the coordinate j with the smallest key (C/a_j) ∂_j f̂. Coordinates that cannot have the smallest key are excluded
/// in two steps.
///
/// Before anything is drawn: every ∂_j f̂ has a floor, a lower bound over all samples and all x. Coordinates are sorted
/// by their floors' keys. Those whose floor lies above a guess, an assumed upper bound of the smallest key, are not
/// even drawn. The guess comes from the previous window, with a margin. A look that finds it too low is repeated with a
/// better one, so the guess affects only how much is drawn.
///
/// After one pass over the sample, called a look, at the others: a window is a number of iterations with steps known in
/// advance. During it all coordinates but a few shrink by a known factor, and the partial derivatives change little.
/// The look brackets each derivative for the whole window. A coordinate whose lower bound lies above a value that the
/// smallest key certainly does not exceed cannot be selected. The iterations use only the others, the candidates. The
/// iterates are those of plain Frank–Wolfe.
///
/// The window grows and shrinks with the number of candidates it leaves. Several repetitions, each with its own random
/// numbers, run side by side in the same launches.
namespace sporos {

/// Iterates, one row per repetition.
template <class ExecutionSpace>
using Iterates = Kokkos::View<double**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space>;

/// The polytope {x >= 0, Σ x_j / s_j <= 1} by its vertices s_j e_j and, unless the budget must be spent, the origin.
struct AxisVertices {
  double limit = 1;               ///< Limit C.
  const double* costs = nullptr;  ///< Costs a_j > 0; null if all are 1.
  bool has_origin = true;         ///< Whether the origin is a vertex.

  /// Returns a_j.
  KOKKOS_FORCEINLINE_FUNCTION double cost(std::int64_t j) const { return costs != nullptr ? costs[j] : 1; }
  /// Returns s_j = C / a_j.
  KOKKOS_FORCEINLINE_FUNCTION double amount(std::int64_t j) const { return limit / cost(j); }
};

/// Window of iterations that a screening covers; iteration i takes the step 2 / (first + i + 2).
struct ScreeningWindow {
  std::int64_t first;       ///< Step rule's index of the first iteration.
  std::int64_t iterations;  ///< Number of iterations.

  /// Step of iteration i.
  KOKKOS_FORCEINLINE_FUNCTION double step(std::int64_t i) const { return 2.0 / static_cast<double>(first + i + 2); }
  /// The product Π (1 − step) over iterations i, …, k − 1 is terms(i) / terms(k).
  KOKKOS_FORCEINLINE_FUNCTION double terms(std::int64_t i) const {
    return static_cast<double>(first + i) * static_cast<double>(first + i + 1);
  }
};

/// Iterations on one sample.
struct SampleIterations {
  SampleRange sample;       ///< Sample, whose seed is ignored.
  std::int64_t first;       ///< Step rule's index of the first iteration.
  std::int64_t iterations;  ///< Number of iterations.

  /// Returns the sample with the given seed.
  KOKKOS_FORCEINLINE_FUNCTION SampleRange sample_under(std::uint64_t seed) const {
    return {seed, sample.first, sample.size};
  }
};

/// Bounds of a partial derivative during a window.
struct DerivativeBounds {
  double lower;  ///< Lower bound of ∂_j f̂.
  /// Upper bound of ∂_j f̂; if `witnesses` requires it, valid only while no step goes towards j's vertex.
  double upper;
};

/// Beginning of a window, for the kernels of a screening.
struct WindowStart {
  SampleRange sample;       ///< Sample with the repetition's seed.
  std::int64_t repetition;  ///< Index of the repetition.
  std::int64_t iterations;  ///< Number of iterations in the window.
  double shrinkage;    ///< Factor by which a coordinate shrinks before the window's last iteration: Π (1 − step).
  const double* x;     ///< Iterate of the repetition.
  std::int64_t first;  ///< Step rule's index of the first iteration.
  std::int64_t part;   ///< Index of the sample among those of the launch.
};

/// Samples that a screen has to pre-generate.
struct BufferedSamples {
  const SampleIterations* of_parts;  ///< Samples, common to all repetitions.
  const std::uint64_t* seeds;        ///< Seed of each repetition.
  const std::int64_t* order;         ///< Order in which looks visit pairs of coordinates.
  std::int64_t parts;                ///< Number of samples.
  std::int64_t repetitions;          ///< Number of repetitions.
  std::int64_t pairs;                ///< Number of pairs to draw, from the front of `order`.
  std::int64_t max_pairs;            ///< Maximum number of pairs over all samples at any time.

  /// Returns a sample of a repetition.
  KOKKOS_FORCEINLINE_FUNCTION SampleRange sample_of(std::int64_t repetition, std::int64_t part) const {
    return of_parts[part].sample_under(seeds[repetition]);
  }
};

/// Data of a candidate for the iterations of a window.
struct Candidate {
  std::int64_t coordinate;  ///< Index j of the coordinate.
  double x;                 ///< Coordinate x_j.
  double* column;           ///< Column that `load` writes and `partial` may write; number r is at r `stride`.
  std::int64_t stride;      ///< Stride of the column.
  std::int64_t place = 0;   ///< Place in the coordinate order, for pre-generated samples.
  /// For `load` on a host: ∂_j f̂ if both bounds of `bracket` are equal, otherwise NaN.
  double partial = std::numeric_limits<double>::quiet_NaN();
};

/// The members of a problem that screening uses, for all repetitions at once.
///
/// - `resize(size)`: prepares for samples of up to `size` replications.
/// - `floors(limit, size)`: for each ∂_j f̂ a lower bound over all samples of at least `size` replications and all
///   convex combinations x of the vertices, where s_j = limit[j]. Runs on the host.
/// - `on_device()`: a small function object for kernels. All lanes of a thread call its members together (see
///   warp_collectives.hpp):
///   - `sums_holdings`: whether `add_holding` and `begin` are used. If so, a row of their sums has `room()` numbers.
///   - `add_holding(sample, j, x_j, row)`: adds the contribution of coordinate j to the row, which starts with zeros.
///     The contribution is x_j times that for x_j = 1, to the last bit.
///   - `begin(repetition, sample, rows, count)`: sums `count` rows at the beginning of a window, and may change them.
///   - `longest_window`: maximum number of iterations per look.
///   - `witnesses(iterations)`: smallest number of coordinates of which at least one keeps below its upper bound during
///     a window.
///   - `bracket(start, pair, wanted)`: bounds of the derivatives by coordinates 2 pair and 2 pair + 1, where wanted.
///     For a window of one iteration it returns the derivative itself. With several lanes, each lane needs only the
///     bounds of coordinate 2 pair + lane % 2.
///   - `pairs_at_once`: number of pairs at which a host looks in one call. If it exceeds 1, it calls `bracket(start,
///     pairs, place, bounds)` with an array of pairs, the place of the first coordinate in the order of pairs, and two
///     bounds for each pair.
///   - `rows(size)`: number of rows in a candidate's column, which `load(start, candidate)` writes.
///   - `open(repetition, own, size)`: initializes a thread's `own` numbers, which change with the iterations; there are
///     room() of them.
///   - `partial(candidate, sample, own)`: derivative by a candidate. Each lane has its own candidate, or none if the
///     column is null.
///   - `move(candidate, size, step, amount, own)`: applies the step towards `amount` on the candidate's axis, or
///     towards the origin if its column is null.
///   - Optional, on a host: `keeps_interval`, if a derivative depends on its own coordinate only. The first three rows
///     of a column are then an interval first <= x_j < second and the derivative in it. `partial_in_interval(start,
///     candidate)`, which is called instead of `partial`, returns that derivative, and replaces them if x_j lies
///     outside.
///   - Optional, if each derivative is a step function of its own coordinate; used on devices. A candidate then has a
///     contiguous column of `buffered_rows(size)` numbers. `draw(start, candidate)` starts it if the sample is not
///     pre-generated, and `load_buffered(start, candidate, other)` writes two columns at a time. `reached(column, x)`
///     returns how many jumps of the derivative x certainly reaches, down to which place this holds as x shrinks
///     (`until`), and whether x reaches no more; all lanes call it together. `reached(column, x, surely)` returns the
///     same if there are at most `surely` jumps; each lane calls it for itself. `until` is compared with `place_of(x)`,
///     an integer that grows with x. `partial_of(column, count)` is the derivative after `count` jumps, with a relative
///     error of up to 2^-40. `count_reached(sample, coordinate, x)` counts the jumps if `reached` is not certain.
///   - Such a screen pre-generates samples by `buffer_draws(space, BufferedSamples)`; a pair of a sample takes
///     `buffered_bytes(size)`. For the first `buffered_pairs()` pairs each lane brackets one derivative by
///     `bracket_buffered(start, place, coordinate, terms, x, bounds)`. `place` is that of the coordinate in the order
///     of pairs, and `terms` is the result of `terms_of<true>(coordinate)`. The other pairs use
///     `bracket_by_lanes(start, coordinate, terms, x, bounds)` and `terms_of<false>`, with one pair per two
///     neighbouring lanes, if `draws_by_lanes(pairs_of_thread, size)`, else `bracket`.
///   - Optional, on a host with idle threads: `drawing_ahead(BufferedSamples, size)` returns a function object that
///     draws samples of up to `size` replications for a repetition. It runs while another thread iterates on earlier
///     samples. After `use_draws` of that object they are the samples of `bracket` and `partial_in_interval`, until the
///     next such call. All pairs of a sample take `bytes_of_draws(pairs, size)`.
///   - Optional, if `partial` is a constant plus a part linear in `own`, and `move` replaces a share of `own` by the
///     candidate's column: `constant(candidate, size)` and `product(column, other, stride, size)`. The latter is the
///     linear part for the candidate of the first column if `own` is the other column.
template <class Screen>
concept ProblemScreen = requires(Screen& screen, const std::vector<double>& limits, std::int64_t size) {
  typename Screen::execution_space;
  screen.resize(size);
  { screen.floors(limits, size) } -> std::same_as<std::vector<double>>;
  screen.on_device();
};

/// A problem that can be screened, provided that `screen(repetitions)` has a value.
template <class Problem>
concept ScreenableProblem = StochasticProblem<Problem> && requires(const Problem& problem) {
  requires ProblemScreen<std::remove_cvref_t<decltype(*problem.screen(1))>>;
};

}  // namespace sporos
