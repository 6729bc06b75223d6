// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// Largest number of design points of an experiment. For each one, the moments of its replications are in memory.
inline constexpr std::size_t max_design_points = 100'000;

/// Parses the value of a parameter's option: a value, a range FIRST:LAST or FIRST:LAST:STEP, or several of these
/// separated by commas. A range includes both ends; its default step is 1. Its values are the decimal numbers that the
/// text means: 0.1:0.5:0.1 contains 0.3, not 0.1 + 2 * 0.1. The text for a file is a single value. Throws
/// std::invalid_argument if the text does not have this form or gives more than max_design_points values.
std::vector<ParameterValue> parse_value_list(const ParameterDescription& parameter, std::string_view text);

/// Sets the parameters whose options are given. Throws std::invalid_argument for a value that is not valid; for a range
/// or a list of numbers, the message suggests --over.
void set_single_values(const ModelDescription& model, const OptionTable& options, ParameterValues& values);

/// Splits `text` at each separator. There is one more piece than separators.
std::vector<std::string_view> split(std::string_view text, char separator);

}  // namespace sporos::runtime
