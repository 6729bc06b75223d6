// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/optimization/problem.hpp>

#include <string>
#include <vector>

namespace sporos::runtime {

/// Formats a solution as CSV: name and value of each coordinate if `all`, otherwise of the nonzeros.
std::string solution_text(const ProblemDescription& problem, const std::vector<double>& solution, bool all);

/// Reads a file that solution_text has made; coordinates missing in it are 0. Appends to `notes` in which ways the file
/// is not plain CSV. Throws std::invalid_argument, naming file, line and column, if the columns are different, a name
/// is unknown to the problem or occurs twice, or a value is not a finite number.
std::vector<double> read_solution(const ProblemDescription& problem, const std::string& path,
                                  std::vector<std::string>& notes);

}  // namespace sporos::runtime
