// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Options of a search from several starts.
struct MultistartOptions {
  std::int64_t starts = 8;    ///< Number of starts K, including the run's own start.
  double stage_share = 0.25;  ///< Fraction of the remaining budget that a stage takes; the last stage takes all.
  /// Fraction of a stage's budget reserved for comparing the points that its runs recommend.
  double final_share = 0.2;
  std::int64_t draws = 16;        ///< Number of points drawn for each additional start, which is the best of them.
  std::int64_t replications = 8;  ///< Number of replications at each of these points.
  double drawn_share = 0.1;       ///< Maximum fraction of the budget spent on these points.
};

/// Throws std::invalid_argument if an option is out of range.
void check(const MultistartOptions& options);

/// Default number of starts for a search over integers. It is eight, or fewer if the budget does not give each start 16
/// replications at the points of a simplex and its neighbours. It is 1 for real coordinates or if points cannot be
/// drawn.
std::int64_t default_starts(const SampledProblem& problem, std::int64_t budget);

/// Runs `solver` from several starts and repeatedly drops the worse half (successive halving: Karnin, Koren, Somekh,
/// ICML 2013), until one run is left, which gets the remaining budget.
///
/// The starts are the run's own start and K − 1 others. Each of these is the best of several points, and all points
/// together form a Latin hypercube over the region. There are ⌈log₂ K⌉ stages, each of which takes a fraction of the
/// remaining budget. In a stage all remaining runs advance side by side, each by an equal part of it. The points that
/// they recommend are then compared on the same replications, none of which the solver has used. The better half goes
/// on, without runs that recommend the same point as a better run. Under constraints on means the order is that of
/// certificates (best_certified), which hold simultaneously with probability 0.95.
///
/// The search recommends the point of the best start. Its candidates are those of that start and the points that the
/// others recommend. Integer coordinates are allowed if the solver supports them.
/// @throws std::invalid_argument if points cannot be drawn.
Search multistart(SearchRun& run, Solver solver, MultistartOptions options);

}  // namespace sporos
