// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/core/linear_algebra/least.hpp>
#include <sporos/optimizers/frank_wolfe/held_coordinates.hpp>
#include <sporos/optimizers/frank_wolfe/screening.hpp>
#include <sporos/optimizers/frank_wolfe/screening_data.hpp>
#include <sporos/optimizers/frank_wolfe/window_iterations.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::impl {

/// The rest of a window, by one team once all coordinates that may win have been looked at: what the least key is sure
/// not to exceed, the candidates, the iterations, and what is left for the next window.
template <class Team, class Screen>
struct WindowRunner {
  /// Whether coordinates shrink while they are looked at, in one launch: nobody waits for all of them.
  static constexpr bool shrinks_in_look = !Screen::sums_holdings && !runs_on_host<typename Team::execution_space>;
  /// Groups of coordinates that become one.
  static constexpr int groups_in_one =
      ScreeningData::groups_on<typename Team::execution_space> / ScreeningData::few_groups;

  const Team& team;
  const Screen& screen;
  const ScreeningData& data;
  const WindowStart& start;
  void* memory;  // of the team, for a WindowScratch

  KOKKOS_FUNCTION void run() const {
    RepetitionState& state = data.states[start.repetition];
    WindowScratch scratch(data, start.repetition, memory);
    const double threshold = find_threshold(scratch);
    // The bracket and the iterations round differently.
    const double reached = threshold + rounding_slack * (threshold < 0 ? -threshold : threshold);
    const bool is_certain = state.has_guess != 0 && !(state.guess < reached);
    const std::int64_t listed = state.listed;
    if (is_certain) select_candidates(scratch, reached, listed);
    team.team_barrier();
    const std::int64_t found = is_certain ? *scratch.found : 0;
    const bool goes_on = is_certain && (found <= data.most_candidates || start.iterations == 1);
    const std::int64_t kept = found < data.most_candidates ? found : data.most_candidates;
    const ScreeningWindow window = data.window_of(start);
    const double shrinkage = start.shrinkage * (1 - window.step(start.iterations - 1));
    if (team.team_rank() == team.team_size() - 1) {
      prepare_next(state, threshold, reached, is_certain, goes_on, found, goes_on ? shrinkage : 1);
    }
    if (goes_on) {
      WindowIterations<Team, Screen>{team, screen, data, start, scratch}.run(kept, listed, reached);
      team.team_barrier();
      put_back(scratch, start.iterations == 1 ? 1 : kept, shrinkage);
    }
    team.team_barrier();
  }

  // Of some groups' least upper bounds the one that as many as `witnesses` do not exceed, so that one of these is a
  // coordinate that still shrinks; and 0 where the origin is a vertex.
  KOKKOS_FUNCTION double find_threshold(const WindowScratch& scratch) const {
    constexpr std::int64_t few = ScreeningData::few_groups;
    const BoundKey none = key_of(Located{}.value);
    BoundKey* const bounds = data.bounds_of(start.repetition);
    const std::int64_t step = team.team_size() * lane_count();
    for (std::int64_t g = team.team_rank() * lane_count() + lane_index(); g < few; g += step) {
      BoundKey least = none, of_group[groups_in_one];
      for (int k = 0; k < groups_in_one; ++k) of_group[k] = bounds[k * few + g];
      sync_warp();  // without it ptxas, which spares registers, loads one after the other
      for (int k = 0; k < groups_in_one; ++k) {
        least = of_group[k] < least ? of_group[k] : least;
        bounds[k * few + g] = none;
      }
      if (lane_count() == 1) {
        scratch.bounds[g] = math::impl::from_ordered_bits(least);
      } else {
        halves_of(scratch)[g] = static_cast<std::uint32_t>(least >> 32);
      }
    }
    if (team.team_rank() == 0 && lane_index() == 0) {
      *scratch.threshold = Located{}.value;
      *scratch.found = 0;
      *scratch.fresh = 0;
    }
    team.team_barrier();
    const std::int64_t witnesses = screen.witnesses(start.iterations);
    if (lane_count() == 1) {
      if (team.team_rank() == 0) *scratch.threshold = nth_least(scratch.bounds, witnesses);
    } else {
      rank_bounds(scratch, witnesses);
    }
    team.team_barrier();
    const double threshold = *scratch.threshold;
    return data.vertices.has_origin && threshold > 0 ? 0 : threshold;
  }

