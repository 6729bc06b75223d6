// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace sporos {

/// A point that was selected among some.
struct Selection {
  std::size_t place;          ///< of the lowest mean, among all
  std::size_t points;         ///< how many there were
  double bound;               ///< by how much another point may be lower, at most
  std::int64_t replications;  ///< of all points together
};

/// Selects the sample with the lowest mean. They have single replications, as many as each other, made with the same
/// random numbers. With the probability `confidence` no other point's true mean is lower by more than the bound: the
/// largest of the paired differences' one-sided bounds at level (1 − confidence) / (k − 1), by Student's quantile
/// (Bonferroni, as Nelson, Matejcik: Manag. Sci. 41, 1995, for common random numbers), at least 0. Points at which
/// there is nothing to run are not selected. @throws std::invalid_argument without samples, for fewer than 2
/// replications, a confidence outside (0, 1), and where there is nothing to run at any point.
Selection select_lowest(SampledProblem& problem, std::span<const Sample> samples, double confidence);

}  // namespace sporos
