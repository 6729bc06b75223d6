// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Of stochastic quasi-Newton. Lengths are in units of each coordinate's scale, max(1, |start|).
struct SampledSqnOptions {
  std::int64_t replications = 30;   ///< of a step's gradient
  std::int64_t pair_interval = 10;  ///< L, steps from a correction pair to the next
  std::int64_t pair_factor = 5;     ///< a pair's two gradients have as many times a step's replications
  std::int64_t pairs = 10;          ///< correction pairs that are kept
  double step = 0.2;                ///< the greatest coordinate of a first step, as long as there are no pairs
  double greatest_step = 1;         ///< the same of any step
  double decay = 0.7;               ///< p of step lengths, which fall as k⁻ᵖ; in [0, 1]; to converge, above 1/2
  double averaging = 3;             ///< η: in the mean of iterates that is recommended the k-th weighs about k^η
};

/// Throws std::invalid_argument for options out of range.
void check(const SampledSqnOptions& options);

/// Stochastic quasi-Newton (Byrd, Hansen, Nocedal, Singer: SIAM J. Optim. 26, 2016) within bounds: x moves along −H g,
/// g being the gradient of an independent sample. H is L-BFGS's inverse Hessian on coordinates away from their bounds
/// (ProjectedHessian). Its pairs say how the gradient changes from the mean of some L iterates to that of the next L,
/// by one sample, the same random numbers at both points, so that noise does not pass for curvature. Recommends a mean
/// of the iterates. The coordinates are real, the problem gives gradients.
Search sampled_sqn(SearchRun& run, SampledSqnOptions options);

}  // namespace sporos
