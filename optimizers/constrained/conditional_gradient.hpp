// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Options of the constraint-extrapolated conditional gradient method.
struct ConditionalGradientOptions {
  std::int64_t replications = 4;  ///< Number of replications at a point.
  /// Step size of multipliers for a violation as large as the variation of a constraint over the region.
  double dual_step = 3;
  double averaging = 1;  ///< Exponent η: in means of vertices and of lines, number k has a weight of about k^η.
};

/// Throws std::invalid_argument if an option is out of range.
void check(const ConditionalGradientOptions& options);

/// The constraint-extrapolated conditional gradient method, CoexCG, with a single loop (Lan, Romeijn, Zhou: Conditional
/// gradient methods for convex optimization with general affine and nonlinear constraints, SIAM J. Optim. 31, 2021). It
/// only uses linear oracles of the region and projects nothing. With linearizations (lines) ĝ and ĥ of objective and
/// constraints about x,
///
///     λ ← max(0, λ + gain · (2 ĥ(p_k) − ĥ(p_{k−1}))),
///     p_{k+1} ← a vertex of the region with the smallest slope of ĝ + Σⱼ λⱼ ĥⱼ,
///     x ← x + α_k (p_{k+1} − x), α_k = (η + 1) / (k + η).
///
/// A line is the mean, with the same weights α_k, of the lines from fresh replications at each x so far, so single
/// replications average out (Abernethy, Wang: On Frank–Wolfe and equilibrium computation, NeurIPS 2017, for exact
/// gradients). For convex functions it is a lower bound, up to that error. The search recommends x, a mean of vertices.
///
/// Gains fall as 1/√k, in units of the lines' variation over the region. This is measured from time to time, so that
/// the scales of coordinates do not matter. Lan et al. use exact lines and extrapolate by (k − 1) / k; their gains
/// require bounds of gradients and the number of steps, or regularized multipliers.
///
/// For smooth convex functions and exact lines, gap and violation fall as 1/√K in the number K of steps, without a
/// bound of the multipliers. With lines from replications this rate is measured (the tests fit 1/√N in the number N of
/// replications), not proven. For other functions no convergence is claimed. All coordinates must be real with finite
/// bounds, and the problem must provide gradients.
Search conditional_gradient(SearchRun& run, ConditionalGradientOptions options);

}  // namespace sporos
