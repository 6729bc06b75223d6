// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/team_policy.hpp>
#include <sporos/core/execution/tool_region.hpp>
#include <sporos/optimizers/nelder_mead/options.hpp>
#include <sporos/optimizers/nelder_mead/point_batch.hpp>
#include <sporos/optimizers/nelder_mead/result.hpp>
#include <sporos/optimizers/nelder_mead/simplex_moves.hpp>
#include <sporos/optimizers/nelder_mead/simplices.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sporos::impl {

/// One step of all simplices of a batch. A team per row passes the row's value to its simplex and writes the point that
/// the simplex requests next.
template <class ExecutionSpace>
struct SimplexStep {
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;

  Simplices<ExecutionSpace> simplices;
  PointBatch<ExecutionSpace> batch;
  Vector<ExecutionSpace> values;
  NelderMeadRules rules;

  /// Whether the simplex of a row has not stopped.
  KOKKOS_FUNCTION bool is_open(std::int64_t row) const {
    return simplices.statuses(batch.simplices(row)).wanted != NelderMeadPoint::none;
  }

  /// Scratch memory per team, in bytes.
  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return SimplexMove<ExecutionSpace>::scratch_bytes(simplices); }

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::int64_t row = team.league_rank();
    if (is_open(row)) (*this)(team, row, values(row));
  }
  KOKKOS_FUNCTION const double* operator()(const Team& team, std::int64_t row, double value) const {
    SimplexMove<ExecutionSpace> move = move_of(team, row);
    move.tell(value);
    return write_wanted(team, move, row);
  }

  /// Writes the point that the simplex currently requests.
  KOKKOS_FUNCTION void begin(const Team& team, std::int64_t row) const {
    SimplexMove<ExecutionSpace> move = move_of(team, row);
    if (move.status().wanted == NelderMeadPoint::none) move.begin();
    write_wanted(team, move, row);
  }

 private:
  KOKKOS_FUNCTION SimplexMove<ExecutionSpace> move_of(const Team& team, std::int64_t row) const {
    void* const scratch = team.team_shmem().get_shmem(static_cast<int>(scratch_bytes()));
    return {team, simplices, rules, batch.simplices(row), scratch};
  }
  KOKKOS_FUNCTION const double* write_wanted(const Team& team, const SimplexMove<ExecutionSpace>& move,
                                             std::int64_t row) const {
    const double* const point = move.write_wanted(&batch.points(row, 0));
    Kokkos::single(Kokkos::PerTeam(team), [&]() {
      batch.evaluations(row) = move.status().evaluations;
      batch.dimensions(row) = move.dimension();
    });
    move.finish();
    return point;
  }
};

/// Writes the first points of a batch.
template <class ExecutionSpace>
struct FirstPoints {
  SimplexStep<ExecutionSpace> step;
  KOKKOS_FUNCTION void operator()(const typename SimplexStep<ExecutionSpace>::Team& team) const {
    step.begin(team, team.league_rank());
  }
};

/// One run of nelder_mead without bounds.
template <BatchObjective Objective>
class NelderMeadRun {
 public:
  using Space = typename Objective::execution_space;

  NelderMeadRun(Objective& objective, const std::vector<NelderMeadState>& states, const NelderMeadOptions& options,
                const NelderMeadCallback& callback)
      : m_objective(objective),
        m_options(options),
        m_callback(callback),
        m_mirror(to_simplices<Space>(objective.execution(), states, options.oriented_restarts > 0)),
        m_simplices(m_mirror.of),
        m_open(states.size()) {
    for (std::size_t s = 0; s < m_open.size(); ++s) m_open[s] = static_cast<std::int32_t>(s);
  }

  std::vector<NelderMeadResult> run() {
    std::optional<StoppedBy> stop;
    while (!m_open.empty() && !stop) {
      const ToolRegion region("sporos::nelder_mead::round");
      step_through_round();
      stop = look();
    }
    return results(stop);
  }

 private:
  using Step = SimplexStep<Space>;
  static constexpr bool is_stepping = SteppingObjective<Objective, Step>;
  // If the objective skips stopped simplices, they cost next to nothing until the round ends.
  static constexpr std::int64_t steps_of_round = steps_of_round_for<Objective>(is_stepping ? 128 : 32);

  auto step_policy() const;
  bool needs_gathering() const;
  void gather();
  void step_through_round();
  std::optional<StoppedBy> look();
  NelderMeadProgress progress() const;
  std::vector<NelderMeadResult> results(std::optional<StoppedBy> stop) const;

  Objective& m_objective;
  const NelderMeadOptions& m_options;
  const NelderMeadCallback& m_callback;
  SimplexMirror<Space> m_mirror;
  Simplices<Space> m_simplices;
  std::vector<std::int32_t> m_open;  // simplices that have not stopped
  Step m_step = {};                  // has a row for each open simplex
  std::int64_t m_steps = 0;
  std::int64_t m_round = steps_of_round;  // steps of the next round
  Kokkos::Timer m_timer;
};

// Policy with a team and its scratch memory for each row.
template <BatchObjective Objective>
auto NelderMeadRun<Objective>::step_policy() const {
  auto policy = team_policy<Space>(m_objective.execution(), m_step.batch.size());
  return policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(m_step.scratch_bytes())));
}

