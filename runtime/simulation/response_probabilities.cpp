// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/response_probabilities.hpp>

#include <sporos/runtime/simulation/response_quantiles.hpp>

#include <algorithm>
#include <cstddef>

namespace sporos::runtime {

ResponseProbabilities::ResponseProbabilities(const std::vector<std::string>& texts, const ModelDescription& model,
                                             const std::vector<ParameterValues>& design, const Plan& plan)
    : m_confidence(plan.confidence),
      m_trials(design.size()),
      m_events(design.size(), std::vector<std::int64_t>(texts.size())) {
  for (const std::string& text : texts) {
    m_comparisons.push_back(response_comparison("--probability", text, model, design));
  }
  check_independence("--probability", plan);
}

void ResponseProbabilities::keep_steps(std::size_t points) {
  m_looks.resize(std::min(points, m_events.size()));
  m_steps.assign(m_looks.size(), std::vector<std::vector<EstimateStep>>(m_comparisons.size()));
}

EstimateStep ResponseProbabilities::step_of(std::size_t point, std::size_t comparison) const {
  const auto [value, lower, upper] = clopper_pearson(m_events[point][comparison], m_trials[point], m_confidence);
  return {m_trials[point], value, lower, upper};
}

void ResponseProbabilities::add(const ReplicationRows& rows) {
  for (std::size_t place = 0; place < rows.points.size(); ++place) {
    const std::size_t point = rows.points[place];
    for (std::int64_t row = 0; row < rows.counts[place]; ++row) {
      for (std::size_t i = 0; i < m_comparisons.size(); ++i) {
        m_events[point][i] += m_comparisons[i].holds(rows(place, row, m_comparisons[i].response), point);
      }
      ++m_trials[point];
      if (point >= m_looks.size() || !m_looks[point].are_due(m_trials[point])) continue;
      for (std::size_t i = 0; i < m_comparisons.size(); ++i) m_steps[point][i].push_back(step_of(point, i));
    }
  }
}

ProbabilityReport ResponseProbabilities::report() const {
  ProbabilityReport report{m_comparisons, {}, m_events, m_steps};
  for (std::size_t point = 0; point < m_events.size(); ++point) {
    auto& list = report.estimates.emplace_back();
    for (const std::int64_t events : m_events[point]) {
      list.push_back(clopper_pearson(events, m_trials[point], m_confidence));
    }
  }
  for (std::size_t point = 0; point < report.steps.size(); ++point) {
    for (std::size_t i = 0; i < m_comparisons.size(); ++i) {
      report.steps[point][i] = with_last(m_steps[point][i], step_of(point, i));
    }
  }
  return report;
}

}  // namespace sporos::runtime
