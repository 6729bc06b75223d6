// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Options of R-SPLINE.
struct RSplineOptions {
  std::int64_t replications = 8;     ///< Number of replications m₁ at a point in the first iteration.
  double growth = 1.5;               ///< Ratio m_{k+1} / m_k.
  std::int64_t points = 8;           ///< Number of points b₁ after which the first iteration ends.
  double growth_of_points = 1.2;     ///< Ratio b_{k+1} / b_k.
  double step = 0.1;                 ///< Initial lattice spacing of real coordinates, in units of max(1, |start|).
  std::int64_t max_candidates = 30;  ///< Maximum number of visited points among which the final point is selected.
};

/// Throws std::invalid_argument if an option is out of range.
void check(const RSplineOptions& options);

/// R-SPLINE (Wang, Pasupathy, Schmeiser: ACM TOMACS 23, 2013): a retrospective search over integers. Iteration k
/// minimizes the mean of m_k replications, the same at all points. It alternates a line search along the slope of the
/// piecewise linear interpolation around a perturbed point with a move to the best of the 2d neighbours. It ends when
/// no neighbour is lower or b_k points were simulated. The next iteration starts there with more replications; points
/// seen before only get the missing ones.
///
/// Real coordinates are restricted to a lattice through the start. Its spacing halves when an iteration ends at a point
/// that no neighbour improves. The search recommends the final point of each iteration; its candidates are the lowest
/// points that it visited. It avoids infeasible points.
Search r_spline(SearchRun& run, RSplineOptions options);

}  // namespace sporos
