// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sporos {

/// A point that was selected among some.
struct Selection {
  std::size_t place;          ///< of the lowest mean
  double bound;               ///< by how much another point may be lower, at most
  std::int64_t replications;  ///< of all points together
};

/// Selects the point with the lowest mean by `count` replications of each, from number `first` on, with the random
/// numbers of `seed`, the same at all points. With the probability `confidence` no other point's true mean is lower by
/// more than the bound: the largest of the paired differences' one-sided bounds at level (1 − confidence) / (k − 1), by
/// Student's quantile (Bonferroni, as Nelson, Matejcik: Manag. Sci. 41, 1995, for common random numbers), at least 0.
/// Points at which there is nothing to run are not selected. @throws std::invalid_argument without points, for fewer
/// than 2 replications, a confidence outside (0, 1), and where there is nothing to run at any point.
Selection select_lowest(SampledProblem& problem, std::span<const std::vector<double>> points, std::int64_t count,
                        std::int64_t first, std::uint64_t seed, double confidence);

}  // namespace sporos
