// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/distribution_choice.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/io/cell.hpp>
#include <sporos/core/io/column_survey.hpp>
#include <sporos/core/io/named_rows.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/models/inventory/newsvendor_case.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Reads a newsvendor with many products from CSV files. An error message is one line with the file, the line and the
/// column.
namespace sporos::models {

/// A newsvendor with the names that its files give.
struct NamedNewsvendor {
  NewsvendorCase newsvendor;                ///< checked case
  std::vector<std::string> product_names;   ///< in the order of the products file
  std::vector<std::string> resource_names;  ///< in the order of the resources file
  std::vector<std::string> notes;           ///< how files deviate from plain CSV
};

/// Costs that all products share if there is no products file.
struct UnitCosts {
  double cost;     ///< k
  double holding;  ///< h
  double price;    ///< v
};

/// Options for reading a file of demands.
struct DemandsReading {
  std::vector<std::string> ignored = {};  ///< columns to leave out
  bool drops_missing = false;  ///< whether periods with a missing demand are left out; otherwise they are refused
};

/// Reads up to four files; the path of an absent file is empty:
/// - `products`: one row per product, with the columns `product` (its name), `cost`, `holding`, `price`, and its
///   demand. The demand is either `mean` and `deviation` of a normal distribution, or `demand`, a string as
///   parse_distribution reads it (normal, gamma, poisson, empirical; in quotes if it has commas). Without these
///   columns, every demand is empirical, from the file `demands`.
/// - `resources`: one row per resource, with the columns `resource` (its name) and `capacity` and, unless all are at
///   most, `sense`: <=, >= or =.
/// - `amounts`, required with `resources`: one row per product, in the order of the products, with the column `product`
///   and one column per resource, headed by its name: the use by one unit. It has as many rows as products and few
///   columns.
/// - `demands`: observed demands in any order: one row per period, with one column per product, headed by its name.
///   Columns of dates, and columns with names of dates and times (io::is_name_of_dates), are left out with a note. A
///   column that measures nothing (io::IdentifierKind) is refused.
///
/// @throws std::invalid_argument if a file cannot be read or has other columns, a field is not a finite number, a
/// deviation is negative, or holding cost plus price is not above 0. The same holds if a product or resource occurs
/// twice, the files name different ones, no product uses a resource, or no resource bounds a product.
inline NamedNewsvendor read_newsvendor(const std::string& products, const std::string& resources,
                                       const std::string& amounts, const std::string& demands = "",
                                       const DemandsReading& reading = {});

/// Reads a newsvendor without a products file: the products are the columns of `demands`, and all have the costs
/// `each`.
inline NamedNewsvendor read_newsvendor_demands(const std::string& demands, const UnitCosts& each,
                                               const std::string& resources = "", const std::string& amounts = "",
                                               const DemandsReading& reading = {});

namespace impl {

/// Columns that define the demand of a product.
class DemandColumns {
 public:
  DemandColumns(const io::NamedRows& rows, bool from_file)
      : m_mean(rows.find("mean")), m_deviation(rows.find("deviation")), m_text(rows.find("demand")) {
    const int ways = (m_mean || m_deviation ? 1 : 0) + (m_text ? 1 : 0) + (from_file ? 1 : 0);
    if (ways == 1 && m_mean.has_value() == m_deviation.has_value()) return;
    throw std::invalid_argument(fmt::format(
        "{}, line 1: the columns are {}, expected either mean and deviation, or demand, or neither of these and a file "
        "of demands",
        rows.path(), io::in_quotes(fmt::format("{}", fmt::join(rows.names(), ", ")))));
  }

  DistributionChoice read(io::NamedRows& rows) const {
    if (m_text) return read_text(rows);
    DistributionChoice demand;
    if (!m_mean) return demand;  // read later from the file of demands
    demand.kind = DistributionKind::normal;
    demand.parameters = {rows.number(*m_mean), rows.non_negative_number(*m_deviation), 0, 0};
    return demand;
  }
  std::size_t count() const { return m_mean ? 2 : (m_text ? 1 : 0); }

