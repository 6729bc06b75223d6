// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/team_policy.hpp>
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

/// A step of all simplices of a batch: a team each tells its simplex the value of its row and writes the point that is
/// wanted next, or, where it does not tell, the point that is wanted now.
template <class ExecutionSpace>
struct SimplexStep {
  Simplices<ExecutionSpace> simplices;
  PointBatch<ExecutionSpace> batch;
  Vector<ExecutionSpace> values;
  NelderMeadRules rules;
  bool tells;

  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<ExecutionSpace>::member_type& team) const {
    const std::int32_t row = team.league_rank();
    SimplexMove<ExecutionSpace> move(team, simplices, rules, batch.simplices(row));
    if (tells) {
      if (move.status().wanted == NelderMeadPoint::none) return;
      move.tell(values(row));
    } else if (move.status().wanted == NelderMeadPoint::none) {
      move.begin();
    }
    move.write_wanted([&](std::int32_t i) -> double& { return batch.points(row, i); });
    Kokkos::single(Kokkos::PerTeam(team), [&]() {
      batch.evaluations(row) = move.status().evaluations;
      batch.dimensions(row) = move.dimension();
    });
    move.finish();
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
        m_mirror(to_simplices<Space>(states, options.oriented_restarts > 0)),
        m_simplices(m_mirror.of),
        m_open(states.size()) {
    for (std::size_t s = 0; s < m_open.size(); ++s) m_open[s] = static_cast<std::int32_t>(s);
  }

  std::vector<NelderMeadResult> run() {
    std::optional<StoppedBy> stop;
    while (!m_open.empty() && !stop) {
      step_through_round();
      stop = look();
    }
    return results(stop);
  }

 private:
  static constexpr std::int64_t steps_of_round = 32;

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
  std::int64_t m_steps = 0;
  Kokkos::Timer m_timer;
};

template <BatchObjective Objective>
void NelderMeadRun<Objective>::step_through_round() {
  const Space space = m_objective.execution();
  const auto batch = PointBatch<Space>::allocated(m_open.size(), m_simplices.width());
  Kokkos::deep_copy(batch.simplices, Kokkos::View<const std::int32_t*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(
                                         m_open.data(), m_open.size()));
  const Vector<Space> values("sporos::nelder_mead::values", m_open.size());
  SimplexStep<Space> step{m_simplices, batch, values, rules_of(m_options), false};
  const auto policy = team_policy(space, batch.size());
  Kokkos::parallel_for("sporos::nelder_mead::want", policy, step);
  step.tells = true;
  for (std::int64_t i = 0; i < steps_of_round; ++i) {
    m_objective.evaluate(batch, values);
    Kokkos::parallel_for("sporos::nelder_mead::step", policy, step);
  }
  space.fence();
  m_steps += steps_of_round;
}

// Puts aside what has stopped.
template <BatchObjective Objective>
std::optional<StoppedBy> NelderMeadRun<Objective>::look() {
  Kokkos::deep_copy(m_mirror.statuses, m_simplices.statuses);
  std::erase_if(m_open, [&](std::int32_t s) { return m_mirror.statuses(s).wanted == NelderMeadPoint::none; });
  if (m_callback && m_callback(progress()) == Continuation::stop) return StoppedBy::callback;
  if (std::isfinite(m_options.time_limit) && m_timer.seconds() >= m_options.time_limit) return StoppedBy::time;
  return {};
}

template <BatchObjective Objective>
NelderMeadProgress NelderMeadRun<Objective>::progress() const {
  Kokkos::deep_copy(m_mirror.values, m_simplices.values);
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

/// What the vertices of `state` say.
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
