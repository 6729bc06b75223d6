// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Options of random search.
struct RandomSearchOptions {
  std::int64_t replications = 10;  ///< Number of replications at a point.
  /// Maximum number of points tried side by side in a round: 4 in the first round, then twice as many each time.
  std::int64_t points = 64;
  std::int64_t max_candidates = 30;  ///< Maximum number of lowest points among which the final point is selected.
};

/// Throws std::invalid_argument if an option is out of range.
void check(const RandomSearchOptions& options);

/// Tries points drawn at random, from the problem's distributions or else uniformly within the bounds, with common
/// random numbers. Recommends the point with the lowest mean so far; the lowest points are its candidates. Integer
/// coordinates are allowed.
///
/// Under constraints on means, points that satisfy them on their own replications precede all others; the others are
/// ordered by their largest excess. There are no candidates then, because these are compared only by the objective.
/// @throws std::invalid_argument if a bound is infinite and the problem has no distribution for that coordinate.
Search random_search(SearchRun& run, RandomSearchOptions options);

}  // namespace sporos
