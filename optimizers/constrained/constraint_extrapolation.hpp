// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Options of constraint extrapolation. Lengths are in units of each coordinate's scale, max(1, |start|).
struct ConstraintExtrapolationOptions {
  std::int64_t replications = 30;  ///< Number of replications at a point.
  double step = 0.5;               ///< Length of the first step.
  double dual_step = 1;            ///< Step size of multipliers for a violation as large as a step.
  double averaging = 3;            ///< Exponent η: in the mean of iterates, iterate k has a weight of about k^η.
};

/// Throws std::invalid_argument if an option is out of range.
void check(const ConstraintExtrapolationOptions& options);

/// Constraint extrapolation, ConEx, with a single loop (Boob, Deng, Lan: Stochastic first-order methods for convex and
/// nonconvex functional constrained optimization, Math. Program. 197, 2023). With the constraints linearized about the
/// previous point, ℓ(x_k) = h(x_{k−1}) + ∇h(x_{k−1})ᵀ(x_k − x_{k−1}),
///
///     λ ← max(0, λ + dual step · (2 ℓ(x_k) − ℓ(x_{k−1}))),
///     x ← projection of x − step · (∇g(x) + Σⱼ λⱼ ∇hⱼ(x)),
///
/// on fresh replications at each x. Steps fall as 1/√k, in units of the gradients' typical sizes. The search recommends
/// a mean of all x. For convex problems gap and violation fall as 1/√N in the number N of replications, without a bound
/// of the multipliers. For other problems stationarity is not proven for this form. Boob et al. require bounds of
/// gradients for their steps; here these are estimated. All coordinates must be real; gradients are required.
Search constraint_extrapolation(SearchRun& run, ConstraintExtrapolationOptions options);

}  // namespace sporos
