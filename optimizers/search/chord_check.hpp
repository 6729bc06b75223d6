// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstdint>
#include <vector>

namespace sporos {

/// Options of a check of chords.
struct ChordCheckOptions {
  std::int64_t chords = 8;          ///< between points that are spread over the region
  std::int64_t replications = 100;  ///< at each end, and in the middle of each
  double error_probability = 1e-3;  ///< with which a convex objective is said not to be convex, at most
  std::uint64_t seed = 1;           ///< names the random numbers
};

/// Whether the objective is shown not to be convex: in the middle of a chord it is above the mean of the chord's ends,
/// by Student's test of paired replications with Bonferroni's correction. Chords at infeasible points are left out. A
/// problem of which nothing is shown may still not be convex. `start` lies in the region. @throws std::invalid_argument
/// for options out of range, and where points cannot be drawn.
bool is_shown_not_convex(SampledProblem& problem, const std::vector<double>& start, const ChordCheckOptions& options);

}  // namespace sporos
