// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/cell.hpp>
#include <sporos/core/io/csv_records.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/near_number.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/text_encoding.hpp>
#include <sporos/core/io/text_file.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::io {

/// Description of the content of a CSV file.
struct CsvContents {
  std::string_view column = "parameter";  ///< noun for a column in messages
  std::string_view row = "design point";  ///< noun for a row in messages
  bool has_names = true;           ///< whether the first line names the columns; otherwise their names are 1, 2, …
  bool may_have_no_names = false;  ///< whether messages may suggest the option --no-header
};

/// Contents of a CSV file that is held in memory.
struct CsvFile {
  std::string path;                            ///< path of the file, for messages
  std::vector<std::string> names;              ///< names of the columns, non-empty and distinct
  std::vector<std::vector<std::string>> rows;  ///< rows, each with one field per name
};

namespace impl {

inline constexpr std::string_view utf8_mark = "\xEF\xBB\xBF";

[[noreturn]] inline void refuse_csv(const std::string& path, const std::string& why) {
  throw std::invalid_argument(path + why);
}

/// Returns the number of fields that the first two records both have with this separator; 0 if they differ or are
/// malformed.
inline std::size_t common_fields(std::string_view text, char separator) {
  CsvRecords records(text, separator);
  if (records.at_end() || records.next()) return 0;
  const std::size_t count = records.fields().size();
  if (records.at_end()) return count;
  return records.next() || records.fields().size() != count ? 0 : count;
}

/// Returns the separator: the comma, semicolon or tab with which the first two records have the same number of fields,
/// more than one. Returns a comma if there is none.
inline char csv_separator(const std::string& path, std::string_view text, bool has_names) {
  const bool by_commas = common_fields(text, ',') > 1, by_semicolons = common_fields(text, ';') > 1;
  if (by_commas && by_semicolons && has_names) {
    refuse_csv(path, ", line 1: the separator may be ',' or ';'; put fields that contain the other one in quotes");
  }
  if (by_semicolons) return ';';
  return !by_commas && common_fields(text, '\t') > 1 ? '\t' : ',';
}

/// Returns the separator that a first line like `sep=;` declares for spreadsheets; 0 if there is no such line.
inline char declared_separator(std::string_view text) {
  constexpr std::string_view begin = "sep=";
  if (!text.starts_with(begin) || text.size() < begin.size() + 2) return 0;
  const char separator = text[begin.size()];
  const std::string_view end = text.substr(begin.size() + 1);
  const bool ends = end.starts_with('\n') || end.starts_with("\r\n");
  return ends && std::string_view(",;\t").find(separator) != std::string_view::npos ? separator : '\0';
}

/// Content of a first column without a name, which programs write to number or name the rows.
enum class IndexColumn {
  none,     ///< anything else: numbers that are not whole, or duplicates
  numbers,  ///< distinct whole numbers
  texts,    ///< distinct strings
  dates     ///< dates
};

/// Returns the kind of the first column in the records after line `names`.
inline IndexColumn index_column(std::string_view text, char separator, std::size_t names) {
  CsvRecords records(text, separator);
  std::vector<std::size_t> hashes;
  bool are_whole = true, are_texts = true, are_dates = true;
  while (!records.at_end()) {
    if (records.next()) return IndexColumn::none;
    if (records.line() <= names) continue;
    const std::string_view cell = records.fields().front();
    const auto number = number_of<double>(cell);
    are_whole = are_whole && number && std::floor(*number) == *number;
    are_texts = are_texts && !number && !cell.empty();
    are_dates = are_dates && is_date(cell);
    hashes.push_back(std::hash<std::string_view>()(cell));
  }
  if (hashes.empty()) return IndexColumn::none;
  if (are_dates) return IndexColumn::dates;
  std::sort(hashes.begin(), hashes.end());
  if (std::adjacent_find(hashes.begin(), hashes.end()) != hashes.end()) return IndexColumn::none;
  if (are_whole) return IndexColumn::numbers;
  return are_texts ? IndexColumn::texts : IndexColumn::none;
}

inline void check_names(const std::string& path, std::size_t line, const std::vector<std::string>& names,
                        bool may_have_no_names) {
  std::set<std::string_view> before;
  for (std::size_t column = 0; column < names.size(); ++column) {
    if (names[column].empty()) {
      const bool is_last = column > 0 && column + 1 == names.size();
      refuse_csv(path, fmt::format(", line {}: column {} has no name; give it one, or delete {}", line, column + 1,
                                   is_last ? "the separator at the end of each line" : "the column"));
    }
    if (!before.insert(names[column]).second) {
      refuse_csv(path, fmt::format(", line {}: column {} occurs twice{}", line, in_quotes(names[column]),
                                   may_have_no_names ? "; if the line is a row, use --no-header" : ""));
    }
  }
}

}  // namespace impl

