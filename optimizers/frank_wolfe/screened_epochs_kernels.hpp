// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/last_team.hpp>
#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/optimizers/frank_wolfe/candidate_lanes.hpp>
#include <sporos/optimizers/frank_wolfe/screened_blocks.hpp>
#include <sporos/optimizers/frank_wolfe/screened_window.hpp>
#include <sporos/optimizers/frank_wolfe/screening.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::impl {

/// What a launch does for each repetition, by some teams.
enum class ScreeningStage {
  begin,  ///< coordinates shrink as the window before left it to do, and the holdings of the next are summed
  look,   ///< the look at all coordinates that may win, and the window's iterations; or, where that is due, `begin`
  whole   ///< both by turns until all iterations are done, by one team
};

/// Where each pair comes in their order.
struct PairPlaces {
  const std::int64_t* order;
  std::int64_t* places;

  KOKKOS_FUNCTION void operator()(std::int64_t q) const { places[order[q]] = q; }
};

/// The kernel of a screening.
template <class ExecutionSpace, class Screen>
struct ScreeningPass {
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  using Runner = WindowRunner<Team, Screen>;

  Screen screen;
  ScreeningData data;
  ScreeningStage stage;
  std::int32_t teams;  // of each repetition

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::int64_t repetition = team.league_rank() / teams;
    const std::int64_t thread = team.league_rank() % teams * team.team_size() + team.team_rank();
    void* const memory = stage == ScreeningStage::begin ? nullptr : team.team_scratch(0).get_shmem(data.scratch_bytes);
    do {
      if (data.is_finished(repetition)) return;
      if (data.states[repetition].is_begun == 0) {
        begin(team, repetition, thread, teams);
      } else if (stage != ScreeningStage::begin) {
        look(team, repetition, thread, memory);
      }
    } while (stage == ScreeningStage::whole);
  }

  KOKKOS_FUNCTION static bool is_last(const Team& team, RepetitionState& state, std::int32_t teams) {
    if (teams > 1) return is_last_team(team, state.finished_teams, teams);
    team.team_barrier();
    return true;
  }

  // By so many teams.
  KOKKOS_FUNCTION void begin(const Team& team, std::int64_t repetition, std::int64_t thread,
                             std::int32_t teams_here) const {
    RepetitionState& state = data.states[repetition];
    const bool is_done = data.is_done(repetition);
    const double shrinkage = state.shrinkage;
    const SampleRange sample = is_done ? SampleRange{0, 0, 0} : data.sample_of(repetition);
    const std::int64_t threads = teams_here * team.team_size();
    std::int64_t rows = 0;
    if constexpr (Screen::sums_holdings) {
      rows = state.held < ScreeningData::most_rows ? state.held : ScreeningData::most_rows;
      for (std::int64_t row = thread; row < rows; row += threads)
        sum_holdings(repetition, sample, row, rows, shrinkage);
    } else {
      double* const x = data.x + repetition * data.dimension;
      for (std::int64_t j = thread * lane_count() + lane_index(); j < data.dimension; j += threads * lane_count()) {
        if (x[j] != 0) x[j] = shrunk(x[j], shrinkage);
      }
    }
    if (!is_last(team, state, teams_here)) return;
    if (team.team_rank() == 0) {
      if constexpr (Screen::sums_holdings) {
        if (!is_done) screen.begin(repetition, sample, rows_of(repetition), rows);
      }
      if (lane_index() == 0) {
        state.shrinkage = 1;
        state.is_begun = 1;
      }
    }
    team.team_barrier();
  }

  KOKKOS_FORCEINLINE_FUNCTION double* rows_of(std::int64_t repetition) const {
    return data.rows + repetition * ScreeningData::most_rows * screen.room();
  }

  // A coordinate with a minus sign is known already.
  KOKKOS_FORCEINLINE_FUNCTION static double shrunk(double x, double shrinkage) { return x < 0 ? -x : shrinkage * x; }

  // The coordinates that are held, in as many runs of neighbours as there are rows.
  KOKKOS_FUNCTION void sum_holdings(std::int64_t repetition, const SampleRange& sample, std::int64_t row,
                                    std::int64_t rows, double shrinkage) const {
    const RepetitionState& state = data.states[repetition];
    double* const x = data.x + repetition * data.dimension;
    double* const sums = rows_of(repetition) + row * screen.room();
    for (std::int64_t s = lane_index(); s < sample.size; s += lane_count()) sums[s] = 0;
    const std::int64_t* const held = data.held_of(repetition, state.held_half);
    for (std::int64_t h = row * state.held / rows; h < (row + 1) * state.held / rows; ++h) {
      const double weight = shrunk(x[held[h]], shrinkage);
      sync_warp();
      if (lane_index() == 0) x[held[h]] = weight;
      if (sample.size > 0) screen.add_holding(sample, held[h], weight, sums);
    }
  }

  KOKKOS_FUNCTION void look(const Team& team, std::int64_t repetition, std::int64_t thread, void* memory) const {
    RepetitionState& state = data.states[repetition];
    const WindowStart start = data.start_of(repetition, Screen::longest_window);
    const std::int64_t threads = teams * team.team_size();
    const std::int64_t looked_at = state.looked_at;
    const double guess = state.guess, shrinkage = state.shrinkage;
    const bool lists = state.has_guess != 0;
    // A host looks at some pairs in vector registers; a device gives a thread a pair.
    if constexpr (runs_on_host<ExecutionSpace>) {
      BlockLook<Screen>(screen, data, start).run(thread, threads);
    } else {
      std::int64_t first = 0;
      if constexpr (HasStepwisePartials<Screen>) {
        first = screen.pairs_ahead() < looked_at ? screen.pairs_ahead() : looked_at;
        for (std::int64_t i = thread * lane_count(); i < 2 * first; i += threads * lane_count()) {
          look_at_places(start, i, 2 * first, guess, lists, shrinkage);
        }
      }
      for (std::int64_t q = first + thread; q < looked_at; q += threads) {
        if constexpr (Runner::shrinks_in_look) shrink(repetition, 2 * q, 2 * q + 2, 0, 1, shrinkage);
        look_at_pair(start, q, guess, lists);
      }
    }
    if constexpr (Runner::shrinks_in_look) {
      shrink(repetition, 2 * looked_at, 2 * data.pair_count, thread, threads, shrinkage);
    }
    if (!is_last(team, state, teams)) return;
    Runner{team, screen, data, start, memory}.run();
    // What is held is summed at once, without another launch, where that is not more than two sums for a thread.
    if constexpr (Screen::sums_holdings && !runs_on_host<ExecutionSpace>) {
      if (state.is_begun == 0 && state.held <= 2 * team.team_size()) begin(team, repetition, team.team_rank(), 1);
    }
  }

  // The coordinates of pairs in their order, as the window before left it to do.
  KOKKOS_FUNCTION void shrink(std::int64_t repetition, std::int64_t first, std::int64_t end, std::int64_t thread,
                              std::int64_t threads, double shrinkage) const {
    double* const x = data.x + repetition * data.dimension;
    const std::int64_t step = threads * lane_count();
    for (std::int64_t i = first + thread * lane_count() + lane_index(); i < end; i += step) {
      const std::int64_t j = 2 * data.pairs[i / 2] + i % 2;
      if (j < data.dimension && x[j] != 0) x[j] = shrunk(x[j], shrinkage);
    }
    sync_warp();
  }

  KOKKOS_FUNCTION void look_at_pair(const WindowStart& start, std::int64_t q, double guess, bool lists) const {
    const std::int64_t pair = data.pairs[q];
    Kokkos::Array<bool, 2> wanted;
    for (int k = 0; k < 2; ++k) {
      const std::int64_t j = 2 * pair + k;
      wanted[k] = j < data.dimension && !(data.floors[j] > guess);
    }
    Kokkos::Array<DerivativeBounds, 2> bounds;
    screen.bracket(start, pair, wanted, bounds);
    // Each by a lane of its own, since atomic operations take long.
    for (int k = lane_index(); k < 2; k += lane_count()) {
      const std::int64_t j = 2 * pair + k;
      if (!(k == 0 ? wanted[0] : wanted[1])) continue;
      note(start, 2 * q + k, j, data.vertices.amount(j), k == 0 ? bounds[0] : bounds[1], guess, lists);
    }
  }

  // What is drawn ahead, each lane at one place from `first` on, before `end`.
  KOKKOS_FUNCTION void look_at_places(const WindowStart& start, std::int64_t first, std::int64_t end, double guess,
                                      bool lists, double shrinkage) const requires HasStepwisePartials<Screen> {
    std::int64_t place = first + lane_index();
    if (place >= end) place = end - 1;
    std::int64_t j = 2 * data.pairs[place / 2] + place % 2;
    const bool is_one = first + lane_index() < end && j < data.dimension;
    if (j >= data.dimension) j = data.dimension - 1;
    double& x = data.x[start.repetition * data.dimension + j];
    const double before = x, floor = data.floors[j], cost = data.vertices.cost(j);
    const auto terms = screen.terms_of(j);
    sync_warp();  // all is loaded at once, wanted or not, and has been before x changes
    const double moved = shrunk(before, shrinkage), amount = data.vertices.limit / cost;
    DerivativeBounds bounds;
    screen.bracket_ahead(start, place, j, terms, moved, bounds);
    if (is_one && before != 0) x = moved;
    if (is_one && !(floor > guess)) note(start, place, j, amount, bounds, guess, lists);
  }

  // Nobody waits for it. (Kokkos 4.6 compares and swaps on CUDA until that has gone well.)
  KOKKOS_FORCEINLINE_FUNCTION static void lower_bound(BoundKey& bound, BoundKey key) {
#if defined(__CUDA_ARCH__)
    atomicMin(&bound, key);
#else
    Kokkos::atomic_fetch_min(&bound, key);
#endif
  }

  // The coordinate at `place` of their order.
  KOKKOS_FUNCTION void note(const WindowStart& start, std::int64_t place, std::int64_t j, double amount,
                            const DerivativeBounds& bounds, double guess, bool lists) const {
    const double upper = amount * bounds.upper, lower = amount * bounds.lower;
    if (upper == upper)
      lower_bound(data.bounds_of(start.repetition)[place % ScreeningData::groups_on<ExecutionSpace>], key_of(upper));
    if (!lists || lower > guess) return;  // what is no number is looked at
    const std::int64_t at = Kokkos::atomic_fetch_add(&data.states[start.repetition].listed, std::int64_t{1});
    data.listed_of(start.repetition)[at] = {lower, j};
  }
};

}  // namespace sporos::impl
