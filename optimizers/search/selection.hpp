// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace sporos {

/// Result of a selection among points.
struct Selection {
  std::size_t place;          ///< Index of the point with the lowest mean.
  std::size_t points;         ///< Number of points.
  double bound;               ///< Upper bound on how much lower another point may be.
  std::int64_t replications;  ///< Number of replications over all points.
};

/// Selects the sample with the lowest mean. All samples must have single replications, equally many, with the same
/// random numbers. With probability `confidence` no other point's true mean is lower by more than the bound. The bound
/// is the largest of the paired differences' one-sided bounds at level (1 − confidence) / (k − 1), by Student's
/// quantile, or 0 if all are negative (Bonferroni, as Nelson, Matejcik: Manag. Sci. 41, 1995, for common random
/// numbers). Infeasible points are not selected.
/// @throws std::invalid_argument if there are no samples, fewer than 2 replications, a confidence outside (0, 1), or
/// only infeasible points.
Selection select_lowest(SampledProblem& problem, std::span<const Sample> samples, double confidence);

}  // namespace sporos
