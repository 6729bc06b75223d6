// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/core/linear_algebra/least.hpp>
#include <sporos/optimizers/frank_wolfe/held_coordinates.hpp>
#include <sporos/optimizers/frank_wolfe/screened_look.hpp>
#include <sporos/optimizers/frank_wolfe/screening.hpp>
#include <sporos/optimizers/frank_wolfe/screening_data.hpp>
#include <sporos/optimizers/frank_wolfe/window_iterations.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::impl {

/// Completes a window after the look, in one team. It determines the threshold that the smallest key certainly does not
/// exceed and the candidates, runs the iterations, and prepares the next window.
template <class Team, class Screen>
struct WindowRunner {
  using ExecutionSpace = typename Team::execution_space;
  using Look = ScreenedLook<ExecutionSpace, Screen>;

  /// Number of groups of coordinates that are merged into one.
  static constexpr int groups_in_one = ScreeningData::groups_on<ExecutionSpace> / ScreeningData::few_groups;
  /// Whether the next look can run concurrently with the iterations.
  static constexpr bool can_look_ahead = Look::shrinks && HasStepwisePartials<Screen>;
  static constexpr std::int64_t all_left = -1;  ///< Return value: the next look has to cover all coordinates.

  /// Threshold that the smallest key certainly does not exceed. `reached` adds slack for different rounding.
  struct Found {
    double threshold, reached;
    bool is_certain;      // whether the look covered all coordinates that the oracle may select
    std::int64_t listed;  // number of listed coordinates
  };

  const Team& team;
  const Screen& screen;
  const ScreeningData& data;
  const WindowStart& start;
  const WindowScratch& scratch;
  bool is_single;  // whether one team does all the work

  /// Prepares the memory of a team that does all the work for its first look.
  KOKKOS_FUNCTION static void open(const Team& team, const WindowScratch& scratch) {
    clear_bounds(team, scratch);
    if (team.team_rank() == 0 && lane_index() == 0) *scratch.listed = 0;
    team.team_barrier();
  }

  /// Returns the memory in which looks store their findings.
  KOKKOS_FORCEINLINE_FUNCTION LookNotes notes() const {
    RepetitionState& state = data.states[start.repetition];
    ListedCoordinate* const list = data.listed_of(start.repetition);
    if (is_single) return {scratch.bounds, ScreeningData::few_groups, scratch.listed, list};
    return {data.bounds_of(start.repetition), ScreeningData::groups_on<ExecutionSpace>, &state.listed, list};
  }

  /// Runs the window. Returns the number of candidates that it leaves in scratch memory if the next look has already
  /// covered all other coordinates; otherwise `all_left`.
  KOKKOS_FUNCTION std::int64_t run() const {
    const Found found = find();
    if (found.is_certain) select_candidates(found);
    team.team_barrier();
    const std::int64_t count = found.is_certain ? *scratch.found : 0;
    const bool goes_on = found.is_certain && (count <= data.max_candidates || start.iterations == 1);
    const std::int64_t kept = count < data.max_candidates ? count : data.max_candidates;
    const WindowIterations<Team, Screen> iterations{team, screen, data, start, scratch};
    if constexpr (HasStepwisePartials<Screen>) {
      if (goes_on && iterations.goes_by_jumps(kept, found.reached)) return step_by_jumps(found, kept);
    }
    prepare(found, goes_on, count);
    if (goes_on) {
      iterations.run(kept, found.listed, found.reached);
      team.team_barrier();
      put_back(start.iterations == 1 ? 1 : kept);
    }
    team.team_barrier();
    return all_left;
  }

  // One thread runs the iterations. If one team does all the work, the other threads meanwhile look, for the next
  // window, at all coordinates except the candidates.
  KOKKOS_FUNCTION std::int64_t step_by_jumps(const Found& found,
                                             std::int64_t count) const requires HasStepwisePartials<Screen> {
    const CandidateLanes<Screen> candidates(screen, data, start, scratch, count);
    const bool is_last = team.team_rank() == team.team_size() - 1;
    if (!is_last) candidates.load(team.team_rank(), team.team_size() - 1);
    prepare(found, true, count);
    if (is_last && lane_index() == 0) {
      const bool can = is_single && can_look_ahead && !data.is_done(start.repetition) &&
                       data.states[start.repetition].looked_at <= screen.buffered_pairs();
      *scratch.looks_ahead = can ? 1 : 0;
    }
    team.team_barrier();
    const bool looks_ahead = *scratch.looks_ahead != 0;
    if (team.team_rank() == 0) {
      candidates.iterate();
    } else if (looks_ahead) {
      const WindowStart next = data.start_of(start.repetition, Screen::longest_window);
      if (team.team_rank() == 1 && lane_index() == 0) *scratch.next = next;
      Look(screen, data, next, notes()).run_buffered(team.team_rank() - 1, team.team_size() - 1);
    }
    team.team_barrier();
    put_back(count);
    team.team_barrier();
    return looks_ahead ? count : all_left;
  }

