// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/options/option_table.hpp>

#include <sporos/core/execution/execution_settings.hpp>

#include <initializer_list>
#include <string>
#include <vector>

namespace sporos::runtime {

/// The options --threads and --device of all commands that compute on the backend. `help` is the help of --threads.
std::vector<OptionEntry> execution_options(const std::string& help);

/// The option --output.
OptionEntry output_option(const std::string& help = "write to FILE, all or nothing, instead of standard output");

/// Returns the settings that the options --threads and --device request. Throws std::invalid_argument if `backend` does
/// not support them. Whether the machine has that GPU is checked when the backend is started.
ExecutionSettings execution_settings(const OptionText& threads, const OptionText& device, const Backend& backend);

/// Returns the settings that a command's options --threads and --device request.
ExecutionSettings execution_settings(const OptionTable& options, const Backend& backend);

/// Options of all commands that read a CSV file whose columns users name: --ignore and --no-header.
std::vector<OptionEntry> column_options(const std::string& group);

/// Returns the names of columns in the value of the option `name`, a record of a CSV file; empty if the option is not
/// given. Throws std::invalid_argument if the value is not such a record.
std::vector<std::string> columns_of(const OptionTable& options, const std::string& name);

/// Whether --missing is "drop", not "refuse", its default. Throws std::invalid_argument if it has another value.
bool drops_missing(const OptionTable& options);

/// Throws std::invalid_argument if the file is not CSV and --label or an option of `names`, all about columns, is
/// given.
void refuse_columns_unless(bool is_csv, const OptionTable& options, std::initializer_list<const char*> names);

}  // namespace sporos::runtime
