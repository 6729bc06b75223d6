// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/search/report.hpp>

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace sporos::runtime {

/// The objective over the range of one or two decision variables.
struct ResponseSurface {
  std::vector<std::vector<double>> axes;  ///< evenly spaced values of each decision variable
  /// Objective at all combinations of these, the last decision variable varying fastest; not finite at infeasible
  /// points.
  std::vector<EstimatedMean> objectives;
  std::vector<std::vector<double>> path;  ///< points that the search recommended, in order
};

/// Estimates the surface of `problem` by the replications for final estimates that follow the first `skipped` ones, the
/// same ones at all points. An unbounded range is cut a little beyond the path.
ResponseSurface response_surface(SampledProblem& problem, std::vector<std::vector<double>> path,
                                 const SearchRequest& request, std::int64_t skipped);

/// Returns a gnuplot script that draws a curve with intervals or a map with contour lines, and the path on it.
std::string picture_of(const ResponseSurface& surface, const SearchReport& report);

}  // namespace sporos::runtime