  // Computes the threshold that the smallest key certainly does not exceed.
  KOKKOS_FUNCTION Found find() const {
    const RepetitionState& state = data.states[start.repetition];
    const double guess = state.guess;
    const bool has_guess = state.has_guess != 0;
    const double threshold = find_threshold();
    const double reached = threshold + rounding_slack * (threshold < 0 ? -threshold : threshold);
    return {threshold, reached, has_guess && !(guess < reached), *notes().listed};
  }

  KOKKOS_FUNCTION static void clear_bounds(const Team& team, const WindowScratch& scratch) {
    const int step = team.team_size() * lane_count();
    for (int g = team.team_rank() * lane_count() + lane_index(); g < ScreeningData::few_groups; g += step) {
      scratch.bounds[g] = no_bound;
    }
  }

  // Returns the smallest value that `witnesses` of the groups' least upper bounds do not exceed, so that one of these
  // belongs to a coordinate that still shrinks. The value is at most 0 if the origin is a vertex.
  KOKKOS_FUNCTION double find_threshold() const {
    if (!is_single) gather_bounds();
    if (team.team_rank() == 0 && lane_index() == 0) {
      *scratch.threshold = 0;
      *scratch.found = 0;
      *scratch.fresh = 0;
    }
    team.team_barrier();
    const auto witnesses = static_cast<int>(screen.witnesses(start.iterations));
    if (lane_count() == 1) {
      if (team.team_rank() == 0) *scratch.threshold = nth_smallest(scratch.bounds, witnesses);
    } else {
      rank_bounds(witnesses);
    }
    team.team_barrier();
    const double threshold = bound_of(*scratch.threshold);
    return data.vertices.has_origin && threshold > 0 ? 0 : threshold;
  }

  KOKKOS_FUNCTION void gather_bounds() const {
    constexpr std::int64_t few = ScreeningData::few_groups;
    BoundKey* const bounds = data.bounds_of(start.repetition);
    const std::int64_t step = team.team_size() * lane_count();
    for (std::int64_t g = team.team_rank() * lane_count() + lane_index(); g < few; g += step) {
      BoundKey least = no_bound, of_group[groups_in_one];
      for (int k = 0; k < groups_in_one; ++k) of_group[k] = bounds[k * few + g];
      sync_warp();  // without it ptxas serializes the loads to save registers
      for (int k = 0; k < groups_in_one; ++k) {
        least = of_group[k] < least ? of_group[k] : least;
        bounds[k * few + g] = no_bound;
      }
      scratch.bounds[g] = least;
    }
  }

  // Returns the n-th smallest bound by n passes, which become vector code on a host. Equal bounds count once.
  KOKKOS_FUNCTION static BoundKey nth_smallest(const BoundKey* bounds, int n) {
    // With 16 lanes g++ 12 takes 4.5 times as long: 1280 instead of 284 ns for the 25th of 128.
    constexpr std::int64_t lanes = 32;
    constexpr BoundKey none = ~BoundKey{0};
    BoundKey found = 0;
    for (int i = 0; i < n; ++i) {
      BoundKey least[lanes];
      for (BoundKey& of_lane : least) of_lane = none;
      for (std::int64_t g = 0; g < ScreeningData::few_groups; g += lanes) {
        for (std::int64_t lane = 0; lane < lanes; ++lane) {
          const BoundKey bound = bounds[g + lane] > found ? bounds[g + lane] : none;
          least[lane] = bound < least[lane] ? bound : least[lane];
        }
      }
      found = least[0];
      for (const BoundKey of_lane : least) found = of_lane < found ? of_lane : found;
    }
    return found;
  }

  // Compares each bound with all others, for a device. Returns the largest bound that fewer than `witnesses` are below.
  KOKKOS_FUNCTION void rank_bounds(int witnesses) const {
    constexpr int few = ScreeningData::few_groups, parts = few / warp_lanes, at_once = 8;
    BoundKey of_lane[parts];
    for (int k = 0; k < parts; ++k) of_lane[k] = scratch.bounds[k * warp_lanes + lane_index()];
    for (int first = team.team_rank() * at_once; first < few; first += team.team_size() * at_once) {
      BoundKey largest = 0;
      for (int g = first; g < first + at_once; ++g) {
        const BoundKey own = scratch.bounds[g];
        int below = 0;
        for (const BoundKey other : of_lane) below += popcount(ballot(other < own));
        if (below < witnesses && own > largest) largest = own;
      }
      if (lane_index() == 0) raise_atomically(*scratch.threshold, largest);
    }
  }

