// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/objective_expression.hpp>

#include <sporos/runtime/search/comparison.hpp>
#include <sporos/runtime/search/model_function.hpp>
#include <sporos/runtime/simulation/expression.hpp>

#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
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
  return weighted_sum(std::move(responses), [function](std::span<const double> x, std::span<double> gradient) {
    return function->of_decisions(x, gradient);
  });
}

// Makes a function of the means of the responses with indices `places`.
FunctionOfMeans function_at(const FunctionPointer& function, const std::vector<std::size_t>& places) {
  return [function, places](std::span<const double> x, std::span<const double> means, std::span<double> by_decisions,
                            std::span<double> by_means) {
    std::vector<double> at(x.begin(), x.end()), responses(function->responses());
    for (std::size_t i = 0; i < places.size(); ++i) responses[places[i]] = means[i];
    for (std::size_t i = 0; i < by_decisions.size(); ++i) by_decisions[i] = function->slope(at, responses, at, i);
    // `by_means` may have an entry for the constant 1, after those of the responses.
    for (std::size_t i = 0; i < by_means.size(); ++i)
      by_means[i] = i < places.size() ? function->slope(at, responses, responses, places[i]) : 0;
    return (*function)(at, responses);
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

}  // namespace sporos::runtime
