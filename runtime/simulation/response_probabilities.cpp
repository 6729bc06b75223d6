// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/response_probabilities.hpp>

#include <sporos/runtime/simulation/response_quantiles.hpp>

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

void ResponseProbabilities::add(const ReplicationRows& rows) {
  for (std::size_t place = 0; place < rows.points.size(); ++place) {
    const std::size_t point = rows.points[place];
    m_trials[point] += rows.counts[place];
    for (std::size_t i = 0; i < m_comparisons.size(); ++i) {
      const ResponseComparison& comparison = m_comparisons[i];
      for (std::int64_t row = 0; row < rows.counts[place]; ++row) {
        m_events[point][i] += comparison.holds(rows(place, row, comparison.response), point);
      }
    }
  }
}

ProbabilityReport ResponseProbabilities::report() const {
  ProbabilityReport report{m_comparisons, {}, m_events};
  for (std::size_t point = 0; point < m_events.size(); ++point) {
    auto& list = report.estimates.emplace_back();
    for (const std::int64_t events : m_events[point]) {
      list.push_back(clopper_pearson(events, m_trials[point], m_confidence));
    }
  }
  return report;
}

}  // namespace sporos::runtime
