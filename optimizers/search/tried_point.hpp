// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <algorithm>
#include <compare>
#include <utility>
#include <vector>

namespace sporos::impl {

/// A point and what a sample says of it. The best point comes first: the one that exceeds limits of constraints on
/// means least, then the one with the lowest mean.
struct TriedPoint {
  double excess;          ///< the greatest over limits of constraints on means; 0 if the point meets all
  double mean;            ///< of the objective; infinite at an infeasible point
  std::vector<double> x;  ///< the point
  auto operator<=>(const TriedPoint&) const = default;
};

/// The point x, by the sample `found` there.
inline TriedPoint tried_point(std::vector<double> x, const SampleMean& found) {
  double excess = 0;
  for (const ConstraintMean& constraint : found.constraints) excess = std::max(excess, constraint.mean);
  return {excess, found.mean, std::move(x)};
}

}  // namespace sporos::impl
