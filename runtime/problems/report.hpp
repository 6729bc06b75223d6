// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/problems/registry.hpp>

#include <sporos/core/io/json.hpp>

#include <string>
#include <string_view>

namespace sporos::runtime {

/// What lists show of all problems.
struct ProblemList {
  std::span<const RegisteredProblem> problems;  ///< in their order
};

/// A line each, as a table.
std::string table_of(const ProblemList& list);

/// All that is known of each, as JSON.
std::string json_of(const ProblemList& list);

/// A line each, as CSV.
std::string csv_of(const ProblemList& list);

/// All that is known of a problem, for people.
std::string description_of(const RegisteredProblem& problem);

/// "minimize duration + 1 / mean_1_2".
std::string objective_text(const DescribedProblem& problem);

/// The same as JSON.
io::Json json_of(const RegisteredProblem& problem);

}  // namespace sporos::runtime