 private:
  DistributionChoice read_text(const io::NamedRows& rows) const {
    try {
      auto demand = parse_distribution(rows.field(*m_text));
      check_demand("distribution", demand);
      return demand;
    } catch (const std::invalid_argument& error) {
      rows.refuse(*m_text, fmt::format("is {}: {}", io::in_quotes(rows.field(*m_text)), error.what()));
    }
  }

  std::optional<std::size_t> m_mean, m_deviation, m_text;
};

inline io::UniqueNames read_products(const std::string& path, bool has_demands_file, NewsvendorProducts& products,
                                     std::vector<std::string>& notes) {
  io::NamedRows rows(path, {"column", "product"});
  constexpr auto expected = "product, cost, holding, price, and mean and deviation or demand";
  const std::size_t name = rows.column("product", expected), cost = rows.column("cost", expected);
  const std::size_t holding = rows.column("holding", expected), price = rows.column("price", expected);
  const DemandColumns demand(rows, has_demands_file);
  if (rows.names().size() != 4 + demand.count()) {
    throw std::invalid_argument(fmt::format("{}, line 1: the columns are {}, expected {}", path,
                                            io::in_quotes(fmt::format("{}", fmt::join(rows.names(), ", "))), expected));
  }
  io::UniqueNames names("product");
  while (rows.next()) {
    names.add(rows, name);
    products.cost.push_back(rows.number(cost));
    products.holding.push_back(rows.number(holding));
    products.price.push_back(rows.number(price));
    const double sum = products.holding.back() + products.price.back();
    if (!(sum > 0)) {
      rows.refuse(
          price,
          fmt::format("and holding are {} together, expected a number above 0; otherwise the objective is not convex",
                      sum));
    }
    products.demand.push_back(demand.read(rows));
  }
  rows.add_note(notes);
  return names;
}

inline io::UniqueNames read_resources(const std::string& path, NewsvendorResources& resources,
                                      std::vector<std::string>& notes) {
  io::NamedRows rows(path, {"column", "resource"});
  constexpr auto expected = "resource and capacity, and sense unless all are <=";
  const std::size_t name = rows.column("resource", expected), capacity = rows.column("capacity", expected);
  const auto sense = rows.find("sense");
  if (rows.names().size() != (sense ? 3 : 2)) {
    throw std::invalid_argument(
        fmt::format("{}, line 1: there are {} columns, expected {}", path, rows.names().size(), expected));
  }
  io::UniqueNames names("resource");
  while (rows.next()) {
    names.add(rows, name);
    resources.capacity.push_back(rows.number(capacity));
    if (!sense) continue;
    const auto found = find_choice<ResourceSense>(rows.field(*sense));
    if (!found) rows.refuse(*sense, fmt::format("is {}, expected <=, >= or =", io::in_quotes(rows.field(*sense))));
    resources.senses.push_back(*found);
  }
  rows.add_note(notes);
  return names;
}

/// Returns the column of each of `expected`. Refuses the file if a column is missing, or if there is another column and
/// `is_other` is false for its name.
template <class IsOther>
std::vector<std::size_t> columns_of(const io::NamedRows& rows, const io::UniqueNames& expected, const IsOther& is_other,
                                    std::string_view what, std::string_view remedy = "") {
  std::vector<std::optional<std::size_t>> found(expected.names().size());
  for (std::size_t column = 0; column < rows.names().size(); ++column) {
    const std::string& name = rows.names()[column];
    const auto place = expected.find(name);
    if (!place && is_other(name)) continue;
    if (!place) {
      throw std::invalid_argument(fmt::format("{}, line 1: column {} is not the name of a {}{}", rows.path(),
                                              io::in_quotes(name), what, remedy));
    }
    found[*place] = column;
  }
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i]) {
      throw std::invalid_argument(
          fmt::format("{}, line 1: {} {} has no column", rows.path(), what, io::in_quotes(expected.names()[i])));
    }
    columns.push_back(*found[i]);
  }
  return columns;
}

