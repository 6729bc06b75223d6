// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/execution/for_each_index.hpp>
#include <sporos/optimizers/frank_wolfe/region.hpp>
#include <sporos/optimizers/frank_wolfe/vertex.hpp>
#include <sporos/optimizers/linear_programs/dual_program.hpp>
#include <sporos/optimizers/linear_programs/revised_simplex.hpp>
#include <sporos/optimizers/linear_programs/scaling.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sporos {

namespace impl {

// Accumulates Σ_j a_ij x_j.
template <class ExecutionSpace>
struct RowUse {
  ConstVector<ExecutionSpace> x;

  KOKKOS_FUNCTION void operator()(double& use, double entry, std::int64_t j) const { use += entry * x(j); }
};

// Keeps the smallest entry, or 0.
struct SmallestEntry {
  KOKKOS_FUNCTION void operator()(double& smallest, double entry, std::int64_t) const {
    if (entry < smallest) smallest = entry;
  }
};

// Index of the first column of zeros, or the number of columns.
template <class ExecutionSpace>
std::int64_t first_zero_column(const ExecutionSpace& space, const ConstraintColumns<ExecutionSpace>& columns) {
  const auto count = static_cast<std::int64_t>(columns.extent(0));
  std::int64_t first = 0;
  Kokkos::parallel_reduce(
      "sporos::frank_wolfe::first_zero_column", Kokkos::RangePolicy<ExecutionSpace>(space, 0, count),
      KOKKOS_LAMBDA(std::int64_t j, std::int64_t & least) {
        bool is_zero = j < least;
        for (std::size_t i = 0; is_zero && i < columns.extent(1); ++i) is_zero = columns(j, i) == 0;
        if (is_zero) least = j;
      },
      Kokkos::Min<std::int64_t>(first));
  return std::min(first, count);
}

// Largest sign · x_j, or 0 if all are negative.
template <class ExecutionSpace>
double largest_coordinate(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x, double sign) {
  double largest = 0;
  const auto raise = KOKKOS_LAMBDA(std::int64_t j, double& most) {
    if (sign * x(j) > most) most = sign * x(j);
  };
  over_indices(space, static_cast<std::int64_t>(x.extent(0)), [&](const auto& policy) {
    Kokkos::parallel_reduce("sporos::frank_wolfe::largest_coordinate", policy, raise, Kokkos::Max<double>(largest));
  });
  return std::max(largest, 0.0);
}

}  // namespace impl

/// The set {A x ≤ C, x ≥ 0}: each unit of product x_j uses a_ij of resource i, of which C_i is available. This is the
/// region of He et al. (2024), A preliminary study on accelerating simulation optimization with GPU implementation,
/// section 4.2. C_i may be negative if some entries of A are: at least |C_i| must then be given back. Write A x = C as
/// A x ≤ C and −A x ≤ −C.
///
/// The oracle is a linear program, solved by the revised simplex method from the previous call's basis. The basis has
/// as many rows as there are resources or products, whichever is fewer. Memory and the time of a pivot grow with the
/// square of that number.
template <class ExecutionSpace>
class Resources {
 public:
  /// Refers to `columns` without copying. This call blocks.
  /// Throws std::invalid_argument, which names product and resource (counted from 1), if
  /// - an entry or limit is not finite;
  /// - no product uses a resource, or no products meet the limits;
  /// - products are unbounded: they use no resource or, if there are negative entries, belong to a ray.
  Resources(const ExecutionSpace& space, const ConstraintColumns<ExecutionSpace>& columns, std::vector<double> limits);

  /// Number of products.
  std::int64_t dimension() const { return static_cast<std::int64_t>(m_columns.extent(0)); }

  /// Number of pivots over all calls so far.
  std::int64_t pivots() const { return m_pivots; }

  /// Returns a vertex with the smallest gᵀs and at most one product per resource (see RevisedSimplex). This call
  /// blocks.
  Vertex<ExecutionSpace> minimize(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& g) {
    LinearProgramSolution solution = solve(space, g);
    m_pivots += solution.pivots;
    return {std::move(solution.vertex), {}};
  }

  /// Largest violation of two kinds; NaN if x contains NaN. Overuse of a resource is relative to |C_i| or, if that is
  /// 0, to the resource's largest entry times the largest x_j. Negative x_j are relative to the largest |x_j|. This
  /// call blocks.
  double violation(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) const;

