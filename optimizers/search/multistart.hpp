// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Options of a search from several starts.
struct MultistartOptions {
  std::int64_t starts = 8;        ///< K, with the run's own one
  double stage_share = 0.25;      ///< part of what is left of the budget that a stage takes, but for the last one
  double final_share = 0.2;       ///< part of a stage's budget that is kept for the comparison of its ends
  std::int64_t draws = 16;        ///< points drawn for each further start, of which the best is taken
  std::int64_t replications = 8;  ///< at each of these points
  double drawn_share = 0.1;       ///< part of the budget that they may take at most
};

/// Throws std::invalid_argument for options out of range.
void check(const MultistartOptions& options);

/// Number of starts from which a search over whole numbers begins by default: eight, or fewer if the budget does not
/// let each of them look at a simplex and its neighbours by 16 replications; 1 if all coordinates are real numbers, or
/// if points cannot be drawn.
std::int64_t default_starts(const SampledProblem& problem, std::int64_t budget);

/// Runs `solver` from several starts and drops the worse half of them again and again (successive halving: Karnin,
/// Koren, Somekh, ICML 2013), until one goes on with what is left of the budget.
///
/// The starts are the run's own one and K − 1 others: each is the best of some points, all of which are spread over the
/// region as a Latin hypercube. In each of ⌈log₂ K⌉ stages, which take a part of what is left of the budget, all runs
/// that are left advance side by side, each by an equal part of it; then the points that they recommend are compared by
/// the same replications, none of which the solver has seen, and the better half goes on, without those that recommend
/// a point that a better run recommends. Under constraints on means the order is that of certificates (best_certified),
/// which hold together with probability 0.95.
///
/// The run recommends what the best of its starts does; its candidates are those of that start, and the ends of the
/// others. Integers too, where the solver takes them. @throws std::invalid_argument where points cannot be drawn.
Search multistart(SearchRun& run, Solver solver, MultistartOptions options);

}  // namespace sporos
