// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/report.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Of a report that compares design points: a line for each difference, or for each point's distance from the best.
std::string comparison_table(const Report& report);

/// The same in CSV, where a line is of a response at a design point: the names of the columns, three for each point
/// that others are compared with.
std::vector<std::string> comparison_columns(const Report& report);

/// What stands in them: empty fields for other responses.
std::vector<std::string> comparison_fields(const Report& report, std::size_t point, std::size_t response);

}  // namespace sporos::runtime
