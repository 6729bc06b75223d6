// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/across_lanes.hpp>
#include <sporos/core/linear_algebra/least.hpp>
#include <sporos/core/linear_algebra/select.hpp>
#include <sporos/optimizers/frank_wolfe/screening.hpp>
#include <sporos/optimizers/frank_wolfe/screening_data.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::impl {

/// The rest of a window, by one team once all coordinates that may win have been looked at: what the least key is sure
/// not to exceed, the candidates, the iterations, and what is left for the next window.
template <class Team, class Screen>
struct WindowRunner {
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
    if (is_certain) select_candidates(scratch, reached);
    team.team_barrier();
    const std::int64_t found = is_certain ? *scratch.found : 0;
    const bool goes_on = is_certain && (found <= data.most_candidates || start.iterations == 1);
    const std::int64_t kept = found < data.most_candidates ? found : data.most_candidates;
    const std::int64_t listed = state.listed;
    team.team_barrier();
    const ScreeningWindow window = data.window_of(start);
    const double shrinkage = start.shrinkage * (1 - window.step(start.iterations - 1));
    if (team.team_rank() == team.team_size() - 1) {
      prepare_next(state, threshold, reached, is_certain, goes_on, found, goes_on ? shrinkage : 1);
    }
    if (!goes_on) {
      team.team_barrier();
      return;
    }
    const std::int64_t stride = data.columns_fit(kept) ? kept : data.most_candidates;
    double* const columns = data.columns_fit(kept) ? scratch.columns : columns_of_repetition();
    std::int64_t moved = kept;
    if (start.iterations == 1) {
      moved = step_once(scratch, listed, reached, window.step(0));
    } else {
      load(scratch, kept, columns, stride);
      iterate(scratch, kept, window, columns, stride);
    }
    team.team_barrier();
    put_back(scratch, moved, shrinkage);
    team.team_barrier();
  }

  // Of some groups' least upper bounds the one that as many as `witnesses` do not exceed, so that one of these is a
  // coordinate that still shrinks; and 0 where the origin is a vertex.
  KOKKOS_FUNCTION double find_threshold(const WindowScratch& scratch) const {
    constexpr std::int64_t few = ScreeningData::few_groups;
    double* const bounds = data.bounds_of(start.repetition);
    const std::int64_t step = team.team_size() * lane_count();
    for (std::int64_t g = team.team_rank() * lane_count() + lane_index(); g < few; g += step) {
      double least = Located{}.value;
      for (std::int64_t i = g; i < data.group_count; i += few) {
        least = bounds[i] < least ? bounds[i] : least;
        bounds[i] = Located{}.value;
      }
      scratch.bounds[g] = least;
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

  // By comparing each with all, for a device.
  KOKKOS_FUNCTION void rank_bounds(const WindowScratch& scratch, std::int64_t witnesses) const {
    constexpr std::int64_t few = ScreeningData::few_groups;
    for (std::int64_t g = team.team_rank(); g < few; g += team.team_size()) {
      const double own = scratch.bounds[g];
      if (!(own < Located{}.value)) continue;
      std::int64_t before = 0;
      for (std::int64_t i = lane_index(); i < few; i += lane_count()) {
        before += scratch.bounds[i] < own || (scratch.bounds[i] == own && i < g) ? 1 : 0;
      }
      if (sum_of_lanes(before) == witnesses - 1 && lane_index() == 0) *scratch.threshold = own;
    }
  }

  KOKKOS_FUNCTION void select_candidates(const WindowScratch& scratch, double reached) const {
    const ListedCoordinate* const listed = data.listed_of(start.repetition);
    const std::int64_t count = data.states[start.repetition].listed, step = team.team_size() * lane_count();
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
    wait_for_lanes();
    if (lane_index() != 0) return;
    state.margin = share;
    state.guess = guess;
    state.has_guess = 1;
    state.looked_at = looked_at;
    state.listed = 0;
    state.shrinkage = shrinkage;
    if (is_certain) data.adapt_window(state, start.iterations, found, goes_on);
  }

  // How many pairs have a floor of at most the guess, by as many comparisons at once as there are lanes.
  KOKKOS_FUNCTION std::int64_t count_floors(double guess) const {
    std::int64_t low = 0, high = data.pair_count;
    const int lanes = lane_count();
    while (low < high) {
      const std::int64_t part = (high - low + lanes) / (lanes + 1), at = low + (lane_index() + 1) * part - 1;
      const auto parts = sum_of_lanes(std::int64_t{at < high && !(data.pair_floors[at] > guess)});
      low += part * parts;
      if (parts < lanes && low + part - 1 < high) high = low + part - 1;
    }
    return low;
  }

  // A window of one iteration knows all keys.
  KOKKOS_FUNCTION std::int64_t step_once(const WindowScratch& scratch, std::int64_t count, double reached,
                                         double step) const {
    if (team.team_rank() != 0) return 1;
    const ListedCoordinate* const listed = data.listed_of(start.repetition);
    Located best;
    for (std::int64_t i = lane_index(); i < count; i += lane_count()) {
      if (listed[i].lower > reached) continue;
      const Located here{listed[i].lower == listed[i].lower ? listed[i].lower : -Located{}.value, listed[i].coordinate};
      if (here.comes_before(best)) best = here;
    }
    best = least_of_lanes(best);
    if (lane_index() != 0) return 1;
    const std::int64_t j = is_origin(best) ? data.pairs[0] * 2 : best.index;
    const double before = start.x[j];
    scratch.coordinates[0] = j;
    scratch.x[0] = (1 - step) * before + (is_origin(best) ? 0 : step * amount_towards(best, data.vertices.amount(j)));
    return 1;
  }

  KOKKOS_FORCEINLINE_FUNCTION bool is_origin(const Located& best) const {
    return best.index == Located{}.index || (data.vertices.has_origin && !(best.value < 0));
  }

  // A derivative that is no number makes the iterate none, for all to see.
  KOKKOS_FORCEINLINE_FUNCTION static double amount_towards(const Located& best, double amount) {
    return best.value > -Located{}.value ? amount : best.value - best.value;
  }

  KOKKOS_FUNCTION double* columns_of_repetition() const {
    return data.columns + start.repetition * data.most_candidates * data.column_rows;
  }

  KOKKOS_FUNCTION void load(const WindowScratch& scratch, std::int64_t kept, double* columns,
                            std::int64_t stride) const {
    for (std::int64_t c = team.team_rank(); c < kept; c += team.team_size()) {
      const std::int64_t j = scratch.coordinates[c];
      screen.load(start.sample, j, columns + c, stride);
      if (lane_index() != 0) continue;
      scratch.x[c] = start.x[j];
      scratch.amounts[c] = data.vertices.amount(j);
    }
    team.team_barrier();
  }

  // Few candidates are for the lanes of one thread; for many, threads tell each other what they have found.
  KOKKOS_FUNCTION void iterate(const WindowScratch& scratch, std::int64_t kept, const ScreeningWindow& window,
                               double* columns, std::int64_t stride) const {
    const std::int64_t rank = team.team_rank();
    const bool is_alone = team.team_size() == 1 || kept <= 2 * lane_count();
    if (is_alone && rank > 0) return;
    const std::int64_t first = rank * lane_count() + lane_index();
    const std::int64_t step = (is_alone ? 1 : team.team_size()) * lane_count();
    double* const own = scratch.own + rank * screen.room();
    screen.open(start.repetition, own, start.sample.size);
    wait_for_lanes();
    constexpr std::int64_t shift = ScreeningData::candidate_limit;
    double step_of_lane = 0;  // divisions take long: the lanes make those of as many iterations at once
    for (std::int64_t i = 0; i < start.iterations; ++i) {
      const int turn = static_cast<int>(i % lane_count());
      if (turn == 0) step_of_lane = window.step(i + lane_index());
      const double gamma = from_lane(step_of_lane, turn);
      Located best;
      for (std::int64_t c = first; c < kept; c += step) {
        const std::int64_t j = scratch.coordinates[c];
        const double key =
            scratch.amounts[c] * screen.partial(Candidate{j, scratch.x[c], columns + c, stride}, start.sample, own);
        const Located here{key == key ? key : -Located{}.value, j * shift + c};
        if (here.comes_before(best)) best = here;
      }
      best = least_of_lanes(best, is_alone ? kept : lane_count());
      if (!is_alone) best = least_of_threads(scratch, best, i % 2);
      const bool to_origin = is_origin(best);
      const std::int64_t winner = to_origin ? 0 : best.index % shift;
      const double amount = to_origin ? 0 : amount_towards(best, scratch.amounts[winner]);
      screen.move(Candidate{0, 0, to_origin ? nullptr : columns + winner, stride}, start.sample.size, gamma, amount,
                  own);
      for (std::int64_t c = first; c < kept; c += step) {
        scratch.x[c] = (1 - gamma) * scratch.x[c] + (c == winner ? gamma * amount : 0);
      }
      wait_for_lanes();
    }
  }

  KOKKOS_FUNCTION Located least_of_threads(const WindowScratch& scratch, const Located& own, std::int64_t half) const {
    Located* const shown = scratch.winners + half * team.team_size();
    if (lane_index() == 0) shown[team.team_rank()] = own;
    team.team_barrier();
    Located best;
    for (int i = lane_index(); i < team.team_size(); i += lane_count()) {
      if (shown[i].comes_before(best)) best = shown[i];
    }
    return least_of_lanes(best);
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
      hold(scratch, shrinkage);
    }
  }

  // The coordinates that are held, in ascending order, from one half of their room to the other.
  KOKKOS_FUNCTION void hold(const WindowScratch& scratch, double shrinkage) const {
    RepetitionState& state = data.states[start.repetition];
    const std::int64_t fresh = *scratch.fresh, before = shrinkage == 0 ? 0 : state.held;
    if (fresh == 0 && before == state.held) return;
    const std::int64_t* const old = data.held_of(start.repetition, state.held_half);
    std::int64_t* const held = data.held_of(start.repetition, 1 - state.held_half);
    const auto count_fresh = [&](std::int64_t bound) {
      std::int64_t count = 0;
      for (std::int64_t i = 0; i < fresh; ++i) count += scratch.fresh_coordinates[i] < bound ? 1 : 0;
      return count;
    };
    const std::int64_t first = team.team_rank() * lane_count() + lane_index(), step = team.team_size() * lane_count();
    double* const x = data.x + start.repetition * data.dimension;
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

  KOKKOS_FUNCTION static std::int64_t count_below_in(const std::int64_t* sorted, std::int64_t count,
                                                     std::int64_t bound) {
    return count_below([&](std::int64_t i) { return sorted[i]; }, count, bound);
  }
};

}  // namespace sporos::impl
