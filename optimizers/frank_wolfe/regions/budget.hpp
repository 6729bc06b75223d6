// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/optimizers/frank_wolfe/regions/checks.hpp>
#include <sporos/optimizers/frank_wolfe/smallest_of.hpp>
#include <sporos/optimizers/frank_wolfe/vertex.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos {

/// The set {x ≥ 0, aᵀx ≤ C}, or {x ≥ 0, aᵀx = C} if the limit must be met. Its vertices are (C / a_j) e_j and, unless
/// the limit must be met, 0.
template <class ExecutionSpace>
class Budget {
 public:
  /// Takes costs a > 0 and a limit C ≥ 0. Throws std::invalid_argument if an argument is out of range.
  Budget(const std::vector<double>& costs, double limit, bool must_be_met = false);

  /// Uses costs of 1 in `dimension` coordinates.
  Budget(std::int64_t dimension, double limit, bool must_be_met = false);

  /// Dimension of the space that contains the region.
  std::int64_t dimension() const { return m_dimension; }
  /// Costs a; empty if all are 1.
  ConstVector<ExecutionSpace> costs() const { return m_costs; }
  /// Limit C.
  double limit() const { return m_limit; }
  /// Whether the constraint is aᵀx = C.
  bool must_be_met() const { return m_must_be_met; }

  /// Returns the vertex with the smallest g_j / a_j, or 0 if none is negative; among ties the lowest index.
  Vertex<ExecutionSpace> minimize(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& g) const;

  /// Largest violation of a constraint, relative to C: −a_j x_j or aᵀx − C.
  double violation(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) const;

 private:
  std::int64_t m_dimension;
  ConstVector<ExecutionSpace> m_costs;
  double m_limit;
  bool m_must_be_met;
};

/// Returns the set {w ≥ 0, Σw ≤ 1}.
template <class ExecutionSpace>
Budget<ExecutionSpace> unit_simplex(std::int64_t dimension) {
  return {dimension, 1.0};
}

/// Returns the set {w ≥ 0, Σw = 1}.
template <class ExecutionSpace>
Budget<ExecutionSpace> probability_simplex(std::int64_t dimension) {
  return {dimension, 1.0, true};
}

template <class ExecutionSpace>
Budget<ExecutionSpace>::Budget(std::int64_t dimension, double limit, bool must_be_met)
    : m_dimension(dimension), m_limit(limit), m_must_be_met(must_be_met) {
  impl::check_dimension(dimension);
  check_non_negative("limit of the budget", limit);
}

template <class ExecutionSpace>
Budget<ExecutionSpace>::Budget(const std::vector<double>& costs, double limit, bool must_be_met)
    : Budget(static_cast<std::int64_t>(costs.size()), limit, must_be_met) {
  for (std::size_t j = 0; j < costs.size(); ++j) {
    if (!(std::isfinite(costs[j]) && costs[j] > 0)) {
      impl::refuse_coordinate("cost of the budget", j, costs[j],
                              "a positive finite number; otherwise the region is unbounded");
    }
  }
  m_costs = to_device<ExecutionSpace>(costs);
}

template <class ExecutionSpace>
Vertex<ExecutionSpace> Budget<ExecutionSpace>::minimize(const ExecutionSpace& space,
                                                        const ConstVector<ExecutionSpace>& g) const {
  const Located found = impl::smallest_of(space, m_dimension, impl::PerCost<ExecutionSpace>{g, m_costs});
  if (found.index >= m_dimension || m_limit == 0 || (!m_must_be_met && found.value >= 0)) return {};
  const double cost = m_costs.extent(0) == 0 ? 1.0 : value_at<ExecutionSpace>(space, m_costs, found.index);
  return {{{found.index, m_limit / cost}}, {}};
}

template <class ExecutionSpace>
double Budget<ExecutionSpace>::violation(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) const {
  const impl::TimesCost<ExecutionSpace> use{x, m_costs};
  const double least = impl::smallest_of(space, m_dimension, use).value;
  const double total = impl::sum_of(space, m_dimension, use);
  const double excess = m_must_be_met ? std::abs(total - m_limit) : total - m_limit;
  return std::max({0.0, -least, excess}) / (m_limit > 0 ? m_limit : 1.0);
}

}  // namespace sporos
