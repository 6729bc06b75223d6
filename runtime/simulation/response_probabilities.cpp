// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/response_probabilities.hpp>

#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/simulation/expression.hpp>
#include <sporos/runtime/simulation/response_quantiles.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace sporos::runtime {

namespace {

// The two sides of a text's only comparison, and its operator.
struct Comparison {
  std::string_view left, right;
  bool is_less, is_strict;
};

Comparison comparison_in(const std::string& option, std::string_view text) {
  const auto place = text.find_first_of("<>");
  const bool is_one = place != std::string_view::npos && text.find_first_of("<>", place + 1) == std::string_view::npos;
  if (!is_one) {
    throw std::invalid_argument(
        fmt::format("{} is {}, expected RESPONSE < BOUND, or <=, > or >=", option, io::in_quotes(text)));
  }
  const bool is_strict = place + 1 == text.size() || text[place + 1] != '=';
  return {trimmed(text.substr(0, place)), trimmed(text.substr(place + (is_strict ? 1 : 2))), text[place] == '<',
          is_strict};
}

}  // namespace

void check_finite(const std::string& what, double value, std::size_t point, std::size_t points) {
  if (std::isfinite(value)) return;
  const std::string where = points > 1 ? fmt::format(" at design point {}", point + 1) : "";
  const std::string shown = std::isnan(value) ? "nan" : io::shortest_text(value);  // never "-nan"
  throw std::invalid_argument(fmt::format("{} is {}{}, expected a finite number", what, shown, where));
}

ResponseComparison response_comparison(const std::string& option, const std::string& text,
                                       const ModelDescription& model, const std::vector<ParameterValues>& design) {
  return comparison_of_names(option, text, "a response", model.response_names(design.front()), model, design);
}

ResponseComparison comparison_of_names(const std::string& option, const std::string& text, const std::string& kind,
                                       const std::vector<std::string>& names, const ModelDescription& model,
                                       const std::vector<ParameterValues>& design) {
  auto [left, right, is_less, is_strict] = comparison_in(option, text);
  const auto place_of = [&](std::string_view name) {
    const auto found =
        std::find_if(names.begin(), names.end(), [&](const std::string& known) { return is_same_name(known, name); });
    return static_cast<std::size_t>(found - names.begin());
  };
  std::size_t response = place_of(left);
  if (response == names.size()) {
    response = place_of(right);
    std::swap(left, right);
    is_less = !is_less;
  }
  if (response == names.size()) {
    throw std::invalid_argument(fmt::format("{} is {}, expected one side to be {}: {}", option, io::in_quotes(text),
                                            kind, fmt::join(names, ", ")));
  }
  const std::string what = fmt::format("the bound of {} {}", option, io::in_quotes(text));
  std::vector<std::string> parameters;
  for (const auto& parameter : model.parameters) parameters.push_back(parameter.name);
  Expression bound(what, right, parameters);
  ResponseComparison comparison{text, response, is_less, is_strict, {}};
  for (std::size_t point = 0; point < design.size(); ++point) {
    std::vector<double> values;
    for (const auto& value : design[point]) values.push_back(number_of(value));
    comparison.bounds.push_back(bound(values));
    check_finite(what, comparison.bounds.back(), point, design.size());
  }
  return comparison;
}

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
