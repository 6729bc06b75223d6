// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/requirements.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/replication/estimates.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <tuple>

namespace sporos::runtime {

std::string cost_option(const ModelDescription& model) { return model.find_parameter("cost") ? "point-cost" : "cost"; }

Requirements::Requirements(const ModelDescription& model, const std::vector<ParameterValues>& design, const Plan& plan,
                           const std::vector<std::string>& requirements, const OptionText& cost)
    : m_design(design), m_plan(plan), m_responses(model.response_names(design.front())) {
  if (plan.replications / plan.source.replications_of_run() < 2) {
    throw std::invalid_argument("--require is given for one observation of each design point, expected at least 2");
  }
  for (const auto& parameter : model.parameters) m_parameters.push_back(parameter.name);
  for (const auto& values : design) {
    auto& numbers = m_values.emplace_back();
    for (const auto& value : values) numbers.push_back(number_of(value));
  }
  for (const auto& text : requirements) m_requirements.push_back(response_comparison("--require", text, model, design));
  if (!cost) return;
  auto names = m_parameters;
  names.insert(names.end(), m_responses.begin(), m_responses.end());
  const std::string option = "--" + cost_option(model);
  m_cost.emplace(option, *cost, names);
  if (m_cost->uses_any(m_parameters.size(), names.size())) return;
  for (std::size_t point = 0; point < design.size(); ++point) {
    auto values = m_values[point];
    values.resize(names.size());
    check_finite(fmt::format("{} {}", option, io::in_quotes(*cost)), (*m_cost)(values), point, design.size());
  }
}

Verdict Requirements::verdict(const ResponseComparison& requirement, std::size_t point,
                              const ResponseEstimate& estimate) const {
  const auto decisions = static_cast<double>(m_requirements.size() * m_design.size());
  const double error = (1 - m_plan.confidence) / decisions;  // error probability on one side
  const double half = half_width(estimate, 1 - 2 * error);
  if (!std::isfinite(estimate.mean) || !std::isfinite(half)) return Verdict::undecided;
  const double sign = requirement.is_upper ? 1 : -1, bound = sign * requirement.bounds[point];
  const double least = sign * estimate.mean - half, most = sign * estimate.mean + half;
  if (requirement.is_strict ? most < bound : most <= bound) return Verdict::meets;
  if (requirement.is_strict ? least >= bound : least > bound) return Verdict::violates;
  return Verdict::undecided;
}

double Requirements::cost_at(std::size_t point, const PointResult& result) {
  auto values = m_values[point];
  for (const auto& response : result.responses) values.push_back(response.mean);
  const double cost = (*m_cost)(values);
  return std::isfinite(cost) ? cost : std::numeric_limits<double>::quiet_NaN();
}

RequirementReport Requirements::decide(const ExperimentResult& result) {
  RequirementReport report{{}, m_plan.confidence, std::nullopt, {}};
  for (const auto& requirement : m_requirements) report.texts.push_back(requirement.text);
  if (m_cost) report.cost = m_cost->text();
  for (std::size_t point = 0; point < m_design.size(); ++point) {
    PointVerdict verdicts{point, Verdict::meets, {}, std::nullopt};
    for (const auto& requirement : m_requirements) {
      const PointResult& found = result.points[point];
      verdicts.of_requirements.push_back(
          found.failure ? Verdict::violates : verdict(requirement, point, found.responses[requirement.response]));
    }
    verdicts.verdict = *std::max_element(verdicts.of_requirements.begin(), verdicts.of_requirements.end());
    if (m_cost) verdicts.cost = cost_at(point, result.points[point]);
    report.points.push_back(std::move(verdicts));
  }
  const auto order = [](const PointVerdict& point) {
    const bool is_unknown = point.cost && std::isnan(*point.cost);
    return std::tuple(point.verdict, is_unknown, is_unknown ? 0.0 : point.cost.value_or(0.0));
  };
  std::stable_sort(report.points.begin(), report.points.end(),
                   [&](const PointVerdict& a, const PointVerdict& b) { return order(a) < order(b); });
  return report;
}

}  // namespace sporos::runtime
