// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/search/options.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/core/replication/described_problem.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// A problem and the model that it is over.
struct RegisteredProblem {
  const ModelDescription* model;      ///< that tells of it
  const DescribedProblem* described;  ///< what it tells
};

/// The problems of all models, in the order of these.
std::span<const RegisteredProblem> registered_problems();

/// The problem called `name`; null where there is none.
const RegisteredProblem* find_registered(std::string_view name);

/// The same. Throws std::invalid_argument, which says what was meant or what names there are.
const RegisteredProblem& registered_problem(std::string_view name);

/// Throws as registered_problem does where `name` is much like a problem's, and no model's.
void check_no_problem_is_meant(std::string_view name);

/// Whether a decision takes whole numbers alone.
bool has_whole_decisions(const RegisteredProblem& problem);

/// What `sporos optimize` would be told of the problem: parameters with decisions at the start, the objective,
/// constraints, the budget, and all else as is usual. Throws std::invalid_argument for a description that makes no
/// problem.
SearchRequest search_request(const RegisteredProblem& problem);

/// Where searches begin.
std::vector<double> start_of(const DescribedProblem& problem);

/// The objective at `x`, as the problem has it, where theory knows the means of all responses in it; nothing elsewhere.
std::optional<double> exact_objective(const RegisteredProblem& problem, std::span<const double> x);

/// By what the constraint on mean responses at that place of SearchRequest::constraints_on_means is exceeded at `x`;
/// nothing where theory does not know it, and for one on a tail.
std::optional<double> exact_excess(const RegisteredProblem& problem, std::size_t constraint, std::span<const double> x);

}  // namespace sporos::runtime
