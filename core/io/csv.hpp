// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/csv_records.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/text_encoding.hpp>
#include <sporos/core/io/text_file.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::io {

/// What a CSV file holds.
struct CsvContents {
  std::string_view column = "parameter";  ///< what a column is, for messages
  std::string_view row = "design point";  ///< what a row is, for messages
  bool has_names = true;                  ///< whether its first line names the columns; if not, they are 1, 2, …
};

/// A CSV file of a size that is held at once.
struct CsvFile {
  std::string path;                            ///< for messages
  std::vector<std::string> names;              ///< of the columns: not empty, no two alike
  std::vector<std::vector<std::string>> rows;  ///< as many fields as there are names in each
};

namespace impl {

inline constexpr std::string_view utf8_mark = "\xEF\xBB\xBF";

[[noreturn]] inline void refuse_csv(const std::string& path, const std::string& why) {
  throw std::invalid_argument(path + why);
}

/// How many fields the first two records both have, by this separator; 0 where they differ or are no records.
inline std::size_t common_fields(std::string_view text, char separator) {
  CsvRecords records(text, separator);
  if (records.at_end() || records.next()) return 0;
  const std::size_t count = records.fields().size();
  if (records.at_end()) return count;
  return records.next() || records.fields().size() != count ? 0 : count;
}

/// The character between the fields: a comma, a semicolon or a tab, the one by which the first two records have equally
/// many fields, more than one; a comma where none is.
inline char csv_separator(const std::string& path, std::string_view text, bool has_names) {
  const bool by_commas = common_fields(text, ',') > 1, by_semicolons = common_fields(text, ';') > 1;
  if (by_commas && by_semicolons && has_names) {
    refuse_csv(path, ", line 1: fields may be separated by ',' or by ';'; put those that hold the other one in quotes");
  }
  if (by_semicolons) return ';';
  return !by_commas && common_fields(text, '\t') > 1 ? '\t' : ',';
}

inline void check_names(const std::string& path, const std::vector<std::string>& names) {
  std::set<std::string_view> before;
  for (std::size_t column = 0; column < names.size(); ++column) {
    if (names[column].empty()) refuse_csv(path, fmt::format(", line 1: column {} has no name", column + 1));
    if (!before.insert(names[column]).second) {
      refuse_csv(path, fmt::format(", line 1: column {} comes twice", in_quotes(names[column])));
    }
  }
}

}  // namespace impl

/// Goes through the rows of a CSV file (RFC 4180) one after the other. Fields are separated by commas, semicolons or
/// tabs; a byte-order mark of UTF-8 and lines that end with CRLF are understood, and so are decimal commas where fields
/// are not separated by commas: note() tells. Whatever is wrong with the file is said in one sentence,
/// std::invalid_argument, that names file, line and column.
class CsvRows {
 public:
  /// Of `text`, the contents of the file `path`; the text must outlive this. Reads the names. Throws where the text is
  /// empty or not in UTF-8, a column has no name or another's, and where there is no row.
  CsvRows(const std::string& path, std::string_view text, const CsvContents& contents = {})
      : m_path(path),
        m_text(text),
        m_separator((check_text(contents), impl::csv_separator(path, m_text, contents.has_names))),
        m_records(m_text, m_separator) {
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

  /// Of the columns: not empty, no two alike.
  const std::vector<std::string>& names() const { return m_names; }

  /// Whether no row follows.
  bool at_end() const { return m_records.at_end(); }

  /// The line where the row begins that next() read last, from 1; that of the names before.
  std::size_t line() const { return m_records.line(); }

  /// Reads the next row. Throws where it is no CSV, or where its fields are more or fewer than the names.
  void next() {
    read_record();
    if (fields().size() == m_names.size()) return;
    constexpr std::size_t most_shown = 50;
    const bool shown = m_names.size() <= most_shown;
    impl::refuse_csv(m_path, fmt::format(", line {}: {} field{}, expected {}{}{}", line(), fields().size(),
                                         fields().size() == 1 ? "" : "s", m_names.size(), shown ? ": " : "",
                                         shown ? fmt::to_string(fmt::join(m_names, ", ")) : ""));
  }

  /// The fields of the row, one for each name, valid until the next is read.
  const std::vector<std::string_view>& fields() const { return m_records.fields(); }

  /// The row's field in `column`, where it is a number with a decimal comma with a point in its place; valid until this
  /// is called again. Throws where one number of the file has a decimal comma, and another one a decimal point.
  std::string_view number_text(std::size_t column) {
    const std::string_view field = fields()[column];
    if (m_separator == ',') return field;
    const auto mark = field.find_first_of(",.");
    if (mark == std::string_view::npos) return field;
    m_number = field;
    m_number[mark] = '.';
    if (!number_of<double>(m_number)) return field;
    check_decimal_mark(column, field[mark]);
    return m_number;
  }

  /// In which ways the file, as far as it was read, is not plain CSV: "FILE has ..."; empty where it is.
  std::string note() const {
    std::vector<std::string_view> parts;
    if (m_has_mark) parts.push_back("a byte-order mark");
    if (m_separator == ';') parts.push_back("';' between its fields");
    if (m_separator == '\t') parts.push_back("tabs between its fields");
    if (m_decimal_mark == ',') parts.push_back("decimal commas");
    if (const auto end = m_text.find('\n'); end != m_text.npos && end > 0 && m_text[end - 1] == '\r') {
      parts.push_back("lines that end with CRLF");
    }
    return parts.empty() ? "" : fmt::format("{} has {}", m_path, fmt::join(parts, ", "));
  }

 private:
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
    m_names.assign(fields().begin(), fields().end());
    if (m_names.empty() || (m_names.size() == 1 && m_names[0].empty())) {
      impl::refuse_csv(m_path, fmt::format(", line 1: no {} is named", contents.column));
    }
    impl::check_names(m_path, m_names);
  }

  void read_record() {
    const std::optional<CsvFault> fault = m_records.next();
    if (!fault) return;
    const bool is_named = fault->field < m_names.size();
    impl::refuse_csv(
        m_path, fmt::format(", line {}: {} {}", fault->line,
                            is_named ? in_quotes(m_names[fault->field]) : fmt::format("column {}", fault->field + 1),
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

  std::string m_path;
  std::string_view m_text;
  bool m_has_mark = false;
  char m_separator;
  CsvRecords m_records;
  std::vector<std::string> m_names;
  std::string m_number;
  char m_decimal_mark = 0;  // of the first number that has one
  std::size_t m_decimal_line = 0;
};

/// Takes `text` apart, the contents of the file `path`; throws as CsvRows does.
inline CsvFile parse_csv(const std::string& path, std::string_view text, const CsvContents& contents = {}) {
  CsvRows rows(path, text, contents);
  CsvFile file{path, rows.names(), {}};
  while (!rows.at_end()) {
    rows.next();
    file.rows.emplace_back(rows.fields().begin(), rows.fields().end());
  }
  return file;
}

/// Reads the file `path`; throws as parse_csv does, or where the file cannot be read.
inline CsvFile read_csv(const std::string& path, const CsvContents& contents = {}) {
  return parse_csv(path, read_text_file(path), contents);
}

/// A field as a CSV file holds it: in quotes where it must be, whatever the separator.
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
  if (fields.size() == 1 && fields[0].empty()) text += "\"\"";  // a blank line at the end would not count
  text += '\n';
}

}  // namespace sporos::io
