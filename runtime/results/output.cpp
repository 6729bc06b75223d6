// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/results/output.hpp>

#include <sporos/runtime/results/renderers.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/one_line.hpp>

#include <algorithm>
#include <stdexcept>

namespace sporos::runtime {

OptionEntry table_option() {
  return {"Run",  "table",
          "NAME", "table of the result that --format csv writes; default: the first; an unknown NAME prints all names",
          {},     Decides::run};
}

void check_table(const OptionTable& options, const std::vector<std::string>& tables) {
  const OptionText& table = options.text("table");
  const Format format = options.choice("format", Format::table);
  if (!table) return;
  if (std::ranges::find(tables, *table) == tables.end()) {
    throw std::invalid_argument(
        fmt::format("--table is {}, expected one of {}", io::in_quotes(*table), fmt::join(tables, ", ")));
  }
  if (format != Format::csv) throw std::invalid_argument("--table is given without --format csv: expected both");
}

std::string text_of(const ResultDocument& result, const OptionTable& options) {
  const Format format = options.choice("format", Format::table);
  if (format == Format::csv) return csv_of(result, options.text("table").value_or(""));
  return format == Format::json ? json_of(result) : table_of(result);
}

}  // namespace sporos::runtime