  // By as many passes, for a host, where they become vector code. Equal ones count once.
  KOKKOS_FUNCTION static double nth_least(const double* bounds, std::int64_t n) {
    constexpr std::int64_t lanes = 8;
    double found = -Located{}.value;
    for (std::int64_t i = 0; i < n; ++i) {
      double least[lanes];
      for (double& of_lane : least) of_lane = Located{}.value;
      for (std::int64_t g = 0; g < ScreeningData::few_groups; g += lanes) {
        for (std::int64_t lane = 0; lane < lanes; ++lane) {
          const double bound = bounds[g + lane] > found ? bounds[g + lane] : Located{}.value;
          least[lane] = bound < least[lane] ? bound : least[lane];
        }
      }
      found = least[0];
      for (const double of_lane : least) found = of_lane < found ? of_lane : found;
    }
    return found;
  }

  // By comparing each with all, for a device: the upper halves of keys, of equal ones the first. What these leave out
  // is 2^-20 of a bound.
  KOKKOS_FUNCTION void rank_bounds(const WindowScratch& scratch, std::int64_t witnesses) const {
    constexpr int few = ScreeningData::few_groups, parts = few / warp_lanes;
    constexpr auto none = static_cast<std::uint32_t>(math::impl::ordered_bits(Located{}.value) >> 32);
    const std::uint32_t* const halves = halves_of(scratch);
    std::uint32_t of_lane[parts];
    for (int k = 0; k < parts; ++k) of_lane[k] = halves[k * warp_lanes + lane_index()];
    for (int g = team.team_rank(); g < few; g += team.team_size()) {
      const std::uint32_t own = halves[g];
      int before = 0;
      for (int k = 0; k < parts; ++k) {
        const bool is_lower = k * warp_lanes + lane_index() < g;
        before += popcount(ballot(of_lane[k] < own + (is_lower ? 1 : 0)));
      }
      if (before == witnesses - 1 && own < none && lane_index() == 0) {
        *scratch.threshold = math::impl::from_ordered_bits((std::uint64_t{own} << 32) | ~std::uint32_t{0});
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t* halves_of(const WindowScratch& scratch) {
    return reinterpret_cast<std::uint32_t*>(scratch.bounds);
  }

  KOKKOS_FUNCTION void select_candidates(const WindowScratch& scratch, double reached, std::int64_t count) const {
    const ListedCoordinate* const listed = data.listed_of(start.repetition);
    const std::int64_t step = team.team_size() * lane_count();
    for (std::int64_t i = team.team_rank() * lane_count() + lane_index(); i < count; i += step) {
      if (listed[i].lower > reached) continue;  // what is no number is looked at
      const std::int64_t c = Kokkos::atomic_fetch_add(scratch.found, std::int64_t{1});
      if (c < data.most_candidates) scratch.coordinates[c] = listed[i].coordinate;
    }
  }

  KOKKOS_FUNCTION void prepare_next(RepetitionState& state, double threshold, double reached, bool is_certain,
                                    bool goes_on, std::int64_t found, double shrinkage) const {
    const double lowest = data.pair_floors[0];
    // A host that has looked at too few goes on to four times as many. A device sooner looks at all at once.
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
    state.listed = 0;
    state.shrinkage = shrinkage;
    if (is_certain) data.adapt_window(state, start.iterations, found, goes_on);
    // Before the next look coordinates have to shrink, or be summed, in a step of its own.
    const bool is_done = data.is_done(start.repetition);
    state.is_begun = !goes_on || (shrinks_in_look && !is_done) ? 1 : 0;
  }

  // How many pairs have a floor of at most the guess, by as many comparisons at once as there are lanes.
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

  // With a minus sign, since they do not shrink with the others; and what was 0 is held from now on.
  KOKKOS_FUNCTION void put_back(const WindowScratch& scratch, std::int64_t kept, double shrinkage) const {
    double* const x = data.x + start.repetition * data.dimension;
    const std::int64_t step = team.team_size() * lane_count();
    for (std::int64_t c = team.team_rank() * lane_count() + lane_index(); c < kept; c += step) {
      const std::int64_t j = scratch.coordinates[c];
      const double value = scratch.x[c];
      if constexpr (Screen::sums_holdings) {
        if (value != 0 && (x[j] == 0 || shrinkage == 0)) {
          scratch.fresh_coordinates[Kokkos::atomic_fetch_add(scratch.fresh, std::int64_t{1})] = j;
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
