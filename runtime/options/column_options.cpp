// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/options/column_options.hpp>

#include <sporos/core/io/csv_records.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <stdexcept>

namespace sporos::runtime {

std::vector<OptionEntry> column_options(const std::string& group) {
  return {{group, "ignore", "NAME[,NAME]", "csv: columns to ignore, such as identifiers, names and dates"},
          {group, "no-header", "", "csv: the first line is data; the columns are named 1, 2, ..."}};
}

std::vector<std::string> columns_of(const OptionTable& options, const std::string& name) {
  if (!options.has(name)) return {};
  io::CsvRecords records(*options.text(name), ',');
  if (records.at_end() || records.next() || !records.at_end()) {
    throw std::invalid_argument(
        fmt::format("--{} is {}, expected names of columns separated by commas, in quotes if a name contains a comma",
                    name, io::in_quotes(*options.text(name))));
  }
  return {records.fields().begin(), records.fields().end()};
}

bool drops_missing(const OptionTable& options) {
  const std::string missing = options.text("missing").value_or("refuse");
  if (missing == "refuse" || missing == "drop") return missing == "drop";
  throw std::invalid_argument(fmt::format("--missing is {}, expected refuse or drop", io::in_quotes(missing)));
}

void refuse_columns_unless(bool is_csv, const OptionTable& options, std::initializer_list<const char*> names) {
  options.refuse_unless(is_csv, "label", "CSV: in LIBSVM's format the label comes first");
  for (const char* name : names) options.refuse_unless(is_csv, name, "CSV");
}

}  // namespace sporos::runtime
