// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/selection/selection_constraint.hpp>

#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/search/comparison.hpp>
#include <sporos/runtime/search/model_function.hpp>
#include <sporos/runtime/search/objective_expression.hpp>
#include <sporos/runtime/search/tail_expression.hpp>
#include <sporos/runtime/simulation/expression.hpp>

#include <sporos/core/io/format.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace sporos::runtime {

namespace {

// Throws if an expression contains a parameter that differs between systems.
void check_same_in_all(const std::string& text, const std::string& side, const ModelDescription& model,
                       const ParameterValues& values, const SystemGrid& grid) {
  std::vector<std::string> names;
  for (const ParameterDescription& parameter : model.parameters) names.push_back(parameter.name);
  const auto responses = model.response_names(values);
  names.insert(names.end(), responses.begin(), responses.end());
  const Expression expression("--subject-to", side, names);
  for (const GridAxis& axis : grid.axes()) {
    const std::size_t place = *model.find_parameter(axis.parameter);
    if (!expression.uses_any(place, place + 1)) continue;
    refuse_constraint(text, fmt::format("an expression without {}, which differs between systems", axis.parameter));
  }
}

}  // namespace

SelectionConstraint selection_constraint(const std::string& text, const ModelDescription& model,
                                         const ParameterValues& values, const SystemGrid& grid) {
  const char* const expected = "a sum of responses with constant weights, <= or >= and a limit";
  if (tail_constraint_of(text)) refuse_constraint(text, expected);
  const auto [left, sign, right] = comparison_of(text);
  for (const std::string& side : {left, right}) check_same_in_all(text, side, model, values, grid);
  const auto function_of = [&](const std::string& side) {
    return ModelFunction({"--subject-to", side, "", false}, model, values, {});
  };
  ModelFunction exceeded(constraint_on_means_of(text).exceeded, model, values, {});
  if (!exceeded.uses_responses()) refuse_constraint(text, "a response in it");
  const auto weights = exceeded.constant_weights();
  const double offset = exceeded.of_decisions({}, {});
  if (!weights || !std::isfinite(offset)) refuse_constraint(text, expected);
  const bool is_at_least = sign == ">=";
  const ResponseConstraint observed{*weights, -offset};
  ModelFunction on_left = function_of(left), on_right = function_of(right);
  if (!on_right.uses_responses())
    return {text, std::string(trimmed(left)), is_at_least, on_right.of_decisions({}, {}), observed};
  if (!on_left.uses_responses())
    return {text, std::string(trimmed(right)), !is_at_least, on_left.of_decisions({}, {}), observed};
  return {text, fmt::format("{} - ({})", trimmed(left), trimmed(right)), is_at_least, 0, observed};
}

}  // namespace sporos::runtime
