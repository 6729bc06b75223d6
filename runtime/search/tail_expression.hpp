// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/search/objective_expression.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/optimizers/constrained/tail_problem.hpp>
#include <sporos/procedures/decision.hpp>
#include <sporos/procedures/objective.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sporos::runtime {

/// The constraint that a user wrote, where one of its sides is P(A > B), with <, <= or >= too, or CVaR_0.95(A); nothing
/// for others. Throws std::invalid_argument where one of these stands elsewhere, for a level of CVaR outside (0, 1),
/// and for a CVaR that is to be at least something.
std::optional<ConstraintOnMeans> tail_constraint_of(const std::string& text);

/// Those of `constraints` that are on tails, for a problem that simulates the quantities of `objective`. Throws
/// std::invalid_argument where A − B is no sum of responses with constant weights and of what depends on parameters
/// alone, for a limit in which a response stands, and for a probability whose limit is not between 0 and 1.
std::vector<TailConstraint> tails_of(std::span<const ConstraintOnMeans> constraints, const Objective& objective,
                                     const ModelDescription& model, const ParameterValues& values,
                                     std::span<const Decision> decisions);

}  // namespace sporos::runtime
