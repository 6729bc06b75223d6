// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/across_lanes.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/last_team.hpp>
#include <sporos/core/linear_algebra/least.hpp>
#include <sporos/core/linear_algebra/select.hpp>
#include <sporos/optimizers/frank_wolfe/screened_blocks.hpp>
#include <sporos/optimizers/frank_wolfe/screened_window.hpp>
#include <sporos/optimizers/frank_wolfe/screening.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::impl {

/// What a launch does for each repetition, by some teams.
enum class ScreeningStage {
  begin,  ///< coordinates shrink as the window before left it to do, and the holdings of the next are summed
  look,   ///< the look at all coordinates that may win; the last team to end goes on with the window's iterations
  whole   ///< both by turns until all iterations are done, by one team
};

/// The kernel of a screening.
template <class ExecutionSpace, class Screen>
struct ScreeningPass {
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;

  Screen screen;
  ScreeningData data;
  ScreeningStage stage;
  std::int32_t teams;  // of each repetition

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::int64_t repetition = team.league_rank() / teams;
    const std::int64_t thread = team.league_rank() % teams * team.team_size() + team.team_rank();
    if (stage != ScreeningStage::look) begin(team, repetition, thread);
    if (stage == ScreeningStage::begin) return;
    void* const memory = team.team_scratch(0).get_shmem(data.scratch_bytes);
    do {
      look(team, repetition, thread, memory);
      if (stage == ScreeningStage::whole) begin(team, repetition, thread);
    } while (stage == ScreeningStage::whole && !data.is_done(repetition));
  }

  KOKKOS_FUNCTION bool is_last(const Team& team, std::int64_t repetition) const {
    if (teams > 1) return is_last_team(team, data.states[repetition].finished_teams, teams);
    team.team_barrier();
    return true;
  }

  KOKKOS_FUNCTION void begin(const Team& team, std::int64_t repetition, std::int64_t thread) const {
    RepetitionState& state = data.states[repetition];
    const bool is_done = data.is_done(repetition);
    const double shrinkage = state.shrinkage;
    if (is_done && shrinkage == 1) return;
    const SampleRange sample = is_done ? SampleRange{0, 0, 0} : data.sample_of(repetition);
    const std::int64_t threads = teams * team.team_size();
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
    if (!is_last(team, repetition)) return;
    if (team.team_rank() == 0) {
      if constexpr (Screen::sums_holdings) {
        if (!is_done) screen.begin(repetition, sample, rows_of(repetition), rows);
      }
      if (lane_index() == 0) state.shrinkage = 1;
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
      wait_for_lanes();
      if (lane_index() == 0) x[held[h]] = weight;
      if (sample.size > 0) screen.add_holding(sample, held[h], weight, sums);
    }
  }

  KOKKOS_FUNCTION void look(const Team& team, std::int64_t repetition, std::int64_t thread, void* memory) const {
    if (data.is_done(repetition)) return;
    const RepetitionState& state = data.states[repetition];
    const WindowStart start = data.start_of(repetition, Screen::longest_window);
    const std::int64_t threads = teams * team.team_size();
    const std::int64_t looked_at = state.looked_at;
    const double guess = state.guess;
    const bool lists = state.has_guess != 0;
    if constexpr (runs_on_host<ExecutionSpace>) {
      BlockLook<Screen>(screen, data, start).run(thread, threads);
    } else {
      for (std::int64_t q = thread; q < looked_at; q += threads) {
        look_at_pair(start, q, guess, lists);
      }
    }
    if (!is_last(team, repetition)) return;
    WindowRunner<Team, Screen>{team, screen, data, start, memory}.run();
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
    if (lane_index() != 0) return;
    for (int k = 0; k < 2; ++k) {
      if (!wanted[k]) continue;
      const std::int64_t j = 2 * pair + k;
      const double amount = data.vertices.amount(j), upper = amount * bounds[k].upper, lower = amount * bounds[k].lower;
      double& group = data.bounds_of(start.repetition)[(2 * q + k) % data.group_count];
      if (upper < group) Kokkos::atomic_fetch_min(&group, upper);
      if (!lists || lower > guess) continue;  // what is no number is looked at
      const std::int64_t at = Kokkos::atomic_fetch_add(&data.states[start.repetition].listed, std::int64_t{1});
      data.listed_of(start.repetition)[at] = {lower, j};
    }
  }
};

}  // namespace sporos::impl
