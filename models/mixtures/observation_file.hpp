// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/io/cell.hpp>
#include <sporos/core/io/column_survey.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/named_rows.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/models/mixtures/observations.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sporos::models {

/// A sample of one variable, and how it was read.
struct ObservationFile {
  std::string path;                     ///< path of the file
  std::string column;                   ///< column of the observations; empty if the file is a list without names
  std::string weight_column;            ///< column of the weights; empty if each observation counts once
  Observations sample;                  ///< in the order of the file
  std::vector<std::string> notes = {};  ///< messages to the user about how the file was read
};

/// Options for reading observations from a file.
struct ObservationReading {
  std::string column = {};                ///< column of the observations; empty for the only column of numbers
  std::string weight_column = {};         ///< column of the weights; empty if each observation counts once
  std::vector<std::string> ignored = {};  ///< columns to leave out
  bool drops_missing = false;  ///< whether rows with a missing value are left out; otherwise they are refused
  bool has_names = true;       ///< whether the file's first line holds names
};

namespace impl {

/// Remedy in messages about the column of observations.
inline constexpr std::string_view other_columns = "use --column to name another column, or --ignore to leave one out";

/// Finds the only column of numbers, apart from ignored columns and the column of weights. Refuses the file if one of
/// these columns is broken or measures nothing.
inline std::string only_column(const io::NamedRows& rows, const std::vector<std::size_t>& places,
                               const ObservationReading& reading, std::vector<std::string>& notes) {
  const io::TableSurvey survey(rows, places);
  std::vector<std::size_t> columns;
  std::vector<std::string> dates, names;
  for (const std::size_t i : places) {
    if (rows.names()[i] == reading.weight_column) continue;
    const io::ColumnKind kind = survey.at(i).kind();
    if (places.size() == 1 && kind != io::ColumnKind::numbers) survey.expect_numbers(i, other_columns);
    survey.expect_whole_column(i, other_columns);
    if (kind == io::ColumnKind::dates) dates.push_back(rows.names()[i]);
    if (kind != io::ColumnKind::numbers) continue;
    columns.push_back(i);
    names.push_back(rows.names()[i]);
  }
  if (!dates.empty()) {
    notes.push_back(fmt::format("columns that hold dates are ignored: {}", fmt::join(dates, ", ")));
  }
  if (columns.empty()) {
    throw std::invalid_argument(fmt::format("{}: no column{} holds numbers, expected a column of observations",
                                            rows.path(), reading.weight_column.empty() ? "" : " besides the weights"));
  }
  if (columns.size() > 1) {
    throw std::invalid_argument(fmt::format("{} has {} columns of numbers, expected --column to name one of these: {}",
                                            rows.path(), columns.size(), fmt::join(names, ", ")));
  }
  if (survey.identifier(columns.front()) != io::IdentifierKind::time_name) {
    survey.refuse_identifier(columns.front(), "use --column to read this column anyway, or --ignore to leave one out");
  }
  return names.front();
}

/// A number of a list; nothing if it is missing and `drops_missing`.
inline std::optional<double> number_of_list(const io::NamedRows& rows, std::string_view text, bool drops_missing) {
  if (drops_missing && io::is_missing(text)) return std::nullopt;
  const std::string what = fmt::format("{}, line {}: observation", rows.path(), rows.line());
  const std::string_view remedy = io::number_of<double>(text) ? "" : io::number_remedy(text);
  if (!remedy.empty()) {
    throw std::invalid_argument(fmt::format("{} is {}, expected a number: {}", what, io::in_quotes(text), remedy));
  }
  const auto value = io::parse_number<double>(what, text);
  check_finite(what, value);
  return value;
}

inline void add_dropped(std::vector<std::string>& notes, std::size_t dropped) {
  if (dropped > 0) notes.push_back(fmt::format("rows left out because a value is missing: {}", dropped));
}

/// Reads a list of numbers, whose first one is where other files have a name.
inline ObservationFile read_list(io::NamedRows& rows, bool drops_missing) {
  ObservationFile file{rows.path(), "", "", {}};
  std::size_t dropped = 0;
  const auto add = [&](std::string_view text) {
    const auto value = number_of_list(rows, text, drops_missing);
    if (value) file.sample.values.push_back(*value);
    if (!value) ++dropped;
  };
  add(rows.names().front());
  while (rows.next()) add(rows.number_text(0));
  add_dropped(file.notes, dropped);
  return file;
}

/// Reader of the observations below the names, and of their weights.
class ObservationRows {
 public:
  ObservationRows(io::NamedRows& rows, std::size_t values, std::optional<std::size_t> weights, bool drops_missing)
      : m_rows(rows), m_values(values), m_weights(weights), m_drops_missing(drops_missing) {}

  /// Adds the current row to the sample, unless a value is missing.
  void add(Observations& sample) {
    if (misses(m_values) || (m_weights && misses(*m_weights))) {
      ++m_dropped;
      return;
    }
    sample.values.push_back(m_rows.number(m_values));
    if (m_weights) sample.weights.push_back(m_rows.non_negative_number(*m_weights));
  }

