// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/named_rows.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/text_encoding.hpp>
#include <sporos/core/io/text_file.hpp>
#include <sporos/models/classification/dense_features.hpp>
#include <sporos/models/classification/feature_columns.hpp>
#include <sporos/models/classification/libsvm_line.hpp>
#include <sporos/models/classification/sparse_features.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Files of rows in two classes. Readers throw std::invalid_argument with one sentence that names file, line and column
/// if
/// - a file cannot be read, is empty or ends within a line;
/// - a number is invalid or not finite;
/// - there is a third class, or only one class;
/// - a condition documented at the reader is violated.
namespace sporos::models {

/// Rows in two classes, with their features.
template <class Rows>
struct ClassifiedRows {
  Rows features;                                ///< features of the rows
  std::vector<double> labels;                   ///< label of each row, 0 or 1
  std::array<std::string, 2> classes;           ///< names of labels 0 and 1 in the file, in ascending order
  std::vector<std::string> feature_names = {};  ///< names of the features; empty if the file has none
  std::string label_name = {};                  ///< name of the column with the classes; empty if it has none
  std::vector<FeatureColumn> columns = {};      ///< columns of a CSV file from which the features are made
  std::vector<std::string> notes = {};          ///< remarks for the user on how the rows were read
};

namespace impl {

/// Collects the classes of rows and checks that there are exactly two.
class TwoClasses {
 public:
  /// Adds a row of class `name`. Returns a description of what is wrong with the class, if anything.
  std::optional<std::string> add(std::string_view name) {
    std::size_t place = 0;
    while (place < m_names.size() && m_names[place] != name) ++place;
    if (place == 2) {
      return fmt::format("is {}, expected {} or {}, the two classes of the rows before", io::in_quotes(name),
                         io::in_quotes(m_names[0]), io::in_quotes(m_names[1]));
    }
    if (place == m_names.size()) m_names.emplace_back(name);
    m_labels.push_back(static_cast<double>(place));
    return std::nullopt;
  }

  /// Number of rows added.
  std::size_t count() const { return m_labels.size(); }

  /// Combines `features` with the classes of the rows. The classes are sorted in ascending order, as numbers if both
  /// are numbers, otherwise as strings. Throws std::invalid_argument if there is only one class.
  template <class Rows>
  ClassifiedRows<Rows> of(const std::string& path, Rows features) {
    if (m_names.size() < 2) {
      throw std::invalid_argument(fmt::format("{}: all {} rows are of class {}, expected two classes", path,
                                              m_labels.size(), io::in_quotes(m_names.front())));
    }
    if (comes_before(m_names[1], m_names[0])) {
      std::swap(m_names[0], m_names[1]);
      for (double& label : m_labels) label = 1 - label;
    }
    return {std::move(features), std::move(m_labels), {m_names[0], m_names[1]}};
  }

 private:
  static bool comes_before(const std::string& a, const std::string& b) {
    const auto x = io::number_of<double>(a), y = io::number_of<double>(b);
    return x && y ? *x < *y : a < b;
  }

