// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/column_survey.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/named_rows.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/models/classification/data_files.hpp>
#include <sporos/models/classification/dense_features.hpp>
#include <sporos/models/classification/feature_columns.hpp>
#include <sporos/models/classification/sparse_features.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Files of rows whose classes are to be predicted and may already be known. Readers throw std::invalid_argument like
/// those of data_files.hpp, except that a single class is accepted.
namespace sporos::models {

/// Properties that a model stores of the rows on which it was trained, for predictions.
struct KnownRows {
  std::int64_t columns = 0;                ///< number of features
  std::vector<std::string> feature_names;  ///< names of the features; empty if unknown
  std::array<std::string, 2> classes;      ///< names of labels 0 and 1
  std::string label_name;                  ///< name of the column with the classes; empty if it had none
  /// Columns that make the features. Empty if each feature is a column of numbers.
  std::vector<FeatureColumn> file_columns = {};
  std::vector<double> means = {};                 ///< means of the features; empty if unknown
  MissingValues missing = MissingValues::refuse;  ///< treatment of missing values in training

  /// The columns of a file that make the features. Empty if the features have no names.
  std::vector<FeatureColumn> named_columns() const {
    std::vector<FeatureColumn> named = file_columns;
    if (named.empty()) {
      for (const auto& name : feature_names) named.push_back({name});
    }
    return named;
  }
};

/// Rows for which a model makes predictions.
template <class Rows>
struct RowsToPredict {
  Rows features;               ///< features of the rows, in the model's order; NaN if missing values are dropped
  std::vector<double> labels;  ///< label of each row, 0 or 1; empty if not in the file or not requested
  std::vector<std::string> notes = {};  ///< remarks for the user on how the rows were read
};

namespace impl {

/// Collects the labels of rows if they are requested.
class KnownLabels {
 public:
  /// Collects labels if `are_asked_for` is true. `classes` are the names of labels 0 and 1.
  KnownLabels(const std::array<std::string, 2>& classes, bool are_asked_for)
      : m_classes(classes), m_are_asked_for(are_asked_for) {}

  /// Adds a row of class `name`. Returns a description of what is wrong with the class, if anything.
  std::optional<std::string> add(std::string_view name) {
    if (!m_are_asked_for) return std::nullopt;
    if (name != m_classes[0] && name != m_classes[1]) {
      return fmt::format("is {}, expected {} or {}, the classes of the model", io::in_quotes(name),
                         io::in_quotes(m_classes[0]), io::in_quotes(m_classes[1]));
    }
    m_labels.push_back(name == m_classes[1] ? 1 : 0);
    return std::nullopt;
  }

  /// The labels of all rows; empty if they are not requested.
  const std::vector<double>& labels() const { return m_labels; }

 private:
  const std::array<std::string, 2>& m_classes;
  bool m_are_asked_for;
  std::vector<double> m_labels;
};

inline void check_columns(const std::string& place, std::int64_t found, std::int64_t expected) {
  if (found == expected) return;
  throw std::invalid_argument(fmt::format("{}: there {} {} feature{}, expected {}, as in the model", place,
                                          found == 1 ? "is" : "are", found, found == 1 ? "" : "s", expected));
}

/// A column of a file from which the model makes features.
class KnownColumn {
 public:
  KnownColumn(FeatureColumn column, std::size_t place) : m_column(std::move(column)), m_place(place) {}

  /// Appends the features of the current row to `values`: NaN if the value is missing, 0 for a category that is unknown
  /// to the model.
  void append(io::NamedRows& rows, MissingValues missing, std::vector<double>& values) {
    const std::string_view cell = rows.field(m_place);
    if (io::is_missing(cell)) {
      if (missing == MissingValues::refuse) refuse_missing(rows, m_place);
      ++m_missing;
      values.insert(values.end(), m_column.features(), std::numeric_limits<double>::quiet_NaN());
    } else if (m_column.levels.empty()) {
      values.push_back(rows.number(m_place));
    } else {
      for (const auto& level : m_column.levels) values.push_back(level == cell ? 1 : 0);
      if (std::count(m_column.levels.begin(), m_column.levels.end(), cell) == 0) add_unknown(cell, rows.line());
    }
  }

  /// Adds remarks for the user on the rows that were read.
  void add_notes(MissingValues missing, std::vector<std::string>& notes) const {
    const std::string name = io::in_quotes(m_column.name);
    if (m_missing > 0) {
      notes.push_back(fmt::format(
          "missing values in {}: {}, {}", name, m_missing,
          missing == MissingValues::mean ? "replaced by means of the model" : "their rows get no prediction"));
    }
    if (m_unknown > 0) {
      notes.push_back(fmt::format("values of {} that are not in the model: {}, the first {}; their features are 0",
                                  name, m_unknown, m_first_unknown));
    }
  }

 private:
  void add_unknown(std::string_view cell, std::size_t line) {
    if (m_unknown++ == 0) m_first_unknown = fmt::format("{} on line {}", io::in_quotes(cell), line);
  }

