// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/device_atomics.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/core/linear_algebra/least.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/optimizers/frank_wolfe/screening.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Shared data of a screening's kernels.
namespace sporos::impl {

/// Relative difference allowed between the keys of the bounds and those of the iterations.
inline constexpr double rounding_slack = 1e-12;

/// Progress of a repetition. Kernels derive the next stage from it, so that the host need not.
struct RepetitionState {
  std::int64_t part = 0;           ///< Index of the part in progress.
  std::int64_t done = 0;           ///< Number of completed iterations of that part.
  std::int64_t window = 1;         ///< Number of iterations for the next look.
  double shrinkage = 1;            ///< Factor by which coordinates still have to be multiplied.
  double guess = Located{}.value;  ///< Assumed upper bound of the smallest key.
  /// Distance from the last threshold to the guess, relative to that from the lowest floor to it.
  double margin = 0.1;
  std::int64_t looked_at = 0;       ///< Number of pairs whose floor is at most the guess.
  std::int64_t held = 0;            ///< Number of nonzero coordinates.
  std::int32_t listed = 0;          ///< Number of coordinates whose lower bound is at most the guess.
  std::int32_t held_half = 0;       ///< Half of the buffer that lists the held coordinates.
  std::int32_t has_guess = 0;       ///< Whether the guess is valid.
  std::int32_t is_begun = 0;        ///< Whether the next look can start without a `begin`.
  std::int32_t finished_teams = 0;  ///< Number of teams of the launch that have finished.
};

/// Upper half of a bound's key (see key_of); threads minimize it without waiting for each other.
using BoundKey = std::uint32_t;

/// Returns the BoundKey of a bound.
KOKKOS_FORCEINLINE_FUNCTION constexpr BoundKey bound_key_of(double bound) {
  return static_cast<BoundKey>(key_of(bound) >> 32);
}

/// BoundKey of infinity, which stands for no bound.
inline constexpr BoundKey no_bound = bound_key_of(Located{}.value);

/// Largest bound with this key, at most 2^-20 (relative) above the others; infinity if there is no bound.
KOKKOS_FORCEINLINE_FUNCTION double bound_of(BoundKey key) {
  if (key >= no_bound) return Located{}.value;
  return math::impl::from_ordered_bits((std::uint64_t{key} << 32) | ~std::uint32_t{0});
}

/// Value of a coordinate after a window: shrunk by this factor or, if it has a minus sign, already final.
KOKKOS_FORCEINLINE_FUNCTION double shrunk(double x, double shrinkage) { return x < 0 ? -x : shrinkage * x; }

/// A coordinate that the oracle may select.
struct ListedCoordinate {
  double lower;             ///< Lower bound of its key.
  std::int64_t coordinate;  ///< Index of the coordinate.
  std::int64_t place;       ///< Position in the coordinate order.
  double partial;           ///< Derivative by the coordinate if its bounds are equal, otherwise NaN.
};

/// Memory in which a look stores its findings: visible to all teams, or scratch if one team does all the work.
struct LookNotes {
  BoundKey* bounds;        ///< Least upper bound of each group of coordinates.
  std::int64_t groups;     ///< Number of groups, a power of two.
  std::int32_t* listed;    ///< Number of listed coordinates.
  ListedCoordinate* list;  ///< Coordinates whose lower bound is at most the guess.
};

/// Memory that the kernels share. Each array has a part for each repetition unless its comment says otherwise.
struct ScreeningData {
  static constexpr std::int64_t max_rows = 64;  ///< Maximum number of rows of sums of holdings.
  static constexpr std::int64_t groups = 1024;  ///< Number of groups of coordinates, each with its least upper bound.
  static constexpr std::int64_t few_groups = 128;  ///< Number of groups after merging; a host uses no more.
  /// Number of groups in use.
  template <class ExecutionSpace>
  static constexpr std::int64_t groups_on = runs_on_host<ExecutionSpace> ? few_groups : groups;
  static constexpr std::int64_t candidate_limit = 256;  ///< Maximum number of candidates of a window.

