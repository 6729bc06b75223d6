// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/optimizers/linear_programs/basis.hpp>
#include <sporos/optimizers/linear_programs/linear_program.hpp>
#include <sporos/optimizers/linear_programs/pricing.hpp>
#include <sporos/optimizers/linear_programs/ratio_test.hpp>
#include <sporos/optimizers/linear_programs/scaling.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos {

namespace impl {

template <class ExecutionSpace>
const ConstraintColumns<ExecutionSpace>& checked(const ExecutionSpace& space,
                                                 const ConstraintColumns<ExecutionSpace>& columns,
                                                 const std::vector<double>& limits) {
  if (columns.extent(0) == 0 || columns.extent(1) == 0 || columns.extent(1) != limits.size()) {
    throw std::invalid_argument(std::string("constraints have ")
                                    .append(std::to_string(columns.extent(0)))
                                    .append(" columns and ")
                                    .append(std::to_string(columns.extent(1)))
                                    .append(" rows, expected at least one of each and one row for each of the ")
                                    .append(std::to_string(limits.size()))
                                    .append(" limits"));
  }
  for (std::size_t i = 0; i < limits.size(); ++i) {
    check_finite(std::string("limit of row ").append(std::to_string(i + 1)), limits[i]);
  }
  check_finite_entries(space, columns);
  return columns;
}

inline std::vector<double> scaled_limits(std::vector<double> limits, const std::vector<double>& row_scales) {
  for (std::size_t i = 0; i < limits.size(); ++i) limits[i] *= row_scales[i];
  return limits;
}

}  // namespace impl

/// min cᵀx over {A x ≤ C, x ≥ 0} by the revised simplex method (Dantzig and Orchard-Hays 1954; Chvátal, Linear
/// Programming, 1983, chapters 7 and 8), for tens of rows and up to millions of columns.
///
/// A pass prices all columns against the current dual prices, in parallel, and keeps the best of each of some hundred
/// blocks. The host then pivots among these and the slacks (multiple pricing) until none of them gains. The method ends
/// with a pass in which nothing gains. (10^6 columns with 50 rows take 326 pivots in 13 passes; one pivot per pass took
/// 40 times as long.)
///
/// The entering column has the largest reduced cost in the program whose rows and columns are scaled to largest entries
/// of about 1. The leaving column is that of the ratio test; ties go to the largest pivot, then to the lowest index. If
/// pivots stall, Bland's rule applies. The basis is inverted again before each pass, so the last pass also verifies the
/// reduced costs and the basic values. If C has a negative entry, phase 1 drives out one artificial column.
///
/// The same program gives the same bits from run to run, on every host space and with any number of threads. Another
/// backend may choose differently between columns whose reduced costs differ only by rounding.
///
/// `Columns` stores A: in the memory of the execution space, or a few columns on a host (host_program.hpp).
template <class ExecutionSpace, class Columns = impl::PricedColumns<ExecutionSpace>>
class RevisedSimplex {
 public:
  using Costs = typename Columns::Costs;  ///< Cost of each column.

  /// Refers to `columns` without copying and computes their scales. This call blocks. @throws std::invalid_argument if
  /// sizes do not match, or naming an entry or limit that is not finite.
  template <class Space>
  RevisedSimplex(const Space& space, const ConstraintColumns<Space>& columns, const std::vector<double>& limits,
                 const SimplexRules& rules = {})
      : RevisedSimplex(Columns(space, impl::checked(space, columns, limits)), limits, rules) {}

  /// Takes columns that have been checked.
  RevisedSimplex(Columns columns, const std::vector<double>& limits, const SimplexRules& rules = {});

  /// Solves the program with these costs, one per column, from the last basis, which stays feasible. After a program
  /// with similar costs few pivots are left.
  /// @throws std::invalid_argument if the number of costs is wrong or a cost that matters is not finite.
  /// @throws std::runtime_error if the maximum number of pivots is exceeded.
  /// @throws LaunchStopped if a stop of launches is requested (core/execution/launch_stop.hpp).
  LinearProgramSolution minimize(const ExecutionSpace& space, const Costs& costs);

  /// Replaces the limits by equally many others. The basis stays; the next call makes it feasible again.
  void set_limits(const std::vector<double>& limits) {
    m_basis.set_limits(impl::scaled_limits(limits, m_columns.row_scales()));
  }

  /// Drops the last basis.
  void restart() { m_basis.reset(); }

 private:
  static constexpr double feasibility_tolerance = 1e-9;  // relative to the largest limit
  static constexpr std::int64_t pivots_of_factorization = 100;

  std::size_t rows() const { return m_basis.rows(); }
  std::int64_t artificial() const { return m_columns.count() + static_cast<std::int64_t>(rows()); }
  bool is_stalled() const { return m_stalled >= m_rules.stalled_pivots; }
  bool is_feasible() const;
  bool find_feasible(const ExecutionSpace& space);
  void take_costs(const ExecutionSpace& space, const Costs& costs);
  bool improve(const ExecutionSpace& space, const Costs& costs);
  bool pivot_among(const std::vector<impl::ScaledColumn>& candidates);
  const impl::ScaledColumn* entering(const std::vector<impl::ScaledColumn>& candidates) const;
  void exchange(std::size_t row, const impl::ScaledColumn& column, const std::vector<double>& direction);
  std::vector<VertexEntry> entries(const std::vector<double>& values, const impl::ScaledColumn* further) const;
  std::vector<double> prices() const;
  LinearProgramSolution solution(LinearProgramStatus status) const;

