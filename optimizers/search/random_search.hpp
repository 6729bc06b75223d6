// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Of random search.
struct RandomSearchOptions {
  std::int64_t replications = 10;     ///< at a point
  std::int64_t points = 64;           ///< tried in a round, side by side, at most: 4 in the first, then twice as many
  std::int64_t most_candidates = 30;  ///< lowest points among which the end is selected
};

/// Throws std::invalid_argument for options out of range.
void check(const RandomSearchOptions& options);

/// Tries points drawn at random, as the problem says or else uniformly within the bounds, all with the same random
/// numbers, and recommends the one with the lowest mean so far, the lowest ones being its candidates; integers too.
/// Under constraints on means a point that meets them by its own replications comes before any that does not, of which
/// the one with the least greatest excess comes first; there are no candidates then, as these are compared by the
/// objective alone. @throws std::invalid_argument where a bound is infinite and the problem says nothing of how its
/// coordinate is drawn.
Search random_search(SearchRun& run, RandomSearchOptions options);

}  // namespace sporos
