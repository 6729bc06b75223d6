// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sporos::impl {

// A column of the equilibrated program. Rows and columns are scaled by powers of two, which causes no rounding.
struct ScaledColumn {
  std::int64_t index;  // index of the product; slacks, one per row, follow the products, then the artificial column
  double cost;         // c_j · scale
  double scale;        // x_j = scale · (value of the scaled column)
  double weight;       // reciprocal of the largest entry's magnitude
  std::vector<double> entries;  // one per row
};

inline double inner_product(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

inline double largest_size(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

// Basis of the simplex method with its inverse, on the host: one column for each row of the program.
class Basis {
 public:
  // Starts with the basis of the slacks; `first_slack` is the index of the first row's slack.
  Basis(std::vector<double> limits, std::int64_t first_slack)
      : m_limits(std::move(limits)), m_first_slack(first_slack), m_limit_scale(largest_size(m_limits)) {
    reset();
  }

  std::size_t rows() const { return m_limits.size(); }
  const std::vector<ScaledColumn>& columns() const { return m_columns; }
  const std::vector<double>& values() const { return m_values; }  // values of the basic columns
  double limit_scale() const { return m_limit_scale; }            // largest magnitude of a limit
  void set_cost(std::size_t row, double cost) { m_columns[row].cost = cost; }

  // Replaces the limits by equally many others; the basic columns stay.
  void set_limits(std::vector<double> limits) {
    m_limits = std::move(limits);
    m_limit_scale = largest_size(m_limits);
    m_values = direction(m_limits);
  }

  ScaledColumn slack(std::size_t row) const {
    std::vector<double> entries(rows());
    entries[row] = 1;
    return {m_first_slack + static_cast<std::int64_t>(row), 0, 1, 1, std::move(entries)};
  }

  // Returns the row in which a column is basic, or rows().
  std::size_t row_of(std::int64_t index) const {
    std::size_t row = 0;
    while (row < rows() && m_columns[row].index != index) ++row;
    return row;
  }

  void reset();

  // Recomputes the inverse and the values, which removes the rounding errors of exchanges. If the columns are linearly
  // dependent, the basis of the slacks replaces them.
  void factorize();

  // Returns y = (B⁻¹)ᵀ c_B.
  std::vector<double> prices() const;

  // Returns B⁻¹ a: the decrease of the basic columns' values per unit of a column a.
  std::vector<double> direction(const std::vector<double>& entries) const;

  // Returns the slack that best replaces the column in `row`: that of the largest entry in this row of B⁻¹.
  ScaledColumn replacement(std::size_t row) const;

  // Enters the column in `row`; `direction` must be that of the column.
  void exchange(std::size_t row, ScaledColumn column, const std::vector<double>& direction);

 private:
  double& inverse(std::size_t row, std::size_t column) { return m_inverse[row * rows() + column]; }
  double inverse(std::size_t row, std::size_t column) const { return m_inverse[row * rows() + column]; }
  void divide_row(std::size_t row, const std::vector<double>& direction);
  bool invert();

  std::vector<double> m_limits;
  std::int64_t m_first_slack;
  double m_limit_scale;
  std::vector<ScaledColumn> m_columns;
  std::vector<double> m_inverse;  // stored by rows
  std::vector<double> m_values;
};

inline void Basis::reset() {
  m_columns.clear();
  for (std::size_t row = 0; row < rows(); ++row) m_columns.push_back(slack(row));
  m_values = m_limits;
  m_inverse.assign(rows() * rows(), 0);
  for (std::size_t row = 0; row < rows(); ++row) inverse(row, row) = 1;
}

inline void Basis::factorize() {
  if (!invert()) {
    reset();
    return;
  }
  m_values = direction(m_limits);
}

// One step of Gauss–Jordan elimination: turns `direction`, a column in the basis, into the unit vector of `row`.
inline void Basis::divide_row(std::size_t row, const std::vector<double>& direction) {
  for (std::size_t k = 0; k < rows(); ++k) inverse(row, k) /= direction[row];
  for (std::size_t i = 0; i < rows(); ++i) {
    if (i == row || direction[i] == 0) continue;
    for (std::size_t k = 0; k < rows(); ++k) inverse(i, k) -= direction[i] * inverse(row, k);
  }
}

// Enters the columns one by one into the unit basis, each in the free row in which it is largest, and orders them by
// these rows. Returns whether they are independent.
inline bool Basis::invert() {
  constexpr double singular = 1e-11;  // relative to the column's entries, which are about 1
  std::vector<ScaledColumn> columns = std::move(m_columns);
  reset();
  std::vector<bool> is_taken(rows());
  // Slacks first, each in its own row; they need no elimination.
  std::stable_partition(columns.begin(), columns.end(),
                        [&](const ScaledColumn& column) { return column.index >= m_first_slack; });
  for (auto& column : columns) {
    const std::vector<double> entries = direction(column.entries);
    std::size_t pivot = rows();
    for (std::size_t i = 0; i < rows(); ++i) {
      if (is_taken[i]) continue;
      if (pivot == rows() || std::abs(entries[i]) > std::abs(entries[pivot])) pivot = i;
    }
    if (!(std::abs(entries[pivot]) > singular)) return false;
    is_taken[pivot] = true;
    divide_row(pivot, entries);
    m_columns[pivot] = std::move(column);
  }
  return true;
}

inline std::vector<double> Basis::prices() const {
  std::vector<double> prices(rows());
  for (std::size_t row = 0; row < rows(); ++row) {
    if (m_columns[row].cost == 0) continue;
    for (std::size_t k = 0; k < rows(); ++k) prices[k] += m_columns[row].cost * inverse(row, k);
  }
  return prices;
}

inline std::vector<double> Basis::direction(const std::vector<double>& entries) const {
  std::vector<double> direction(rows());
  for (std::size_t row = 0; row < rows(); ++row) {
    for (std::size_t k = 0; k < rows(); ++k) direction[row] += inverse(row, k) * entries[k];
  }
  return direction;
}

inline ScaledColumn Basis::replacement(std::size_t row) const {
  std::size_t best = 0;
  for (std::size_t k = 1; k < rows(); ++k) {
    if (std::abs(inverse(row, k)) > std::abs(inverse(row, best))) best = k;
  }
  return slack(best);
}

inline void Basis::exchange(std::size_t row, ScaledColumn column, const std::vector<double>& direction) {
  const double step = m_values[row] / direction[row];
  for (std::size_t i = 0; i < rows(); ++i) m_values[i] -= step * direction[i];
  m_values[row] = step;
  divide_row(row, direction);
  m_columns[row] = std::move(column);
}

}  // namespace sporos::impl
