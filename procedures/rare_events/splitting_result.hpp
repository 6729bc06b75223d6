// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace sporos {

/// Options of multilevel splitting.
struct SplittingOptions {
  std::int64_t runs = 30;          ///< number of independent estimates for the interval; at least 2
  std::int64_t chains = 1000;      ///< number of chains of a run for each level; at least 2
  double share = 0.2;              ///< share of the chains that should reach the next level, in (0, 1)
  std::int64_t max_levels = 1000;  ///< maximum number of levels, including the target; at least 1
  double confidence = 0.95;        ///< confidence of the interval, in (0, 1)
  std::uint64_t seed = 1;          ///< seed of the random numbers
  /// Maximum number of steps of a chain on the way to a level: a chain that needs more is an error.
  std::int64_t max_steps = std::int64_t{1} << 40;
};

/// Estimated probability of a rare event.
struct SplittingResult {
  double probability = 0;  ///< mean of the runs' estimates
  double half_width = 0;   ///< half-width of its confidence interval, by Student; 0 if no run saw the event
  /// Upper bound of the probability if no run saw the event, otherwise infinite. It combines Clopper and Pearson's
  /// bound for the first level that no chain reached with the estimated probability of the level before, which is taken
  /// as exact.
  double at_most = std::numeric_limits<double>::infinity();
  /// Unbiased, independent estimate of each run. There are fewer than `runs` if a launch stop was requested.
  std::vector<double> estimates;
  std::vector<double> levels;  ///< levels at which chains were split; the last one is the target
  std::vector<double> shares;  ///< for each level, share of the started chains that reached it
  std::int64_t steps = 0;      ///< steps of all chains, including those that chose the levels
};

/// Throws std::invalid_argument if an option is out of range.
void check(const SplittingOptions& options);

namespace impl {

/// Minimum number of runs made at once: two, or as many as keep `threads` threads busy.
constexpr std::int64_t min_runs(std::int64_t threads, std::int64_t chains) {
  return std::max<std::int64_t>(2, threads / chains);
}

}  // namespace impl

/// Computes the result from the number of chains that reached each level: reached[s][r] of options.chains for level s
/// and run r. There may be fewer runs than options.runs.
SplittingResult splitting_result(const std::vector<std::vector<std::int64_t>>& reached, std::vector<double> levels,
                                 const SplittingOptions& options);

}  // namespace sporos
