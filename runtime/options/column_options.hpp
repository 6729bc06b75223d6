// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>

#include <initializer_list>
#include <string>
#include <vector>

namespace sporos::runtime {

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
