// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/linear_programs/host_program.hpp>

#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/linear_programs/revised_simplex.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace sporos {

// The namespace has a name because HostProgram::Method has members of these types.
namespace impl {

// Stands for the execution space; nothing is launched.
struct Host {};

// Columns that are examined one by one.
class HostColumns {
 public:
  // Cost of each column; empty in phase 1.
  struct Costs {
    std::vector<double> values = {};
    std::size_t extent(int) const { return values.size(); }
  };

  HostColumns(const std::vector<std::vector<double>>& columns, std::size_t rows) : m_row_scales(rows, 1) {
    for (std::size_t i = 0; i < rows; ++i) {
      double largest = 0;
      for (const auto& column : columns) largest = std::max(largest, std::abs(column[i]));
      if (largest > 0) m_row_scales[i] = 1 / impl::power_of_two_below(largest);
    }
    for (const auto& column : columns) m_columns.push_back(scaled(column));
  }

  std::int64_t count() const { return static_cast<std::int64_t>(m_columns.size()); }
  const std::vector<double>& row_scales() const { return m_row_scales; }

  // Returns all columns that gain, or the first of them.
  std::vector<impl::ScaledColumn> find(const Host& host, const Costs& costs, const std::vector<double>& prices,
                                       bool is_first_wanted) const {
    double price_scale = 0;
    for (const double price : prices) price_scale += std::abs(price);
    std::vector<std::int64_t> found;
    for (const impl::ScaledColumn& column : m_columns) {
      const double cost = cost_of(column, costs), reduced = cost - impl::inner_product(prices, column.entries);
      if (impl::gain_of(cost, reduced, column.weight, price_scale) == 0) continue;
      found.push_back(column.index);
      if (is_first_wanted) break;
    }
    return gather(host, costs, found);
  }

  std::vector<impl::ScaledColumn> gather(const Host&, const Costs& costs,
                                         const std::vector<std::int64_t>& indices) const {
    std::vector<impl::ScaledColumn> columns;
    for (const std::int64_t index : indices) {
      columns.push_back(m_columns[static_cast<std::size_t>(index)]);
      columns.back().cost = cost_of(columns.back(), costs);
    }
    return columns;
  }

 private:
  static double cost_of(const impl::ScaledColumn& column, const Costs& costs) {
    return costs.values.empty() ? 0 : costs.values[static_cast<std::size_t>(column.index)] * column.scale;
  }

  impl::ScaledColumn scaled(std::vector<double> entries) const {
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i] *= m_row_scales[i];
    const double largest = impl::largest_size(entries), weight = largest > 0 ? 1 / largest : 1;
    const double scale = impl::power_of_two_below(weight);
    for (double& entry : entries) entry *= scale;
    return {count(), 0, scale, weight / scale, std::move(entries)};
  }

  std::vector<double> m_row_scales;
  std::vector<impl::ScaledColumn> m_columns;
};

HostColumns checked_host_columns(const std::vector<std::vector<double>>& columns, const std::vector<double>& limits) {
  for (const double limit : limits) check_finite("limit", limit);
  for (const auto& column : columns) {
    impl::check_dimension("column", static_cast<std::int64_t>(column.size()), static_cast<std::int64_t>(limits.size()));
    for (const double entry : column) check_finite("entry of a column", entry);
  }
  return {columns, limits.size()};
}

}  // namespace impl

struct HostProgram::Method {
  RevisedSimplex<impl::Host, impl::HostColumns> simplex;
};

HostProgram::HostProgram(const std::vector<std::vector<double>>& columns, const std::vector<double>& limits)
    : m_method(new Method{{impl::checked_host_columns(columns, limits), limits}}) {}

HostProgram::~HostProgram() = default;

LinearProgramSolution HostProgram::minimize(const std::vector<double>& costs) {
  for (const double cost : costs) check_finite("cost", cost);
  return m_method->simplex.minimize({}, {costs});
}

}  // namespace sporos
