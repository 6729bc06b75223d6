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

/// Where a screening's kernels find and leave what they know.
namespace sporos::impl {

/// How far the bounds' keys and those of the iterations may differ, relative to them.
inline constexpr double rounding_slack = 1e-12;

/// Where a repetition stands. Kernels decide by it what comes next, so that the host need not.
struct RepetitionState {
  std::int64_t part = 0;            ///< of the iterations that were asked for
  std::int64_t done = 0;            ///< iterations of that part
  std::int64_t window = 1;          ///< iterations that the next look is for
  double shrinkage = 1;             ///< what coordinates are still to be multiplied by
  double guess = Located{}.value;   ///< of what the least key does not exceed
  double margin = 0.1;              ///< between the last threshold and the guess, as a share of what lies below
  std::int64_t looked_at = 0;       ///< pairs with a floor of at most the guess
  std::int64_t held = 0;            ///< coordinates that are not 0
  std::int32_t listed = 0;          ///< coordinates with a lower bound of at most the guess
  std::int32_t held_half = 0;       ///< where they are listed
  std::int32_t has_guess = 0;       ///< whether there was a threshold yet
  std::int32_t is_begun = 0;        ///< whether nothing is to be done before the next look
  std::int32_t finished_teams = 0;  ///< of a launch
};

/// An upper bound by the upper half of its key (see key_of), of which threads find the least without waiting for it.
using BoundKey = std::uint32_t;

/// That of a bound.
KOKKOS_FORCEINLINE_FUNCTION constexpr BoundKey bound_key_of(double bound) {
  return static_cast<BoundKey>(key_of(bound) >> 32);
}

/// That of infinity, where there is no bound.
inline constexpr BoundKey no_bound = bound_key_of(Located{}.value);

/// The largest bound that has this key, at most 2^-20 above the others; infinity where there is none.
KOKKOS_FORCEINLINE_FUNCTION double bound_of(BoundKey key) {
  if (key >= no_bound) return Located{}.value;
  return math::impl::from_ordered_bits((std::uint64_t{key} << 32) | ~std::uint32_t{0});
}

/// A coordinate behind a window, which shrinks by that; one with a minus sign is known already.
KOKKOS_FORCEINLINE_FUNCTION double shrunk(double x, double shrinkage) { return x < 0 ? -x : shrinkage * x; }

/// A coordinate that may win.
struct ListedCoordinate {
  double lower;             ///< bound of its key
  std::int64_t coordinate;  ///< which one
  std::int64_t place;       ///< in the order of coordinates
};

/// Where a look leaves what it finds: in memory that all teams see or, where one team does all, in its scratch memory.
struct LookNotes {
  BoundKey* bounds;        ///< the least of each group of coordinates
  std::int64_t groups;     ///< number of them, a power of two
  std::int32_t* listed;    ///< how many are listed
  ListedCoordinate* list;  ///< those with a lower bound of at most the guess
};

/// The memory that the kernels share, each array with a part for each repetition where nothing else is said.
struct ScreeningData {
  static constexpr std::int64_t most_rows = 64;    ///< of sums of holdings
  static constexpr std::int64_t groups = 1024;     ///< of coordinates, each with its least upper bound
  static constexpr std::int64_t few_groups = 128;  ///< of those, and all on a host
  template <class ExecutionSpace>
  static constexpr std::int64_t groups_on = runs_on_host<ExecutionSpace> ? few_groups : groups;  ///< that are used
  static constexpr std::int64_t candidate_limit = 256;  ///< most candidates of a window

  static constexpr double taken = -Located{}.value;  ///< in the place of a coordinate that a window's iterations have

  static constexpr std::int64_t most_numbers_in_columns = 3200;  ///< in scratch memory

  AxisVertices vertices;
  const SampleIterations* parts;  ///< what was asked for, of all repetitions
  const std::uint64_t* seeds;     ///< one a repetition
  const std::int64_t* pairs;      ///< coordinates 2p and 2p + 1, by the lower floor of their keys, of all repetitions
  const double* pair_floors;      ///< these, ascending
  const double* floors;           ///< of each coordinate's key
  RepetitionState* states;
  double* x;
  BoundKey* bounds;
  ListedCoordinate* listed;
  std::int64_t* held;  ///< twice the dimension
  double* rows;
  double* columns;
  double* large_own;  ///< where samples are too large for scratch memory, else null
  std::int64_t part_count, dimension, pair_count, own_room;
  std::int32_t most_candidates, column_rows, scratch_bytes;
  std::int32_t rows_ahead;  ///< of a column of `load_ahead`

