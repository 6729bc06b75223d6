// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Of R-SPLINE.
struct RSplineOptions {
  std::int64_t replications = 8;      ///< m₁, at a point in the first iteration
  double growth = 1.5;                ///< m_{k+1} / m_k
  std::int64_t points = 8;            ///< b₁, that the first iteration looks for before it takes what it has
  double growth_of_points = 1.2;      ///< b_{k+1} / b_k
  double step = 0.1;                  ///< first lattice spacing of real coordinates, in units of max(1, |start|)
  std::int64_t most_candidates = 30;  ///< visited points among which the end is selected
};

/// Throws std::invalid_argument for options out of range.
void check(const RSplineOptions& options);

/// R-SPLINE (Wang, Pasupathy, Schmeiser: ACM TOMACS 23, 2013): a retrospective search over whole numbers. Iteration k
/// minimizes the mean of the same m_k replications at all points: a line search along the slope of the piecewise linear
/// interpolation around a perturbed point, then the best of the 2d neighbours, until none is lower or b_k points were
/// simulated. The next iteration starts there with more replications; points seen before are only simulated further.
///
/// Real coordinates live on a lattice through the start, whose spacing halves where an iteration ends at a point that
/// none of its neighbours betters. Recommends each iteration's end; its candidates are the lowest points that it
/// visited. Points at which there is nothing to run are avoided.
Search r_spline(SearchRun& run, RSplineOptions options);

}  // namespace sporos
