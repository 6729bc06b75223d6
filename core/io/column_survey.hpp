// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/cell.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/named_rows.hpp>
#include <sporos/core/io/near_number.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

/// Determines the content of the columns of a table from all of their cells.
namespace sporos::io {

/// Content of the cells of a column, missing cells excepted.
enum class ColumnKind {
  empty,           ///< all cells are missing
  numbers,         ///< numbers
  dates,           ///< dates
  texts,           ///< strings, possibly with a few numbers or dates among them
  broken_numbers,  ///< more than half are numbers, or look like numbers to a person; odd_cell() is no number
  broken_dates     ///< at least half are dates; odd_cell() is no date
};

/// Evidence that the numbers of a column identify rows or points in time, and are no measurements.
enum class IdentifierKind {
  none,         ///< there is no such evidence
  name,         ///< the column has a typical name of identifiers, and its numbers are whole
  row_count,    ///< 0, 1, 2, … or 1, 2, 3, …
  serial_days,  ///< dates in order, as the serial numbers of spreadsheets
  seconds,      ///< seconds or milliseconds since 1970
  months,       ///< months like 202401, in order
  years,        ///< years, in order
  time_name     ///< the column has a typical name of dates or times, and its numbers are whole
};

/// A cell of a table, with its line.
struct SurveyedCell {
  std::size_t line = 0;  ///< line number from 1; 0 if there is no such cell
  std::string text;      ///< text of the cell
};

/// Determines the kind of a column from its cells, which are added one by one.
class ColumnSurvey {
 public:
  /// Adds a cell. `number_text` is the same cell in the number format of programs, see CsvRows::number_text.
  void add(std::string_view cell, std::string_view number_text, std::size_t line) {
    if (is_missing(cell)) {
      note(m_first_missing, cell, line);
      return;
    }
    ++m_count;
    constexpr std::size_t compact_date = 8;
    const auto number = finite_or_large(number_text);
    const bool is_a_date = (!number || cell.size() == compact_date) && is_date(cell);
    if (number) add_number(*number);
    m_dates += is_a_date ? 1 : 0;
    note(is_a_date ? m_date : m_no_date, cell, line);
    if (number) {
      note(m_number, cell, line);
      return;
    }
    note(m_no_number, cell, line);
    const bool is_placeholding = is_placeholder(cell);
    m_placeholders += is_placeholding ? 1 : 0;
    m_near_numbers += !is_placeholding && !number_remedy(cell).empty() ? 1 : 0;
  }

  /// Kind of the column.
  ColumnKind kind() const {
    if (m_count == 0) return ColumnKind::empty;
    const bool are_numbers = m_numbers == m_count;
    if (m_dates == m_count && !(are_numbers && m_count == 1)) return ColumnKind::dates;
    if (are_numbers) return ColumnKind::numbers;
    if (2 * m_dates >= m_count) return ColumnKind::broken_dates;
    const std::size_t like_numbers = m_numbers + m_near_numbers;
    const bool mostly = 2 * like_numbers > m_count - m_placeholders;
    return mostly ? ColumnKind::broken_numbers : ColumnKind::texts;
  }

  /// First cell that does not match the majority. In a column of strings or dates, it is the first string or date.
  const SurveyedCell& odd_cell() const {
    if (kind() == ColumnKind::dates) return m_date;
    return kind() == ColumnKind::broken_dates ? m_no_date : m_no_number;
  }

  /// The first number.
  const SurveyedCell& first_number() const { return m_number; }

  /// The first cell in which a value is missing.
  const SurveyedCell& first_missing() const { return m_first_missing; }

  /// Number of cells that are not missing.
  std::size_t count() const { return m_count; }

  /// Whether all numbers are whole.
  bool is_whole() const { return m_is_whole; }

  /// The smallest number.
  double smallest() const { return m_smallest; }

  /// The largest number.
  double largest() const { return m_largest; }

  /// The mean of the numbers.
  double mean() const { return m_sum / static_cast<double>(std::max<std::size_t>(m_numbers, 1)); }

