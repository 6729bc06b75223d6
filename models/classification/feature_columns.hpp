// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/io/cell.hpp>
#include <sporos/core/io/column_survey.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/named_rows.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/models/classification/dense_features.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Features made from the columns of a CSV file. Columns of categories become features of 0 and 1.
namespace sporos::models {

/// Treatment of rows with a missing value (see io::is_missing).
enum class MissingValues {
  refuse,  ///< the file is refused
  drop,    ///< the rows are left out; in predictions, they get no prediction
  mean     ///< the value is replaced by the mean of its feature over the training rows
};

/// Options for making features from columns.
struct FeatureReading {
  std::vector<std::string> ignored = {};          ///< columns that are not features
  std::vector<std::string> categories = {};       ///< columns to treat as categories even if they are numbers
  MissingValues missing = MissingValues::refuse;  ///< treatment of rows with a missing value
  bool has_names = true;                          ///< whether the first line of the file has column names
};

/// A column from which features are made. A column of numbers is one feature. A column of categories gives one feature
/// for each level, which is 1 in rows of that level and 0 in others. There is no reference level, so that all features
/// are 0 for a level that was not in the training rows. The penalty makes the coefficients unique.
struct FeatureColumn {
  std::string name;                      ///< name in the file
  std::vector<std::string> levels = {};  ///< levels of categories, ascending; empty for numbers

  /// Number of features made from the column.
  std::size_t features() const { return std::max<std::size_t>(levels.size(), 1); }
};

/// Largest number of levels of a category. A column with more levels is taken for names and refused.
inline constexpr std::size_t max_levels = 50;

/// Names of the features of columns: the name of the column, or "COLUMN = LEVEL".
inline std::vector<std::string> feature_names_of(const std::vector<FeatureColumn>& columns) {
  std::vector<std::string> names;
  for (const auto& [name, levels] : columns) {
    if (levels.empty()) names.push_back(name);
    for (const auto& level : levels) names.push_back(fmt::format("{} = {}", name, level));
  }
  return names;
}

namespace impl {

/// Refuses the current row because its value in `column` is missing.
[[noreturn]] inline void refuse_missing(const io::NamedRows& rows, std::size_t column) {
  rows.refuse(column,
              fmt::format("is {}, expected a value; use --missing to drop such rows or to replace missing values",
                          rows.field(column).empty() ? "empty" : io::in_quotes(rows.field(column))));
}

/// Advice for messages: how to read a column whose kind was not recognized correctly.
inline constexpr std::string_view other_kinds =
    "use --category to treat the values as categories, or --ignore to leave the column out";

/// Reads a column of numbers or of categories.
class ColumnReader {
 public:
  /// Determines the kind of the column `place`: categories if `is_given` is true or all of its values are strings.
  /// Throws if the column is broken (io::ColumnKind) or holds dates, times or identifiers.
  ColumnReader(const io::NamedRows& rows, const io::TableSurvey& survey, std::size_t place, bool is_given)
      : m_name(rows.names()[place]), m_place(place), m_is_category(is_given) {
    if (is_given) return;
    survey.expect_whole_column(place, other_kinds);
    const io::ColumnKind kind = survey.at(place).kind();
    m_is_category = kind == io::ColumnKind::texts;
    m_first_line = survey.at(place).odd_cell().line;
    if (kind == io::ColumnKind::dates) refuse_column(rows.path(), "holds dates");
    if (m_is_category && survey.at(place).first_number().line > 0) refuse_mixture(rows, survey.at(place));
    const io::IdentifierKind identifier = survey.identifier(place);
    constexpr std::size_t many = 20;  // a feature may be 1, 2, 3, … in a few rows
    const bool may_count = identifier == io::IdentifierKind::row_count && survey.at(place).count() < many;
    if (may_count || identifier == io::IdentifierKind::years || identifier == io::IdentifierKind::time_name) return;
    survey.refuse_identifier(place, "use --ignore to leave it out");
  }

  /// Returns the number in the current row, or the index of its level in order of appearance. NaN if the value is
  /// missing.
  double read(io::NamedRows& rows) {
    const std::string_view cell = rows.field(m_place);
    if (io::is_missing(cell)) {
      ++m_missing;
      return std::numeric_limits<double>::quiet_NaN();
    }
    if (m_count++ == 0) m_first_line = rows.line();
    return m_is_category ? place_of_level(rows, cell) : rows.number(m_place);
  }

