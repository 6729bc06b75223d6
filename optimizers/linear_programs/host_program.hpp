// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/linear_programs/linear_program.hpp>

#include <memory>
#include <vector>

namespace sporos {

/// min cᵀx over {A x ≤ C, x ≥ 0} for some tens of columns, by the revised simplex method (revised_simplex.hpp) on the
/// host, without launching kernels. C may be negative.
class HostProgram {
 public:
  /// Takes the columns of A, each with one number per row, and C.
  /// @throws std::invalid_argument if sizes do not match or a number is not finite.
  HostProgram(const std::vector<std::vector<double>>& columns, const std::vector<double>& limits);
  ~HostProgram();

  /// Solves the program with these costs, from the last basis.
  LinearProgramSolution minimize(const std::vector<double>& costs);

 private:
  struct Method;
  std::unique_ptr<Method> m_method;
};

}  // namespace sporos