/// Iterates over the rows of a CSV file (RFC 4180). Fields are separated by commas, semicolons or tabs. A UTF-8
/// byte-order mark, a first line like `sep=;` and CRLF line ends are accepted. Decimal commas are accepted if fields
/// are not separated by commas. A first column without a name is an index, as pandas and R write one: it is called
/// `date` if it holds dates, and is left out if it numbers or names the rows. note() reports all of this. Errors in the
/// file throw std::invalid_argument with one sentence that names file, line and column.
class CsvRows {
 public:
  /// Reads the names of `text`, the contents of the file `path`, which must outlive this object. Throws if the text is
  /// empty or not UTF-8, if a column has no name or the name of another one, and if there is no row.
  CsvRows(const std::string& path, std::string_view text, const CsvContents& contents = {})
      : m_path(path), m_text(text), m_separator(separator_of(contents)), m_records(m_text, m_separator) {
    if (m_has_declaration) m_records.next();
    if (contents.has_names) {
      read_names(contents);
    } else {
      const std::size_t count = std::max<std::size_t>(impl::common_fields(m_text, m_separator), 1);
      for (std::size_t i = 1; i <= count; ++i) m_names.push_back(std::to_string(i));
    }
    if (at_end()) {
      impl::refuse_csv(path, fmt::format(": no row follows the names, expected one for each {}", contents.row));
    }
  }

  /// Names of the columns, non-empty and distinct.
  const std::vector<std::string>& names() const { return m_names; }

  /// Whether all rows have been read.
  bool at_end() const { return m_records.at_end(); }

  /// Line on which the row that next() read last begins, from 1; before the first row, the line of the names.
  std::size_t line() const { return m_records.line(); }

  /// Reads the next row. Throws if it is not valid CSV, or if it has more or fewer fields than there are names.
  void next() {
    read_record();
    const std::vector<std::string_view>& found = m_records.fields();
    if (m_has_index) m_fields.assign(found.begin() + (found.empty() ? 0 : 1), found.end());
    if (fields().size() == m_names.size()) return;
    constexpr std::size_t max_shown = 50;
    const bool shown = m_names.size() <= max_shown;
    impl::refuse_csv(m_path, fmt::format(", line {}: {} field{}, expected {}{}{}{}", line(), fields().size(),
                                         fields().size() == 1 ? "" : "s", m_names.size(), shown ? ": " : "",
                                         shown ? fmt::to_string(fmt::join(m_names, ", ")) : "",
                                         found.front().starts_with('#') ? "; delete comment lines" : ""));
  }

  /// Throws if the decimal marks of the numbers read so far may be thousands separators, such as 1.628 in a file with
  /// ';' or tabs, and no number shows which they are.
  void check_marks() const {
    if (m_ambiguous.empty() || m_has_decimals) return;
    std::string whole = m_ambiguous, longer = m_ambiguous + '0';
    std::erase(whole, m_ambiguous[m_ambiguous.find_first_of(",.")]);
    impl::refuse_csv(m_path,
                     fmt::format("{} is {}, which may be {} with a thousands separator or a number with decimals, "
                                 "and no other number of the file shows which; write {} or {}",
                                 m_ambiguous_place, in_quotes(m_ambiguous), whole, whole, longer));
  }

  /// Fields of the row, one for each name, valid until the next row is read.
  const std::vector<std::string_view>& fields() const { return m_has_index ? m_fields : m_records.fields(); }

  /// Returns the row's field in `column`. A number is returned without '+' and with a decimal point in place of a
  /// decimal comma. The text is valid until the next call. Throws if one number of the file has a decimal comma and
  /// another one a decimal point.
  std::string_view number_text(std::size_t column) {
    std::string_view field = fields()[column];
    if (field.size() > 1 && field[0] == '+' && (impl::is_digit(field[1]) || field[1] == '.')) field.remove_prefix(1);
    if (m_separator == ',') return field;
    const auto mark = field.find_first_of(",.");
    if (mark == std::string_view::npos) return field;
    m_number = field;
    m_number[mark] = '.';
    if (!number_of<double>(m_number)) return field;
    check_decimal_mark(column, field[mark]);
    note_decimals(column, field);
    return m_number;
  }

  /// Reports how the file, as far as it was read, differs from plain CSV: "FILE has ..."; empty if it does not.
  std::string note() const {
    std::vector<std::string_view> parts;
    if (m_has_mark) parts.push_back("a byte-order mark");
    if (m_has_declaration) parts.push_back("a line that names its separator");
    if (m_separator == ';') parts.push_back("';' between its fields");
    if (m_separator == '\t') parts.push_back("tabs between its fields");
    if (m_decimal_mark == ',') parts.push_back("decimal commas");
    if (const auto end = m_text.find('\n'); end != m_text.npos && end > 0 && m_text[end - 1] == '\r') {
      parts.push_back("lines that end with CRLF");
    }
    if (m_has_index) parts.push_back("a first column without a name, an index, which is left out");
    if (m_has_dates) parts.push_back("a first column without a name, which holds dates");
    return parts.empty() ? "" : fmt::format("{} has {}", m_path, fmt::join(parts, ", "));
  }

 private:
  char separator_of(const CsvContents& contents) {
    check_text(contents);
    const char declared = impl::declared_separator(m_text);
    m_has_declaration = declared != 0;
    return m_has_declaration ? declared : impl::csv_separator(m_path, m_text, contents.has_names);
  }