  /// The column, after all rows have been read. Throws if it holds names.
  FeatureColumn column(const std::string& path) const {
    if (m_is_category && m_levels.size() == m_count && m_count > 2) {
      refuse_column(path, fmt::format("has {} different values in as many rows, like a column of names", m_count));
    }
    FeatureColumn column{m_name};
    for (const auto& [level, place] : m_levels) column.levels.push_back(level);
    return column;
  }

  /// For each level in order of appearance, its index in column(path).levels.
  std::vector<std::size_t> ascending_places() const {
    std::vector<std::size_t> places(m_levels.size());
    std::size_t next = 0;
    for (const auto& [level, place] : m_levels) places[place] = next++;
    return places;
  }

  /// Number of missing values.
  std::size_t missing() const { return m_missing; }

 private:
  double place_of_level(const io::NamedRows& rows, std::string_view cell) {
    const auto known = m_levels.find(cell);
    if (known != m_levels.end()) return static_cast<double>(known->second);
    if (m_levels.size() == max_levels) {
      refuse_column(rows.path(), fmt::format("has more than {} different values", max_levels));
    }
    const std::size_t place = m_levels.size();
    m_levels.emplace(cell, place);
    return static_cast<double>(place);
  }

  [[noreturn]] void refuse_mixture(const io::NamedRows& rows, const io::ColumnSurvey& survey) const {
    const auto& [line, number] = survey.first_number();
    throw std::invalid_argument(fmt::format("{}, line {}: {} is {}, a number, expected text, as on line {}; {}",
                                            rows.path(), line, io::in_quotes(m_name), io::in_quotes(number),
                                            m_first_line, other_kinds));
  }

  [[noreturn]] void refuse_column(const std::string& path, const std::string& what) const {
    throw std::invalid_argument(fmt::format(
        "{}, from line {} on: {} {}, expected numbers or at most {} categories; use --ignore to leave it out", path,
        m_first_line, io::in_quotes(m_name), what, max_levels));
  }

  std::string m_name;
  std::size_t m_place;
  bool m_is_category;
  std::size_t m_count = 0, m_missing = 0, m_first_line = 0;
  std::map<std::string, std::size_t, std::less<>> m_levels;
};

/// The columns that are neither `ignored` nor `label`.
inline std::vector<std::size_t> feature_columns(const io::NamedRows& rows, const std::vector<std::string>& ignored,
                                                std::optional<std::size_t> label) {
  auto columns = rows.columns_without(ignored);
  if (label && std::erase(columns, *label) == 0) {
    throw std::invalid_argument(fmt::format("{}, line 1: column {} has the classes and cannot be ignored", rows.path(),
                                            io::in_quotes(rows.names()[*label])));
  }
  return columns;
}

/// The last column that is not `ignored`.
inline std::size_t last_column(const io::NamedRows& rows, const std::vector<std::string>& ignored) {
  for (std::size_t column = rows.names().size(); column > 0; --column) {
    if (std::find(ignored.begin(), ignored.end(), rows.names()[column - 1]) == ignored.end()) return column - 1;
  }
  throw std::invalid_argument(rows.path() + ", line 1: all columns are ignored, expected one with the classes");
}

/// Joins up to ten of `texts`, for a message.
inline std::string some_of(const std::vector<std::string>& texts) {
  constexpr std::size_t most = 10;
  const auto shown = static_cast<std::ptrdiff_t>(std::min(texts.size(), most));
  return fmt::format("{}{}", fmt::join(texts.begin(), texts.begin() + shown, ", "),
                     texts.size() > most ? fmt::format(" and {} more", texts.size() - most) : "");
}

/// Features that are read row by row from columns. A survey of the file determines the kinds of the columns.
class FeatureTable {
 public:
  /// Surveys the columns `places`.
  FeatureTable(io::NamedRows& rows, std::vector<std::size_t> places, const FeatureReading& reading)
      : m_rows(rows), m_places(std::move(places)), m_missing(reading.missing) {
    std::vector<char> is_category(rows.names().size(), false);
    for (const auto& name : reading.categories) {
      const std::size_t column = rows.column(name, "the name of a column of categories");
      if (std::find(m_places.begin(), m_places.end(), column) == m_places.end()) {
        throw std::invalid_argument(
            fmt::format("{}, line 1: column {} is not a feature, expected a feature for --category", rows.path(),
                        io::in_quotes(name)));
      }
      is_category[column] = true;
    }
    const io::TableSurvey survey(rows, m_places);
    for (const std::size_t place : m_places) m_readers.emplace_back(rows, survey, place, is_category[place]);
  }

