// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/last_team.hpp>
#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/optimizers/frank_wolfe/screened_look.hpp>
#include <sporos/optimizers/frank_wolfe/screened_window.hpp>
#include <sporos/optimizers/frank_wolfe/screening.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::impl {

/// Work of one launch, done by some teams for each repetition.
enum class ScreeningStage {
  begin,  ///< Shrinks coordinates as the previous window requires and sums the holdings for the next.
  /// Looks at all coordinates that the oracle may select and runs the window's iterations; runs `begin` instead if that
  /// is due.
  look,
  whole  ///< Alternates both stages until all iterations are done, in one team.
};

/// Kernel of a screening.
template <class ExecutionSpace, class Screen>
struct ScreeningPass {
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  using Runner = WindowRunner<Team, Screen>;

  // A window may need more than the 32 KiB of level 0 on a host.
  static constexpr int scratch_level = runs_on_host<ExecutionSpace> ? 1 : 0;
  // Whether a look draws the holdings for the next sample, while most threads look at coordinates.
  static constexpr bool draws_holdings = Screen::sums_holdings && !runs_on_host<ExecutionSpace>;

  Screen screen;
  ScreeningData data;
  ScreeningStage stage;
  std::int32_t teams;  // per repetition

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::int64_t repetition = team.league_rank() / teams;
    // Consecutive thread indices belong to different teams, so that little work still spreads over all multiprocessors.
    const std::int64_t thread = team.team_rank() * teams + team.league_rank() % teams;
    const int level = scratch_level;  // team_scratch takes a reference, but the constant has no address on a device
    void* const memory =
        stage == ScreeningStage::begin ? nullptr : team.team_scratch(level).get_shmem(data.scratch_bytes);
    if (is_single()) Runner::open(team, WindowScratch(data, repetition, memory));
    std::int64_t left = Runner::all_left;
    do {
      const bool are_all_left = left == Runner::all_left;
      if (are_all_left && data.is_finished(repetition)) return;
      if (are_all_left && data.states[repetition].is_begun == 0) {
        begin(team, repetition, thread, teams, rows_of(repetition), false);
      } else if (stage != ScreeningStage::begin) {
        left = look(team, repetition, thread, memory, left);
      }
    } while (stage == ScreeningStage::whole);
  }

  KOKKOS_FUNCTION static bool is_last(const Team& team, RepetitionState& state, std::int32_t teams) {
    if (teams > 1) return is_last_team(team, state.finished_teams, teams);
    team.team_barrier();
    return true;
  }

  // Runs the stage `begin` on `teams_here` teams. `sums` is memory for the rows of sums of holdings. If `is_drawn`,
  // draw_holding has drawn all rows.
  KOKKOS_FUNCTION void begin(const Team& team, std::int64_t repetition, std::int64_t thread, std::int32_t teams_here,
                             double* sums, bool is_drawn) const {
    RepetitionState& state = data.states[repetition];
    const bool is_done = data.is_done(repetition);
    const double shrinkage = state.shrinkage;
    const SampleRange sample = is_done ? SampleRange{0, 0, 0} : data.sample_of(repetition);
    const std::int64_t threads = teams_here * team.team_size();
    std::int64_t rows = 0;
    if constexpr (Screen::sums_holdings) {
      rows = state.held < ScreeningData::max_rows ? state.held : ScreeningData::max_rows;
      for (std::int64_t row = thread; row < rows; row += threads) {
        double* const of_row = sums + row * screen.room();
        if (is_drawn) {
          weigh_holding(repetition, sample, row, shrinkage, of_row);
        } else {
          sum_holdings(repetition, sample, row, rows, shrinkage, of_row);
        }
      }
    } else {
      double* const x = data.x + repetition * data.dimension;
      for (std::int64_t j = thread * lane_count() + lane_index(); j < data.dimension; j += threads * lane_count()) {
        if (x[j] != 0) x[j] = shrunk(x[j], shrinkage);
      }
    }
    if (!is_last(team, state, teams_here)) return;
    if (team.team_rank() == 0) {
      if constexpr (Screen::sums_holdings) {
        if (!is_done) screen.begin(repetition, sample, sums, rows);
      }
      if (lane_index() == 0) {
        state.shrinkage = 1;
        state.is_begun = 1;
      }
    }
    team.team_barrier();
  }

  KOKKOS_FORCEINLINE_FUNCTION double* rows_of(std::int64_t repetition) const {
    return data.rows + repetition * ScreeningData::max_rows * screen.room();
  }

  // Sums the held coordinates of one row; rows are contiguous ranges of held coordinates.
  KOKKOS_FUNCTION void sum_holdings(std::int64_t repetition, const SampleRange& sample, std::int64_t row,
                                    std::int64_t rows, double shrinkage, double* sums) const {
    const RepetitionState& state = data.states[repetition];
    double* const x = data.x + repetition * data.dimension;
    for (std::int64_t s = lane_index(); s < sample.size; s += lane_count()) sums[s] = 0;
    const std::int64_t* const held = data.held_of(repetition, state.held_half);
    for (std::int64_t h = row * state.held / rows; h < (row + 1) * state.held / rows; ++h) {
      const double weight = shrunk(x[held[h]], shrinkage);
      sync_warp();
      if (lane_index() == 0) x[held[h]] = weight;
      if (sample.size > 0) screen.add_holding(sample, held[h], weight, sums);
    }
  }

  // Draws what held coordinate number `row` would contribute to the sums if it were 1, and stores it in that row.
  KOKKOS_FUNCTION void draw_holding(std::int64_t repetition, const SampleRange& sample, std::int64_t row) const {
    double* const unit = rows_of(repetition) + row * screen.room();
    for (std::int64_t s = lane_index(); s < sample.size; s += lane_count()) unit[s] = 0;
    screen.add_holding(sample, data.held_of(repetition, data.states[repetition].held_half)[row], 1, unit);
  }

  // Like sum_holdings, for a row of a single coordinate that draw_holding has drawn.
  KOKKOS_FUNCTION void weigh_holding(std::int64_t repetition, const SampleRange& sample, std::int64_t row,
                                     double shrinkage, double* sums) const {
    const double* const unit = rows_of(repetition) + row * screen.room();
    double& x = data.x[repetition * data.dimension + data.held_of(repetition, data.states[repetition].held_half)[row]];
    const double weight = shrunk(x, shrinkage);
    sync_warp();
    if (lane_index() == 0) x = weight;
    for (std::int64_t s = lane_index(); s < sample.size; s += lane_count()) sums[s] = weight * unit[s];
  }

  // Sample of the window after this one, which is empty if there is none.
  KOKKOS_FUNCTION SampleRange sample_after(const WindowStart& start) const {
    const RepetitionState& state = data.states[start.repetition];
    const bool ends_part = state.done + start.iterations >= data.parts[state.part].iterations;
    const std::int64_t part = state.part + (ends_part ? 1 : 0);
    return part < data.part_count ? data.parts[part].sample_under(data.seeds[start.repetition]) : SampleRange{0, 0, 0};
  }

  // Number of threads of a look that draw holdings for the next sample instead, one each: all holdings or none.
  KOKKOS_FUNCTION static std::int64_t drawing_threads(const RepetitionState& state, std::int64_t threads,
                                                      const SampleRange& next) {
    const bool draws = next.size > 0 && state.held <= ScreeningData::max_rows && 8 * state.held <= threads;
    return draws ? state.held : 0;
  }

  // Looks at all coordinates that the oracle may select or, if `left` is not all_left, only at the `left` candidates of
  // the previous window. Then runs the window and returns how many candidates it leaves for the next look.
  KOKKOS_FUNCTION std::int64_t look(const Team& team, std::int64_t repetition, std::int64_t thread, void* memory,
                                    std::int64_t left) const {
    RepetitionState& state = data.states[repetition];
    const WindowScratch scratch(data, repetition, memory);
    const WindowStart start =
        left == Runner::all_left ? data.start_of(repetition, Screen::longest_window) : *scratch.next;
    const Runner runner{team, screen, data, start, scratch, is_single()};
    const ScreenedLook<ExecutionSpace, Screen> coordinates(screen, data, start, runner.notes());
    const std::int64_t threads = teams * team.team_size();
    const std::int32_t half = state.held_half;
    SampleRange next{0, 0, 0};
    std::int64_t drawing = 0;
    if constexpr (draws_holdings) {
      next = sample_after(start);
      drawing = drawing_threads(state, threads, next);
    }
    if (thread >= threads - drawing) {
      if constexpr (draws_holdings) draw_holding(repetition, next, threads - 1 - thread);
    } else if (left == Runner::all_left) {
      coordinates.run(thread, threads - drawing);
    } else if constexpr (Runner::can_look_ahead) {
      coordinates.run_at(scratch.coordinates, scratch.places, left, thread, threads);
    }
    if (!is_last(team, state, teams)) return Runner::all_left;
    left = runner.run();
    // Sum the holdings at once and save a launch if they are drawn, or if each thread draws at most two.
    if constexpr (draws_holdings) {
      const bool is_drawn = drawing > 0 && state.held_half == half;  // and the list of holdings has not changed
      if (state.is_begun == 0 && (is_drawn || state.held <= 2 * team.team_size())) {
        const bool fits = state.held * screen.room() <= ScreeningData::max_numbers_in_columns;
        begin(team, repetition, team.team_rank(), 1, fits ? scratch.columns : rows_of(repetition), is_drawn);
      }
    }
    return left;
  }

  // Whether one team of a device does all the work and can store its findings in its own scratch memory.
  KOKKOS_FORCEINLINE_FUNCTION bool is_single() const {
    return !runs_on_host<ExecutionSpace> && stage == ScreeningStage::whole;
  }
};

/// Whether an idle thread of a host can draw the samples of the next launch (see ProblemScreen).
template <class Screen>
concept DrawsAhead = runs_on_host<typename Screen::execution_space> && requires(Screen& screen, std::int64_t size) {
  screen.bytes_of_draws(size, size);
};

/// Kernel that runs a pass in one team for each repetition, while another team draws samples for the next pass.
template <class Pass, class Drawing>
struct PassAndDrawing {
  Pass pass;
  Drawing drawing;
  std::int64_t repetitions;

  KOKKOS_FUNCTION void operator()(const typename Pass::Team& team) const {
    if (team.league_rank() < repetitions) {
      pass(team);
    } else {
      drawing(team.league_rank() - repetitions);
    }
  }
};

}  // namespace sporos::impl
