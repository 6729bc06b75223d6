// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/problems/registry.hpp>

#include <sporos/core/io/json.hpp>

#include <string>
#include <string_view>

namespace sporos::runtime {

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
