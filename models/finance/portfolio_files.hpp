// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/text_file.hpp>
#include <sporos/models/finance/historical_returns.hpp>
#include <sporos/models/finance/normal_covariance.hpp>
#include <sporos/models/finance/normal_returns.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

/// Files of a portfolio, as comma-separated values. Readers throw std::invalid_argument with one sentence that names
/// file, line and column, as io::read_csv does or where a field is empty, not a number, or not finite, and for what is
/// said at each of them.
namespace sporos::models {

/// Normally distributed returns of named assets.
struct NamedNormalReturns {
  std::vector<std::string> names;    ///< of the assets
  std::vector<std::string> factors;  ///< names of the common factors
  NormalReturns returns;             ///< of the assets
};

namespace impl {

inline std::string csv_place(const std::string& path, std::size_t line, const std::string& column) {
  return fmt::format("{}, line {}: {}", path, line, io::in_quotes(column));
}

[[noreturn]] inline void refuse_field(const std::string& path, std::size_t line, const std::string& column,
                                      std::string_view problem) {
  throw std::invalid_argument(fmt::format("{} {}", csv_place(path, line, column), problem));
}

inline double finite_field(const std::string& path, std::size_t line, const std::string& column,
                           const std::string& field) {
  if (field.empty()) refuse_field(path, line, column, "is empty, expected a number");
  double value{};
  const char* const end = field.data() + field.size();
  if (const auto [stop, error] = std::from_chars(field.data(), end, value); stop == end && error == std::errc()) {
    if (std::isfinite(value)) return value;
  }
  const std::string name = csv_place(path, line, column);
  check_finite(name, io::parse_number<double>(name, field));
  return value;
}

// The names of the rows, which stand in the first column; no two alike.
class RowNames {
 public:
  std::string add(const std::string& path, std::size_t line, const std::string& column, const std::string& name) {
    if (name.empty()) refuse_field(path, line, column, "is empty, expected a name");
    if (!m_before.insert(name).second) {
      refuse_field(path, line, column, fmt::format("is {}, which comes twice", io::in_quotes(name)));
    }
    return name;
  }

 private:
  std::set<std::string> m_before;
};

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

/// Reads daily returns: one column for each asset under its name, one row for each day; the first column may be called
/// `date` and hold anything. Refuses a single row and a column that is the same on all days.
inline HistoricalReturns read_returns(const std::string& path) {
  const std::string text = io::read_text_file(path);
  io::CsvRows rows(path, text, {"asset", "day"});
  const auto& columns = rows.names();
  const std::size_t dated = columns.front() == "date" ? 1 : 0;
  const auto date = std::find(columns.begin() + 1, columns.end(), "date");
  if (date != columns.end()) {
    throw std::invalid_argument(fmt::format("{}, line 1: column 'date' is column {}, expected it first or not at all",
                                            path, date - columns.begin() + 1));
  }
  if (columns.size() == dated) throw std::invalid_argument(path + ", line 1: no asset is named beside 'date'");
  HistoricalReturns returns;
  returns.names.assign(columns.begin() + static_cast<std::ptrdiff_t>(dated), columns.end());
  while (!rows.at_end()) {
    const auto fields = rows.next();
    if (dated == 1) returns.dates.push_back(fields[0]);
    for (std::size_t j = dated; j < fields.size(); ++j) {
      returns.values.push_back(impl::finite_field(path, rows.line(), columns[j], fields[j]));
    }
  }
  if (returns.days() < 2) {
    throw std::invalid_argument(fmt::format("{}: line 2 is the only row, expected at least 2 days", path));
  }
  for (std::size_t j = 0; j < returns.names.size(); ++j) {
    if (!impl::is_constant(returns, j)) continue;
    throw std::invalid_argument(fmt::format("{}: column {} is {} in all rows from line 2 on, expected one that varies",
                                            path, io::in_quotes(returns.names[j]),
                                            io::shortest_text(returns.values[j])));
  }
  returns.check();
  return returns;
}

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
  const std::string text = io::read_text_file(path);
  io::CsvRows rows(path, text, {"column", "asset"});
  const auto& columns = rows.names();
  impl::expect_columns(path, columns, {"asset", "mean", "deviation"}, "a column for each common factor");
  NamedNormalReturns read{{}, {columns.begin() + 3, columns.end()}, {}};
  std::vector<std::vector<double>> loadings(read.factors.size());
  impl::RowNames names;
  while (!rows.at_end()) {
    const auto fields = rows.next();
    const auto number = [&](std::size_t i) { return impl::finite_field(path, rows.line(), columns[i], fields[i]); };
    read.names.push_back(names.add(path, rows.line(), columns[0], fields[0]));
    read.returns.means.push_back(number(1));
    read.returns.deviations.push_back(number(2));
    if (read.returns.deviations.back() < 0) {
      check_non_negative(impl::csv_place(path, rows.line(), columns[2]), read.returns.deviations.back());
    }
    for (std::size_t k = 0; k < loadings.size(); ++k) loadings[k].push_back(number(3 + k));
  }
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
  const std::string text = io::read_text_file(path);
  io::CsvRows rows(path, text, {"column", "asset"});
  const auto& columns = rows.names();
  impl::expect_columns(path, columns, {"asset", "mean"}, "a column for each asset");
  NamedNormalReturns read;
  std::vector<double> means, covariance;
  impl::RowNames names;
  while (!rows.at_end()) {
    const auto fields = rows.next();
    read.names.push_back(names.add(path, rows.line(), columns[0], fields[0]));
    if (const std::size_t place = read.names.size() + 1; place >= columns.size() || columns[place] != fields[0]) {
      impl::refuse_field(path, rows.line(), columns[0],
                         place < columns.size() ? fmt::format("is {}, expected {}, as the columns have it",
                                                              io::in_quotes(fields[0]), io::in_quotes(columns[place]))
                                                : fmt::format("is {}, which has no column", io::in_quotes(fields[0])));
    }
    for (std::size_t i = 1; i < fields.size(); ++i) {
      (i == 1 ? means : covariance).push_back(impl::finite_field(path, rows.line(), columns[i], fields[i]));
    }
  }
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
  for (std::size_t k = 0; k < static_cast<std::size_t>(read.returns.factors()); ++k) {
    read.factors.push_back(fmt::format("factor {}", k + 1));
  }
  return read;
}

}  // namespace sporos::models
