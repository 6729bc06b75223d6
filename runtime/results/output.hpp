// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <string>
#include <vector>

/// Output of a command's result.
namespace sporos::runtime {

/// Returns the option --table.
OptionEntry table_option();

/// Throws std::invalid_argument if --format is not a format, if --table is given without --format csv, or if --table is
/// not one of `tables`.
void check_table(const OptionTable& options, const std::vector<std::string>& tables);

/// Returns the result in the format and table that --format and --table select.
std::string text_of(const ResultDocument& result, const OptionTable& options);

}  // namespace sporos::runtime