  void check_text(const CsvContents& contents) {
    check_utf8(m_path, m_text);
    m_has_mark = m_text.starts_with(impl::utf8_mark);
    if (m_has_mark) m_text.remove_prefix(impl::utf8_mark.size());
    if (!m_text.empty()) return;
    const std::string names = contents.has_names ? fmt::format("a line of {} names and ", contents.column) : "";
    impl::refuse_csv(m_path, fmt::format(" is empty, expected {}a line for each {}", names, contents.row));
  }

  void read_names(const CsvContents& contents) {
    if (!at_end()) read_record();
    m_names.assign(m_records.fields().begin(), m_records.fields().end());
    if (m_names.empty() || (m_names.size() == 1 && m_names[0].empty())) {
      impl::refuse_csv(m_path, fmt::format(", line {}: no {} is named", line(), contents.column));
    }
    if (m_names[0].starts_with('#') && m_names[0].size() > 1) {
      impl::refuse_csv(m_path, fmt::format(", line {}: the line begins with '#', like a comment; delete comment "
                                           "lines, or delete the '#' if the line names the columns",
                                           line()));
    }
    if (m_names.size() > 1 && m_names[0].empty()) take_index();
    impl::check_names(m_path, line(), m_names, contents.may_have_no_names);
  }

  void take_index() {
    const impl::IndexColumn index = impl::index_column(m_text, m_separator, line());
    m_has_dates =
        index == impl::IndexColumn::dates && std::find(m_names.begin(), m_names.end(), "date") == m_names.end();
    if (m_has_dates) m_names[0] = "date";
    m_has_index = index != impl::IndexColumn::none && !m_has_dates;
    if (m_has_index) m_names.erase(m_names.begin());
  }

  void read_record() {
    const std::optional<CsvFault> fault = m_records.next();
    if (!fault) return;
    const std::size_t place = fault->field - (m_has_index ? 1 : 0);  // wraps to a large number for the index itself
    impl::refuse_csv(m_path, fmt::format(", line {}: {} {}", fault->line,
                                         place < m_names.size() ? in_quotes(m_names[place])
                                                                : fmt::format("column {}", fault->field + 1),
                                         fault->why));
  }

  void check_decimal_mark(std::size_t column, char mark) {
    if (m_decimal_mark == 0) {
      m_decimal_mark = mark;
      m_decimal_line = line();
    }
    if (m_decimal_mark == mark) return;
    impl::refuse_csv(m_path, fmt::format(", line {}: {} is {}, expected a decimal {}, as on line {}", line(),
                                         in_quotes(m_names[column]), in_quotes(fields()[column]),
                                         m_decimal_mark == ',' ? "comma" : "point", m_decimal_line));
  }

  // Notes whether a number certainly has decimals, and otherwise the first number that may have thousands separators.
  void note_decimals(std::size_t column, std::string_view field) {
    if (m_has_decimals) return;
    m_has_decimals = !impl::has_thousands(impl::without_sign(field));
    if (m_has_decimals || !m_ambiguous.empty()) return;
    m_ambiguous = field;
    m_ambiguous_place = fmt::format(", line {}: {}", line(), in_quotes(m_names[column]));
  }

  std::string m_path;
  std::string_view m_text;
  bool m_has_mark = false, m_has_declaration = false;
  char m_separator;
  CsvRecords m_records;
  std::vector<std::string> m_names;
  std::vector<std::string_view> m_fields;         // fields of the row without the index
  bool m_has_index = false, m_has_dates = false;  // whether the unnamed first column is an index or holds dates
  std::string m_number;
  bool m_has_decimals = false;
  std::string m_ambiguous, m_ambiguous_place;
  char m_decimal_mark = 0;  // decimal mark of the first number that has one
  std::size_t m_decimal_line = 0;
};

/// Parses `text`, the contents of the file `path`. Throws the same exceptions as CsvRows.
inline CsvFile parse_csv(const std::string& path, std::string_view text, const CsvContents& contents = {}) {
  CsvRows rows(path, text, contents);
  CsvFile file{path, rows.names(), {}};
  while (!rows.at_end()) {
    rows.next();
    file.rows.emplace_back(rows.fields().begin(), rows.fields().end());
  }
  rows.check_marks();
  return file;
}

/// Reads and parses the file `path`. Throws the same exceptions as parse_csv, also if the file cannot be read.
inline CsvFile read_csv(const std::string& path, const CsvContents& contents = {}) {
  return parse_csv(path, read_text_file(path), contents);
}

/// Returns `text` as a field of a CSV file, in quotes if any of the separators requires them.
inline std::string csv_field(std::string_view text) {
  const bool has_blank = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (!has_blank && text.find_first_of(",;\t\"\n\r") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) field.append(c == '"' ? 2 : 1, c);
  return field + '"';
}

/// Appends one row to `text`.
inline void append_csv_row(std::string& text, const std::vector<std::string>& fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) text.append(i > 0 ? "," : "").append(csv_field(fields[i]));
  if (fields.size() == 1 && fields[0].empty()) text += "\"\"";  // a blank line at the end would be ignored
  text += '\n';
}

}  // namespace sporos::io
