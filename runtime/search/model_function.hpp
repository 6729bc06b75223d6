// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/search/objective_expression.hpp>
#include <sporos/runtime/simulation/expression.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/procedures/decision.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sporos::runtime {

/// What a user wrote as a function of decisions and of a model's mean responses; other parameters are fixed.
class ModelFunction {
 public:
  /// Of one or two expressions, which are added. Throws std::invalid_argument for what is none.
  ModelFunction(const ObjectiveExpression& objective, const ModelDescription& model, const ParameterValues& values,
                std::span<const Decision> decisions);

  /// Number of the model's responses.
  std::size_t responses() const { return m_values.size() - m_parameters; }

  /// Whether the response at that place among all of them stands in it.
  bool uses_response(std::size_t place) const;

  /// Whether any does.
  bool uses_responses() const;

  /// The value, to be minimized.
  double operator()(std::span<const double> x, std::span<const double> of_responses);

  /// Its derivative by numbers[i], where `numbers` are x or the responses: a difference of fourth order.
  double slope(std::vector<double>& x, std::vector<double>& of_responses, std::vector<double>& numbers, std::size_t i);

  /// Without responses: the value, and where `gradient` is not empty its derivatives.
  double of_decisions(std::span<const double> x, std::span<double> gradient);

  /// The weights of responses where these are constants within the decisions' ranges.
  std::optional<std::vector<double>> constant_weights();

 private:
  std::vector<std::vector<double>> probes() const;

  double m_sign;
  std::size_t m_parameters;
  std::vector<Decision> m_decisions;
  std::vector<std::size_t> m_decided;  // their places
  std::vector<double> m_values;        // of parameters, then of responses
  std::vector<double> m_usual;         // of decisions
  std::vector<Expression> m_expressions;
};

}  // namespace sporos::runtime
