// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstdint>
#include <vector>

namespace sporos {

/// Options of a convexity check by chords.
struct ChordCheckOptions {
  std::int64_t chords = 8;          ///< Number of chords between points that are spread over the region.
  std::int64_t replications = 100;  ///< Number of replications at each end and in the middle of each chord.
  double error_probability = 1e-3;  ///< Maximum probability that a convex objective is reported as not convex.
  std::uint64_t seed = 1;           ///< Seed of the random numbers.
};

/// Tests whether the objective is not convex. Returns true if, for some chord, the value in the middle is significantly
/// above the mean of the values at the ends. The test is Student's for paired replications with Bonferroni's
/// correction. Chords with infeasible points are skipped. An objective for which the result is false may still not be
/// convex. `start` must lie in the region.
/// @throws std::invalid_argument if an option is out of range or points cannot be drawn.
bool is_shown_not_convex(SampledProblem& problem, const std::vector<double>& start, const ChordCheckOptions& options);

}  // namespace sporos
