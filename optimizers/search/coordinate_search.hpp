// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace sporos {

/// Knowledge about a problem that costs no replications. Each member may be empty.
struct SearchKnowledge {
  /// Deterministic approximation of the objective at a point, such as a queueing formula; not a number where there is
  /// none. If it is empty, the search uses the problem's own, SampledProblem::approximation.
  std::function<double(std::span<const double> x)> approximation = {};
  /// Estimated decrease of the objective by a unit step up along coordinate i, at index 2i, and by one down, at index
  /// 2i + 1, from the moments of replications at x; empty if unknown.
  std::function<std::vector<double>(std::span<const double> x, const SampleMoments& moments)> step_scores = {};
};

/// Options of coordinate search.
struct CoordinateSearchOptions {
  std::int64_t replications = 3;     ///< Number of replications m₀ with which each comparison begins.
  double growth = 2;                 ///< Factor by which a sample grows while a comparison is close.
  double step = 0.1;                 ///< First step length of a coordinate, in units of max(1, |start|).
  double rejection = 0.3;            ///< Number of standard errors below 0 at which a comparison ends.
  double acceptance = 0.7;           ///< Number of standard errors above 0 from which a neighbour is accepted.
  std::int64_t paired_steps = 24;    ///< Number of the most promising steps that are also tried in pairs.
  std::int64_t max_candidates = 10;  ///< Maximum number of last points among which the final point is selected.
  SearchKnowledge knowledge = {};    ///< Knowledge about the problem.
};

/// Throws std::invalid_argument if an option is out of range.
void check(const CoordinateSearchOptions& options);

/// Adaptive coordinate search over integers with common random numbers, for tens to hundreds of decisions and few
/// replications. The search compares its point x with one neighbour at a time: a step along a coordinate, or a pair of
/// steps, such as moving one person from one shift to another. It moves as soon as a neighbour is better.
///
/// - *Order.* A normal belief about the gain of each step, and about the interaction of two steps, predicts the gain of
///   each neighbour. The search tries the neighbour with the largest expected improvement (Jones, Schonlau, Welch: J.
///   Glob. Optim. 13, 1998). Kalman filters track the beliefs while the search moves (StepBeliefs).
/// - *Comparison.* Both points use the same m replications. With the mean D of the paired differences, their
///   variance s² and the prediction N(p, v), the gain has the posterior mean (D m / s² + p / v) / (m / s² + 1 / v). The
///   comparison ends if this is `rejection` standard errors below 0, well above `acceptance`, or m has reached the
///   limit M; otherwise m grows by `growth`. So samples are large only where candidates are close.
/// - *Moves.* After each move, comparisons use new replications. On the same few replications, the errors of all
///   comparisons would be correlated: the search would fit these, and could end above its start.
/// - *Step lengths* double after two steps in the same direction, and halve after a failure, down to 1.
/// - *Local optimum.* After 2d failures at one point, all remaining steps are tried, down to length 1. If all fail, M
///   doubles and all neighbours are candidates again, with their previous replications. So the final point is tested
///   against its neighbourhood with growing samples, as in R-SPLINE (Wang, Pasupathy, Schmeiser: ACM TOMACS 23, 2013).
///
/// If there is an approximation of the objective, the search begins at its local minimum, unless the start is better on
/// m₀ to M replications. The local minimum is the lower one of descents from the start and from the best point whose
/// coordinates are all the same number of steps above their lower bounds. Differences of the approximation then predict
/// gains, and the beliefs track how simulated gains deviate from the predictions. Scores of steps serve as predictions
/// otherwise. In both cases a Bayesian regression through the origin scales the predictions.
///
/// Otherwise, the search begins with a line search along the diagonal: all coordinates move by their step lengths,
/// first up and then down, and twice as far after each success. It costs few replications, and helps if the start is
/// far from good points in many coordinates, such as at all lower bounds.
///
/// Coordinates must be integers. Linear constraints are allowed: infeasible neighbours are left out.
Search coordinate_search(SearchRun& run, CoordinateSearchOptions options);

}  // namespace sporos