  /// Number of rows that were left out.
  std::size_t dropped() const { return m_dropped; }

 private:
  bool misses(std::size_t column) const { return m_rows.misses_number(column, m_drops_missing, "rows"); }

  io::NamedRows& m_rows;
  std::size_t m_values;
  std::optional<std::size_t> m_weights;
  bool m_drops_missing;
  std::size_t m_dropped = 0;
};

inline ObservationFile read_columns(io::NamedRows& rows, const ObservationReading& reading) {
  const auto& [column, weight_column, ignored, drops_missing, has_names] = reading;
  const std::string all = fmt::format("one of these: {}", fmt::join(rows.names(), ", "));
  std::optional<std::size_t> weights;
  if (!weight_column.empty()) weights = rows.column(weight_column, all);
  const std::vector<std::size_t> places = rows.columns_without(ignored);
  if (places.empty()) {
    throw std::invalid_argument(rows.path() + ", line 1: all columns are ignored, expected a column of observations");
  }
  ObservationFile file{rows.path(), column, weight_column, {}};
  if (column.empty()) {
    file.column = only_column(rows, places, reading, file.notes);
  } else {
    io::TableSurvey(rows, {});  // refuses rows of totals
  }
  const std::size_t values = rows.column(file.column, all);
  for (const auto& used : {std::optional(values), weights}) {
    if (!used || std::find(places.begin(), places.end(), *used) != places.end()) continue;
    throw std::invalid_argument(fmt::format("{}, line 1: column {} is both ignored and read, expected one of the two",
                                            rows.path(), io::in_quotes(rows.names()[*used])));
  }
  if (values == weights) {
    throw std::invalid_argument(
        fmt::format("{}, line 1: column {} holds the weights, expected another column of observations", rows.path(),
                    io::in_quotes(weight_column)));
  }
  ObservationRows observations(rows, values, weights, drops_missing);
  while (rows.next()) observations.add(file.sample);
  add_dropped(file.notes, observations.dropped());
  return file;
}

}  // namespace impl

/// Observations in the only column of numbers of a table, apart from ignored columns. A missing value is NaN. Throws
/// the same exceptions as read_observations.
inline std::vector<double> observations_of(io::NamedRows& rows, const std::vector<std::string>& ignored,
                                           std::vector<std::string>& notes) {
  const std::vector<std::size_t> places = rows.columns_without(ignored);
  if (places.empty()) {
    throw std::invalid_argument(rows.path() + ": all columns are ignored, expected a column of observations");
  }
  const std::string name = impl::only_column(rows, places, {}, notes);
  const std::size_t column = rows.column(name, "the name of a column");
  std::vector<double> values;
  while (rows.next()) {
    const bool is_there = !io::is_missing(rows.field(column));
    values.push_back(is_there ? rows.number(column) : std::numeric_limits<double>::quiet_NaN());
  }
  return values;
}

/// Reads a sample from a column of a CSV file with a line of names, or from the only column that holds numbers
/// (io::ColumnKind). The file may also be a list of numbers without names, one per line.
/// @throws std::invalid_argument with one sentence that names file, line and column if
/// - the file cannot be read, is empty or has no row,
/// - a field is not a finite number, a weight is negative, or all weights are 0,
/// - the requested column does not exist, or a column is requested from a list,
/// - no column is requested and several columns hold numbers, or a column is mostly but not only numbers or dates,
/// - the last rows are totals of others, or names are numbers.
inline ObservationFile read_observations(const std::string& path, const ObservationReading& reading) {
  io::NamedRows rows(path, {"column", "observation", reading.has_names, true});
  const bool is_list = reading.has_names && rows.names().size() == 1 && io::number_of<double>(rows.names().front());
  const std::string& named = !reading.column.empty()          ? reading.column
                             : !reading.weight_column.empty() ? reading.weight_column
                             : !reading.ignored.empty()       ? reading.ignored.front()
                                                              : reading.column;
  if (is_list && !named.empty()) {
    throw std::invalid_argument(
        fmt::format("{}, line 1: there is no column {}, because the file is a list of numbers without names", path,
                    io::in_quotes(named)));
  }
  if (reading.has_names && !is_list) rows.check_names_are_texts();
  ObservationFile file = is_list ? impl::read_list(rows, reading.drops_missing) : impl::read_columns(rows, reading);
  if (std::string note = rows.note(); !note.empty()) file.notes.insert(file.notes.begin(), std::move(note));
  try {
    check(file.sample);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", path, error.what()));
  }
  return file;
}

/// Reads the column `column` with the weights in `weight_column`.
inline ObservationFile read_observations(const std::string& path, const std::string& column = "",
                                         const std::string& weight_column = "") {
  return read_observations(path, ObservationReading{column, weight_column});
}

}  // namespace sporos::models
