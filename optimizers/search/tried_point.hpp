// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <algorithm>
#include <compare>
#include <utility>
#include <vector>

namespace sporos::impl {

/// A point with its estimate from a sample. Points with the smallest excess over constraints on means come first, then
/// those with the lowest mean.
struct TriedPoint {
  double excess;          ///< Largest excess over a limit of the constraints on means; 0 if the point satisfies all.
  double mean;            ///< Mean of the objective; infinite at an infeasible point.
  std::vector<double> x;  ///< The point.
  auto operator<=>(const TriedPoint&) const = default;
};

/// Creates the TriedPoint of x from the sample `found` there.
inline TriedPoint tried_point(std::vector<double> x, const SampleMean& found) {
  double excess = 0;
  for (const ConstraintMean& constraint : found.constraints) excess = std::max(excess, constraint.mean);
  return {excess, found.mean, std::move(x)};
}

}  // namespace sporos::impl