  FeatureColumn m_column;
  std::size_t m_place, m_missing = 0, m_unknown = 0;
  std::string m_first_unknown;
};

/// The columns of the model's features in the file, found by name if the model has names, otherwise by their order.
inline std::vector<KnownColumn> known_columns(const io::NamedRows& rows, const KnownRows& known,
                                              const std::vector<std::size_t>& places) {
  std::vector<KnownColumn> columns;
  for (auto& column : known.named_columns()) {
    const std::size_t place = rows.column(column.name, "one for each feature of the model");
    columns.emplace_back(std::move(column), place);
  }
  if (!columns.empty()) return columns;
  check_columns(rows.path() + ", line 1", static_cast<std::int64_t>(places.size()), known.columns);
  for (const std::size_t place : places) columns.emplace_back(FeatureColumn{rows.names()[place]}, place);
  return columns;
}

/// The columns at `places` that are unknown to the model.
inline std::vector<std::string> unknown_columns(const io::NamedRows& rows, const KnownRows& known,
                                                const std::vector<std::size_t>& places) {
  std::vector<std::string> unknown;
  const auto columns = known.named_columns();
  for (const std::size_t place : places) {
    const std::string& name = rows.names()[place];
    const auto is_it = [&](const FeatureColumn& column) { return column.name == name; };
    const bool is_known = columns.empty() || std::any_of(columns.begin(), columns.end(), is_it);
    if (!is_known) unknown.push_back(io::in_quotes(name));
  }
  return unknown;
}

}  // namespace impl

/// Parses rows in LIBSVM format, the contents of the file `path`. The format always includes labels; they are evaluated
/// only if `with_labels` is true.
inline RowsToPredict<SparseRows> parse_libsvm_to_predict(const std::string& path, const std::string& text,
                                                         const KnownRows& known, bool with_labels) {
  impl::KnownLabels labels(known.classes, with_labels);
  SparseRows rows = impl::libsvm_rows(path, text, known.columns, labels);
  impl::check_columns(path, rows.columns, known.columns);
  return {std::move(rows), labels.labels()};
}

/// Reads the file `path` like parse_libsvm_to_predict.
inline RowsToPredict<SparseRows> read_libsvm_to_predict(const std::string& path, const KnownRows& known,
                                                        bool with_labels) {
  return parse_libsvm_to_predict(path, read_rows_text(path), known, with_labels);
}

/// Reads the rows of a table. The classes are in the column `label_name`, which must exist. If `label_name` is empty,
/// they are in the column with the name that the model stores, if it exists. If the model stores column names, features
/// are found by name, in any order and among other columns. Otherwise they are found by their order among the columns
/// that are not ignored.
inline RowsToPredict<DenseRows> read_rows_to_predict(io::NamedRows& rows, const KnownRows& known,
                                                     std::string_view label_name, bool with_labels,
                                                     const FeatureReading& reading) {
  if (reading.missing == MissingValues::mean && known.means.empty()) {
    throw std::invalid_argument(
        "the model stores no means to replace missing values, expected --missing refuse or drop");
  }
  const auto label =
      label_name.empty() ? rows.find(known.label_name) : std::optional(rows.column(label_name, "one with the classes"));
  const auto places = impl::feature_columns(rows, reading.ignored, label);
  auto columns = impl::known_columns(rows, known, places);
  io::TableSurvey(rows, {});  // which refuses rows of totals
  impl::KnownLabels labels(known.classes, with_labels && label.has_value());
  DenseRows features{known.columns, {}};
  while (rows.next()) {
    if (label) {
      if (const std::optional<std::string> fault = labels.add(rows.field(*label))) rows.refuse(*label, *fault);
    }
    for (auto& column : columns) column.append(rows, reading.missing, features.values);
  }
  if (reading.missing == MissingValues::mean) fill_missing(features, known.means);

  RowsToPredict<DenseRows> read{std::move(features), labels.labels()};
  rows.add_note(read.notes);
  const auto unknown = impl::unknown_columns(rows, known, places);
  if (!unknown.empty()) {
    read.notes.push_back(fmt::format("columns that are not in the model are ignored: {}", impl::some_of(unknown)));
  }
  for (const auto& column : columns) column.add_notes(reading.missing, read.notes);
  return read;
}

/// Parses CSV text, the contents of the file `path`, like read_rows_to_predict.
inline RowsToPredict<DenseRows> parse_csv_to_predict(const std::string& path, std::string text, const KnownRows& known,
                                                     std::string_view label_name, bool with_labels,
                                                     const FeatureReading& reading = {}) {
  io::NamedRows rows(path, std::move(text), {"column", "row", reading.has_names, true});
  impl::check_whole(path, rows.text());
  return read_rows_to_predict(rows, known, label_name, with_labels, reading);
}

/// Reads a CSV file like parse_csv_to_predict.
inline RowsToPredict<DenseRows> read_csv_to_predict(const std::string& path, const KnownRows& known,
                                                    std::string_view label_name, bool with_labels,
                                                    const FeatureReading& reading = {}) {
  return parse_csv_to_predict(path, read_rows_text(path), known, label_name, with_labels, reading);
}

}  // namespace sporos::models
