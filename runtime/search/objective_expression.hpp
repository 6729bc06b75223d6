// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/optimizers/constrained/tail_problem.hpp>
#include <sporos/procedures/decision.hpp>
#include <sporos/procedures/objective.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sporos::runtime {

/// An objective that a user wrote: an expression over parameters and mean responses.
struct ObjectiveExpression {
  std::string what;           ///< the option that it stands behind, for messages
  std::string text;           ///< the expression
  std::string added;          ///< another one that is added to it; may be empty
  bool is_maximized = false;  ///< whether the objective is to be as large as possible
};

/// What a constraint asks of the tail of responses: "P(time in queue > 5) <= 0.05", "CVaR_0.95(time in queue) <= 7".
struct TailExpression {
  std::string name;              ///< P(…) or CVaR_…(…), as it was written
  TailMeasure measure;           ///< of what is compared
  double level;                  ///< of CVaR
  ObjectiveExpression compared;  ///< Z: of a probability, that of Z > 0
  ObjectiveExpression limit;     ///< of the measure
  bool is_reversed;              ///< whether the measure is to be at least the limit
};

/// A constraint that a user wrote, in which a response stands: "time in queue <= 2 / servers".
struct ConstraintOnMeans {
  std::string text;              ///< as it was written
  ObjectiveExpression exceeded;  ///< by how much it is, left side less right side: maximized where that is to be >= 0
  std::optional<TailExpression> tail = {};  ///< in its place, where it is on a tail
};

/// Whether a response of `model` stands in a constraint that a user wrote. Throws std::invalid_argument for what is
/// none.
bool holds_means(const std::string& text, const ModelDescription& model, const ParameterValues& values);

/// It. Throws std::invalid_argument for a constraint that is no inequality.
ConstraintOnMeans constraint_on_means_of(const std::string& text);

/// It, to be minimized, over the parameters of `model` that `decisions` name; all others have the values of `values`.
/// Where it is a sum of responses with constant weights and of what depends on parameters alone, this sum is simulated;
/// else each response in it. Its derivatives by numbers in the text are differences of fourth order. Throws
/// std::invalid_argument, with the place in the text, for what is no expression over parameters and responses, and
/// where no response stands in it. With constraints, all responses in these and the objective are simulated.
Objective objective_of(const ObjectiveExpression& objective, std::span<const ConstraintOnMeans> constraints,
                       const ModelDescription& model, const ParameterValues& values,
                       std::span<const Decision> decisions);

}  // namespace sporos::runtime
