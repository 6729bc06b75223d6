// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/text_file.hpp>

#include <boost/token_functions.hpp>
#include <boost/tokenizer.hpp>

#include <algorithm>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::io {

/// What a CSV file holds, for messages.
struct CsvContents {
  std::string_view column = "parameter";  ///< what a column is
  std::string_view row = "design point";  ///< what a row is
};

/// A file of comma-separated values: names in its first line, then at least one row with a field under each name.
/// Line i + 2 of the file is `rows[i]`.
struct CsvFile {
  std::string path;                            ///< for messages
  std::vector<std::string> names;              ///< of the columns: not empty, no two alike
  std::vector<std::vector<std::string>> rows;  ///< as many fields as there are names in each
};

namespace impl {

[[noreturn]] inline void refuse_csv(const std::string& path, const std::string& why) {
  throw std::invalid_argument(path + why);
}

inline std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

inline void check_encoding(const std::string& path, std::string_view text, const CsvContents& contents) {
  if (text.empty()) {
    refuse_csv(path, fmt::format(" is empty, expected a line of {} names and a line for each {}", contents.column,
                                 contents.row));
  }
  for (const std::string_view mark : {"\xEF\xBB\xBF", "\xFE\xFF", "\xFF\xFE"}) {
    if (!text.starts_with(mark)) continue;
    refuse_csv(path, " begins with a byte-order mark; save it as UTF-8 without one (sed -i '1s/^\\xEF\\xBB\\xBF//')");
  }
  if (const auto place = text.find('\r'); place != std::string_view::npos) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n');
    refuse_csv(path, fmt::format(", line {}: the line ends as on Windows (CRLF); convert the file (dos2unix, or sed -i "
                                 "'s/\\r$//')",
                                 line));
  }
}

inline std::vector<std::string> fields_of(const std::string& path, std::size_t line, const std::string& text) {
  using Separator = boost::escaped_list_separator<char>;
  std::vector<std::string> fields;
  try {
    for (const auto& field : boost::tokenizer<Separator>(text)) fields.push_back(trimmed(field));
  } catch (const boost::escaped_list_error& error) {
    refuse_csv(path, fmt::format(", line {}: {}", line, error.what()));
  }
  return fields;
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

/// Goes through the rows of a CSV file one after the other. Fields may stand in double quotes; blanks around them do
/// not count.
class CsvRows {
 public:
  /// Of `text`, the contents of the file `path`; the text must outlive this. Reads the names. Throws
  /// std::invalid_argument, naming file, line and column, for: an empty text, a byte-order mark, a carriage return, a
  /// column without a name or with another's, no row.
  CsvRows(const std::string& path, std::string_view text, const CsvContents& contents = {})
      : m_path(path), m_text(text) {
    impl::check_encoding(path, text, contents);
    m_names = fields_of_line();
    impl::check_names(path, m_names);
    if (m_names.empty()) impl::refuse_csv(path, fmt::format(", line 1: no {} is named", contents.column));
    if (at_end()) {
      impl::refuse_csv(path, fmt::format(": no row follows the names, expected one for each {}", contents.row));
    }
  }

  /// Of the columns: not empty, no two alike.
  const std::vector<std::string>& names() const { return m_names; }

  /// Whether no row follows.
  bool at_end() const { return m_text.empty(); }

  /// The line of the row that next() gave last, from 1.
  std::size_t line() const { return m_line; }

  /// The fields of the next row. Throws std::invalid_argument where they are more or fewer than the names.
  std::vector<std::string> next() {
    auto fields = fields_of_line();
    if (fields.size() != m_names.size()) {
      constexpr std::size_t most_shown = 50;
      const bool shown = m_names.size() <= most_shown;
      impl::refuse_csv(m_path, fmt::format(", line {}: {} field{}, expected {}{}{}", m_line, fields.size(),
                                           fields.size() == 1 ? "" : "s", m_names.size(), shown ? ": " : "",
                                           shown ? fmt::to_string(fmt::join(m_names, ", ")) : ""));
    }
    return fields;
  }

 private:
  std::vector<std::string> fields_of_line() {
    const auto end = std::min(m_text.find('\n'), m_text.size());
    auto fields = impl::fields_of(m_path, ++m_line, std::string(m_text.substr(0, end)));
    m_text.remove_prefix(std::min(end + 1, m_text.size()));
    return fields;
  }

  std::string m_path;
  std::string_view m_text;
  std::vector<std::string> m_names;
  std::size_t m_line = 0;
};

/// Takes `text` apart, the contents of the file `path`; throws as CsvRows does.
inline CsvFile parse_csv(const std::string& path, std::string_view text, const CsvContents& contents = {}) {
  CsvRows rows(path, text, contents);
  CsvFile file{path, rows.names(), {}};
  while (!rows.at_end()) file.rows.push_back(rows.next());
  return file;
}

/// Reads the file `path`; throws as parse_csv does, or where the file cannot be read.
inline CsvFile read_csv(const std::string& path, const CsvContents& contents = {}) {
  return parse_csv(path, read_text_file(path), contents);
}

/// A field as a CSV file holds it: in quotes where it must be.
inline std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) field.append(c == '"' ? 2 : 1, c);
  return field + '"';
}

/// Appends one row to `text`.
inline void append_csv_row(std::string& text, const std::vector<std::string>& fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) text.append(i > 0 ? "," : "").append(csv_field(fields[i]));
  text += '\n';
}

}  // namespace sporos::io
