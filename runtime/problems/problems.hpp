// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/search/options.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/core/replication/described_problem.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// A problem and its model.
struct RegisteredProblem {
  const ModelDescription* model;      ///< model whose description has the problem
  const DescribedProblem* described;  ///< description of the problem
};

/// All problems, in the order of their models.
std::span<const RegisteredProblem> registered_problems();

/// Returns the problem called `name`; null if there is none.
const RegisteredProblem* find_registered(std::string_view name);

/// Returns the problem called `name`. Throws std::invalid_argument, which suggests a similar name or where to list the
/// names, if there is none.
const RegisteredProblem& registered_problem(std::string_view name);

/// Throws the same exceptions as registered_problem if `name` resembles the name of a problem and not that of a model.
void check_no_problem_is_meant(std::string_view name);

/// Whether a decision variable takes whole numbers only.
bool has_whole_decisions(const RegisteredProblem& problem);

/// Returns the request of `sporos optimize` for the problem: parameters with decision variables at the start,
/// objective, constraints and budget; all else has defaults. Throws std::invalid_argument if the description is not a
/// valid problem.
SearchRequest search_request(const RegisteredProblem& problem);

/// Returns the start of searches.
std::vector<double> start_of(const DescribedProblem& problem);

/// Returns the exact objective at `x`, with the sign of the problem, if the means of all responses in it are known by
/// theory; otherwise nothing.
std::optional<double> exact_objective(const RegisteredProblem& problem, std::span<const double> x);

/// Returns by how much the constraint SearchRequest::constraints_on_means[constraint] is exceeded at `x`. Returns
/// nothing if theory does not give the value, or if the constraint is on a tail.
std::optional<double> exact_excess(const RegisteredProblem& problem, std::size_t constraint, std::span<const double> x);

/// A list of problems to be printed.
struct ProblemList {
  std::span<const RegisteredProblem> problems;  ///< problems in the order of output
};

/// Formats the list as a table, one line per problem.
std::string table_of(const ProblemList& list);

/// Formats all data of each problem as JSON.
std::string json_of(const ProblemList& list);

/// Formats the list as CSV, one line per problem.
std::string csv_of(const ProblemList& list);

/// Returns a full human-readable description of a problem.
std::string description_of(const RegisteredProblem& problem);

/// Formats the objective as "minimize duration + 1 / mean_1_2".
std::string objective_text(const DescribedProblem& problem);

/// Returns all data of a problem as JSON.
io::Json json_of(const RegisteredProblem& problem);

}  // namespace sporos::runtime