  /// Whether the columns of so many candidates fit into scratch memory.
  KOKKOS_FORCEINLINE_FUNCTION bool columns_fit(std::int64_t candidates) const {
    return candidates * column_rows <= most_numbers_in_columns;
  }
  /// Whether their products fit behind them.
  KOKKOS_FORCEINLINE_FUNCTION bool products_fit(std::int64_t candidates) const {
    return candidates * (column_rows + candidates) <= most_numbers_in_columns;
  }
  /// Whether those of `load_ahead` do, each with a number behind it.
  KOKKOS_FORCEINLINE_FUNCTION bool columns_ahead_fit(std::int64_t candidates) const {
    return candidates * (rows_ahead + 1) <= most_numbers_in_columns;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_done(std::int64_t repetition) const {
    return states[repetition].part >= part_count;
  }
  /// Whether nothing is left to be done, not even to shrink.
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

  /// The window that a repetition is about to look for, of at most `longest` iterations.
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

  /// After a look that left `found` candidates, and after its iterations where there were not too many. In candidates
  /// in an iteration, a look at all coordinates costs about 2 for each, and its launches 1000.
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

/// What a team needs while it ends a window, in its scratch memory.
struct WindowScratch {
  Located* winners;           ///< of threads, twice
  BoundKey* threshold;        ///< what the least key does not exceed
  std::int32_t* found;        ///< candidates
  std::int32_t* fresh;        ///< coordinates that were 0
  BoundKey* bounds;           ///< of few groups
  std::int32_t* listed;       ///< where one team does all: how many coordinates a look has listed
  std::int32_t* looks_ahead;  ///< whether the next look is taken while the iterations are
  double* x;                  ///< of the candidates
  double* amounts;            ///< of the vertices on their axes
  std::int64_t* coordinates;  ///< of the candidates
  std::int64_t* fresh_coordinates;
  std::int64_t* places;  ///< of the candidates in the order of coordinates
  WindowStart* next;     ///< the window of a look that is taken ahead
  double* columns;       ///< of the candidates, where they fit
  double* own;           ///< what moves with the iterations, for each thread

  static constexpr std::int64_t most_threads = 32;
  static constexpr std::int64_t most_own = 1024;  ///< numbers of all threads

  /// Bytes of it.
  static std::int64_t size(std::int64_t candidates, std::int64_t own) {
    return 8 * (4 * most_threads + 3 + ScreeningData::few_groups / 2 + 5 * candidates + of_next +
                ScreeningData::most_numbers_in_columns + own);
  }

  /// In a team's `memory` of that size.
  KOKKOS_FUNCTION WindowScratch(const ScreeningData& data, std::int64_t repetition, void* memory) {
    winners = static_cast<Located*>(memory);
    double* const rest = reinterpret_cast<double*>(winners + 2 * most_threads);
    threshold = reinterpret_cast<BoundKey*>(rest);
    found = reinterpret_cast<std::int32_t*>(rest + 1);
    fresh = found + 1;
    listed = found + 2;
    looks_ahead = found + 3;
    bounds = reinterpret_cast<BoundKey*>(found + 4);
    x = rest + 3 + ScreeningData::few_groups / 2;
    amounts = x + data.most_candidates;
    coordinates = reinterpret_cast<std::int64_t*>(amounts + data.most_candidates);
    fresh_coordinates = coordinates + data.most_candidates;
    places = fresh_coordinates + data.most_candidates;
    next = reinterpret_cast<WindowStart*>(places + data.most_candidates);
    columns = reinterpret_cast<double*>(next) + of_next;
    own = data.large_own != nullptr ? data.large_own + repetition * data.own_room
                                    : columns + ScreeningData::most_numbers_in_columns;
  }

 private:
  static_assert(sizeof(WindowStart) % 8 == 0);
  static constexpr std::int64_t of_next = sizeof(WindowStart) / 8;
};

}  // namespace sporos::impl