  /// Reads the current row. Returns false if the row is dropped because a value is missing.
  bool add() {
    if (m_missing != MissingValues::mean) {
      for (const std::size_t place : m_places) {
        if (!io::is_missing(m_rows.field(place))) continue;
        if (m_missing == MissingValues::refuse) refuse_missing(m_rows, place);
        drop();
        return false;
      }
    }
    for (auto& reader : m_readers) m_cells.push_back(reader.read(m_rows));
    return true;
  }

  /// Leaves out the current row.
  void drop() { ++m_dropped; }

  /// The columns, after all rows have been read. Throws if one holds names.
  std::vector<FeatureColumn> columns() const {
    std::vector<FeatureColumn> columns;
    for (const auto& reader : m_readers) columns.push_back(reader.column(m_rows.path()));
    return columns;
  }

  /// The features of all rows; missing values are NaN.
  DenseRows features(const std::vector<FeatureColumn>& columns) && {
    std::size_t count = 0;
    for (const auto& column : columns) count += column.features();
    if (count == columns.size() && std::all_of(columns.begin(), columns.end(), is_of_numbers)) {
      return {static_cast<std::int64_t>(count), std::move(m_cells)};
    }
    std::vector<std::vector<std::size_t>> places;
    for (const auto& reader : m_readers) places.push_back(reader.ascending_places());
    DenseRows features{static_cast<std::int64_t>(count), {}};
    features.values.reserve(m_cells.size() / columns.size() * count);
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
      const std::size_t j = i % columns.size();
      append(features.values, columns[j], places[j], m_cells[i]);
    }
    return features;
  }

  /// Remarks for the user on the rows that were read.
  std::vector<std::string> notes(const std::vector<FeatureColumn>& columns) const {
    std::vector<std::string> notes, missing;
    m_rows.add_note(notes);
    for (const auto& [name, levels] : columns) {
      if (levels.empty()) continue;
      notes.push_back(fmt::format("column {} holds {} categories, one feature each: {}", io::in_quotes(name),
                                  levels.size(), some_of(levels)));
    }
    if (m_dropped > 0) notes.push_back(fmt::format("rows left out because a value is missing: {}", m_dropped));
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (m_readers[j].missing() == 0) continue;
      missing.push_back(fmt::format("{} in {}", m_readers[j].missing(), io::in_quotes(columns[j].name)));
    }
    if (!missing.empty()) notes.push_back(fmt::format("missing values replaced by means: {}", some_of(missing)));
    return notes;
  }

 private:
  static bool is_of_numbers(const FeatureColumn& column) { return column.levels.empty(); }

  static void append(std::vector<double>& values, const FeatureColumn& column, const std::vector<std::size_t>& places,
                     double cell) {
    if (is_of_numbers(column) || std::isnan(cell)) {
      values.insert(values.end(), column.features(), cell);
      return;
    }
    values.insert(values.end(), column.features(), 0.0);
    *(values.end() - static_cast<std::ptrdiff_t>(column.features() - places[static_cast<std::size_t>(cell)])) = 1;
  }

  io::NamedRows& m_rows;
  std::vector<std::size_t> m_places;
  MissingValues m_missing;
  std::vector<ColumnReader> m_readers;
  std::vector<double> m_cells;  // numbers and indices of levels, row by row
  std::size_t m_dropped = 0;
};

}  // namespace impl

/// The mean of each feature over those of the given rows in which it is not missing; 0 if it is missing in all of them.
inline std::vector<double> means_of_known(const DenseRows& features, const std::vector<std::int64_t>& rows) {
  const auto n = static_cast<std::size_t>(features.columns);
  std::vector<double> means(n);
  std::vector<std::int64_t> counts(n);
  for (const std::int64_t row : rows) {
    for (std::size_t j = 0; j < n; ++j) {
      const double value = features.values[static_cast<std::size_t>(row) * n + j];
      if (std::isnan(value)) continue;
      means[j] += (value - means[j]) / static_cast<double>(++counts[j]);
    }
  }
  return means;
}

/// Replaces missing features by their means.
inline void fill_missing(DenseRows& features, const std::vector<double>& means) {
  for (std::size_t i = 0; i < features.values.size(); ++i) {
    if (std::isnan(features.values[i])) features.values[i] = means[i % means.size()];
  }
}

}  // namespace sporos::models

namespace sporos {

/// Names of the treatments of missing values.
template <>
struct ChoiceNames<models::MissingValues> {
  using Missing = models::MissingValues;                                   ///< the enumeration
  static constexpr std::string_view what = "treatment of missing values";  ///< name of the choice
  /// Name and value of each treatment.
  static constexpr auto values = std::to_array<NamedValue<Missing>>(
      {{"refuse", Missing::refuse}, {"drop", Missing::drop}, {"mean", Missing::mean}});
};

}  // namespace sporos
