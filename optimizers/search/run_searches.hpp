// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace sporos {

/// Location of a search's final point relative to its start and the bounds.
struct EndOfSearch {
  bool is_at_start = false;          ///< Whether the search found no point better than its start.
  std::vector<std::size_t> at_low;   ///< Indices of coordinates that ended at the lower bound.
  std::vector<std::size_t> at_high;  ///< Indices of coordinates that ended at the upper bound.
};

/// Describes the final point x of a search from `start`. A real coordinate counts as at a bound if it is within a
/// thousandth of the width of its range, because means of iterates only converge to it.
EndOfSearch end_of_search(std::span<const DecisionRange> bounds, const std::vector<double>& start,
                          const std::vector<double>& x);

/// Result of a search.
struct SearchResult {
  std::vector<double> x;                        ///< The recommended point.
  std::int64_t replications = 0;                ///< Number of replications used.
  std::vector<Recommendation> recommendations;  ///< All recommendations, in the order of the replications used.
  std::vector<std::vector<double>> candidates;  ///< Points among which a selection may find a better one; can be empty.
  EndOfSearch end = {};                         ///< Location of x relative to start and bounds.
  std::int64_t starts = 1;        ///< Number of starts; a local solver does not explore beyond their surroundings.
  std::int64_t tried_points = 0;  ///< Number of points that the solver tried all over the region.
};

/// Runs `solver` from `start` once for each of `seeds`, with `budget` replications each. All runs advance side by side,
/// and each round is one call of the problem. A run's result depends only on its own seed. `is_enough` is polled before
/// each round; if it returns true, runs end where they are.
/// @throws std::invalid_argument if
/// - the start is out of bounds or has the wrong dimension;
/// - the start or a bound of an integer coordinate is not an integer;
/// - the budget is below 1, or the solver rejects its options.
std::vector<SearchResult> run_searches(
    SampledProblem& problem, const Solver& solver, const std::vector<double>& start, std::int64_t budget,
    const std::vector<std::uint64_t>& seeds, const std::function<bool()>& is_enough = [] { return false; });

/// Runs `solver` on all of `runs`, side by side. `problem` simulates; each run's own problem evaluates its samples, so
/// runs may have different objectives and constraints of the same means. A run's result does not depend on the other
/// runs. `is_enough` is polled before each round; if it returns true, runs end where they are. They also end if a stop
/// of launches is requested (core/execution/launch_stop.hpp).
/// @throws std::invalid_argument if starts or bounds are invalid, as above.
std::vector<SearchResult> run_searches(
    SampledProblem& problem, const Solver& solver, std::deque<SearchRun>& runs,
    const std::function<bool()>& is_enough = [] { return false; });

/// Seeds of `runs` macro-replications of a search: `seed` itself and others derived from it, with distinct random
/// numbers.
std::vector<std::uint64_t> seeds_of_runs(std::uint64_t seed, std::int64_t runs);

/// Samples of `count` replications at `points`, the same at all points, that no run with `seed` or one of its
/// seeds_of_runs uses. Skips the first `skipped` of these replications. Includes single replications if `has_values`.
std::vector<Sample> unseen_samples(const std::vector<std::vector<double>>& points, std::int64_t count,
                                   std::uint64_t seed, std::int64_t skipped = 0, bool has_values = false);

/// Means of such samples, with their single replications.
std::vector<SampleMean> unseen_means(SampledProblem& problem, const std::vector<std::vector<double>>& points,
                                     std::int64_t count, std::uint64_t seed, std::int64_t skipped = 0);

}  // namespace sporos
