// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/io/cell.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/named_rows.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/models/mixtures/observations.hpp>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sporos::models {

/// A sample of one variable, and where it was.
struct ObservationFile {
  std::string path;                     ///< of the file
  std::string column;                   ///< with the observations; empty where the file is a list without names
  std::string weight_column;            ///< empty where each observation counts once
  Observations sample;                  ///< in the order of the file
  std::vector<std::string> notes = {};  ///< what a user should know of how the file was read
};

/// Where the observations stand in a file.
struct ObservationReading {
  std::string column = {};                ///< with the observations; empty for the only one of numbers
  std::string weight_column = {};         ///< says how often each observation counts; empty where each counts once
  std::vector<std::string> ignored = {};  ///< columns that hold no observations
  bool drops_missing = false;             ///< whether rows in which a value is missing are left out, or refused
  bool has_names = true;                  ///< whether the file's first line has the names
};

namespace impl {

/// The columns that begin with a number that is no date, but for that of the weights and those that are ignored.
/// Columns of dates go to `dates`.
inline std::vector<std::string> columns_of_numbers(io::NamedRows& rows, const ObservationReading& reading,
                                                   std::vector<std::string>& dates) {
  std::vector<std::string> columns;
  for (const std::size_t i : rows.columns_without(reading.ignored)) {
    const std::string& name = rows.names()[i];
    if (name == reading.weight_column) continue;
    if (io::is_date(rows.field(i))) {
      dates.push_back(name);
    } else if (io::number_of<double>(rows.number_text(i)) || io::is_missing(rows.field(i))) {
      columns.push_back(name);
    }
  }
  return columns;
}

/// The only column of numbers, in a file of which the first row has been read; the only column at all may hold
/// anything.
inline std::string only_column(io::NamedRows& rows, const ObservationReading& reading,
                               std::vector<std::string>& notes) {
  if (rows.names().size() == 1) return rows.names().front();
  std::vector<std::string> dates;
  const std::vector<std::string> columns = columns_of_numbers(rows, reading, dates);
  if (!dates.empty()) {
    notes.push_back(fmt::format("columns that hold dates are not taken for observations: {}", fmt::join(dates, ", ")));
  }
  if (columns.size() == 1) return columns.front();
  if (columns.empty()) {
    throw std::invalid_argument(fmt::format("{}, line {}: no column{} holds a number, expected one of observations",
                                            rows.path(), rows.line(),
                                            reading.weight_column.empty() ? "" : " beside the weights"));
  }
  throw std::invalid_argument(fmt::format("{} has {} columns of numbers, expected column to be one of these: {}",
                                          rows.path(), columns.size(), fmt::join(columns, ", ")));
}

/// A number of a list; none where it is missing and such are dropped.
inline std::optional<double> number_of_list(const io::NamedRows& rows, std::string_view text, bool drops_missing) {
  if (drops_missing && io::is_missing(text)) return std::nullopt;
  const std::string what = fmt::format("{}, line {}: observation", rows.path(), rows.line());
  const auto value = io::parse_number<double>(what, text);
  check_finite(what, value);
  return value;
}

inline void add_dropped(std::vector<std::string>& notes, std::size_t dropped) {
  if (dropped > 0) notes.push_back(fmt::format("rows left out, for a value is missing: {}", dropped));
}

/// A list of numbers, whose first one stands where other files have a name.
inline ObservationFile read_list(io::NamedRows& rows, bool drops_missing) {
  ObservationFile file{rows.path(), "", "", {}};
  std::size_t dropped = 0;
  const auto add = [&](std::string_view text) {
    const auto value = number_of_list(rows, text, drops_missing);
    if (value) file.sample.values.push_back(*value);
    if (!value) ++dropped;
  };
  add(rows.names().front());
  while (rows.next()) add(rows.field(0));
  add_dropped(file.notes, dropped);
  return file;
}

/// The observations below the names, and their weights.
class ObservationRows {
 public:
  ObservationRows(io::NamedRows& rows, std::size_t values, std::optional<std::size_t> weights, bool drops_missing)
      : m_rows(rows), m_values(values), m_weights(weights), m_drops_missing(drops_missing) {}

  /// Takes the current row.
  void add(Observations& sample) {
    if (lacks(m_values) || (m_weights && lacks(*m_weights))) {
      ++m_dropped;
      return;
    }
    sample.values.push_back(m_rows.number(m_values));
    if (m_weights) sample.weights.push_back(m_rows.non_negative_number(*m_weights));
  }

  /// How many rows were left out.
  std::size_t dropped() const { return m_dropped; }

 private:
  bool lacks(std::size_t column) const {
    if (!io::is_missing(m_rows.field(column))) return false;
    if (m_drops_missing) return true;
    m_rows.refuse(column, fmt::format("is {}, expected a number; --missing drop leaves such rows out",
                                      m_rows.field(column).empty() ? "empty" : io::in_quotes(m_rows.field(column))));
  }

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
  if (!column.empty()) rows.column(column, all);
  rows.next();  // there is one
  ObservationFile file{rows.path(), column, weight_column, {}};
  if (column.empty()) file.column = only_column(rows, reading, file.notes);
  const std::size_t values = rows.column(file.column, all);
  if (values == weights) {
    throw std::invalid_argument(
        fmt::format("{}, line 1: column {} holds the weights, expected another one of observations", rows.path(),
                    io::in_quotes(weight_column)));
  }
  ObservationRows observations(rows, values, weights, drops_missing);
  do observations.add(file.sample);
  while (rows.next());
  add_dropped(file.notes, observations.dropped());
  return file;
}

}  // namespace impl

/// Reads a sample: a column of a CSV file with a line of names, or the only one that begins with a number that is no
/// date; or a list of numbers without names, one a line.
/// @throws std::invalid_argument, one sentence that names file, line and column, for a file that cannot be read, is
/// empty or has no row, a field that is no finite number, a negative weight, weights that are all 0, a column that is
/// not there or is asked for in a list, several columns of numbers where none is asked for, and names that are numbers.
inline ObservationFile read_observations(const std::string& path, const ObservationReading& reading) {
  io::NamedRows rows(path, {"column", "observation", reading.has_names});
  const bool is_list = reading.has_names && rows.names().size() == 1 && io::number_of<double>(rows.names().front());
  const std::string& named = reading.column.empty() ? reading.weight_column : reading.column;
  if (is_list && !named.empty()) {
    throw std::invalid_argument(fmt::format("{}, line 1: there is no column {}, for there are numbers without a name",
                                            path, io::in_quotes(named)));
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

/// The same of the column `column` with the weights in `weight_column`.
inline ObservationFile read_observations(const std::string& path, const std::string& column = "",
                                         const std::string& weight_column = "") {
  return read_observations(path, ObservationReading{column, weight_column});
}

}  // namespace sporos::models
