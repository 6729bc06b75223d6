// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>
#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <sporos/core/execution/choice.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// Format in which results are written.
enum class Format { table, json, csv };

/// Formats a result by json_of(result), csv_of(result) or table_of(result).
template <class Result>
std::string text_of(const Result& result, Format format) {
  switch (format) {
    case Format::json:
      return json_of(result);
    case Format::csv:
      return csv_of(result);
    case Format::table:
      break;
  }
  return table_of(result);
}

}  // namespace sporos::runtime

/// Names of the formats.
template <>
struct sporos::ChoiceNames<sporos::runtime::Format> {
  static constexpr std::string_view what = "format";  ///< name of the choice in messages
  /// name and value of each choice
  static constexpr auto values = std::to_array<NamedValue<runtime::Format>>(
      {{"table", runtime::Format::table}, {"json", runtime::Format::json}, {"csv", runtime::Format::csv}});
};

namespace sporos::runtime {

/// The option --format. `csv` is appended to the list of formats in the help.
inline OptionEntry format_option(const std::string& csv = "") {
  return {"Run", "format", "NAME", names_of<Format>() + csv + "; default: table", {}, Decides::run};
}

/// Returns the option --table.
OptionEntry table_option();

/// Throws std::invalid_argument if --format is not a format, if --table is given without --format csv, or if --table is
/// not one of `tables`.
void check_table(const OptionTable& options, const std::vector<std::string>& tables);

/// Returns the result in the format and table that --format and --table select.
std::string text_of(const ResultDocument& result, const OptionTable& options);

}  // namespace sporos::runtime
