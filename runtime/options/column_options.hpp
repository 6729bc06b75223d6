// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>

#include <initializer_list>
#include <string>
#include <vector>

namespace sporos::runtime {

/// The options of all commands that read a CSV file whose columns a user names: --ignore and --no-header.
std::vector<OptionEntry> column_options(const std::string& group);

/// The names of columns that the option `name` lists, as a record of a CSV file; none where it is not given. Throws
/// std::invalid_argument where it is no such record.
std::vector<std::string> columns_of(const OptionTable& options, const std::string& name);

/// Whether --missing is drop, and not refuse; throws std::invalid_argument where it is neither.
bool drops_missing(const OptionTable& options);

/// Refuses --label and the options `names`, all about columns, where the file is none of CSV.
void refuse_columns_unless(bool is_csv, const OptionTable& options, std::initializer_list<const char*> names);

}  // namespace sporos::runtime