  static constexpr double taken = -Located{}.value;  ///< Marks a coordinate that a window's iterations have taken.

  static constexpr std::int64_t max_numbers_in_columns = 3200;  ///< Capacity of columns in scratch memory.

  AxisVertices vertices;
  const SampleIterations* parts;  ///< Requested iterations, common to all repetitions.
  const std::uint64_t* seeds;     ///< Seed of each repetition.
  /// Pairs of coordinates 2p and 2p + 1 by the lower floor of their keys, common to all repetitions.
  const std::int64_t* pairs;
  const double* pair_floors;  ///< Floors of the pairs, ascending, common to all repetitions.
  const double* floors;       ///< Floor of each coordinate's key, common to all repetitions.
  RepetitionState* states;
  double* x;
  BoundKey* bounds;
  ListedCoordinate* listed;
  std::int64_t* held;  ///< Held coordinates; twice the dimension.
  double* rows;
  double* columns;
  double* large_own;  ///< Numbers that change with the iterations if they are too many for scratch memory, else null.
  std::int64_t part_count, dimension, pair_count, own_room;
  std::int32_t max_candidates, column_rows, scratch_bytes;
  std::int32_t buffered_rows;  ///< Length of a column of `load_buffered`.

  /// Whether the columns of this many candidates fit into scratch memory.
  KOKKOS_FORCEINLINE_FUNCTION bool columns_fit(std::int64_t candidates) const {
    return candidates * column_rows <= max_numbers_in_columns;
  }
  /// Whether the columns and, after them, the products of this many candidates fit into scratch memory.
  KOKKOS_FORCEINLINE_FUNCTION bool products_fit(std::int64_t candidates) const {
    return candidates * (column_rows + candidates) <= max_numbers_in_columns;
  }
  /// Whether the columns of `load_buffered`, each followed by one number, fit into scratch memory.
  KOKKOS_FORCEINLINE_FUNCTION bool buffered_columns_fit(std::int64_t candidates) const {
    return candidates * (buffered_rows + 1) <= max_numbers_in_columns;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_done(std::int64_t repetition) const {
    return states[repetition].part >= part_count;
  }
  /// Whether no work is left, not even shrinking.
  KOKKOS_FORCEINLINE_FUNCTION bool is_finished(std::int64_t repetition) const {
    return is_done(repetition) && states[repetition].is_begun != 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION BoundKey* bounds_of(std::int64_t repetition) const {
    return bounds + repetition * groups;
  }
  KOKKOS_FORCEINLINE_FUNCTION ListedCoordinate* listed_of(std::int64_t repetition) const {
    return listed + repetition * dimension;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t* held_of(std::int64_t repetition, std::int32_t half) const {
    return held + (2 * repetition + half) * dimension;
  }
  KOKKOS_FORCEINLINE_FUNCTION SampleRange sample_of(std::int64_t repetition) const {
    return parts[states[repetition].part].sample_under(seeds[repetition]);
  }

  /// Returns the repetition's next window, of at most `longest` iterations.
  KOKKOS_FUNCTION WindowStart start_of(std::int64_t repetition, std::int64_t longest) const {
    const RepetitionState& state = states[repetition];
    const SampleIterations& part = parts[state.part];
    std::int64_t iterations = part.iterations - state.done;
    iterations = state.window < iterations ? state.window : iterations;
    iterations = longest < iterations ? longest : iterations;
    const ScreeningWindow window{part.first + state.done, iterations};
    double shrinkage = 1;
    for (std::int64_t i = lane_index(); i < iterations - 1; i += lane_count()) shrinkage *= 1 - window.step(i);
    return {sample_of(repetition),      repetition,   iterations, warp_product(shrinkage),
            x + repetition * dimension, window.first, state.part};
  }

  KOKKOS_FORCEINLINE_FUNCTION ScreeningWindow window_of(const WindowStart& start) const {
    return {start.first, start.iterations};
  }

  /// Adapts the window after a look that left `found` candidates and, if `goes_on`, counts its iterations as done. The
  /// cost model's unit is one candidate in one iteration: a look costs about 2 per coordinate and its launches 1000.
  KOKKOS_FUNCTION void adapt_window(RepetitionState& state, std::int64_t iterations, std::int64_t found,
                                    bool goes_on) const {
    const SampleIterations& part = parts[state.part];
    const std::int64_t look = 2 * dimension + 1000, work = found * iterations;
    std::int64_t window = state.window;
    if (work > look) window = window / 2 > 1 ? window / 2 : 1;
    if (4 * work < look) window = 2 * window < part.iterations ? 2 * window : part.iterations;
    if (!goes_on) {
      state.window = iterations / 2;
      return;
    }
    state.window = window;
    state.done += iterations;
    if (state.done < part.iterations) return;
    state.done = 0;
    ++state.part;
  }
};

/// Scratch memory that a team uses to complete a window.
struct WindowScratch {
  Located* winners;           ///< Winner of each thread, double-buffered.
  BoundKey* threshold;        ///< Value that the smallest key does not exceed.
  std::int32_t* found;        ///< Number of candidates.
  std::int32_t* fresh;        ///< Number of coordinates that were 0.
  BoundKey* bounds;           ///< Least upper bounds of the merged groups.
  std::int32_t* listed;       ///< If one team does all the work: number of coordinates that a look has listed.
  std::int32_t* looks_ahead;  ///< Whether the next look runs concurrently with the iterations.
  double* x;                  ///< Coordinates x_j of the candidates.
  double* amounts;            ///< Nonzero coordinates s_j of the candidates' vertices.
  std::int64_t* coordinates;  ///< Indices of the candidates.
  std::int64_t* fresh_coordinates;
  std::int64_t* places;  ///< Places of the candidates in the coordinate order.
  double* partials;      ///< Derivatives by the candidates whose bounds are equal; NaN for the others.
  WindowStart* next;     ///< Window of a look that runs concurrently with the iterations.
  double* columns;       ///< Columns of the candidates, if they fit.
  double* own;           ///< Numbers that change with the iterations, for each thread.

  static constexpr std::int64_t max_threads = 32;
  static constexpr std::int64_t most_own = 1024;  ///< Maximum numbers in `own`, over all threads.

  /// Size in bytes.
  static std::int64_t size(std::int64_t candidates, std::int64_t own) {
    return 8 * (4 * max_threads + 3 + ScreeningData::few_groups / 2 + 6 * candidates + of_next +
                ScreeningData::max_numbers_in_columns + own);
  }

  /// Lays out the arrays in a team's `memory` of that size.
  KOKKOS_FUNCTION WindowScratch(const ScreeningData& data, std::int64_t repetition, void* memory) {
    winners = static_cast<Located*>(memory);
    double* const rest = reinterpret_cast<double*>(winners + 2 * max_threads);
    threshold = reinterpret_cast<BoundKey*>(rest);
    found = reinterpret_cast<std::int32_t*>(rest + 1);
    fresh = found + 1;
    listed = found + 2;
    looks_ahead = found + 3;
    bounds = reinterpret_cast<BoundKey*>(found + 4);
    x = rest + 3 + ScreeningData::few_groups / 2;
    amounts = x + data.max_candidates;
    coordinates = reinterpret_cast<std::int64_t*>(amounts + data.max_candidates);
    fresh_coordinates = coordinates + data.max_candidates;
    places = fresh_coordinates + data.max_candidates;
    partials = reinterpret_cast<double*>(places + data.max_candidates);
    next = reinterpret_cast<WindowStart*>(partials + data.max_candidates);
    columns = reinterpret_cast<double*>(next) + of_next;
    own = data.large_own != nullptr ? data.large_own + repetition * data.own_room
                                    : columns + ScreeningData::max_numbers_in_columns;
  }

 private:
  static_assert(sizeof(WindowStart) % 8 == 0);
  static constexpr std::int64_t of_next = sizeof(WindowStart) / 8;
};

}  // namespace sporos::impl
