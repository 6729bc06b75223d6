// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/model_description.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// How many design points an experiment may have: each keeps the moments of its replications in memory.
inline constexpr std::size_t most_design_points = 100'000;

/// The values in the text of a parameter's option: a value, a range FIRST:LAST or FIRST:LAST:STEP (both ends included;
/// the step is 1 where none is given), or several of these with commas between them. Values of a range are the numbers
/// that its text means: 0.1:0.5:0.1 holds 0.3 and not 0.1 + 2 * 0.1. A file is a single value. Throws
/// std::invalid_argument.
std::vector<ParameterValue> parse_value_list(const ParameterDescription& parameter, std::string_view text);

/// The pieces of `text` between the separators; one more than there are of these.
std::vector<std::string_view> split(std::string_view text, char separator);

}  // namespace sporos::runtime
