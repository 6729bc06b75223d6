// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/result.hpp>
#include <sporos/core/replication/series_runs.hpp>
#include <sporos/core/statistics/series_interval.hpp>
#include <sporos/procedures/steady_state/series_methods.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sporos {

/// What is wanted of steady-state means.
struct SteadyStateGoal {
  SeriesMethod method = SeriesMethod::skart;  ///< by which they are estimated
  double confidence = 0.95;                   ///< of each interval
  double half_width = 0;                      ///< of every interval at most; 0 where that is not asked
  double relative_half_width = 0;             ///< the same as a share of the mean's absolute value
  std::int64_t observations = 1'000'000;      ///< of a run: without a precision as many, with one at most as many

  /// Whether a precision is asked for.
  bool is_sequential() const { return half_width > 0 || relative_half_width > 0; }
};

/// Throws std::invalid_argument for a goal that cannot be reached, and for a number of runs that its method does not
/// take.
void check_goal(const SteadyStateGoal& goal, std::int64_t runs);

/// How far an estimation is.
struct SteadyStateProgress {
  std::int64_t observations;  ///< of each run so far
  std::int64_t next_look;     ///< observations at which it looks at the intervals next
  double excess;              ///< half-width over the wanted one at the last look, the greatest; 0 before
};

/// Steady-state means.
struct SteadyStateResult {
  std::vector<std::string> names;         ///< of the series
  std::vector<SeriesInterval> intervals;  ///< one for each; counts are in observations of a run
  std::int64_t observations = 0;          ///< made of each run
  /// precision, ceiling (before the precision), or as a watch said; nothing after as many observations as wanted
  std::optional<StopReason> stopped_by;
};

/// The excess of an interval over what the goal wants of it: 1 where it just is narrow enough, infinite where there is
/// none.
double excess(const SeriesInterval& interval, const SteadyStateGoal& goal);

/// Extends the runs until all intervals are as narrow as wanted, or to as many observations as wanted. `watch` is
/// called after each segment and ends the estimation by a reason; there is a result in any case.
///
/// The first look is at 16 384 observations, each next one where the widest interval is expected to be narrow enough,
/// at 1.02 to 2 times as many. To stop where an interval looks narrow favours intervals that are too narrow: the less
/// observations a precision needs, the more coverage is lost (docs/output_analysis.md says how much).
///
/// Where `runs` are restored, `start` is the progress that their estimation had made: the result has the bits of one
/// that was not stopped.
SteadyStateResult steady_state(SeriesRuns& runs, const SteadyStateGoal& goal,
                               const std::function<std::optional<StopReason>(const SteadyStateProgress&)>& watch = {},
                               const std::optional<SteadyStateProgress>& start = {});

}  // namespace sporos
