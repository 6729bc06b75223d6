// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Options of cooperative stochastic approximation. Lengths are in units of each coordinate's scale, max(1, |start|).
struct CooperativeApproximationOptions {
  std::int64_t replications = 30;  ///< Number of replications at a point.
  double step = 0.5;               ///< Length of the first step.
  double tolerance = 0.25;         ///< Tolerance of violations, relative to the step.
  double averaging = 3;            ///< Exponent η: in the mean of iterates, iterate k has a weight of about k^η.
};

/// Throws std::invalid_argument if an option is out of range.
void check(const CooperativeApproximationOptions& options);

/// Cooperative stochastic approximation (Lan, Zhou: Algorithms for stochastic optimization with function or expectation
/// constraints, Comput. Optim. Appl. 76, 2020). Step k uses fresh replications at x. It descends along the gradient of
/// the most violated constraint if the violation exceeds η_k, else along that of the objective. Its length is step / √k
/// for a gradient of typical size, and
///
///     ηⱼ_k = tolerance · step / √k · root mean square of |∇hⱼ|.
///
/// The search recommends a mean of those x at which it descended along the objective. For convex problems with bounded
/// gradients, gap and violation fall as 1/√N in the number N of replications; no multipliers are needed. Lan and Zhou
/// require bounds of gradients and of the region for the steps; here these are estimated during the run.
///
/// If several constraints are active, the largest of their estimates at a point exceeds the largest mean by a fraction
/// of its standard deviation. The search then ends inside the feasible region by that amount, whatever the number of
/// points; use more replications per point. All coordinates must be real; gradients are required.
Search cooperative_approximation(SearchRun& run, CooperativeApproximationOptions options);

}  // namespace sporos
