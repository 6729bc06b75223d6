// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Options of the augmented Lagrangian method over growing samples. Lengths are in units of each coordinate's scale,
/// max(1, |start|).
struct AugmentedLagrangianOptions {
  /// Number of replications in the first stage's sample; rounded up to a multiple of 8.
  std::int64_t replications = 64;
  double growth = 4;              ///< Growth factor of the sample from stage to stage.
  double violation = 0.1;         ///< Length by which the initial penalties let constraints be violated, approximately.
  double penalty_growth = 4;      ///< Growth factor of the penalty of a constraint that does not approach its limit.
  std::int64_t evaluations = 40;  ///< Maximum number of evaluations of a stage's sample in one minimization.
  double step = 0.2;              ///< Length of the first step.
};

/// Throws std::invalid_argument if an option is out of range.
void check(const AugmentedLagrangianOptions& options);

/// Sample average approximation under constraints on means, by the method of multipliers (Hestenes 1969; Powell 1969;
/// Rockafellar: Math. Program. 5, 1973). A stage uses N replications, the same at all points, and iterates
///
///     x ← argmin of the augmented Lagrangian (lagrangian_problem.hpp), by projected L-BFGS,
///     λⱼ ← max(0, λⱼ + ρⱼ hⱼ(x)),
///
/// until |max(hⱼ, −λⱼ/ρⱼ)| of each constraint is within half of its standard error. ρⱼ grows if this value has not
/// fallen to a quarter. The next stage's sample contains the current one and is `growth` times as large.
///
/// For a convex problem the iterations of a stage converge to a solution of the sample's problem. These solutions
/// converge to that of the original problem, with errors of the order of 1/√N in objective and constraints (Shapiro,
/// Dentcheva, Ruszczyński: Lectures on stochastic programming, 2014, chapter 5). For other problems the limits are
/// stationary points. All coordinates must be real; gradients are required.
Search augmented_lagrangian(SearchRun& run, AugmentedLagrangianOptions options);

}  // namespace sporos
