// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/cell.hpp>
#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/near_number.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/text_file.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sporos::io {

/// Iterates over the rows of a CSV file and gives access to fields by column. Errors in a field throw
/// std::invalid_argument with one sentence that names file, line and column.
class NamedRows {
 public:
  /// Reads the file `path`, of up to 4 GiB. Throws the same exceptions as CsvRows, also if the file cannot be read.
  NamedRows(const std::string& path, const CsvContents& contents)
      : NamedRows(path, read_text_file(path, max_mebibytes), contents) {}
  /// Reads `text`, the contents of the file `path`. Throws the same exceptions as CsvRows.
  NamedRows(const std::string& path, std::string text, const CsvContents& contents)
      : m_path(path), m_text(std::move(text)), m_contents(contents), m_rows(path, m_text, contents) {}
  NamedRows(const NamedRows&) = delete;             ///< not copyable: it refers to its own text
  NamedRows& operator=(const NamedRows&) = delete;  ///< not copyable: it refers to its own text

  /// Path of the file.
  const std::string& path() const { return m_path; }

  /// Contents of the file.
  const std::string& text() const { return m_text; }

  /// Returns all rows from the first one, to inspect them before they are read. The result is valid as long as this
  /// object.
  CsvRows from_beginning() const { return {m_path, m_text, m_contents}; }

  /// Names of the columns.
  const std::vector<std::string>& names() const { return m_rows.names(); }

  /// Returns the index of the column called `name`, if there is one.
  std::optional<std::size_t> find(std::string_view name) const {
    const auto place = std::find(names().begin(), names().end(), name);
    if (place == names().end()) return std::nullopt;
    return static_cast<std::size_t>(place - names().begin());
  }

  /// Returns the index of the column called `name`. Throws std::invalid_argument, with the `expected` ones, if there is
  /// none.
  std::size_t column(std::string_view name, std::string_view expected) const {
    if (const auto place = find(name)) return *place;
    throw std::invalid_argument(
        fmt::format("{}, line 1: there is no column {}, expected {}", m_path, in_quotes(name), expected));
  }