inline void read_amounts(const std::string& path, const std::vector<std::string>& products,
                         const io::UniqueNames& resources, NewsvendorResources& shared,
                         std::vector<std::string>& notes) {
  io::NamedRows rows(path, {"column", "product"});
  const std::size_t name = rows.column("product", "product and one for each resource");
  const auto is_name = [](const std::string& column) { return column == "product"; };
  const auto columns = columns_of(rows, resources, is_name, "resource");
  const std::size_t count = products.size();
  shared.amounts.assign(columns.size() * count, 0.0);
  std::vector<char> is_used(columns.size(), false);
  for (std::size_t j = 0; j < count; ++j) {
    if (!rows.next()) {
      throw std::invalid_argument(fmt::format("{}: there {}, expected one for each product of the products file, {}",
                                              path, j == 1 ? "is 1 row" : fmt::format("are {} rows", j), count));
    }
    if (rows.field(name) != products[j]) {
      rows.refuse(name, fmt::format("is {}, expected {}, as in the order of the products file",
                                    io::in_quotes(rows.field(name)), io::in_quotes(products[j])));
    }
    bool is_bounded = false;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const double amount = rows.number(columns[i]);
      shared.amounts[i * count + j] = amount;
      if (amount != 0) is_used[i] = true;
      if (bounds_from_above(shared.sense(i), amount)) is_bounded = true;
    }
    if (!is_bounded) {
      rows.refuse(name, fmt::format("is {}, expected a product that some resource bounds from above",
                                    io::in_quotes(products[j])));
    }
  }
  if (rows.next()) {
    rows.refuse(name, fmt::format("is {}, expected only the {} products of the products file",
                                  io::in_quotes(rows.field(name)), count));
  }
  rows.add_note(notes);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (is_used[i]) continue;
    throw std::invalid_argument(
        fmt::format("{}: column {} is 0 in all rows, expected at least one product that uses the resource", path,
                    io::in_quotes(resources.names()[i])));
  }
}

/// Refuses a file that is a distribution and not a list of demands: one row per value, with its frequency.
inline void check_no_distribution(const io::NamedRows& rows) {
  for (const char* share : {"frequency", "probability", "count"}) {
    if (rows.names().size() != 2 || !rows.find("demand") || !rows.find(share)) continue;
    throw std::invalid_argument(fmt::format(
        "{}, line 1: the columns are demand and {}, like those of a distribution, expected a column for each "
        "product and a row for each period; repeat each demand as often as it occurs, or write the "
        "distribution in the column demand of --products",
        rows.path(), share));
  }
}

/// Reader of the demand columns of a file, row by row.
class DemandTable {
 public:
  /// Finds the columns that hold demands, and adds a note about columns of dates and times, which are left out.
  DemandTable(io::NamedRows& rows, const DemandsReading& reading, std::vector<std::string>& notes)
      : m_rows(rows), m_drops_missing(reading.drops_missing) {
    check_no_distribution(rows);
    const auto places = rows.columns_without(reading.ignored);
    const io::TableSurvey survey(rows, places);
    std::vector<std::string> times;
    for (const std::size_t column : places) {
      const std::string& name = rows.names()[column];
      survey.expect_whole_column(column, remedy);
      if (io::is_name_of_dates(name) || survey.at(column).kind() == io::ColumnKind::dates) {
        times.push_back(io::in_quotes(name));
      } else {
        survey.expect_numbers(column, remedy);
        survey.refuse_identifier(column, remedy);
        m_columns.push_back(column);
      }
    }
    if (!times.empty())
      notes.push_back(fmt::format("columns of dates and times are ignored: {}", fmt::join(times, ", ")));
  }

  /// Columns that hold demands.
  const std::vector<std::size_t>& columns() const { return m_columns; }

  /// Reads the rows. The numbers in each of `columns` are the demands of one product.
  void read(const std::vector<std::size_t>& columns, std::vector<DistributionChoice>& demands,
            std::vector<std::string>& notes) const {
    demands.resize(columns.size());
    for (auto& demand : demands) demand.kind = DistributionKind::empirical;
    std::size_t dropped = 0, taken = 0;
    while (m_rows.next()) {
      if (misses_value(columns)) {
        ++dropped;
        continue;
      }
      ++taken;
      for (std::size_t j = 0; j < columns.size(); ++j) demands[j].values.push_back(m_rows.number(columns[j]));
    }
    if (taken == 0)
      throw std::invalid_argument(m_rows.path() +
                                  ": every row has a missing demand, expected at least one complete row");
    m_rows.add_note(notes);
    if (dropped > 0) notes.push_back(fmt::format("periods left out because a demand is missing: {}", dropped));
  }

