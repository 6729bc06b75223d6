// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/expression.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/optimizers/constrained/tail_problem.hpp>
#include <sporos/procedures/decision.hpp>
#include <sporos/procedures/objective.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sporos::runtime {

/// A user's objective: an expression over parameters and mean responses.
struct ObjectiveExpression {
  std::string what;           ///< name of the objective's option in messages
  std::string text;           ///< the expression
  std::string added;          ///< an expression to be added; may be empty
  bool is_maximized = false;  ///< whether the objective is maximized
};

/// A user's constraint on the tail of responses: "P(time in queue > 5) <= 0.05", "CVaR_0.95(time in queue) <= 7".
struct TailExpression {
  std::string name;              ///< the measure P(…) or CVaR_…(…), as the user wrote it
  TailMeasure measure;           ///< measure of `compared`
  double level;                  ///< level of CVaR
  ObjectiveExpression compared;  ///< random variable Z; a probability is P(Z > 0)
  ObjectiveExpression limit;     ///< limit of the measure
  bool is_reversed;              ///< whether the measure must be at least the limit
};

/// A user's constraint that contains a response: "time in queue <= 2 / servers".
struct ConstraintOnMeans {
  std::string text;  ///< the constraint as the user wrote it
  /// Excess over the limit, left side minus right side. It is marked as maximized if it must be >= 0.
  ObjectiveExpression exceeded;
  std::optional<TailExpression> tail = {};  ///< used instead of `exceeded` if the constraint is on a tail
};

/// Whether a user's constraint contains a response of `model`. Throws std::invalid_argument if it is not a valid
/// constraint.
bool holds_means(const std::string& text, const ModelDescription& model, const ParameterValues& values);

/// Parses a constraint that contains a response. Throws std::invalid_argument if it is not an inequality.
ConstraintOnMeans constraint_on_means_of(const std::string& text);

/// Makes an objective, to be minimized, over the parameters of `model` that `decisions` name. All other parameters have
/// the values of `values`. If the expression is a sum of responses with constant weights and of a term that depends
/// only on parameters, that sum is simulated; otherwise each response in it. Derivatives by parameters and means are
/// differences of fourth order. With constraints, all responses in them and in the objective are simulated. Throws
/// std::invalid_argument, with the position in the text, if the text is not an expression over parameters and
/// responses, or contains no response.
Objective objective_of(const ObjectiveExpression& objective, std::span<const ConstraintOnMeans> constraints,
                       const ModelDescription& model, const ParameterValues& values,
                       std::span<const Decision> decisions);

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

  /// Whether the expression contains any decision variable.
  bool uses_decisions() const;

  /// Value of the function, with the sign such that it is to be minimized.
  double operator()(std::span<const double> x, std::span<const double> of_responses);

  /// Value of the function of the responses with these indices; all others are 0. Sets its derivatives by decision
  /// variables and by these responses if the spans are not empty. They are differences of fourth order.
  double of_means(std::span<const double> x, std::span<const std::size_t> places, std::span<const double> means,
                  std::span<double> by_decisions, std::span<double> by_means);

  /// Value of a function without responses. Sets its derivatives if `gradient` is not empty. Many samples in succession
  /// are at the same point; their value is computed once.
  double of_decisions(std::span<const double> x, std::span<double> gradient);

  /// The weights of the responses, if they are constant within the ranges of the decision variables; otherwise nothing.
  std::optional<std::vector<double>> constant_weights();

 private:
  std::vector<std::vector<double>> probes() const;
  bool uses(std::size_t place) const;
  double value();
  double slope(std::size_t place);

  double m_sign;
  std::size_t m_parameters;
  std::vector<Decision> m_decisions;
  std::vector<std::size_t> m_decided;  // parameter indices of the decision variables
  std::vector<double> m_values;        // values of parameters, then of responses, for `value`
  std::vector<double> m_default;       // default values of the decision variables
  std::vector<Expression> m_expressions;
  std::vector<double> m_last_x;        // last argument of `of_decisions`
  std::optional<double> m_last_value;  // value there
};

}  // namespace sporos::runtime