  /// Evidence that the numbers of the column, which is called `name`, are no measurements.
  IdentifierKind identifier(std::string_view name) const {
    if (kind() != ColumnKind::numbers || !m_is_whole) return IdentifierKind::none;
    if (is_name_of_identifiers(name)) return IdentifierKind::name;
    constexpr std::size_t few = 3, some = 5;  // numbers that may be in order by chance
    constexpr double first_day = 20'000, last_day = 60'000, min_seconds = 1e8, max_milliseconds = 1e14;
    constexpr double first_year = 1800, last_year = 2199, longest_gap = 31;
    const bool is_strict = m_is_rising || m_is_falling;
    if (m_count >= few && m_counts_up && m_first <= 1 && m_first >= 0) return IdentifierKind::row_count;
    if (m_count < some) return is_name_of_dates(name) ? IdentifierKind::time_name : IdentifierKind::none;
    if (is_strict && m_smallest >= first_day && m_largest <= last_day && m_largest_step <= longest_gap) {
      return IdentifierKind::serial_days;
    }
    if (is_strict && m_smallest >= min_seconds && m_largest <= max_milliseconds) return IdentifierKind::seconds;
    const bool is_ordered = m_never_falls || m_never_rises;
    if (is_ordered && m_are_months) return IdentifierKind::months;
    if (is_ordered && m_largest > m_smallest && m_smallest >= first_year && m_largest <= last_year &&
        m_largest_step <= 1) {
      return IdentifierKind::years;
    }
    return is_name_of_dates(name) ? IdentifierKind::time_name : IdentifierKind::none;
  }

 private:
  static void note(SurveyedCell& first, std::string_view cell, std::size_t line) {
    if (first.line == 0) first = {line, std::string(cell)};
  }

  // Returns the number, or infinity if it is too large for double precision. Reading the column refuses it later.
  static std::optional<double> finite_or_large(std::string_view text) {
    double number = std::numeric_limits<double>::infinity();
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return stop == end && error != std::errc::invalid_argument ? std::optional(number) : std::nullopt;
  }

  static bool is_month(double number) {
    constexpr double first = 180'001, last = 219'912, hundred = 100, months = 12;
    const double month = std::fmod(number, hundred);
    return number >= first && number <= last && month >= 1 && month <= months;
  }

  void add_number(double number) {
    m_is_whole = m_is_whole && std::floor(number) == number;
    m_are_months = m_are_months && is_month(number);
    if (m_numbers++ == 0) {
      m_first = m_smallest = m_largest = number;
    } else {
      const double step = number - m_last;
      m_counts_up = m_counts_up && step == 1;
      m_is_rising = m_is_rising && step > 0;
      m_is_falling = m_is_falling && step < 0;
      m_never_falls = m_never_falls && step >= 0;
      m_never_rises = m_never_rises && step <= 0;
      m_largest_step = std::max(m_largest_step, std::abs(step));
    }
    m_smallest = std::min(m_smallest, number);
    m_largest = std::max(m_largest, number);
    m_sum += number;
    m_last = number;
  }

  std::size_t m_count = 0, m_numbers = 0, m_dates = 0, m_near_numbers = 0, m_placeholders = 0;
  SurveyedCell m_number, m_no_number, m_date, m_no_date, m_first_missing;  // first cell of each kind
  double m_first = 0, m_last = 0, m_smallest = 0, m_largest = 0, m_sum = 0, m_largest_step = 0;
  bool m_is_whole = true, m_are_months = true, m_counts_up = true, m_is_rising = true, m_is_falling = true;
  bool m_never_falls = true, m_never_rises = true;
};

/// Surveys of the columns of a file.
class TableSurvey {
 public:
  /// Reads all rows and surveys `columns`. Throws std::invalid_argument if the last rows are totals of the rows before
  /// them.
  TableSurvey(const NamedRows& rows, const std::vector<std::size_t>& columns)
      : m_rows(rows), m_places(rows.names().size()), m_surveys(columns.size()) {
    for (std::size_t i = 0; i < columns.size(); ++i) m_places[columns[i]] = i;
    CsvRows again = rows.from_beginning();
    while (!again.at_end()) {
      again.next();
      for (std::size_t i = 0; i < columns.size(); ++i) {
        m_surveys[i].add(again.fields()[columns[i]], again.number_text(columns[i]), again.line());
      }
      look_for_totals(again);
    }
    again.check_marks();
    refuse_totals();
  }

  /// Survey of one of the columns.
  const ColumnSurvey& at(std::size_t column) const { return m_surveys.at(m_places.at(column)); }

  /// Evidence that a column holds no measurements. A few numbers may be 1, 2, 3, … by chance. In a table of several
  /// columns they count as row numbers in the first column, and in any column with at least 20 of them.
  IdentifierKind identifier(std::size_t column) const {
    constexpr std::size_t many = 20;
    const IdentifierKind kind = at(column).identifier(m_rows.names()[column]);
    const bool counts_rows = m_rows.names().size() > 1 && (column == 0 || at(column).count() >= many);
    return kind == IdentifierKind::row_count && !counts_rows ? IdentifierKind::none : kind;
  }

