// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// Recognizes cells and column names of a table that are not numbers: missing values, dates, identifiers and totals.
namespace sporos::io {

namespace impl {

inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

/// Removes a whole number of `least` to `most` digits from the beginning of `text` and returns it, if there is one.
inline std::optional<int> take_digits(std::string_view& text, std::size_t least, std::size_t most) {
  std::size_t count = 0;
  while (count < std::min(most, text.size()) && text[count] >= '0' && text[count] <= '9') ++count;
  const auto number = count < least ? std::nullopt : number_of<int>(text.substr(0, count));
  if (number) text.remove_prefix(count);
  return number;
}

/// Whether `text` is a date in the form `form`: Y, M and D with the separators between them. A time may follow the
/// date.
inline bool is_date_as(std::string_view text, std::string_view form) {
  const bool is_compact = form == "YMD";
  int year = 0, month = 1, day = 1;
  for (const char part : form) {
    if (part != 'Y' && part != 'M' && part != 'D') {
      if (!text.starts_with(part)) return false;
      text.remove_prefix(1);
      continue;
    }
    const auto number = part == 'Y' ? take_digits(text, 4, 4) : take_digits(text, is_compact ? 2 : 1, 2);
    if (!number) return false;
    (part == 'Y' ? year : part == 'M' ? month : day) = *number;
  }
  constexpr int first_year = 1800, last_year = 2199;
  const std::chrono::year_month_day date(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  const bool has_time = text.starts_with('T') || text.starts_with(' ');
  return year >= first_year && year <= last_year && date.ok() &&
         (text.empty() || (has_time && text.find_first_not_of("0123456789:.+-Z", 1) == std::string_view::npos));
}

}  // namespace impl

/// Whether a cell stands for a missing value: it is empty, a question mark, or NA, N/A, NaN, null or nil in any case,
/// possibly with # before it or in angle brackets.
inline bool is_missing(std::string_view cell) {
  constexpr std::size_t longest = 6;
  if (cell.empty()) return true;
  if (cell.size() > longest || std::string_view("nN?#<-").find(cell.front()) == std::string_view::npos) return false;
  constexpr auto texts =
      std::to_array<std::string_view>({"na", "n/a", "nan", "-nan", "null", "nil", "#na", "#n/a", "<na>", "?"});
  return std::find(texts.begin(), texts.end(), impl::lower_case(cell)) != texts.end();
}

/// Whether a cell is a day from 1800 to 2199, or a month of these years: 2024-01-02, 2024/01/02, 20240102, 02.01.2024,
/// 02/01/2024 (day or month first) or 2024-01. A time may follow after T or a blank.
inline bool is_date(std::string_view cell) {
  constexpr std::size_t shortest = 7;
  if (cell.size() < shortest || cell.front() < '0' || cell.front() > '9') return false;
  constexpr auto forms = std::to_array<std::string_view>({"Y-M-D", "Y/M/D", "YMD", "D.M.Y", "D/M/Y", "M/D/Y", "Y-M"});
  return std::any_of(forms.begin(), forms.end(),
                     [cell](std::string_view form) { return impl::is_date_as(cell, form); });
}

/// Whether `name` suggests a column of dates or times: date, day, week, year, timestamp and similar names, also in
/// German, in any case.
inline bool is_name_of_dates(std::string_view name) {
  constexpr auto names = std::to_array<std::string_view>(
      {"date", "day",     "time",   "datetime", "timestamp", "month", "year",  "week",  "quarter", "period",
       "hour", "weekday", "yyyymm", "yyyymmdd", "epoch",     "datum", "monat", "woche", "quartal", "jahr"});
  return std::find(names.begin(), names.end(), impl::lower_case(name)) != names.end();
}

/// Whether `name` suggests a column of row identifiers: id, index, rownames, "Unnamed: 0" of pandas and similar names,
/// in any case.
inline bool is_name_of_identifiers(std::string_view name) {
  constexpr auto names = std::to_array<std::string_view>({"id", "#", "index", "idx", "row", "rowid", "row_id",
                                                          "rowname", "rownames", "row.names", "row_names", "rownumber",
                                                          "row_number", "uid", "key", "unnamed: 0"});
  return std::find(names.begin(), names.end(), impl::lower_case(name)) != names.end();
}

/// Whether a cell marks its row as a total of the rows before it: total, sum, mean and similar words, in any case.
inline bool is_name_of_totals(std::string_view cell) {
  constexpr std::size_t shortest = 3, longest = 12;
  if (cell.size() < shortest || cell.size() > longest) return false;
  if (std::string_view("tTsSgGiImMaA").find(cell.front()) == std::string_view::npos) return false;
  constexpr auto names = std::to_array<std::string_view>({"total", "totals", "total:", "grand total", "subtotal", "sum",
                                                          "sum:", "summe", "gesamt", "insgesamt", "mean", "average",
                                                          "avg", "mittelwert", "somme", "totale"});
  return std::find(names.begin(), names.end(), impl::lower_case(cell)) != names.end();
}

}  // namespace sporos::io
