// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/series_runs.hpp>
#include <sporos/core/statistics/estimate_steps.hpp>
#include <sporos/procedures/steady_state/steady_state.hpp>

#include <cstddef>
#include <vector>

namespace sporos::runtime {

/// How steady-state means come about, as Looks says: the intervals that there would be, had the runs ended there.
class SeriesConvergence {
 public:
  /// As the goal says, which must live as long.
  explicit SeriesConvergence(const SteadyStateGoal& goal) : m_goal(goal) {}

  /// Looks at the runs if it is time to.
  void look(const SeriesRuns& runs);

  /// The steps of a series, whose estimate has come to be that of `result`; the last of them is that one. Steps without
  /// an interval are left out.
  std::vector<EstimateStep> steps(std::size_t series, const SteadyStateResult& result) const;

 private:
  const SteadyStateGoal& m_goal;
  Looks m_looks;
  std::vector<std::vector<EstimateStep>> m_steps;  // by series
};

}  // namespace sporos::runtime
