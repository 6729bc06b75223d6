// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Of the augmented Lagrangian method over samples that grow. Lengths are in units of each coordinate's scale,
/// max(1, |start|).
struct AugmentedLagrangianOptions {
  std::int64_t replications = 64;  ///< in the first stage's sample; rounded up to a multiple of 8
  double growth = 4;               ///< factor of the sample from stage to stage
  double violation = 0.1;          ///< the first penalties let constraints be violated by about this length
  double penalty_growth = 4;       ///< factor of the penalty of a constraint that has not come nearer to its limit
  std::int64_t evaluations = 40;   ///< of a stage's sample by one minimization, at most
  double step = 0.2;               ///< length of the first one
};

/// Throws std::invalid_argument for options out of range.
void check(const AugmentedLagrangianOptions& options);

/// Sample average approximation under constraints on means, by the method of multipliers (Hestenes 1969; Powell 1969;
/// Rockafellar: Math. Program. 5, 1973). For the N replications of a stage, the same ones at all points,
///
///     x ← argmin of the augmented Lagrangian (lagrangian_problem.hpp), by projected L-BFGS,
///     λⱼ ← max(0, λⱼ + ρⱼ hⱼ(x)),
///
/// until max(hⱼ, −λⱼ/ρⱼ) of each constraint is within half of its standard error. ρⱼ grows where this has not fallen to
/// a quarter. The next stage's sample contains that of this one and is `growth` times as large.
///
/// For a convex problem stages converge to a solution of the sample's problem, and these to the problem's own with
/// errors of the order of 1/√N in objective and constraints (Shapiro, Dentcheva, Ruszczyński: Lectures on stochastic
/// programming, 2014, chapter 5); for others to points that are stationary. The coordinates are real, the problem gives
/// gradients.
Search augmented_lagrangian(SearchRun& run, AugmentedLagrangianOptions options);

}  // namespace sporos
