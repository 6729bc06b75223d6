// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/cell.hpp>
#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/named_rows.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/models/finance/historical_returns.hpp>
#include <sporos/models/finance/normal_covariance.hpp>
#include <sporos/models/finance/normal_returns.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Files of a portfolio, as comma-separated values. Readers throw std::invalid_argument with one sentence that names
/// file, line and column, as io::read_csv does or where a field is empty, not a number, or not finite, and for what is
/// said at each of them.
namespace sporos::models {

/// Normally distributed returns of named assets.
struct NamedNormalReturns {
  std::vector<std::string> names;       ///< of the assets
  std::vector<std::string> factors;     ///< names of the common factors
  NormalReturns returns;                ///< of the assets
  std::vector<std::string> notes = {};  ///< what a user should know of how the file was read
};

namespace impl {

inline void expect_columns(const std::string& path, const std::vector<std::string>& names,
                           const std::vector<std::string>& first, std::string_view others) {
  if (names.size() >= first.size() && std::equal(first.begin(), first.end(), names.begin())) return;
  const std::size_t shown = std::min(names.size(), first.size());
  throw std::invalid_argument(
      fmt::format("{}, line 1: the columns begin with {}, expected {} and {}", path,
                  io::in_quotes(fmt::format(
                      "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "))),
                  fmt::join(first, ", "), others));
}

inline void append_numbers(std::vector<std::string>& fields, const double* first, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) fields.push_back(io::shortest_text(first[i]));
}

}  // namespace impl

/// Which columns of a file are returns.
struct ReturnsReading {
  std::vector<std::string> ignored = {};  ///< columns that are left out
  bool has_names = true;                  ///< whether the first line names the assets; if not, they are 1, 2, …
};

/// Returns of a file.
struct ReturnsFile {
  HistoricalReturns returns;       ///< one for each asset and day
  std::vector<std::string> notes;  ///< what a user should know of how they were read
};

namespace impl {

/// Whether the first of the `columns` holds dates, of which one is in the current row: it looks like one, or its name
/// says so and it is no return, which is no whole number.
inline bool begins_with_dates(const io::NamedRows& rows, std::size_t column) {
  const std::string_view cell = rows.field(column);
  const auto number = io::number_of<double>(cell);
  const bool is_return = number && *number != std::floor(*number);
  return io::is_date(cell) || (io::is_name_of_dates(rows.names()[column]) && !is_return);
}

inline void check_no_dates(const io::NamedRows& rows, const std::vector<std::size_t>& columns) {
  for (const std::size_t j : columns) {
    const std::string& name = rows.names()[j];
    if (!io::is_date(rows.field(j)) && io::impl::lower_case(name) != "date") continue;
    throw std::invalid_argument(fmt::format("{}, line 1: column {} is column {}, expected it first or not at all",
                                            rows.path(), io::in_quotes(name), j + 1));
  }
}

// A column that is the same on all days is an asset without risk, but hardly one that doubles each day.
inline void check_days(const std::string& path, const HistoricalReturns& returns) {
  if (returns.days() < 2) {
    throw std::invalid_argument(fmt::format("{}: line 2 is the only row, expected at least 2 days", path));
  }
  for (std::size_t j = 0; j < returns.names.size(); ++j) {
    if (!is_constant(returns, j) || std::abs(returns.values[j]) < 1) continue;
    throw std::invalid_argument(
        fmt::format("{}: column {} is {} in all rows from line 2 on, expected a return that varies, or of an asset "
                    "without risk one below 1; --ignore leaves a column out",
                    path, io::in_quotes(returns.names[j]), io::shortest_text(returns.values[j])));
  }
}

// Columns that are the same on all days.
inline void note_riskless(const HistoricalReturns& returns, std::vector<std::string>& notes) {
  for (std::size_t j = 0; j < returns.names.size(); ++j) {
    if (!is_constant(returns, j)) continue;
    notes.push_back(fmt::format("column {} is {} on all days: an asset without risk", io::in_quotes(returns.names[j]),
                                io::shortest_text(returns.values[j])));
  }
}

}  // namespace impl

/// Reads daily returns: one column for each asset under its name, one row for each day; the first column may hold dates
/// (io::is_date), or anything where it is called `date`. A column that is the same on all days is an asset without
/// risk, such as cash, and noted. Refuses a single row, a column that is the same on all days and no return below 1, a
/// column of dates that is not the first, and names that are numbers.
inline ReturnsFile read_returns_file(const std::string& path, const ReturnsReading& reading = {}) {
  io::NamedRows rows(path, {"asset", "day", reading.has_names});
  if (reading.has_names) rows.check_names_are_texts();
  auto columns = rows.columns_without(reading.ignored);
  ReturnsFile file;
  auto& [names, dates, values] = file.returns;
  rows.next();  // there is one
  const std::size_t first = columns.empty() ? 0 : columns.front();
  const bool is_dated = !columns.empty() && impl::begins_with_dates(rows, first);
  const bool is_named = io::is_name_of_dates(rows.names()[first]);
  if (is_dated) columns.erase(columns.begin());
  if (columns.empty()) {
    throw std::invalid_argument(
        fmt::format("{}, line 1: no asset is named beside {}", path, io::in_quotes(rows.names()[first])));
  }
  impl::check_no_dates(rows, columns);
  for (const std::size_t j : columns) names.push_back(rows.names()[j]);
  do {
    if (is_dated && !is_named && !io::is_date(rows.field(first))) {
      rows.refuse(first,
                  fmt::format("is {}, expected a date, as in the rows before", io::in_quotes(rows.field(first))));
    }
    if (is_dated) dates.emplace_back(rows.field(first));
    for (const std::size_t j : columns) values.push_back(rows.number(j));
  } while (rows.next());
  impl::check_days(path, file.returns);
  try {
    file.returns.check();
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", path, error.what()));
  }
  rows.add_note(file.notes);
  if (is_dated && rows.names()[first] != "date") {
    file.notes.push_back(fmt::format("column {} holds dates, no returns", io::in_quotes(rows.names()[first])));
  }
  impl::note_riskless(file.returns, file.notes);
  return file;
}