  /// Returns all columns that are not `ignored`. Throws std::invalid_argument if there is no column of an ignored name.
  std::vector<std::size_t> columns_without(const std::vector<std::string>& ignored) const {
    std::vector<char> is_left(names().size(), true);
    for (const auto& name : ignored) is_left[column(name, "the name of a column to ignore")] = false;
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < is_left.size(); ++i) {
      if (is_left[i]) columns.push_back(i);
    }
    return columns;
  }

  /// Throws std::invalid_argument if a name is a number or looks like one, as if the first line were a row. A name like
  /// 1stFloor is accepted if there are other columns.
  void check_names_are_texts() const {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    for (std::size_t i = 0; i < names().size(); ++i) {
      const std::string& name = names()[i];
      const bool is_number = number_of<double>(name).has_value();
      const bool may_be_name = name.empty() || is_letter(name.front()) || name == "#" ||
                               (names().size() > 1 && impl::has_unit(name)) || number_remedy(name).empty();
      if (!is_number && may_be_name) continue;
      throw std::invalid_argument(
          fmt::format("{}, line 1: column {} is called {}, {}, as if the line were a row; write names, or use "
                      "--no-header",
                      m_path, i + 1, in_quotes(name), is_number ? "a number" : "no name"));
    }
  }

  /// Reads the next row. Returns false if there is none, and then throws if decimal marks are ambiguous: see
  /// CsvRows::check_marks.
  bool next() {
    if (m_rows.at_end()) {
      m_rows.check_marks();
      return false;
    }
    m_rows.next();
    return true;
  }

  /// Line on which the row begins, from 1; before the first row, the line of the names.
  std::size_t line() const { return m_rows.line(); }

  /// Returns the row's field in `column`, valid until the next row is read.
  std::string_view field(std::size_t column) const { return m_rows.fields()[column]; }

  /// Returns the field in the number format of programs: see CsvRows::number_text.
  std::string_view number_text(std::size_t column) { return m_rows.number_text(column); }

  /// Returns the position of the field for messages: file, line and column.
  std::string place(std::size_t column) const {
    return fmt::format("{}, line {}: {}", m_path, m_rows.line(), in_quotes(names()[column]));
  }

  /// Reports how the file differs from plain CSV: see CsvRows::note.
  std::string note() const { return m_rows.note(); }

  /// Appends note() to `notes` if it is not empty.
  void add_note(std::vector<std::string>& notes) const {
    if (std::string text = note(); !text.empty()) notes.push_back(std::move(text));
  }

  /// Throws std::invalid_argument with the position of the row's field and `why`.
  [[noreturn]] void refuse(std::size_t column, std::string_view why) const {
    throw std::invalid_argument(fmt::format("{} {}", place(column), why));
  }

  /// Whether to leave out the row because its field in `column` is missing. Throws std::invalid_argument if the field
  /// is missing and `drops_missing` is false. Messages call the rows `rows`, such as "days".
  bool misses_number(std::size_t column, bool drops_missing, std::string_view rows) const {
    const std::string_view cell = field(column);
    if (!is_missing(cell)) return false;
    if (drops_missing) return true;
    refuse(column, fmt::format("is {}, expected a number; use --missing drop to leave such {} out",
                               cell.empty() ? "empty" : in_quotes(cell), rows));
  }

  /// Returns the field as a finite number.
  double number(std::size_t column) {
    if (field(column).empty()) refuse(column, "is empty, expected a number");
    const std::string_view text = number_text(column);
    const auto found = number_of<double>(text);
    if (!found) refuse_near_number(column);
    const double value = found ? *found : parse_number<double>(place(column), text);
    if (!std::isfinite(value)) refuse(column, fmt::format("is {}, expected a finite number", value));
    return value;
  }

  /// Throws std::invalid_argument, with the correct notation, if the field is not a number but may be meant as one.
  void refuse_near_number(std::size_t column) const {
    const std::string_view remedy = number_remedy(field(column));
    if (!remedy.empty()) refuse(column, fmt::format("is {}, expected a number: {}", in_quotes(field(column)), remedy));
  }

  /// Returns the field as a finite number of at least 0.
  double non_negative_number(std::size_t column) {
    const double value = number(column);
    if (value < 0) refuse(column, fmt::format("is {}, expected a finite number of at least 0", value));
    return value;
  }

 private:
  static constexpr std::size_t max_mebibytes = 4096;

  std::string m_path, m_text;
  CsvContents m_contents;
  CsvRows m_rows;
};

/// Distinct names in a column, with their indices.
class UniqueNames {
 public:
  /// Creates an empty list of names of `what`, a singular noun for messages.
  explicit UniqueNames(std::string_view what) : m_what(what) {}

  /// Adds the row's field in `column`. Throws std::invalid_argument if it is empty or occurred before.
  void add(const NamedRows& rows, std::size_t column) {
    const std::string name(rows.field(column));
    if (name.empty()) {
      const bool is_open = std::string_view("aeiou").find(m_what.front()) != std::string_view::npos;
      rows.refuse(column, fmt::format("is empty, expected the name of {} {}", is_open ? "an" : "a", m_what));
    }
    if (!m_places.emplace(name, m_names.size()).second) {
      rows.refuse(column, fmt::format("is {}, which occurs twice", in_quotes(name)));
    }
    m_names.push_back(name);
  }

  /// Names in the order in which they were added.
  const std::vector<std::string>& names() const { return m_names; }

  /// Returns the index of `name`, if it was added.
  std::optional<std::size_t> find(const std::string& name) const {
    const auto place = m_places.find(name);
    if (place == m_places.end()) return std::nullopt;
    return place->second;
  }

 private:
  std::string_view m_what;
  std::vector<std::string> m_names;
  std::unordered_map<std::string, std::size_t> m_places;
};

}  // namespace sporos::io
