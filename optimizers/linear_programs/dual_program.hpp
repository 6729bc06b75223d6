// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/optimizers/linear_programs/linear_program.hpp>
#include <sporos/optimizers/linear_programs/revised_simplex.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace sporos {

namespace impl {

// Returns −Aᵀ for a program's columns.
template <class ExecutionSpace>
ConstraintColumns<ExecutionSpace> negative_transpose(const ExecutionSpace& space,
                                                     const ConstraintColumns<ExecutionSpace>& columns) {
  using Matrix = Kokkos::View<double**, typename ExecutionSpace::array_layout, typename ExecutionSpace::memory_space>;
  const Matrix rows(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, "sporos::linear_programs::transpose"),
                    columns.extent(1), columns.extent(0));
  const auto count = static_cast<std::int64_t>(columns.extent(0));
  Kokkos::parallel_for(
      "sporos::linear_programs::transpose",
      Kokkos::RangePolicy<ExecutionSpace>(space, 0, static_cast<std::int64_t>(columns.extent(1))),
      KOKKOS_LAMBDA(std::int64_t i) {
        for (std::int64_t j = 0; j < count; ++j) rows(i, j) = -columns(j, i);
      });
  space.fence();
  return rows;
}

}  // namespace impl

/// min cᵀx over {A x ≤ C, x ≥ 0} with more rows than columns. The revised simplex method solves its dual min Cᵀy over
/// {−Aᵀy ≤ c, y ≥ 0}, whose basis has as many rows as A has columns. If the program is solved with many costs, each
/// solution starts from the previous basis.
template <class ExecutionSpace>
class DualProgram {
 public:
  /// Copies `columns`. Throws std::invalid_argument in the same cases as RevisedSimplex. This call blocks.
  DualProgram(const ExecutionSpace& space, const ConstraintColumns<ExecutionSpace>& columns,
              const std::vector<double>& limits)
      : m_limits(to_device<ExecutionSpace>(space, limits)),
        m_dual(space,
               impl::negative_transpose<ExecutionSpace>(space, impl::checked<ExecutionSpace>(space, columns, limits)),
               std::vector<double>(columns.extent(0), 1.0)) {}

  /// Solves the program as RevisedSimplex::minimize does.
  LinearProgramSolution minimize(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& costs) {
    LinearProgramSolution dual = solve(space, to_host<ExecutionSpace>(space, costs));
    if (dual.status == LinearProgramStatus::optimal) {
      return {dual.status, -dual.objective, negative(dual.prices), {}, negative(dual.vertex), dual.pivots, dual.passes};
    }
    if (dual.status == LinearProgramStatus::unbounded) return infeasible(dual);
    restart();
    const LinearProgramSolution feasible = solve(space, std::vector<double>(costs.extent(0), 1.0));
    restart();
    if (feasible.status == LinearProgramStatus::unbounded) return infeasible(feasible);
    return {LinearProgramStatus::unbounded, -infinity, negative(feasible.prices),
            negative(dual.prices),          {},        dual.pivots + feasible.pivots,
            dual.passes + feasible.passes};
  }

  /// Drops the last basis.
  void restart() { m_dual.restart(); }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  LinearProgramSolution solve(const ExecutionSpace& space, const std::vector<double>& costs) {
    for (std::size_t j = 0; j < costs.size(); ++j) {
      check_finite(std::string("cost of column ").append(std::to_string(j + 1)), costs[j]);
    }
    m_dual.set_limits(costs);
    return m_dual.minimize(space, m_limits);
  }

  // Returns the result if the dual's ray shows that no x satisfies the constraints.
  LinearProgramSolution infeasible(const LinearProgramSolution& dual) const {
    return {LinearProgramStatus::infeasible, infinity, {}, {}, negative(dual.ray), dual.pivots, dual.passes};
  }

  std::vector<double> negative(const std::vector<VertexEntry>& entries) const {
    std::vector<double> prices(m_limits.extent(0));
    for (const VertexEntry& entry : entries) prices[static_cast<std::size_t>(entry.index)] = -entry.value;
    return prices;
  }

  // Returns the nonzero entries, negated.
  static std::vector<VertexEntry> negative(const std::vector<double>& prices) {
    std::vector<VertexEntry> entries;
    for (std::size_t j = 0; j < prices.size(); ++j) {
      if (prices[j] != 0) entries.push_back({static_cast<std::int64_t>(j), -prices[j]});
    }
    return entries;
  }

  Vector<ExecutionSpace> m_limits;
  RevisedSimplex<ExecutionSpace> m_dual;
};

}  // namespace sporos