  SimplexRules m_rules;
  Columns m_columns;
  impl::Basis m_basis;
  std::vector<impl::ScaledColumn> m_slacks;
  std::int64_t m_pivots = 0;  // pivots of this program
  std::int64_t m_passes = 0;
  std::int64_t m_stalled = 0;                   // pivots since x last moved
  std::optional<impl::ScaledColumn> m_endless;  // column along which the program is unbounded
};

template <class ExecutionSpace, class Columns>
RevisedSimplex<ExecutionSpace, Columns>::RevisedSimplex(Columns columns, const std::vector<double>& limits,
                                                        const SimplexRules& rules)
    : m_rules(rules),
      m_columns(std::move(columns)),
      m_basis(impl::scaled_limits(limits, m_columns.row_scales()), m_columns.count()) {
  for (std::size_t row = 0; row < rows(); ++row) m_slacks.push_back(m_basis.slack(row));
}

template <class ExecutionSpace, class Columns>
LinearProgramSolution RevisedSimplex<ExecutionSpace, Columns>::minimize(const ExecutionSpace& space,
                                                                        const Costs& costs) {
  if (static_cast<std::int64_t>(costs.extent(0)) != m_columns.count()) {
    impl::refuse_parameter("number of costs", std::to_string(costs.extent(0)), std::to_string(m_columns.count()));
  }
  m_pivots = m_passes = m_stalled = 0;
  do {  // repeats only if rounding has made values negative
    if (!is_feasible() && !find_feasible(space)) {
      const LinearProgramSolution infeasible = solution(LinearProgramStatus::infeasible);
      m_basis.reset();
      return infeasible;
    }
    take_costs(space, costs);
    if (!improve(space, costs)) return solution(LinearProgramStatus::unbounded);
  } while (!is_feasible());
  return solution(LinearProgramStatus::optimal);
}

template <class ExecutionSpace, class Columns>
bool RevisedSimplex<ExecutionSpace, Columns>::is_feasible() const {
  const auto& values = m_basis.values();
  return *std::min_element(values.begin(), values.end()) >= -feasibility_tolerance * m_basis.limit_scale();
}

// Phase 1. The artificial column is minus the sum of the basic columns: adding it by the magnitude of the most negative
// value makes all values feasible. Returns false if it cannot be driven out.
template <class ExecutionSpace, class Columns>
bool RevisedSimplex<ExecutionSpace, Columns>::find_feasible(const ExecutionSpace& space) {
  impl::ScaledColumn column{artificial(), 0, 1, 1, std::vector<double>(rows())};
  for (const auto& basic : m_basis.columns()) {
    for (std::size_t i = 0; i < rows(); ++i) column.entries[i] -= basic.entries[i];
  }
  const auto& values = m_basis.values();
  const auto most_negative = static_cast<std::size_t>(std::min_element(values.begin(), values.end()) - values.begin());
  for (std::size_t row = 0; row < rows(); ++row) m_basis.set_cost(row, 0);
  column.cost = 1;
  exchange(most_negative, column, m_basis.direction(column.entries));
  improve(space, {});
  const std::size_t row = m_basis.row_of(artificial());
  if (row == rows()) return true;
  if (m_basis.values()[row] > feasibility_tolerance * m_basis.limit_scale()) return false;
  const impl::ScaledColumn slack = m_basis.replacement(row);
  exchange(row, slack, m_basis.direction(slack.entries));
  return true;
}

// Fetches the costs of the basic columns.
template <class ExecutionSpace, class Columns>
void RevisedSimplex<ExecutionSpace, Columns>::take_costs(const ExecutionSpace& space, const Costs& costs) {
  std::vector<std::int64_t> products;
  for (const auto& column : m_basis.columns()) {
    if (column.index < m_columns.count()) products.push_back(column.index);
  }
  for (const auto& column : m_columns.gather(space, costs, products)) {
    m_basis.set_cost(m_basis.row_of(column.index), column.cost);
  }
}

// Pivots until no column gains or, in phase 1, the artificial column is out. Returns false if the gain is unbounded.
template <class ExecutionSpace, class Columns>
bool RevisedSimplex<ExecutionSpace, Columns>::improve(const ExecutionSpace& space, const Costs& costs) {
  const bool is_phase_1 = costs.extent(0) == 0;
  m_endless.reset();
  for (;;) {
    m_basis.factorize();
    if (is_phase_1 && m_basis.row_of(artificial()) == rows()) return true;
    auto candidates = m_columns.find(space, costs, m_basis.prices(), is_stalled());
    candidates.insert(candidates.end(), m_slacks.begin(), m_slacks.end());
    ++m_passes;
    const std::int64_t pivots = m_pivots;
    if (!pivot_among(candidates)) return false;
    if (m_pivots == pivots) return true;
  }
}