  KOKKOS_FUNCTION void select_candidates(const Found& of) const {
    const ListedCoordinate* const listed = data.listed_of(start.repetition);
    const std::int64_t step = team.team_size() * lane_count();
    for (std::int64_t i = team.team_rank() * lane_count() + lane_index(); i < of.listed; i += step) {
      if (listed[i].lower > of.reached) continue;  // NaN is listed, too
      const std::int32_t c = Kokkos::atomic_fetch_add(scratch.found, 1);
      if (c >= data.max_candidates) continue;
      scratch.coordinates[c] = listed[i].coordinate;
      scratch.places[c] = listed[i].place;
      scratch.partials[c] = listed[i].partial;
    }
  }

  // Factor by which coordinates still have to be multiplied after the window.
  KOKKOS_FORCEINLINE_FUNCTION double following_shrinkage() const {
    return start.shrinkage * (1 - data.window_of(start).step(start.iterations - 1));
  }

  // Prepares the state, on the last thread, and the memory for the next look.
  KOKKOS_FUNCTION void prepare(const Found& found, bool goes_on, std::int64_t count) const {
    if (is_single) clear_bounds(team, scratch);
    if (team.team_rank() == team.team_size() - 1) prepare_next(found, goes_on, count);
  }

  KOKKOS_FUNCTION void prepare_next(const Found& of, bool goes_on, std::int64_t found) const {
    RepetitionState& state = data.states[start.repetition];
    const auto [threshold, reached, is_certain, listed] = of;
    const double shrinkage = goes_on ? following_shrinkage() : 1;
    const double lowest = data.pair_floors[0];
    // A host whose look covered too few pairs continues with four times as many. A device looks at all sooner.
    const std::int64_t more = 4 * state.looked_at;
    const bool grows = lane_count() == 1 && !is_certain && more < data.pair_count && data.pair_floors[more] < reached;
    double share = state.margin;
    if (is_certain) share = share * 0.98 > 0.05 ? share * 0.98 : 0.05;
    if (!is_certain && state.has_guess != 0 && !grows) share = 2 * share < 16 ? 2 * share : 16;
    double guess = threshold < Located{}.value && lowest > -Located{}.value
                       ? reached + share * (threshold > lowest ? threshold - lowest : 0)
                       : Located{}.value;
    if (grows) guess = data.pair_floors[more];
    const std::int64_t looked_at = count_floors(guess);
    sync_warp();
    if (lane_index() != 0) return;
    state.margin = share;
    state.guess = guess;
    state.has_guess = 1;
    state.looked_at = looked_at;
    *notes().listed = 0;
    state.shrinkage = shrinkage;
    if (is_certain) data.adapt_window(state, start.iterations, found, goes_on);
    // Coordinates have to shrink or be summed in a separate step before the next look.
    const bool is_done = data.is_done(start.repetition);
    state.is_begun = !goes_on || (Look::shrinks && !is_done) ? 1 : 0;
  }

  // Counts the pairs whose floor is at most the guess, with as many comparisons at once as there are lanes.
  KOKKOS_FUNCTION std::int64_t count_floors(double guess) const {
    std::int64_t low = 0, high = data.pair_count;
    const int lanes = lane_count();
    while (low < high) {
      const std::int64_t part = (high - low + lanes) / (lanes + 1), at = low + (lane_index() + 1) * part - 1;
      const std::int64_t parts = popcount(ballot(at < high && !(data.pair_floors[at] > guess)));
      low += part * parts;
      if (parts < lanes && low + part - 1 < high) high = low + part - 1;
    }
    return low;
  }

  // Writes candidates back with a minus sign, since they do not shrink with the others. Former zeros become held.
  KOKKOS_FUNCTION void put_back(std::int64_t end) const {
    [[maybe_unused]] const double shrinkage = following_shrinkage();
    double* const x = data.x + start.repetition * data.dimension;
    const std::int64_t step = team.team_size() * lane_count();
    for (std::int64_t c = team.team_rank() * lane_count() + lane_index(); c < end; c += step) {
      const std::int64_t j = scratch.coordinates[c];
      const double value = scratch.x[c];
      if constexpr (Screen::sums_holdings) {
        if (value != 0 && (x[j] == 0 || shrinkage == 0)) {
          scratch.fresh_coordinates[Kokkos::atomic_fetch_add(scratch.fresh, 1)] = j;
        }
      }
      x[j] = value > 0 ? -value : value;
    }
    if constexpr (Screen::sums_holdings) {
      team.team_barrier();
      hold(team, data, start.repetition, scratch, shrinkage);
    }
  }
};

}  // namespace sporos::impl
