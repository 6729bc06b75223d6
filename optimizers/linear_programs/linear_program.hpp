// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/frank_wolfe/vertex.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

/// Linear programs min cᵀx over {A x ≤ C, x ≥ 0} with few rows (resources) and very many columns (products).
namespace sporos {

/// The constraints' coefficients, a row of the view for each column of A: entry (j, i) is a_ij, what one unit of
/// product j uses of resource i. In the space's own layout, so that on a host a column lies together and on a GPU
/// neighbouring threads read neighbouring numbers.
template <class ExecutionSpace>
using ConstraintColumns = Kokkos::View<const double**, typename ExecutionSpace::array_layout,  //
                                       typename ExecutionSpace::memory_space>;

/// How a linear program ended.
enum class LinearProgramStatus {
  optimal,    ///< solved
  unbounded,  ///< cᵀx falls without end along a ray of the region
  infeasible  ///< no x meets the constraints
};

/// What came of a linear program.
struct LinearProgramSolution {
  LinearProgramStatus status;  ///< how it ended
  double objective;            ///< cᵀx; −∞ where unbounded, +∞ where infeasible
  /// The nonzero coordinates of the vertex x, at most one a row, in the order of their columns: the minimizer, or where
  /// unbounded the vertex at which the ray begins. None where infeasible.
  std::vector<VertexEntry> vertex;
  /// Where unbounded, the nonzero coordinates of a direction d ≥ 0 with A d ≤ 0 and cᵀd < 0, in the order of columns.
  std::vector<VertexEntry> ray;
  /// The dual prices y ≤ 0, one a row. Optimal: c − Aᵀy ≥ 0 and yᵀC is the objective; y_i is what the objective changes
  /// by for one more unit of C_i. Infeasible: Aᵀy ≤ 0 and yᵀC > 0, which no feasible x allows. Unbounded: none.
  std::vector<double> prices;
  std::int64_t pivots;  ///< exchanges of a basic column
  std::int64_t passes;  ///< looks at all columns of A
};

/// When the simplex method changes its rules.
struct SimplexRules {
  /// After so many pivots in a row that did not move x, Bland's rule holds (of the columns and rows that qualify, the
  /// one with the lowest index) until x moves: it cannot cycle (Bland, Math. Oper. Res. 2, 1977).
  std::int64_t stalled_pivots = 50;
  /// Of one program; more are an error.
  std::int64_t most_pivots = 10'000'000;
};

}  // namespace sporos
