// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/result.hpp>
#include <sporos/core/replication/series_runs.hpp>
#include <sporos/core/statistics/series_interval.hpp>
#include <sporos/procedures/steady_state/series_methods.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sporos {

/// Goal of an estimation of steady-state means.
struct SteadyStateGoal {
  SeriesMethod method = SeriesMethod::skart;  ///< method of estimation
  double confidence = 0.95;                   ///< confidence of each interval
  double half_width = 0;                      ///< upper bound of every half-width; 0 for no bound
  double relative_half_width = 0;             ///< the same bound as a share of the mean's absolute value
  std::int64_t observations = 1'000'000;      ///< number of observations of a run; with a precision, its maximum
  std::vector<std::size_t> means = {};        ///< means to estimate, as numbers in the launcher's names; empty: all

  /// Whether a precision is requested.
  bool is_sequential() const { return half_width > 0 || relative_half_width > 0; }
};

/// Throws std::invalid_argument if the goal cannot be reached, or if its method does not take this number of runs.
void check_goal(const SteadyStateGoal& goal, std::int64_t runs);

/// Returns the means that `goal` estimates, as numbers in the launcher's names.
std::vector<std::size_t> estimated_means(const SeriesRuns& runs, const SteadyStateGoal& goal);

/// Progress of an estimation.
struct SteadyStateProgress {
  std::int64_t observations;  ///< observations of each run so far
  std::int64_t next_look;     ///< number of observations at which the intervals are next computed
  double excess;              ///< largest ratio of a half-width to the requested one at the last look; 0 before
};

/// Estimated steady-state means.
struct SteadyStateResult {
  std::vector<std::size_t> means;         ///< estimated means, as numbers in the launcher's names
  std::vector<std::string> names;         ///< their names
  std::vector<SeriesInterval> intervals;  ///< their intervals; counts are in observations of a run
  std::int64_t observations = 0;          ///< observations made in each run
  std::string observation = {};           ///< see SegmentLauncher::observation
  /// Reason for the end: precision, ceiling (without reaching the precision), or the reason from `watch`. No value if
  /// the fixed number of observations was made.
  std::optional<StopReason> stopped_by;
};

/// Ratio of an interval's half-width to the one the goal requires: 1 if it is just narrow enough, infinite if there is
/// no interval.
double excess(const SeriesInterval& interval, const SteadyStateGoal& goal);

/// Extends the runs until all intervals are as narrow as required, or until the number of observations is reached.
/// `watch` is called after each segment and can end the estimation by returning a reason. There is a result in any
/// case.
///
/// The first look is at 16 384 observations. Each next look is where the widest interval is expected to be narrow
/// enough, at 1.02 to 2 times as many observations. Stopping when an interval looks narrow favours intervals that are
/// too narrow: the fewer observations a precision needs, the more coverage is lost (docs/benchmarks/coverage.md has
/// figures).
///
/// If `runs` are restored, `start` is the progress that their estimation had made. The result is then bitwise identical
/// to that of an uninterrupted estimation.
SteadyStateResult steady_state(SeriesRuns& runs, const SteadyStateGoal& goal,
                               const std::function<std::optional<StopReason>(const SteadyStateProgress&)>& watch = {},
                               const std::optional<SteadyStateProgress>& start = {});

}  // namespace sporos
