// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Of Frank–Wolfe over samples that grow. Lengths are in units of each coordinate's scale, max(1, |start|).
struct SampledFrankWolfeOptions {
  std::int64_t replications = 64;  ///< in the first stage's sample; rounded up to whole batches
  double growth = 2;               ///< factor of the sample from stage to stage; 1 for one stage alone
  double tolerance = 0.3;          ///< a stage ends where its gap is this part of the gap's own standard error
  double step = 0.2;               ///< the first one's greatest coordinate
  std::int64_t trials = 8;         ///< points that a line search tries
};

/// Throws std::invalid_argument for options out of range.
void check(const SampledFrankWolfeOptions& options);

/// Pairwise Frank–Wolfe over a region with a linear oracle, by retrospective approximation: a stage minimizes the mean
/// f_N of N replications, the same ones at all points; the next one begins where it ended, with a sample that contains
/// it and is `growth` times as large, until the budget is used up. A step leads along s − a: s is the vertex of the
/// region where the linear part of f_N is least, a the one where it is greatest on the face on which x lies (Garber,
/// Meshi 2016: no list of vertices is kept). Its length is the minimum of the last step's parabola, backwards until f_N
/// falls enough (Armijo), at most up to the boundary. A stage ends where the Frank–Wolfe gap
///
///     max_v gᵀ(x − v) = gᵀ(x − s)
///
/// of f_N is a small part of its own standard error, by eight batches, or where no step lowers f_N. The coordinates are
/// real, the problem gives gradients, and its bounds are finite.
Search sampled_frank_wolfe(SearchRun& run, SampledFrankWolfeOptions options);

}  // namespace sporos