/// The returns alone.
inline HistoricalReturns read_returns(const std::string& path) { return read_returns_file(path).returns; }

/// What read_returns reads, to the last bit.
inline std::string returns_text(const HistoricalReturns& returns) {
  const std::size_t d = returns.names.size();
  std::vector<std::string> fields = returns.names;
  if (!returns.dates.empty()) fields.insert(fields.begin(), "date");
  std::string text;
  io::append_csv_row(text, fields);
  for (std::size_t t = 0; t * d < returns.values.size(); ++t) {
    fields.clear();
    if (!returns.dates.empty()) fields.push_back(returns.dates[t]);
    impl::append_numbers(fields, returns.values.data() + t * d, d);
    io::append_csv_row(text, fields);
  }
  return text;
}

/// Reads the distribution of normal returns: the columns `asset`, `mean`, `deviation` and one for each common factor,
/// with the assets' loadings on it; one row for each asset. Refuses a deviation below 0 and two assets of one name.
inline NamedNormalReturns read_normal_returns(const std::string& path) {
  io::NamedRows rows(path, {"column", "asset"});
  const auto& columns = rows.names();
  impl::expect_columns(path, columns, {"asset", "mean", "deviation"}, "a column for each common factor");
  NamedNormalReturns read{{}, {columns.begin() + 3, columns.end()}, {}};
  std::vector<std::vector<double>> loadings(read.factors.size());
  io::UniqueNames names("asset");
  while (rows.next()) {
    names.add(rows, 0);
    read.returns.means.push_back(rows.number(1));
    read.returns.deviations.push_back(rows.non_negative_number(2));
    for (std::size_t k = 0; k < loadings.size(); ++k) loadings[k].push_back(rows.number(3 + k));
  }
  read.names = names.names();
  rows.add_note(read.notes);
  auto& all = read.returns.loadings;
  for (const auto& factor : loadings) all.insert(all.end(), factor.begin(), factor.end());
  read.returns.check();
  return read;
}

/// What read_normal_returns reads, to the last bit.
inline std::string normal_returns_text(const NamedNormalReturns& named) {
  std::vector<std::string> fields = {"asset", "mean", "deviation"};
  fields.insert(fields.end(), named.factors.begin(), named.factors.end());
  std::string text;
  io::append_csv_row(text, fields);
  for (std::size_t j = 0; j < named.names.size(); ++j) {
    fields = {named.names[j]};
    impl::append_numbers(fields, &named.returns.means[j], 1);
    impl::append_numbers(fields, &named.returns.deviations[j], 1);
    for (std::size_t k = 0; k < named.factors.size(); ++k) {
      impl::append_numbers(fields, &named.returns.loadings[k * named.names.size() + j], 1);
    }
    io::append_csv_row(text, fields);
  }
  return text;
}

/// Reads normal returns with a covariance: the columns `asset`, `mean` and one for each asset, in the order of the
/// rows, with the covariances. Refuses a matrix that is not square, symmetric and positive semidefinite.
inline NamedNormalReturns read_covariance(const std::string& path) {
  io::NamedRows rows(path, {"column", "asset"});
  const auto& columns = rows.names();
  impl::expect_columns(path, columns, {"asset", "mean"}, "a column for each asset");
  NamedNormalReturns read;
  std::vector<double> means, covariance;
  io::UniqueNames names("asset");
  while (rows.next()) {
    names.add(rows, 0);
    const std::size_t place = names.names().size() + 1;
    if (place >= columns.size())
      rows.refuse(0, fmt::format("is {}, which has no column", io::in_quotes(rows.field(0))));
    if (columns[place] != rows.field(0)) {
      rows.refuse(0, fmt::format("is {}, expected {}, as the columns have it", io::in_quotes(rows.field(0)),
                                 io::in_quotes(columns[place])));
    }
    means.push_back(rows.number(1));
    for (std::size_t i = 2; i < columns.size(); ++i) covariance.push_back(rows.number(i));
  }
  read.names = names.names();
  if (read.names.size() + 2 < columns.size()) {
    throw std::invalid_argument(fmt::format("{}, line 1: column {} has no row, expected one for each asset", path,
                                            io::in_quotes(columns[read.names.size() + 2])));
  }
  try {
    read.returns = normal_with_covariance(means, covariance);
  } catch (const CovarianceError& error) {
    throw std::invalid_argument(fmt::format("{}, line {}: covariance of {} and {} {}", path, error.row() + 2,
                                            io::in_quotes(read.names[error.row()]),
                                            io::in_quotes(read.names[error.column()]), error.problem()));
  }
  rows.add_note(read.notes);
  if (is_like_correlations(covariance, means.size())) read.notes.emplace_back(note_of_correlations);
  for (std::size_t k = 0; k < static_cast<std::size_t>(read.returns.factors()); ++k) {
    read.factors.push_back(fmt::format("factor {}", k + 1));
  }
  return read;
}

}  // namespace sporos::models
