// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/steady_state/series_convergence.hpp>

#include <sporos/procedures/steady_state/series_methods.hpp>

#include <cstdint>

namespace sporos::runtime {

namespace {

void add(std::vector<EstimateStep>& steps, std::int64_t observations, const SeriesInterval& interval) {
  if (interval.lack.empty()) steps.push_back({observations, interval.mean, interval.low, interval.high});
}

}  // namespace

void SeriesConvergence::look(const SeriesRuns& runs) {
  if (!m_looks.are_due(runs.observations())) return;
  m_steps.resize(runs.launcher().names().size());
  for (std::size_t series = 0; series < m_steps.size(); ++series) {
    add(m_steps[series], runs.observations(), steady_state_mean(m_goal.method, runs, series, m_goal.confidence));
  }
}

std::vector<EstimateStep> SeriesConvergence::steps(std::size_t series, const SteadyStateResult& result) const {
  std::vector<EstimateStep> steps;
  for (const EstimateStep& step : m_steps.at(series)) {
    if (step.observations < result.observations) steps.push_back(step);
  }
  add(steps, result.observations, result.intervals[series]);
  return steps;
}

}  // namespace sporos::runtime