 private:
  static constexpr std::string_view remedy = "use --ignore to leave the column out";

  bool misses_value(const std::vector<std::size_t>& columns) const {
    return std::any_of(columns.begin(), columns.end(),
                       [&](std::size_t column) { return m_rows.misses_number(column, m_drops_missing, "periods"); });
  }

  io::NamedRows& m_rows;
  bool m_drops_missing;
  std::vector<std::size_t> m_columns;
};

inline void read_demands(const std::string& path, const DemandsReading& reading, const io::UniqueNames& products,
                         std::vector<DistributionChoice>& demands, std::vector<std::string>& notes) {
  io::NamedRows rows(path, {"product", "period"});
  const DemandTable table(rows, reading, notes);
  const auto holds_none = [&](const std::string& name) {
    const auto& columns = table.columns();
    return std::find(columns.begin(), columns.end(), rows.find(name)) == columns.end();
  };
  const auto columns = columns_of(rows, products, holds_none, "product", "; use --ignore to leave it out");
  for (const std::size_t column : columns) {
    if (!holds_none(rows.names()[column])) continue;
    throw std::invalid_argument(
        fmt::format("{}, line 1: column {} is ignored or holds dates, expected the demands of "
                    "the product",
                    path, io::in_quotes(rows.names()[column])));
  }
  table.read(columns, demands, notes);
}

/// Reads the products for which a file of demands has columns. Returns their names.
inline std::vector<std::string> read_demanded_products(const std::string& path, const DemandsReading& reading,
                                                       const UnitCosts& each, NewsvendorProducts& products,
                                                       std::vector<std::string>& notes) {
  io::NamedRows rows(path, {"product", "period"});
  for (std::size_t column = 0; column < rows.names().size(); ++column) {
    if (!io::number_of<double>(rows.names()[column])) continue;
    throw std::invalid_argument(fmt::format("{}, line 1: column {} is called {}, expected the names of the products",
                                            path, column + 1, io::in_quotes(rows.names()[column])));
  }
  const DemandTable table(rows, reading, notes);
  std::vector<std::string> names;
  for (const std::size_t column : table.columns()) names.push_back(rows.names()[column]);
  if (names.empty()) throw std::invalid_argument(path + ", line 1: there is no product, expected a column for each");
  table.read(table.columns(), products.demand, notes);
  products.cost.assign(names.size(), each.cost);
  products.holding.assign(names.size(), each.holding);
  products.price.assign(names.size(), each.price);
  return names;
}

/// Reads the resources, if there are any, and checks the whole case.
inline void complete(NamedNewsvendor& read, std::vector<std::string> product_names, const std::string& resources,
                     const std::string& amounts) {
  auto& [sold, shared] = read.newsvendor;
  sold.check();
  read.product_names = std::move(product_names);
  if (resources.empty()) return;
  const auto resource_names = read_resources(resources, shared, read.notes);
  read_amounts(amounts, read.product_names, resource_names, shared, read.notes);
  shared.check(sold.size());
  read.resource_names = resource_names.names();
}

}  // namespace impl

inline NamedNewsvendor read_newsvendor(const std::string& products, const std::string& resources,
                                       const std::string& amounts, const std::string& demands,
                                       const DemandsReading& reading) {
  NamedNewsvendor read;
  NewsvendorProducts& sold = read.newsvendor.products;
  const auto names = impl::read_products(products, !demands.empty(), sold, read.notes);
  if (!demands.empty()) impl::read_demands(demands, reading, names, sold.demand, read.notes);
  impl::complete(read, names.names(), resources, amounts);
  return read;
}

inline NamedNewsvendor read_newsvendor_demands(const std::string& demands, const UnitCosts& each,
                                               const std::string& resources, const std::string& amounts,
                                               const DemandsReading& reading) {
  NamedNewsvendor read;
  auto names = impl::read_demanded_products(demands, reading, each, read.newsvendor.products, read.notes);
  impl::complete(read, std::move(names), resources, amounts);
  return read;
}

}  // namespace sporos::models
