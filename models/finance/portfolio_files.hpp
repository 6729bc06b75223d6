// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/cell.hpp>
#include <sporos/core/io/column_survey.hpp>
#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/named_rows.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/models/finance/historical_returns.hpp>
#include <sporos/models/finance/normal_covariance.hpp>
#include <sporos/models/finance/normal_returns.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// CSV files of portfolios. Readers throw std::invalid_argument with one sentence that names file, line and column.
/// They do so for the reasons of io::read_csv, if a field is empty, not a number or not finite, and for their own
/// reasons listed below.
namespace sporos::models {

/// Normally distributed returns of named assets.
struct NamedNormalReturns {
  std::vector<std::string> names;       ///< names of the assets
  std::vector<std::string> factors;     ///< names of the common factors
  NormalReturns returns;                ///< distribution of the assets' returns
  std::vector<std::string> notes = {};  ///< messages to the user about how the file was read
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

/// Options for reading a file of returns or prices.
struct ReturnsReading {
  std::vector<std::string> ignored = {};  ///< columns to leave out
  bool has_names = true;       ///< whether the first line names the assets; otherwise the names are 1, 2, …
  bool drops_missing = false;  ///< whether days with a missing value are left out; otherwise they are refused
  bool are_prices = false;     ///< whether the file holds prices, which are converted to returns
};

/// Contents of a file of returns.
struct ReturnsFile {
  HistoricalReturns returns;       ///< one return for each asset and day
  std::vector<std::string> notes;  ///< messages to the user about how the file was read
};

namespace impl {

/// Whether a column holds dates: all its values are dates, or its name is one of dates and it does not hold returns.
inline bool holds_dates(const std::string& name, const io::ColumnSurvey& survey) {
  const io::ColumnKind kind = survey.kind();
  const bool holds_numbers = kind == io::ColumnKind::numbers || kind == io::ColumnKind::broken_numbers;
  return kind == io::ColumnKind::dates || (io::is_name_of_dates(name) && (!holds_numbers || survey.is_whole()));
}

/// The reason why numbers of this range are not returns, or an empty string. Numbers that are all positive and above
/// 0.5 on average are not returns, nor are numbers that are all whole.
inline std::string why_no_returns(double smallest, double largest, double mean, bool is_whole) {
  constexpr double max_of_all = 0.5;
  const std::string range = fmt::format("holds numbers from {:g} to {:g}", smallest, largest);
  if (smallest > 0 && mean > max_of_all) return range + ", which look like prices, not returns";
  return is_whole && largest > smallest ? range + ", all of them whole, which are not returns" : "";
}

// Adds a note for each column that is constant over all days.
inline void note_riskless(const HistoricalReturns& returns, std::vector<std::string>& notes) {
  for (std::size_t j = 0; j < returns.names.size(); ++j) {
    if (!is_constant(returns, j)) continue;
    notes.push_back(fmt::format("column {} is {} on all days: an asset without risk", io::in_quotes(returns.names[j]),
                                io::shortest_text(returns.values[j])));
  }
}

/// Throws std::invalid_argument unless the column holds returns, or prices if `are_prices`.
inline void check_asset(const io::NamedRows& rows, const io::TableSurvey& survey, std::size_t column, bool are_prices) {
  constexpr auto remedy = "use --ignore to leave the column out";
  const std::string& name = rows.names()[column];
  const io::ColumnSurvey& values = survey.at(column);
  if (values.kind() == io::ColumnKind::dates || io::impl::lower_case(name) == "date") {
    throw std::invalid_argument(
        fmt::format("{}, line 1: column {} is column {}, expected dates only in the first column; {}", rows.path(),
                    io::in_quotes(name), column + 1, remedy));
  }
  survey.expect_numbers(column, remedy);
  survey.refuse_identifier(column, remedy);
  if (values.kind() != io::ColumnKind::numbers || are_prices) return;
  const std::string why = why_no_returns(values.smallest(), values.largest(), values.mean(), values.is_whole());
  if (why.empty()) return;
  throw std::invalid_argument(
      fmt::format("{}: column {} {}; use --prices to read prices, {}, or divide returns in percent by 100", rows.path(),
                  io::in_quotes(name), why, remedy));
}

/// Whether the date `first` is later than `second`. Dates begin with the year, or end with it, as in 31.12.2020 and
/// 12/31/2020; other formats give false. If slashes leave open which number is the day, both orders must agree.
inline bool is_later(std::string_view first, std::string_view second) {
  constexpr std::size_t size_with_year_last = 10;
  const auto separator = [](std::string_view date) { return date.find_first_of("./"); };
  if (separator(first) != separator(second)) return false;
  if (separator(first) == 2 && first.size() >= size_with_year_last && second.size() >= size_with_year_last) {
    const auto key = [](std::string_view date, bool is_day_first) {
      const std::string_view year = date.substr(6, 4), one = date.substr(0, 2), two = date.substr(3, 2);
      return fmt::format("{}{}{}", year, is_day_first ? two : one, is_day_first ? one : two);
    };
    const bool is_later_by_days = key(first, true) > key(second, true);
    return first[2] == '.' ? is_later_by_days : is_later_by_days && key(first, false) > key(second, false);
  }
  return first.size() == second.size() && separator(first) != 1 && first > second;
}

/// Replaces prices by the returns p_t / p_{t−1} − 1. Throws if a price is not above 0 or the dates descend.
inline void take_returns(const std::string& path, const std::vector<std::size_t>& lines, HistoricalReturns& prices) {
  const std::size_t d = prices.names.size();
  for (std::size_t i = 0; i < prices.values.size(); ++i) {
    if (prices.values[i] > 0) continue;
    throw std::invalid_argument(fmt::format("{}, line {}: {} is {}, expected a price above 0", path, lines[i / d],
                                            io::in_quotes(prices.names[i % d]), io::shortest_text(prices.values[i])));
  }
  if (prices.dates.size() > 1 && is_later(prices.dates.front(), prices.dates.back())) {
    throw std::invalid_argument(fmt::format("{}: the dates go from {} to {}, expected the oldest prices first", path,
                                            io::in_quotes(prices.dates.front()), io::in_quotes(prices.dates.back())));
  }
  std::vector<double> returns;
  for (std::size_t i = d; i < prices.values.size(); ++i) returns.push_back(prices.values[i] / prices.values[i - d] - 1);
  prices.values = std::move(returns);
  if (!prices.dates.empty()) prices.dates.erase(prices.dates.begin());
}

/// Roles of a file's columns.
struct ReturnColumns {
  std::optional<std::size_t> dates;
  std::vector<std::size_t> assets;
};

inline ReturnColumns return_columns(const io::NamedRows& rows, const ReturnsReading& reading) {
  ReturnColumns columns{{}, rows.columns_without(reading.ignored)};
  auto& assets = columns.assets;
  const io::TableSurvey survey(rows, assets);
  if (!assets.empty() && holds_dates(rows.names()[assets.front()], survey.at(assets.front()))) {
    columns.dates = assets.front();
    assets.erase(assets.begin());
  } else if (!assets.empty() && survey.at(assets.front()).kind() == io::ColumnKind::broken_dates) {
    survey.expect_whole_column(assets.front(), "use --ignore to leave the column out");
  }
  if (columns.dates && survey.at(*columns.dates).kind() == io::ColumnKind::broken_dates) {
    survey.expect_whole_column(*columns.dates, "use --ignore to leave the column out");
  }
  if (assets.empty()) {
    throw std::invalid_argument(fmt::format("{}, line 1: there is no asset besides {}, expected at least one",
                                            rows.path(), io::in_quotes(rows.names()[columns.dates.value_or(0)])));
  }
  for (const std::size_t column : assets) check_asset(rows, survey, column, reading.are_prices);
  return columns;
}

/// Whether a value of the current row is missing. Throws if one is missing and `drops_missing` is false.
inline bool misses_value(const io::NamedRows& rows, const ReturnColumns& columns, bool drops_missing) {
  if (columns.dates && rows.field(*columns.dates).empty()) {
    rows.refuse(*columns.dates, "is empty, expected a date; use --ignore to leave the column out");
  }
  return std::any_of(columns.assets.begin(), columns.assets.end(),
                     [&](std::size_t column) { return rows.misses_number(column, drops_missing, "days"); });
}

}  // namespace impl

/// Reads daily returns, or prices: one column per asset, headed by its name, and one row per day. The first column may
/// hold dates (io::is_date), or any text if its name is one of dates.
///
/// Refuses
/// - a single row,
/// - a column of dates that is not the first,
/// - columns of identifiers and points in time (io::IdentifierKind),
/// - columns of whole numbers and of positive numbers above 0.5 on average, unless prices are read,
/// - prices that are not above 0, and prices whose dates descend,
/// - asset names that are numbers.
///
/// A column that is constant over all days is a riskless asset, such as cash; a note reports it.
inline ReturnsFile read_returns_file(const std::string& path, const ReturnsReading& reading = {}) {
  io::NamedRows rows(path, {"asset", "day", reading.has_names, true});
  if (reading.has_names) rows.check_names_are_texts();
  const impl::ReturnColumns columns = impl::return_columns(rows, reading);
  ReturnsFile file;
  auto& [names, dates, values] = file.returns;
  for (const std::size_t j : columns.assets) names.push_back(rows.names()[j]);
  std::vector<std::size_t> lines;
  std::size_t dropped = 0;
  while (rows.next()) {
    if (impl::misses_value(rows, columns, reading.drops_missing)) {
      ++dropped;
      continue;
    }
    lines.push_back(rows.line());
    if (columns.dates) dates.emplace_back(rows.field(*columns.dates));
    for (const std::size_t j : columns.assets) values.push_back(rows.number(j));
  }
  if (reading.are_prices) impl::take_returns(path, lines, file.returns);
  if (file.returns.days() < 2) {
    const bool is_single = dropped == 0 && lines.size() == 1;
    throw std::invalid_argument(
        is_single ? fmt::format("{}: line {} is the only row, expected at least 2 days", path, lines.front())
                  : fmt::format("{}: there are {} complete rows, expected at least {}", path, lines.size(),
                                reading.are_prices ? "3 days of prices" : "2 days"));
  }
  try {
    file.returns.check();
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", path, error.what()));
  }
  rows.add_note(file.notes);
  if (columns.dates && rows.names()[*columns.dates] != "date") {
    file.notes.push_back(
        fmt::format("column {} holds dates and is not an asset", io::in_quotes(rows.names()[*columns.dates])));
  }
  impl::note_riskless(file.returns, file.notes);
  if (dropped > 0) file.notes.push_back(fmt::format("days left out because a value is missing: {}", dropped));
  return file;
}

/// Throws std::invalid_argument if the numbers of an asset cannot be returns: prices, years or identifiers.
inline void check_are_returns(const HistoricalReturns& returns) {
  const std::size_t d = returns.names.size();
  for (std::size_t j = 0; j < d; ++j) {
    double smallest = returns.values[j], largest = smallest, sum = 0;
    bool is_whole = true;
    for (std::size_t i = j; i < returns.values.size(); i += d) {
      const double value = returns.values[i];
      smallest = std::min(smallest, value);
      largest = std::max(largest, value);
      sum += value;
      is_whole = is_whole && std::floor(value) == value;
    }
    const std::string why =
        impl::why_no_returns(smallest, largest, sum / static_cast<double>(returns.days()), is_whole);
    if (why.empty()) continue;
    throw std::invalid_argument(fmt::format("asset {} {}; the return of a price p after a price q is p / q - 1",
                                            io::in_quotes(returns.names[j]), why));
  }
}

/// Reads a file of returns and drops its notes.
inline HistoricalReturns read_returns(const std::string& path) { return read_returns_file(path).returns; }

/// Formats returns as CSV. read_returns reads them back bit by bit.
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

/// Reads a distribution of normal returns. There is one row per asset, with the columns `asset`, `mean`, `deviation`
/// and, for each common factor, the asset's loading. Refuses a deviation below 0 and duplicate asset names.
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

/// Formats a distribution of normal returns as CSV. read_normal_returns reads it back bit by bit.
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
      rows.refuse(0, fmt::format("is {}, expected an asset that has a column", io::in_quotes(rows.field(0))));
    if (columns[place] != rows.field(0)) {
      rows.refuse(0, fmt::format("is {}, expected {}, as in the order of the columns", io::in_quotes(rows.field(0)),
                                 io::in_quotes(columns[place])));
    }
    means.push_back(rows.number(1));
    for (std::size_t i = 2; i < columns.size(); ++i) covariance.push_back(rows.number(i));
  }
  read.names = names.names();
  if (read.names.size() + 2 < columns.size()) {
    throw std::invalid_argument(fmt::format("{}, line 1: column {} has no row, expected a row for each asset", path,
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