  std::vector<std::string> m_names;
  std::vector<double> m_labels;
};

inline void check_whole(const std::string& path, std::string_view text) {
  if (text.empty()) throw std::invalid_argument(path + " is empty, expected a line for each row");
  if (text.back() == '\n') return;
  const auto line = 1 + std::count(text.begin(), text.end(), '\n');
  throw std::invalid_argument(
      fmt::format("{}, line {}, column {}: the last line has no line break, as in a truncated file; add one if the "
                  "line is complete",
                  path, line, text.size() - (text.rfind('\n') + 1) + 1));
}

/// Parses rows in LIBSVM format. `classes.add` receives the class of each row and returns what is wrong with it, if
/// anything.
template <class Classes>
SparseRows libsvm_rows(const std::string& path, const std::string& text, std::int64_t min_columns, Classes& classes) {
  io::check_utf8(path, text);
  check_whole(path, text);
  SparseRows rows;
  rows.columns = min_columns;
  std::string_view left = text;
  for (std::size_t number = 1; !left.empty(); ++number) {
    const auto end = left.find('\n');
    LibsvmLine line(path, number, left.substr(0, end));
    left.remove_prefix(end + 1);
    if (const std::optional<std::string> fault = classes.add(line.label())) line.refuse_label(*fault);
    while (const auto entry = line.next()) {
      rows.columns = std::max<std::int64_t>(rows.columns, entry->index);
      if (entry->value == 0) continue;
      rows.indices.push_back(entry->index - 1);
      rows.values.push_back(entry->value);
    }
    rows.starts.push_back(static_cast<std::int64_t>(rows.values.size()));
  }
  return rows;
}

}  // namespace impl

/// The contents of a file of rows, of up to 16 GiB. Throws like io::read_text_file.
inline std::string read_rows_text(const std::string& path) {
  constexpr std::size_t max_mebibytes = 16384;
  return io::read_text_file(path, max_mebibytes);
}

/// File format, as recognized from the first line of the rows.
enum class RowForm {
  libsvm,  ///< a label, which is a number, and index:value entries
  label,   ///< a single number
  csv,     ///< fields separated by commas, semicolons or tabs
  neither  ///< none of these formats
};

/// The format of the first line in `text` that is not blank.
inline RowForm row_form(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  std::string_view line = text.substr(std::min(text.find_first_not_of(blanks), text.size()));
  line = line.substr(0, line.find('\n'));
  std::string_view left = line.substr(0, line.find('#'));
  bool is_label = true;
  std::size_t words = 0, pairs = 0;
  while (true) {
    left = left.substr(std::min(left.find_first_not_of(blanks), left.size()));
    if (left.empty()) break;
    const std::string_view word = left.substr(0, left.find_first_of(blanks));
    left.remove_prefix(word.size());
    if (words++ == 0) is_label = io::number_of<double>(word.substr(word.starts_with('+') ? 1 : 0)).has_value();
    const auto colon = word.find(':');
    const bool is_pair = colon != word.npos && io::number_of<std::int64_t>(word.substr(0, colon)).has_value();
    pairs += is_pair && word.find(',') == word.npos ? 1 : 0;
  }
  const bool has_separators = line.find_first_of(",;\t") != line.npos;
  if (pairs > 0 && (is_label || !has_separators)) return RowForm::libsvm;
  if (has_separators) return RowForm::csv;
  return words == 1 && is_label ? RowForm::label : RowForm::neither;
}

/// Parses rows in LIBSVM format, the contents of the file `path`. Each line has the class of a row, a number, followed
/// by `index:value` for the features other than 0, with ascending indices from 1. Comments begin with #. The number of
/// features is the largest index, but at least `min_columns`, for test files whose last features are all 0.
inline ClassifiedRows<SparseRows> parse_libsvm(const std::string& path, const std::string& text,
                                               std::int64_t min_columns = 1) {
  impl::TwoClasses classes;
  SparseRows rows = impl::libsvm_rows(path, text, min_columns, classes);
  return classes.of(path, std::move(rows));
}

/// Reads the file `path` like parse_libsvm.
inline ClassifiedRows<SparseRows> read_libsvm(const std::string& path, std::int64_t min_columns = 1) {
  return parse_libsvm(path, read_rows_text(path), min_columns);
}

/// Reads the rows of a table. The column `label_name`, or the last one that is not ignored if `label_name` is empty,
/// has the classes, which are any two strings. The other columns are features, in their order; missing values become
/// NaN. Rows without a class are left out unless `reading` refuses missing values.
inline ClassifiedRows<DenseRows> read_classified_rows(io::NamedRows& rows, std::string_view label_name,
                                                      const FeatureReading& reading) {
  const std::string& path = rows.path();
  const std::size_t label =
      label_name.empty() ? impl::last_column(rows, reading.ignored) : rows.column(label_name, "one with the classes");
  auto places = impl::feature_columns(rows, reading.ignored, label);
  if (places.empty()) {
    throw std::invalid_argument(fmt::format("{}, line 1: there is no feature besides {}, expected at least one", path,
                                            io::in_quotes(rows.names()[label])));
  }
  impl::FeatureTable table(rows, std::move(places), reading);
  impl::TwoClasses classes;
  while (rows.next()) {
    const bool has_class = !io::is_missing(rows.field(label));
    if (!has_class && reading.missing == MissingValues::refuse) {
      rows.refuse(label, rows.field(label).empty() ? "is empty, expected a class" : "is missing, expected a class");
    }
    if (!has_class) {
      table.drop();
    } else if (table.add()) {
      if (const std::optional<std::string> fault = classes.add(rows.field(label))) rows.refuse(label, *fault);
    }
  }
  if (classes.count() == 0)
    throw std::invalid_argument(path + ": every row has a missing value, expected at least one complete row");
  auto columns = table.columns();
  std::vector<std::string> notes = table.notes(columns);
  auto classified = classes.of(path, std::move(table).features(columns));
  classified.feature_names = feature_names_of(columns);
  classified.label_name = rows.names()[label];
  classified.columns = std::move(columns);
  classified.notes = std::move(notes);
  return classified;
}

/// Parses CSV text, the contents of the file `path`, like read_classified_rows: column names, then a line for each row.
inline ClassifiedRows<DenseRows> parse_classified_csv(const std::string& path, std::string text,
                                                      std::string_view label_name, const FeatureReading& reading = {}) {
  io::NamedRows rows(path, std::move(text), {"column", "row", reading.has_names, true});
  impl::check_whole(path, rows.text());
  if (reading.has_names) rows.check_names_are_texts();
  return read_classified_rows(rows, label_name, reading);
}

/// Reads a CSV file like parse_classified_csv.
inline ClassifiedRows<DenseRows> read_classified_csv(const std::string& path, std::string_view label_name,
                                                     const FeatureReading& reading = {}) {
  return parse_classified_csv(path, read_rows_text(path), label_name, reading);
}

}  // namespace sporos::models
