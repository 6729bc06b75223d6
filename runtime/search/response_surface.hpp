// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/search/report.hpp>

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace sporos::runtime {

/// The objective over the range of one decision or two.
struct ResponseSurface {
  std::vector<std::vector<double>> axes;  ///< of each decision its places, evenly spaced
  std::vector<EstimatedMean> objectives;  ///< at all of them, those with the same place of the first decision next to
                                          ///< each other; not finite where there is none
  std::vector<std::vector<double>> path;  ///< points that the search recommended, in order
};

/// That of `problem`, by the replications for final estimates that come behind `skipped` others, the same ones at all
/// points. A range without an end ends a bit behind the path.
ResponseSurface response_surface(SampledProblem& problem, std::vector<std::vector<double>> path,
                                 const SearchRequest& request, std::int64_t skipped);

/// A script of gnuplot: a curve with intervals, or a map with contour lines, and the path on it.
std::string picture_of(const ResponseSurface& surface, const SearchReport& report);

}  // namespace sporos::runtime
