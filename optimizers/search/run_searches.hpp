// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace sporos {

/// Where a search ended, as seen from where it began and from the bounds.
struct EndOfSearch {
  bool is_at_start = false;          ///< whether the search found no point better than its start
  std::vector<std::size_t> at_low;   ///< coordinates that ended at the lower bound
  std::vector<std::size_t> at_high;  ///< coordinates that ended at the upper bound
};

/// Describes the end x of a search from `start`. A real coordinate is at a bound if it is within a thousandth of the
/// width of its range, since means of iterates only tend to it.
EndOfSearch end_of_search(std::span<const DecisionRange> bounds, const std::vector<double>& start,
                          const std::vector<double>& x);

/// What a search found.
struct SearchResult {
  std::vector<double> x;                        ///< the point that it recommends
  std::int64_t replications = 0;                ///< that it used
  std::vector<Recommendation> recommendations;  ///< all of them, in the order of the replications used
  std::vector<std::vector<double>> candidates;  ///< points among which a selection would find a better one, if any
  EndOfSearch end = {};                         ///< where x lies
  std::int64_t starts = 1;        ///< that were searched from; a local solver does not see what lies elsewhere
  std::int64_t tried_points = 0;  ///< all over the region that the solver tried
};

/// Runs `solver` from `start`, once for each of `seeds`, with `budget` replications each: all runs advance side by
/// side, and each round of theirs is one call of the problem. A run's result depends on its seed alone, not on the
/// others. `is_enough` is asked before each round; runs then end where they are. @throws std::invalid_argument for a
/// start outside the bounds or of another dimension, for a start or a bound of a whole coordinate that is not whole,
/// for a budget below 1, and what the solver says of its options.
std::vector<SearchResult> run_searches(
    SampledProblem& problem, const Solver& solver, const std::vector<double>& start, std::int64_t budget,
    const std::vector<std::uint64_t>& seeds, const std::function<bool()>& is_enough = [] { return false; });

/// Runs `solver` on all of `runs`, side by side. `problem` simulates; each run's own problem says what its samples
/// mean, so that runs may differ in objective and constraints of the same means. A run's result depends on itself
/// alone. `is_enough` is asked before each round; runs then end where they are, as where launches are asked to end
/// (core/execution/launch_stop.hpp). @throws std::invalid_argument for starts and bounds as above.
std::vector<SearchResult> run_searches(
    SampledProblem& problem, const Solver& solver, std::deque<SearchRun>& runs,
    const std::function<bool()>& is_enough = [] { return false; });

/// Seeds of so many macro-replications of a search: `seed` itself, and others that follow from it, whose runs have
/// random numbers of their own.
std::vector<std::uint64_t> seeds_of_runs(std::uint64_t seed, std::int64_t runs);

/// Samples at `points` of `count` replications that no run with `seed` or one of its seeds_of_runs has seen, the same
/// ones at all points: those behind the first `skipped` that are such. With single replications, if `has_values`.
std::vector<Sample> unseen_samples(const std::vector<std::vector<double>>& points, std::int64_t count,
                                   std::uint64_t seed, std::int64_t skipped = 0, bool has_values = false);

/// The means of these samples, and their replications themselves.
std::vector<SampleMean> unseen_means(SampledProblem& problem, const std::vector<std::vector<double>>& points,
                                     std::int64_t count, std::uint64_t seed, std::int64_t skipped = 0);

}  // namespace sporos
