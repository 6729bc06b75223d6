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

/// A user's expression as a function of decision variables and of a model's mean responses; other parameters are fixed.
class ModelFunction {
 public:
  /// Parses one or two expressions, which are added. Throws std::invalid_argument if one is not a valid expression.
  ModelFunction(const ObjectiveExpression& objective, const ModelDescription& model, const ParameterValues& values,
                std::span<const Decision> decisions);

  /// Number of the model's responses.
  std::size_t responses() const { return m_values.size() - m_parameters; }

  /// Whether the expression contains the response with this index among the model's responses.
  bool uses_response(std::size_t place) const;

  /// Whether the expression contains any response.
  bool uses_responses() const;

  /// Value of the function, with the sign such that it is to be minimized.
  double operator()(std::span<const double> x, std::span<const double> of_responses);

  /// Derivative of the function by numbers[i], where `numbers` is x or the responses: a difference of fourth order.
  double slope(std::vector<double>& x, std::vector<double>& of_responses, std::vector<double>& numbers, std::size_t i);

  /// Value of a function without responses. Sets its derivatives if `gradient` is not empty.
  double of_decisions(std::span<const double> x, std::span<double> gradient);

  /// The weights of the responses, if they are constant within the ranges of the decision variables; otherwise nothing.
  std::optional<std::vector<double>> constant_weights();

 private:
  std::vector<std::vector<double>> probes() const;

  double m_sign;
  std::size_t m_parameters;
  std::vector<Decision> m_decisions;
  std::vector<std::size_t> m_decided;  // parameter indices of the decision variables
  std::vector<double> m_values;        // values of parameters, then of responses
  std::vector<double> m_default;       // default values of the decision variables
  std::vector<Expression> m_expressions;
};

}  // namespace sporos::runtime
