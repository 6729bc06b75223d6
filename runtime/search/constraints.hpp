// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/search/objective_expression.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/optimizers/constrained/tail_problem.hpp>
#include <sporos/optimizers/search/search_region.hpp>
#include <sporos/procedures/decision.hpp>
#include <sporos/procedures/objective.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sporos::runtime {

/// A comparison from the command line, split at its operator.
struct Comparison {
  std::string left;   ///< left expression
  std::string sign;   ///< operator: <=, >= or =; from sides_of also < or >
  std::string right;  ///< right expression
};

/// Splits a string with one comparison operator outside parentheses. Returns std::nullopt for other strings.
std::optional<Comparison> sides_of(const std::string& text);

/// Splits "left <= right". Throws std::invalid_argument, naming --subject-to, if the string does not have exactly one
/// comparison with <=, >= or =.
Comparison comparison_of(const std::string& text);

/// Throws std::invalid_argument with the message "--subject-to is `text`, expected `expected`".
[[noreturn]] void refuse_constraint(const std::string& text, const std::string& expected);

/// Parses a constraint on decision variables such as "2 * x + y <= 10": two expressions over parameters with <=, >= or
/// = between them, linear in the parameters that `decisions` name. All other parameters have the values of `values`.
/// Throws std::invalid_argument if `text` is not such a constraint or contains no decision variable.
LinearConstraint constraint_of(const std::string& text, const ModelDescription& model, const ParameterValues& values,
                               std::span<const Decision> decisions);

/// Parses a constraint one side of which is P(A > B), where <, <= and >= are allowed too, or CVaR_0.95(A). Returns
/// nothing for other constraints. Throws std::invalid_argument if a measure occurs elsewhere, if the level of CVaR is
/// outside (0, 1), or if the CVaR has a lower limit.
std::optional<ConstraintOnMeans> tail_constraint_of(const std::string& text);

/// Makes the constraints on tails among `constraints`, for a problem that simulates the quantities of `objective`.
/// Throws std::invalid_argument in these cases:
/// - A − B is not a sum of responses with constant weights and of a term that depends only on parameters,
/// - a response occurs in a limit,
/// - the limit of a probability is not between 0 and 1 at the start.
std::vector<TailConstraint> tails_of(std::span<const ConstraintOnMeans> constraints, const Objective& objective,
                                     const ModelDescription& model, const ParameterValues& values,
                                     std::span<const Decision> decisions);

}  // namespace sporos::runtime
