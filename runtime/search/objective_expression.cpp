// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/objective_expression.hpp>

#include <sporos/runtime/search/constraints.hpp>

#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <ranges>
#include <stdexcept>
#include <utility>

namespace sporos::runtime {

namespace {

using FunctionPointer = std::shared_ptr<ModelFunction>;

Objective as_weighted_sum(const FunctionPointer& function, const std::vector<double>& weights,
                          const std::vector<std::string>& names) {
  std::vector<WeightedResponse> responses;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (function->uses_response(i)) responses.push_back({names[i], weights[i]});
  }
  if (!function->uses_decisions()) {
    const double constant = function->of_decisions({}, {});
    return weighted_sum(std::move(responses), [constant](std::span<const double>, std::span<double> gradient) {
      std::ranges::fill(gradient, 0.0);
      return constant;
    });
  }
  return weighted_sum(std::move(responses), [function](std::span<const double> x, std::span<double> gradient) {
    return function->of_decisions(x, gradient);
  });
}

// Makes a function of the means of the responses with indices `places`.
FunctionOfMeans function_at(const FunctionPointer& function, const std::vector<std::size_t>& places) {
  return [function, places](std::span<const double> x, std::span<const double> means, std::span<double> by_decisions,
                            std::span<double> by_means) {
    // The spans of means may have an entry for the constant 1, after those of the responses.
    const std::size_t count = std::min(by_means.size(), places.size());
    std::ranges::fill(by_means.subspan(count), 0.0);
    return function->of_means(x, places, means.first(places.size()), by_decisions, by_means.first(count));
  };
}

// Makes an objective with constraints. The responses in tails are simulated, too.
Objective as_functions_of_means(const FunctionPointer& objective, const std::vector<FunctionPointer>& constraints,
                                const std::vector<FunctionPointer>& tails, const std::vector<std::string>& names) {
  std::vector<std::string> used;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto uses = [&](const FunctionPointer& function) { return function->uses_response(i); };
    if (!uses(objective) && std::ranges::none_of(constraints, uses) && std::ranges::none_of(tails, uses)) continue;
    used.push_back(names[i]);
    places.push_back(i);
  }
  Objective found = function_of_means(used, function_at(objective, places));
  for (const FunctionPointer& constraint : constraints) found.constraints.push_back(function_at(constraint, places));
  return found;
}

}  // namespace

bool holds_means(const std::string& text, const ModelDescription& model, const ParameterValues& values) {
  const Comparison sides = comparison_of(text);
  std::vector<std::string> names;
  for (const ParameterDescription& parameter : model.parameters) names.push_back(parameter.name);
  const auto responses = model.response_names(values);
  names.insert(names.end(), responses.begin(), responses.end());
  const auto uses_response = [&](const std::string& which, const std::string& side) {
    const Expression expression(fmt::format("the {} side of --subject-to", which), side, names);
    return expression.uses_any(model.parameters.size(), names.size());
  };
  const bool on_left = uses_response("left", sides.left), on_right = uses_response("right", sides.right);
  return on_left || on_right;
}

ConstraintOnMeans constraint_on_means_of(const std::string& text) {
  const auto [left, sign, right] = comparison_of(text);
  if (sign == "=") refuse_constraint(text, "<= or >= in a constraint on a response");
  return {text, {"--subject-to", fmt::format("({}) - ({})", left, right), "", sign == ">="}, {}};
}

Objective objective_of(const ObjectiveExpression& objective, std::span<const ConstraintOnMeans> constraints,
                       const ModelDescription& model, const ParameterValues& values,
                       std::span<const Decision> decisions) {
  const auto function = std::make_shared<ModelFunction>(objective, model, values, decisions);
  const auto names = model.response_names(values);
  if (constraints.empty() && !function->uses_responses()) {
    throw std::invalid_argument(fmt::format("{} is {}, expected an expression with at least one response",
                                            objective.what, io::in_quotes(objective.text)));
  }
  if (constraints.empty()) {
    if (const auto weights = function->constant_weights()) return as_weighted_sum(function, *weights, names);
  }
  std::vector<FunctionPointer> of_constraints, of_tails;
  for (const ConstraintOnMeans& constraint : constraints) {
    const ObjectiveExpression& expression = constraint.tail ? constraint.tail->compared : constraint.exceeded;
    (constraint.tail ? of_tails : of_constraints)
        .push_back(std::make_shared<ModelFunction>(expression, model, values, decisions));
    if (constraint.tail && !of_tails.back()->uses_responses())
      refuse_constraint(constraint.text, fmt::format("a response in {}", constraint.tail->name));
  }
  return as_functions_of_means(function, of_constraints, of_tails, names);
}

