// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/named_rows.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/models/mixtures/observations.hpp>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos::models {

/// A sample of one variable, and where it was.
struct ObservationFile {
  std::string path;           ///< of the file
  std::string column;         ///< with the observations; empty where the file is a list without names
  std::string weight_column;  ///< empty where each observation counts once
  Observations sample;        ///< in the order of the file
};

namespace impl {

/// The columns that begin with a number, but for that of the weights.
inline std::vector<std::string> columns_of_numbers(const io::NamedRows& rows, const std::string& weight_column) {
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < rows.names().size(); ++i) {
    const std::string& name = rows.names()[i];
    if (name != weight_column && io::number_of<double>(rows.field(i))) columns.push_back(name);
  }
  return columns;
}

/// The only column of numbers, in a file of which the first row has been read; the only column at all may hold
/// anything.
inline std::string only_column(const io::NamedRows& rows, const std::string& weight_column) {
  if (rows.names().size() == 1) return rows.names().front();
  const std::vector<std::string> columns = columns_of_numbers(rows, weight_column);
  if (columns.size() == 1) return columns.front();
  if (columns.empty()) {
    throw std::invalid_argument(fmt::format("{}, line {}: no column{} holds a number, expected one of observations",
                                            rows.path(), rows.line(),
                                            weight_column.empty() ? "" : " beside the weights"));
  }
  throw std::invalid_argument(fmt::format("{} has {} columns of numbers, expected column to be one of these: {}",
                                          rows.path(), columns.size(), fmt::join(columns, ", ")));
}

/// Throws where the first line is no names, and no list's first number either.
inline void check_names_of_columns(const io::NamedRows& rows) {
  for (const std::string& name : rows.names()) {
    if (!io::number_of<double>(name)) return;
  }
  throw std::invalid_argument(fmt::format("{}, line 1: there are {} numbers, expected the names of the columns",
                                          rows.path(), rows.names().size()));
}

inline double number_of_list(const io::NamedRows& rows, const std::string& text) {
  const std::string what = fmt::format("{}, line {}: observation", rows.path(), rows.line());
  const auto value = io::parse_number<double>(what, text);
  check_finite(what, value);
  return value;
}

/// A list of numbers, whose first one stands where other files have a name.
inline ObservationFile read_list(io::NamedRows& rows) {
  ObservationFile file{rows.path(), "", "", {}};
  file.sample.values.push_back(number_of_list(rows, rows.names().front()));
  while (rows.next()) file.sample.values.push_back(number_of_list(rows, rows.field(0)));
  return file;
}

inline ObservationFile read_columns(io::NamedRows& rows, const std::string& column, const std::string& weight_column) {
  const std::string all = fmt::format("one of these: {}", fmt::join(rows.names(), ", "));
  std::optional<std::size_t> weights;
  if (!weight_column.empty()) weights = rows.column(weight_column, all);
  if (!column.empty()) rows.column(column, all);
  rows.next();  // there is one
  ObservationFile file{rows.path(), column.empty() ? only_column(rows, weight_column) : column, weight_column, {}};
  const std::size_t values = rows.column(file.column, all);
  if (values == weights) {
    throw std::invalid_argument(
        fmt::format("{}, line 1: column {} holds the weights, expected another one of observations", rows.path(),
                    io::in_quotes(weight_column)));
  }
  do {
    file.sample.values.push_back(rows.number(values));
    if (weights) file.sample.weights.push_back(rows.non_negative_number(*weights));
  } while (rows.next());
  return file;
}

}  // namespace impl

/// Reads a sample: the column `column` of a CSV file with a line of names, or the only one that begins with a number
/// where `column` is empty; or a list of numbers without names, one a line. The column `weight_column`, where that is
/// not empty, says how often each observation counts.
/// @throws std::invalid_argument, one sentence that names file, line and column, for a file that cannot be read, is
/// empty or has no row, a field that is no finite number, a negative weight, weights that are all 0, a column that is
/// not there or is asked for in a list, and for several columns of numbers where none is asked for.
inline ObservationFile read_observations(const std::string& path, const std::string& column = "",
                                         const std::string& weight_column = "") {
  io::NamedRows rows(path, {"column", "observation"});
  const bool is_list = rows.names().size() == 1 && io::number_of<double>(rows.names().front());
  if (is_list && !(column + weight_column).empty()) {
    throw std::invalid_argument(fmt::format("{}, line 1: there is no column {}, for there are numbers without a name",
                                            path, io::in_quotes(column.empty() ? weight_column : column)));
  }
  if (!is_list) impl::check_names_of_columns(rows);
  ObservationFile file = is_list ? impl::read_list(rows) : impl::read_columns(rows, column, weight_column);
  try {
    check(file.sample);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", path, error.what()));
  }
  return file;
}

}  // namespace sporos::models
