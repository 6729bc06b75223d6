// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/linear_programs/linear_program.hpp>

#include <memory>
#include <vector>

namespace sporos {

/// min cᵀx over {A x ≤ C, x ≥ 0} for some tens of columns, by the revised simplex method (revised_simplex.hpp) on the
/// host: no kernel is launched. C may be negative.
class HostProgram {
 public:
  /// Of the columns of A, a number for each row in each, and C. @throws std::invalid_argument for sizes that do not fit
  /// and numbers that are not finite.
  HostProgram(const std::vector<std::vector<double>>& columns, const std::vector<double>& limits);
  ~HostProgram();

  /// Solves it with these costs, from the last basis.
  LinearProgramSolution minimize(const std::vector<double>& costs);

 private:
  struct Method;
  std::unique_ptr<Method> m_method;
};

}  // namespace sporos
