// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/text_file.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sporos::io {

/// A CSV file that is read row by row, its fields called by their columns.
class NamedRows {
 public:
  /// Of the file `path`; throws as CsvRows does, or where it cannot be read.
  NamedRows(const std::string& path, const CsvContents& contents)
      : m_path(path), m_text(read_text_file(path, most_mebibytes)), m_rows(path, m_text, contents) {}

  /// Of the columns.
  const std::vector<std::string>& names() const { return m_rows.names(); }
  /// Goes to the next row; false where there is none.
  bool next() {
    if (m_rows.at_end()) return false;
    m_fields = m_rows.next();
    return true;
  }

  /// The column called `name`, if there is one.
  std::optional<std::size_t> find(std::string_view name) const {
    const auto place = std::find(names().begin(), names().end(), name);
    if (place == names().end()) return std::nullopt;
    return static_cast<std::size_t>(place - names().begin());
  }
  /// The column called `name`; refuses the file where there is none.
  std::size_t column(std::string_view name, std::string_view expected) const {
    if (const auto place = find(name)) return *place;
    throw std::invalid_argument(
        fmt::format("{}, line 1: there is no column {}, expected {}", m_path, in_quotes(name), expected));
  }
  /// Where a field of this row stands, for messages.
  std::string place(std::size_t column) const {
    return fmt::format("{}, line {}, column {}", m_path, m_rows.line(), in_quotes(names()[column]));
  }
  /// The field of this row in a column.
  const std::string& field(std::size_t column) const { return m_fields[column]; }

  /// Throws std::invalid_argument for a field of this row.
  [[noreturn]] void refuse(std::size_t column, std::string_view why) const {
    throw std::invalid_argument(fmt::format("{}: {}", place(column), why));
  }
  /// The finite number that a field is; refuses any other.
  double number(std::size_t column) const {
    if (field(column).empty()) refuse(column, "the field is empty, expected a number");
    try {
      const auto value = parse_number<double>("the field", field(column));
      check_finite("the field", value);
      return value;
    } catch (const std::invalid_argument& error) {
      refuse(column, error.what());
    }
  }
  /// The same, at least 0.
  double non_negative_number(std::size_t column) const {
    const double value = number(column);
    if (value < 0) refuse(column, fmt::format("the field is {}, expected a number of at least 0", field(column)));
    return value;
  }
  /// The name that a field holds; refuses an empty one, which should name a `what`.
  std::string name(std::size_t column, std::string_view what) const {
    const std::string_view article = std::string_view("aeiou").find(what.front()) < 5 ? "an" : "a";
    if (field(column).empty())
      refuse(column, fmt::format("the field is empty, expected the name of {} {}", article, what));
    return field(column);
  }
  /// Of the file.
  const std::string& path() const { return m_path; }

 private:
  static constexpr std::size_t most_mebibytes = 4096;

  std::string m_path, m_text;
  CsvRows m_rows;
  std::vector<std::string> m_fields;
};

/// Names that come once each.
class UniqueNames {
 public:
  /// Of things that messages call `what`, a text that lives as long as this.
  explicit UniqueNames(std::string_view what) : m_what(what) {}

  /// Adds the name in a column of the row; refuses one that came before.
  void add(const NamedRows& rows, std::size_t column) {
    const std::string name = rows.name(column, m_what);
    if (!m_places.emplace(name, m_names.size()).second) {
      rows.refuse(column, fmt::format("{} {} comes twice", m_what, in_quotes(name)));
    }
    m_names.push_back(name);
  }
  /// In the order in which they came.
  const std::vector<std::string>& names() const { return m_names; }
  /// The place of a name, if it came.
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
