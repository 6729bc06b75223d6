// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/frank_wolfe/vertex.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

/// Linear programs min cᵀx over {A x ≤ C, x ≥ 0} with few rows (resources) and very many columns (products).
namespace sporos {

/// Coefficients of the constraints. Entry (j, i) of the view is a_ij, the amount of resource i that one unit of product
/// j uses, so each column of A is a row of the view. The layout is that of the execution space: on a host the entries
/// of a column are contiguous, on a GPU neighbouring threads read neighbouring numbers.
template <class ExecutionSpace>
using ConstraintColumns = Kokkos::View<const double**, typename ExecutionSpace::array_layout,  //
                                       typename ExecutionSpace::memory_space>;

/// Outcome of a linear program.
enum class LinearProgramStatus {
  optimal,    ///< The program is solved.
  unbounded,  ///< cᵀx decreases without bound along a ray of the region.
  infeasible  ///< No x satisfies the constraints.
};

/// Solution of a linear program.
struct LinearProgramSolution {
  LinearProgramStatus status;  ///< Outcome.
  double objective;            ///< Objective cᵀx; −∞ if unbounded, +∞ if infeasible.
  /// Nonzero coordinates of the vertex x, at most one per row, in the order of their columns: the minimizer or, if
  /// unbounded, the vertex at which the ray starts. Empty if infeasible.
  std::vector<VertexEntry> vertex;
  /// If unbounded, the nonzero coordinates of a direction d ≥ 0 with A d ≤ 0 and cᵀd < 0, in the order of columns.
  std::vector<VertexEntry> ray;
  /// Dual prices y ≤ 0, one per row.
  /// - Optimal: c − Aᵀy ≥ 0 and yᵀC is the objective; y_i is the change of the objective per unit of C_i.
  /// - Infeasible: Aᵀy ≤ 0 and yᵀC > 0, which excludes a feasible x.
  /// - Unbounded: empty.
  std::vector<double> prices;
  std::int64_t pivots;  ///< Number of exchanges of a basic column.
  std::int64_t passes;  ///< Number of passes over all columns of A.
};

/// Limits at which the simplex method changes its rules.
struct SimplexRules {
  /// Number of successive pivots without moving x after which Bland's rule applies until x moves: of the columns and
  /// rows that qualify, it takes the one with the lowest index. It cannot cycle (Bland, Math. Oper. Res. 2, 1977).
  std::int64_t stalled_pivots = 50;
  /// Maximum number of pivots of one program; exceeding it is an error.
  std::int64_t max_pivots = 10'000'000;
};

}  // namespace sporos
