// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Options of Frank–Wolfe over growing samples. Lengths are in units of each coordinate's scale, max(1, |start|).
struct SampledFrankWolfeOptions {
  std::int64_t replications = 64;  ///< Number of replications in the first stage's sample; rounded up to whole batches.
  double growth = 2;               ///< Growth factor of the sample from stage to stage; 1 for a single stage.
  double tolerance = 0.3;          ///< A stage ends if its gap is at most this fraction of the gap's standard error.
  double step = 0.2;               ///< Length of the first step: its largest coordinate.
  std::int64_t trials = 8;         ///< Maximum number of points that a line search tries.
};

/// Throws std::invalid_argument if an option is out of range.
void check(const SampledFrankWolfeOptions& options);

/// Pairwise Frank–Wolfe over a region with a linear oracle, by retrospective approximation. A stage minimizes the mean
/// f_N of N replications, the same at all points. The next stage starts at its result, with a sample that contains the
/// previous one and is `growth` times as large, until the budget is used up. A step goes along s − a. Vertex s of the
/// region minimizes the linear part of f_N; vertex a maximizes it on the face on which x lies (Garber, Meshi 2016: no
/// list of vertices is stored). Its length is the minimizer of the last step's parabola, at most up to the boundary,
/// and backtracks until f_N decreases sufficiently (Armijo). A stage ends if the Frank–Wolfe gap of f_N,
///
///     max_v gᵀ(x − v) = gᵀ(x − s),
///
/// is a small fraction of its own standard error, by eight batches, or if no step decreases f_N. All coordinates must
/// be real with finite bounds, and the problem must provide gradients.
Search sampled_frank_wolfe(SearchRun& run, SampledFrankWolfeOptions options);

}  // namespace sporos
