// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Options of stochastic quasi-Newton. Lengths are in units of each coordinate's scale, max(1, |start|).
struct SampledSqnOptions {
  std::int64_t replications = 30;   ///< Number of replications of a step's gradient.
  std::int64_t pair_interval = 10;  ///< Number L of steps from one correction pair to the next.
  std::int64_t pair_factor = 5;  ///< Factor by which the replications of a pair's two gradients exceed those of a step.
  std::int64_t pairs = 10;       ///< Number of stored correction pairs.
  double step = 0.2;             ///< Length of a step before there are pairs: its largest coordinate.
  double largest_step = 1;       ///< Maximum length of any step: its largest coordinate.
  double decay = 0.7;  ///< Exponent p of the step lengths, which fall as k⁻ᵖ; in [0, 1]. Convergence requires p > 1/2.
  double averaging = 3;  ///< Exponent η: in the recommended mean of iterates, iterate k has a weight of about k^η.
};

/// Throws std::invalid_argument if an option is out of range.
void check(const SampledSqnOptions& options);

/// Stochastic quasi-Newton (Byrd, Hansen, Nocedal, Singer: SIAM J. Optim. 26, 2016) within bounds. x moves along −H g,
/// where g is the gradient of an independent sample. H is the L-BFGS inverse Hessian on coordinates away from their
/// bounds (ProjectedHessian). Its pairs are changes of the gradient from the mean of L iterates to that of the next L.
/// Both gradients use one sample with the same random numbers, so that noise is not mistaken for curvature. The search
/// recommends a mean of the iterates. All coordinates must be real; gradients are required.
Search sampled_sqn(SearchRun& run, SampledSqnOptions options);

}  // namespace sporos
