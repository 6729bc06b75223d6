// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/optimization/problem.hpp>

#include <string>
#include <vector>

namespace sporos::runtime {

/// A solution as CSV: the name and the value of each coordinate, or of those that are not 0.
std::string solution_text(const ProblemDescription& problem, const std::vector<double>& solution, bool all);

/// Reads such a file; coordinates that it does not name are 0. Appends to `notes` in which ways it is not plain CSV.
/// Throws std::invalid_argument, naming file, line and column, for other columns, a name that the problem does not have
/// or that comes twice, and what is no finite number.
std::vector<double> read_solution(const ProblemDescription& problem, const std::string& path,
                                  std::vector<std::string>& notes);

}  // namespace sporos::runtime