// Pivots while one of the candidates gains, but only until rounding errors could grow. Under Bland's rule it pivots
// only once, because that rule requires the first of all columns. Returns false if the first pivot, with a fresh
// inverse, has unbounded gain.
template <class ExecutionSpace, class Columns>
bool RevisedSimplex<ExecutionSpace, Columns>::pivot_among(const std::vector<impl::ScaledColumn>& candidates) {
  const bool was_stalled = is_stalled();
  for (std::int64_t pivot = 0; pivot < pivots_of_factorization; ++pivot) {
    check_launch_stop();
    const impl::ScaledColumn* const column = entering(candidates);
    if (column == nullptr) return true;
    const std::vector<double> direction = m_basis.direction(column->entries);
    const std::size_t row = impl::leaving_row(m_basis, direction, {is_stalled(), artificial()});
    if (row == rows()) {
      if (pivot == 0) m_endless = *column;
      return pivot > 0;
    }
    const bool is_artificial = m_basis.columns()[row].index == artificial();
    exchange(row, *column, direction);
    if (is_artificial || was_stalled || is_stalled()) return true;
  }
  return true;
}

template <class ExecutionSpace, class Columns>
const impl::ScaledColumn* RevisedSimplex<ExecutionSpace, Columns>::entering(
    const std::vector<impl::ScaledColumn>& candidates) const {
  const std::vector<double> prices = m_basis.prices();
  double price_scale = 0;
  for (const double price : prices) price_scale += std::abs(price);
  const impl::ScaledColumn* best = nullptr;
  double best_gain = 0;
  for (const auto& column : candidates) {
    const double reduced_cost = column.cost - impl::inner_product(prices, column.entries);
    const double gain = impl::gain_of(column.cost, reduced_cost, column.weight, price_scale);
    if (gain <= best_gain || m_basis.row_of(column.index) < rows()) continue;
    if (is_stalled()) return &column;
    best = &column;
    best_gain = gain;
  }
  return best;
}

template <class ExecutionSpace, class Columns>
void RevisedSimplex<ExecutionSpace, Columns>::exchange(std::size_t row, const impl::ScaledColumn& column,
                                                       const std::vector<double>& direction) {
  if (++m_pivots > m_rules.max_pivots) {
    throw std::runtime_error(std::string("linear program is not solved after ")
                                 .append(std::to_string(m_rules.max_pivots))
                                 .append(" pivots, the largest number allowed"));
  }
  const bool moves = std::abs(m_basis.values()[row]) > impl::tie_tolerance * m_basis.limit_scale();
  m_stalled = moves ? 0 : m_stalled + 1;
  m_basis.exchange(row, column, direction);
}

// Returns the products' values that exceed rounding: those of the basic columns and, if given, one of `further`.
template <class ExecutionSpace, class Columns>
std::vector<VertexEntry> RevisedSimplex<ExecutionSpace, Columns>::entries(const std::vector<double>& values,
                                                                          const impl::ScaledColumn* further) const {
  std::vector<VertexEntry> entries;
  const double rounding = impl::tie_tolerance * impl::largest_size(values);
  const auto add = [&](const impl::ScaledColumn& column, double value) {
    if (column.index < m_columns.count() && value > rounding) entries.push_back({column.index, value * column.scale});
  };
  for (std::size_t row = 0; row < rows(); ++row) add(m_basis.columns()[row], values[row]);
  if (further != nullptr) add(*further, 1);
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
  return entries;
}

template <class ExecutionSpace, class Columns>
std::vector<double> RevisedSimplex<ExecutionSpace, Columns>::prices() const {
  std::vector<double> prices = m_basis.prices();
  const double rounding = impl::tie_tolerance * impl::largest_size(prices);
  for (std::size_t row = 0; row < rows(); ++row) {
    prices[row] = prices[row] < -rounding ? prices[row] * m_columns.row_scales()[row] : 0;
  }
  return prices;
}

template <class ExecutionSpace, class Columns>
LinearProgramSolution RevisedSimplex<ExecutionSpace, Columns>::solution(LinearProgramStatus status) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (status == LinearProgramStatus::infeasible) return {status, infinity, {}, {}, prices(), m_pivots, m_passes};
  auto vertex = entries(m_basis.values(), nullptr);
  if (status == LinearProgramStatus::unbounded) {
    std::vector<double> growth = m_basis.direction(m_endless->entries);
    for (double& entry : growth) entry = -entry;
    return {status, -infinity, std::move(vertex), entries(growth, &*m_endless), {}, m_pivots, m_passes};
  }
  double objective = 0;
  for (std::size_t row = 0; row < rows(); ++row) {
    objective += m_basis.columns()[row].cost * std::max(m_basis.values()[row], 0.0);
  }
  return {status, objective, std::move(vertex), {}, prices(), m_pivots, m_passes};
}

}  // namespace sporos