// Whether simplices have stopped whose rows should be removed. If such rows cost next to nothing, a quarter of all rows
// must have stopped.
template <BatchObjective Objective>
bool NelderMeadRun<Objective>::needs_gathering() const {
  const std::int64_t rows = m_step.batch.size(), open = static_cast<std::int64_t>(m_open.size());
  return rows == 0 || (is_stepping ? 4 * open <= 3 * rows : open < rows);
}

// Allocates rows for the open simplices and writes the points that they request.
template <BatchObjective Objective>
void NelderMeadRun<Objective>::gather() {
  const auto batch = PointBatch<Space>::allocated(m_open.size(), m_simplices.width());
  const Space& space = m_objective.execution();
  copy_elements(space, batch.simplices, m_open);
  const Vector<Space> values(Kokkos::view_alloc(space, "sporos::nelder_mead::values"), m_open.size());
  m_step = {m_simplices, batch, values, rules_of(m_options)};
  Kokkos::parallel_for("sporos::nelder_mead::want", step_policy(), FirstPoints<Space>{m_step});
  if constexpr (is_stepping) m_objective.prepare(batch);
}

template <BatchObjective Objective>
void NelderMeadRun<Objective>::step_through_round() {
  if (needs_gathering()) gather();
  const Space space = m_objective.execution();
  const Kokkos::Timer timer;
  for (std::int64_t i = 0; i < m_round; ++i) {
    if constexpr (is_stepping) {
      m_objective.evaluate_then(m_step.batch, m_step.values, m_step);
    } else {
      m_objective.evaluate(m_step.batch, m_step.values);
      Kokkos::parallel_for("sporos::nelder_mead::step", step_policy(), m_step);
    }
  }
  space.fence();
  m_steps += m_round;
  constexpr double long_enough = 0.1;  // seconds between two calls of the callback
  const double seconds = greatest(processes_of(m_objective), timer.seconds());
  if (seconds < long_enough) m_round = std::min(2 * m_round, steps_of_round);
  if (seconds > 2 * long_enough) m_round = std::max<std::int64_t>(m_round / 2, 1);
}

// Sets stopped simplices aside and checks the callback and the time limit.
template <BatchObjective Objective>
std::optional<StoppedBy> NelderMeadRun<Objective>::look() {
  const Space& space = m_objective.execution();
  copy_elements(space, m_mirror.statuses, m_simplices.statuses);
  space.fence();
  std::erase_if(m_open, [&](std::int32_t s) { return m_mirror.statuses(s).wanted == NelderMeadPoint::none; });
  Processes& processes = processes_of(m_objective);
  const auto wanted = m_callback ? m_callback(progress()) : Continuation::go_on;
  if (agreed(processes, wanted) == Continuation::stop) return StoppedBy::callback;
  if (std::isfinite(m_options.time_limit) && greatest(processes, m_timer.seconds()) >= m_options.time_limit) {
    return StoppedBy::time_limit;
  }
  return {};
}

template <BatchObjective Objective>
NelderMeadProgress NelderMeadRun<Objective>::progress() const {
  const Space& space = m_objective.execution();
  copy_elements(space, m_mirror.values, m_simplices.values);
  space.fence();
  NelderMeadProgress now{m_steps, static_cast<std::int64_t>(m_open.size())};
  for (std::size_t s = 0; s < m_simplices.size(); ++s) {
    now.evaluations += m_mirror.statuses(s).evaluations;
    for (std::int32_t v = 0; v <= m_mirror.dimensions(s); ++v) {
      if (!(m_mirror.values(s, v) < now.value)) continue;
      now.value = m_mirror.values(s, v);
      now.best = s;
    }
  }
  now.seconds = m_timer.seconds();
  return now;
}

/// Computes the result from the vertices of `state`.
inline NelderMeadResult result_of(NelderMeadState state) {
  const auto least = std::min_element(state.values.begin(), state.values.end());
  const auto best = static_cast<std::size_t>(least - state.values.begin());
  NelderMeadResult result;
  result.point = state.vertices[best];
  result.value = *least;
  result.value_evaluations = state.value_evaluations[best];
  result.spread = *std::max_element(state.values.begin(), state.values.end()) - *least;
  for (const auto& vertex : state.vertices) {
    for (std::size_t i = 0; i < vertex.size(); ++i) {
      result.size = std::max(result.size, std::abs(vertex[i] - result.point[i]));
    }
  }
  result.evaluations = state.status.evaluations;
  result.iterations = state.status.iterations;
  result.restarts = state.status.restarts;
  result.oriented_restarts = state.status.oriented_restarts;
  result.shrinks = state.status.shrinks;
  result.stopped_by = state.status.stopped_by;
  result.state = std::move(state);
  return result;
}

template <BatchObjective Objective>
std::vector<NelderMeadResult> NelderMeadRun<Objective>::results(std::optional<StoppedBy> stop) const {
  m_mirror.download();
  std::vector<NelderMeadResult> found;
  for (std::size_t s = 0; s < m_simplices.size(); ++s) {
    NelderMeadState state = m_mirror.get(s);
    if (stop && state.status.wanted != NelderMeadPoint::none) state.status.stopped_by = *stop;
    found.push_back(result_of(std::move(state)));
  }
  return found;
}

}  // namespace sporos::impl
