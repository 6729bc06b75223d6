// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <string>
#include <vector>

/// How a command writes its result.
namespace sporos::runtime {

/// The option --table.
OptionEntry table_option();

/// Throws std::invalid_argument if --format names no format, or if --table is given without --format csv or names none
/// of the result's tables.
void check_table(const OptionTable& options, const std::vector<std::string>& tables);

/// The result as --format and --table say.
std::string text_of(const ResultDocument& result, const OptionTable& options);

}  // namespace sporos::runtime
