// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Of constraint extrapolation. Lengths are in units of each coordinate's scale, max(1, |start|).
struct ConstraintExtrapolationOptions {
  std::int64_t replications = 30;  ///< at a point
  double step = 0.5;               ///< length of the first one
  double dual_step = 1;            ///< of multipliers, for a violation as large as a step
  double averaging = 3;            ///< η: in the mean of iterates the k-th weighs about k^η
};

/// Throws std::invalid_argument for options out of range.
void check(const ConstraintExtrapolationOptions& options);

/// Constraint extrapolation, ConEx (Boob, Deng, Lan: Stochastic first-order methods for convex and nonconvex functional
/// constrained optimization, Math. Program. 197, 2023), of one loop. With the constraints linearized about the point
/// before, ℓ(x_k) = h(x_{k−1}) + ∇h(x_{k−1})ᵀ(x_k − x_{k−1}),
///
///     λ ← max(0, λ + dual step · (2 ℓ(x_k) − ℓ(x_{k−1}))),
///     x ← projection of x − step · (∇g(x) + Σⱼ λⱼ ∇hⱼ(x)),
///
/// by fresh replications at each x. Steps fall as 1/√k, in units of gradients' usual sizes. Recommended is a mean of
/// all x. For convex problems gap and violation fall as 1/√N, N replications, without a bound of the multipliers; for
/// others stationarity is not proven for this form. (The paper's steps know bounds of gradients; here these are
/// estimated.) The coordinates are real, the problem gives gradients.
Search constraint_extrapolation(SearchRun& run, ConstraintExtrapolationOptions options);

}  // namespace sporos
