// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Of the constraint-extrapolated conditional gradient method.
struct ConditionalGradientOptions {
  std::int64_t replications = 4;  ///< at a point
  double dual_step = 3;           ///< of multipliers, for a violation as large as the region lets a constraint vary
  double averaging = 1;           ///< η: in means of vertices and of lines the k-th weighs about k^η
};

/// Throws std::invalid_argument for options out of range.
void check(const ConditionalGradientOptions& options);

/// The constraint-extrapolated conditional gradient method, CoexCG (Lan, Romeijn, Zhou: Conditional gradient methods
/// for convex optimization with general affine and nonlinear constraints, SIAM J. Optim. 31, 2021), of one loop, by
/// linear oracles of the region alone: nothing is projected. With lines ĝ and ĥ of objective and constraints about x,
///
///     λ ← max(0, λ + gain · (2 ĥ(p_k) − ĥ(p_{k−1}))),
///     p_{k+1} ← a vertex of the region where the slope of ĝ + Σⱼ λⱼ ĥⱼ is least,
///     x ← x + α_k (p_{k+1} − x), α_k = (η + 1) / (k + η).
///
/// A line is the mean of those of fresh replications at each x so far, also with the weights α_k, so that single
/// replications average out (Abernethy, Wang: On Frank–Wolfe and equilibrium computation, NeurIPS 2017, for exact
/// gradients): of convex functions it is a line below, up to that error. Recommended is x, a mean of vertices.
///
/// Gains fall as 1/√k, in units of how much the region lets the lines vary, which is measured now and then, so that no
/// scale of a coordinate matters. (The source's gains know bounds of gradients and the number of steps, or regularize
/// multipliers; it extrapolates by (k − 1) / k. Its lines are exact.) For smooth convex functions and exact lines gap
/// and violation fall as 1/√K, K steps, without a bound of the multipliers; with lines by replications this rate is
/// measured (the tests fit 1/√N, N replications), not proven. For others no convergence is claimed. The coordinates are
/// real, their bounds finite, the problem gives gradients.
Search conditional_gradient(SearchRun& run, ConditionalGradientOptions options);

}  // namespace sporos