 private:
  using Program = std::variant<RevisedSimplex<ExecutionSpace>, DualProgram<ExecutionSpace>>;

  void check(const ExecutionSpace& space);
  LinearProgramSolution solve(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& costs) {
    return std::visit([&](auto& program) { return program.minimize(space, costs); }, m_program);
  }
  static Program program_of(const ExecutionSpace& space, const ConstraintColumns<ExecutionSpace>& columns,
                            const std::vector<double>& limits) {
    if (limits.size() > columns.extent(0)) return DualProgram<ExecutionSpace>(space, columns, limits);
    return RevisedSimplex<ExecutionSpace>(space, columns, limits);
  }

  ConstraintColumns<ExecutionSpace> m_columns;
  std::vector<double> m_limits;
  Program m_program;
  std::vector<double> m_largest;  // largest entry of each resource
  std::int64_t m_pivots = 0;
};

namespace impl {

inline const std::vector<double>& checked_resources(const std::vector<double>& limits) {
  for (std::size_t i = 0; i < limits.size(); ++i) {
    check_finite(std::string("limit of resource ").append(std::to_string(i + 1)), limits[i]);
  }
  return limits;
}

[[noreturn]] inline void refuse_unbounded(std::int64_t product, std::string_view why) {
  throw std::invalid_argument(std::string("product ")
                                  .append(std::to_string(product + 1))
                                  .append(" is unbounded, expected limits on all products: ")
                                  .append(why));
}

}  // namespace impl

template <class ExecutionSpace>
Resources<ExecutionSpace>::Resources(const ExecutionSpace& space, const ConstraintColumns<ExecutionSpace>& columns,
                                     std::vector<double> limits)
    : m_columns(columns),
      m_limits(std::move(limits)),
      m_program(program_of(space, columns, impl::checked_resources(m_limits))),
      m_largest(impl::fold_rows(space, columns, impl::LargestSize{},
                                [](double& to, double from) { to = std::max(to, from); })) {
  check(space);
}

template <class ExecutionSpace>
void Resources<ExecutionSpace>::check(const ExecutionSpace& space) {
  for (std::size_t i = 0; i < m_limits.size(); ++i) {
    if (m_largest[i] > 0) continue;
    throw std::invalid_argument(
        std::string("resource ")
            .append(std::to_string(i + 1))
            .append(" is used by no product, expected a row with at least one entry other than 0"));
  }
  const std::int64_t unused = impl::first_zero_column(space, m_columns);
  if (unused < dimension()) impl::refuse_unbounded(unused, "it uses no resource");
  const std::vector<double> smallest = impl::fold_rows(space, m_columns, impl::SmallestEntry{},
                                                       [](double& to, double from) { to = std::min(to, from); });
  const bool is_zero_inside = *std::min_element(m_limits.begin(), m_limits.end()) >= 0;
  if (is_zero_inside && *std::min_element(smallest.begin(), smallest.end()) >= 0) return;
  const Vector<ExecutionSpace> costs(Kokkos::view_alloc(space, "sporos::frank_wolfe::all_products"),
                                     m_columns.extent(0));
  Kokkos::deep_copy(space, costs, -1.0);
  const LinearProgramSolution most = solve(space, costs);
  if (most.status == LinearProgramStatus::optimal) {
    return std::visit([](auto& program) { program.restart(); }, m_program);
  }
  if (most.status == LinearProgramStatus::infeasible)
    throw std::invalid_argument("no point satisfies all resource limits, expected limits with a feasible point");
  impl::refuse_unbounded(most.ray.front().index, "negative entries of A offset its use of resources");
}

template <class ExecutionSpace>
double Resources<ExecutionSpace>::violation(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) const {
  const double lowest = impl::largest_coordinate(space, x, -1);
  const double largest = std::max(impl::largest_coordinate(space, x, 1), lowest);
  const std::vector<double> uses =
      impl::fold_rows(space, m_columns, impl::RowUse<ExecutionSpace>{x}, [](double& to, double from) { to += from; });
  double worst = lowest > 0 ? lowest / largest : 0;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const double excess = (uses[i] - m_limits[i]) / (m_limits[i] != 0 ? std::abs(m_limits[i]) : m_largest[i] * largest);
    if (uses[i] != uses[i]) return uses[i];
    if (uses[i] > m_limits[i]) worst = std::max(worst, excess);
  }
  return worst;
}

}  // namespace sporos
