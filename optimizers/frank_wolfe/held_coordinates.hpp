// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/core/linear_algebra/select.hpp>
#include <sporos/optimizers/frank_wolfe/screening_data.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Lists of the held (nonzero) coordinates of each repetition, in ascending order.
namespace sporos::impl {

/// Splits the sorted positions of the nonzero coordinates of all repetitions into one list for each repetition.
template <class ExecutionSpace>
struct HeldCutter {
  Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space> places;
  ScreeningData data;
  std::int64_t count;

  KOKKOS_FUNCTION void operator()(std::int64_t repetition) const {
    const std::int64_t begin = count_below(places, count, repetition * data.dimension);
    const std::int64_t end = count_below(places, count, (repetition + 1) * data.dimension);
    std::int64_t* const held = data.held_of(repetition, 0);
    for (std::int64_t i = begin; i < end; ++i) held[i - begin] = places(i) - repetition * data.dimension;
    data.states[repetition].held = end - begin;
    data.states[repetition].held_half = 0;
  }
};

/// Whether a coordinate is held, that is, nonzero.
struct IsHeld {
  const double* x;
  KOKKOS_FUNCTION bool operator()(std::int64_t place) const { return x[place] != 0; }
};

/// Returns how many of the `count` ascending numbers in `sorted` are less than `bound`.
KOKKOS_INLINE_FUNCTION std::int64_t count_below_in(const std::int64_t* sorted, std::int64_t count, std::int64_t bound) {
  return count_below([&](std::int64_t i) { return sorted[i]; }, count, bound);
}

/// Updates a repetition's list of held coordinates after a window. Inserts the coordinates in
/// `scratch.fresh_coordinates`. If `shrinkage` is 0, removes all other coordinates from the list and sets those that
/// are not candidates to 0. If the list changes, the new list is written to the other half of the buffer. All threads
/// of a team must call this function.
template <class Team>
KOKKOS_FUNCTION void hold(const Team& team, const ScreeningData& data, std::int64_t repetition,
                          const WindowScratch& scratch, double shrinkage) {
  RepetitionState& state = data.states[repetition];
  const std::int64_t fresh = *scratch.fresh, before = shrinkage == 0 ? 0 : state.held;
  if (fresh == 0 && before == state.held) return;
  const std::int64_t* const old = data.held_of(repetition, state.held_half);
  std::int64_t* const held = data.held_of(repetition, 1 - state.held_half);
  const auto count_fresh = [&](std::int64_t bound) {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < fresh; ++i) count += scratch.fresh_coordinates[i] < bound ? 1 : 0;
    return count;
  };
  const std::int64_t first = team.team_rank() * lane_count() + lane_index(), step = team.team_size() * lane_count();
  double* const x = data.x + repetition * data.dimension;
  for (std::int64_t h = first + before; h < state.held; h += step) x[old[h]] = x[old[h]] > 0 ? 0 : x[old[h]];
  for (std::int64_t h = first; h < before; h += step) held[h + count_fresh(old[h])] = old[h];
  for (std::int64_t i = first; i < fresh; i += step) {
    const std::int64_t j = scratch.fresh_coordinates[i];
    held[count_fresh(j) + count_below_in(old, before, j)] = j;
  }
  team.team_barrier();
  if (team.team_rank() == 0 && lane_index() == 0) {
    state.held = before + fresh;
    state.held_half = 1 - state.held_half;
  }
}

}  // namespace sporos::impl
