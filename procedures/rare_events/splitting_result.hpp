// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace sporos {

/// How a rare event is simulated.
struct SplittingOptions {
  std::int64_t runs = 30;           ///< independent estimates, of which the interval is made; at least 2
  std::int64_t chains = 1000;       ///< of a run, on the way to each level; at least 2
  double share = 0.2;               ///< of chains that is to reach the next level, in (0, 1)
  std::int64_t most_levels = 1000;  ///< the last of which is the target; at least 1
  double confidence = 0.95;         ///< of the interval, in (0, 1)
  std::uint64_t seed = 1;           ///< names the random numbers
  std::int64_t most_steps = std::int64_t{1}
                            << 40;  ///< of a chain on the way to a level: one that needs more is an error
};

/// The probability of a rare event.
struct SplittingResult {
  double probability = 0;  ///< mean of the runs' estimates
  double half_width = 0;   ///< of its confidence interval, by Student; 0 where no run saw the event
  /// Where no run saw the event: what the probability is at most, by Clopper and Pearson's bound for the first level
  /// that no chain reached, and the estimated probability of the level before, which is taken for exact; else infinite.
  double at_most = std::numeric_limits<double>::infinity();
  /// Of each run, independent and without bias; fewer than the options ask for where launches were asked to end.
  std::vector<double> estimates;
  std::vector<double> levels;  ///< that chains were split at, the last of which is the target
  std::vector<double> shares;  ///< of the chains that started for each level, those that reached it
  std::int64_t steps = 0;      ///< of all chains, those that chose the levels included
};

/// Throws std::invalid_argument for options out of range.
void check(const SplittingOptions& options);

namespace impl {

/// Runs that are made at once, at least: two, or as many as keep so many threads busy.
constexpr std::int64_t least_runs(std::int64_t threads, std::int64_t chains) {
  return std::max<std::int64_t>(2, threads / chains);
}

}  // namespace impl

/// What follows from how many chains reached each level: reached[s][r] of options.chains in run r. There may be fewer
/// runs than options.runs.
SplittingResult splitting_result(const std::vector<std::vector<std::int64_t>>& reached, std::vector<double> levels,
                                 const SplittingOptions& options);

}  // namespace sporos