ModelFunction::ModelFunction(const ObjectiveExpression& objective, const ModelDescription& model,
                             const ParameterValues& values, std::span<const Decision> decisions)
    : m_sign(objective.is_maximized ? -1 : 1),
      m_parameters(model.parameters.size()),
      m_decisions(decisions.begin(), decisions.end()) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < m_parameters; ++i) {
    names.push_back(model.parameters[i].name);
    m_values.push_back(number_of(values[i]));
  }
  for (const Decision& decision : decisions) {
    m_decided.push_back(*model.find_parameter(decision.parameter));
    m_default.push_back(m_values[m_decided.back()]);
  }
  const auto responses = model.response_names(values);
  names.insert(names.end(), responses.begin(), responses.end());
  m_values.resize(names.size());
  m_expressions.emplace_back(objective.what, objective.text, names);
  if (!objective.added.empty()) m_expressions.emplace_back("--plus", objective.added, names);
}

bool ModelFunction::uses(std::size_t place) const {
  return std::ranges::any_of(m_expressions, [&](const Expression& e) { return e.uses_any(place, place + 1); });
}

bool ModelFunction::uses_response(std::size_t place) const { return uses(m_parameters + place); }

bool ModelFunction::uses_decisions() const {
  return std::ranges::any_of(m_decided, [this](std::size_t place) { return uses(place); });
}

bool ModelFunction::uses_responses() const {
  return std::ranges::any_of(m_expressions,
                             [&](const Expression& e) { return e.uses_any(m_parameters, m_values.size()); });
}

double ModelFunction::value() {
  double sum = 0;
  for (Expression& expression : m_expressions) sum += expression(m_values);
  return m_sign * sum;
}

double ModelFunction::operator()(std::span<const double> x, std::span<const double> of_responses) {
  for (std::size_t i = 0; i < x.size(); ++i) m_values[m_decided[i]] = x[i];
  std::copy(of_responses.begin(), of_responses.end(), m_values.begin() + static_cast<std::ptrdiff_t>(m_parameters));
  return value();
}

// Derivative by the value with index `place`: a difference of fourth order.
double ModelFunction::slope(std::size_t place) {
  if (!uses(place)) return 0;
  double& number = m_values[place];
  const double at = number, h = 1e-4 * std::max(1e-2, std::abs(at));
  const auto value_at = [&](double steps) {
    number = at + steps * h;
    return value();
  };
  const double found = (8 * (value_at(1) - value_at(-1)) - (value_at(2) - value_at(-2))) / (12 * h);
  number = at;
  return found;
}

double ModelFunction::of_means(std::span<const double> x, std::span<const std::size_t> places,
                               std::span<const double> means, std::span<double> by_decisions,
                               std::span<double> by_means) {
  for (std::size_t i = 0; i < x.size(); ++i) m_values[m_decided[i]] = x[i];
  std::fill(m_values.begin() + static_cast<std::ptrdiff_t>(m_parameters), m_values.end(), 0.0);
  for (std::size_t i = 0; i < places.size(); ++i) m_values[m_parameters + places[i]] = means[i];
  for (std::size_t i = 0; i < by_decisions.size(); ++i) by_decisions[i] = slope(m_decided[i]);
  for (std::size_t i = 0; i < by_means.size(); ++i) by_means[i] = slope(m_parameters + places[i]);
  return value();
}

double ModelFunction::of_decisions(std::span<const double> x, std::span<double> gradient) {
  if (!gradient.empty() || !m_last_value || !std::ranges::equal(x, m_last_x)) {
    m_last_value = of_means(x, {}, {}, gradient, {});
    m_last_x.assign(x.begin(), x.end());
  }
  return *m_last_value;
}

// Returns points at which constant_weights checks whether the expression is a sum with constant weights.
std::vector<std::vector<double>> ModelFunction::probes() const {
  std::vector<std::vector<double>> points;
  for (const double share : {0.31, 0.57, 0.83}) {
    auto& x = points.emplace_back();
    for (std::size_t i = 0; i < m_decisions.size(); ++i) {
      const auto& [parameter, low, end] = m_decisions[i];
      const double high = std::isfinite(end) ? end : std::max({1.0, 2 * m_default[i], 2 * low});
      x.push_back(low + share * (high - low));
    }
  }
  return points;
}

// Takes the weights at the first probe, and checks that they hold at all probes.
std::optional<std::vector<double>> ModelFunction::constant_weights() {
  const auto points = probes();
  std::vector<double> of_responses(responses()), weights;
  const double base = (*this)(points.front(), of_responses);
  for (std::size_t i = 0; i < responses(); ++i) {
    of_responses[i] = 1;
    weights.push_back(uses_response(i) ? (*this)(points.front(), of_responses) - base : 0);
    of_responses[i] = 0;
  }
  for (const auto& x : points) {
    double sum = (*this)(x, of_responses), magnitude = std::abs(sum);
    std::vector<double> odd(responses());
    for (std::size_t i = 0; i < odd.size(); ++i) {
      odd[i] = 1.7 + 0.9 * static_cast<double>(i);
      sum += weights[i] * odd[i];
      magnitude += std::abs(weights[i] * odd[i]);
    }
    if (!(std::abs((*this)(x, odd) - sum) <= 1e-9 * magnitude)) return std::nullopt;
  }
  return weights;
}

}  // namespace sporos::runtime
