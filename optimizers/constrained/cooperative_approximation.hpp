// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Of cooperative stochastic approximation. Lengths are in units of each coordinate's scale, max(1, |start|).
struct CooperativeApproximationOptions {
  std::int64_t replications = 30;  ///< at a point
  double step = 0.5;               ///< length of the first one
  double tolerance = 0.25;         ///< of violations, as a part of the step
  double averaging = 3;            ///< η: in the mean of iterates the k-th weighs about k^η
};

/// Throws std::invalid_argument for options out of range.
void check(const CooperativeApproximationOptions& options);

/// Cooperative stochastic approximation (Lan, Zhou: Algorithms for stochastic optimization with function or expectation
/// constraints, Comput. Optim. Appl. 76, 2020). Step k, of fresh replications at x, goes down the gradient of the
/// constraint that is violated most, if by more than η_k, else that of the objective; its length is step / √k for a
/// gradient of usual size, and
///
///     ηⱼ_k = tolerance · step / √k · root mean square of |∇hⱼ|.
///
/// Recommended is a mean of those x at which it went down the objective. For convex problems with bounded gradients gap
/// and violation fall as 1/√N, N replications; no multipliers are needed. (The paper's steps know bounds of gradients
/// and of the region; here these are estimated as it goes.) Of several constraints that bind, the greatest estimate at
/// a point exceeds the greatest mean by a part of its deviation, so that it ends inside by as much, whatever the number
/// of points: then more replications at a point are needed. The coordinates are real, the problem gives gradients.
Search cooperative_approximation(SearchRun& run, CooperativeApproximationOptions options);

}  // namespace sporos