  /// Throws std::invalid_argument, naming the cell, if the column is broken. `remedy` describes how to leave the column
  /// out.
  void expect_whole_column(std::size_t column, std::string_view remedy) const {
    const ColumnSurvey& survey = at(column);
    if (survey.kind() == ColumnKind::broken_dates) {
      refuse(column, survey.odd_cell(),
             fmt::format("is {}, expected a date, as in most rows; delete rows of totals; {}",
                         in_quotes(survey.odd_cell().text), remedy));
    }
    if (survey.kind() == ColumnKind::broken_numbers) refuse_number(column, remedy);
  }

  /// Throws the same exceptions as expect_whole_column, also if the column holds strings or dates.
  void expect_numbers(std::size_t column, std::string_view remedy) const {
    expect_whole_column(column, remedy);
    if (at(column).kind() == ColumnKind::texts || at(column).kind() == ColumnKind::dates) {
      refuse_number(column, remedy);
    }
  }

  /// Throws std::invalid_argument if there is evidence that the column holds no measurements. `remedy` describes what
  /// to do.
  void refuse_identifier(std::size_t column, std::string_view remedy) const {
    const std::string evidence = evidence_of(column);
    if (evidence.empty()) return;
    throw std::invalid_argument(
        fmt::format("{}: column {} {}; {}", m_rows.path(), in_quotes(m_rows.names()[column]), evidence, remedy));
  }

  /// Returns the evidence as a predicate, such as "counts the rows, 1 to 20"; empty if there is none.
  std::string evidence_of(std::size_t column) const {
    const auto range = [&] { return fmt::format("{} to {}", at(column).smallest(), at(column).largest()); };
    switch (identifier(column)) {
      case IdentifierKind::name:
        return "has the name of a row identifier and holds whole numbers";
      case IdentifierKind::row_count:
        return fmt::format("counts the rows, {}", range());
      case IdentifierKind::serial_days:
        return fmt::format("holds serial day numbers of spreadsheets, {}", range());
      case IdentifierKind::seconds:
        return fmt::format("holds points in time, {}, in seconds or milliseconds since 1970", range());
      case IdentifierKind::months:
        return fmt::format("holds months, {}", range());
      case IdentifierKind::years:
        return fmt::format("holds years, {}", range());
      case IdentifierKind::time_name:
        return "has the name of a date or time and holds whole numbers";
      case IdentifierKind::none:
        break;
    }
    return "";
  }

 private:
  // Counts the latest consecutive rows that contain a word for totals. refuse_totals() refuses the file if its last one
  // to three rows contain such words and no earlier row does.
  void look_for_totals(const CsvRows& row) {
    for (std::size_t column = 0; column < row.names().size(); ++column) {
      if (!is_name_of_totals(row.fields()[column])) continue;
      if (m_total_rows++ > 0) return;
      m_total = {row.line(), std::string(row.fields()[column])};
      m_total_column = column;
      return;
    }
    m_other_rows = true;
    m_had_totals = m_had_totals || m_total_rows > 0;
    m_total_rows = 0;
  }

  void refuse_totals() const {
    constexpr std::size_t max_rows = 3;
    if (m_total_rows == 0 || m_total_rows > max_rows || m_had_totals || !m_other_rows) return;
    refuse(m_total_column, m_total,
           fmt::format("is {}, which looks like a total of the rows before it; delete rows of totals",
                       in_quotes(m_total.text)));
  }

  [[noreturn]] void refuse_number(std::size_t column, std::string_view remedy) const {
    const SurveyedCell& cell = at(column).odd_cell();
    const std::string_view how = number_remedy(cell.text);
    refuse(column, cell,
           fmt::format("is {}, expected a number{}{}; {}", in_quotes(cell.text), how.empty() ? "" : ": ", how, remedy));
  }

  [[noreturn]] void refuse(std::size_t column, const SurveyedCell& cell, std::string_view why) const {
    throw std::invalid_argument(
        fmt::format("{}, line {}: {} {}", m_rows.path(), cell.line, in_quotes(m_rows.names()[column]), why));
  }

  const NamedRows& m_rows;
  std::vector<std::size_t> m_places;  // position in m_surveys of each column
  std::vector<ColumnSurvey> m_surveys;
  SurveyedCell m_total;
  std::size_t m_total_rows = 0, m_total_column = 0;  // number of the latest total rows, and their column
  bool m_had_totals = false, m_other_rows = false;
};

}  // namespace sporos::io
