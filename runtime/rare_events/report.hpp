// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/rare_events/request.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace sporos::runtime {

/// Estimate that all methods provide.
struct RareEstimate {
  double probability;           ///< estimated probability; 0 if the event was not seen
  double low, high;             ///< ends of its interval; 0 and an upper bound if the event was not seen
  std::optional<double> exact;  ///< exact probability, if it is known from theory
};

/// Report on the probability of a rare event.
struct RareEventReport {
  const RareEventRequest& request;
  const RareEventResult& result;
  double seconds;                           ///< duration of the run
  Machine machine;                          ///< machine of the run
  std::optional<double> exact = {};         ///< exact probability, if theory provides it and it was computed in time
  std::optional<StopReason> ended_by = {};  ///< time_limit or interrupted, if that ended the run early

  RareEstimate estimate() const;  ///< returns the estimated probability
  /// Returns a warning if a few likelihood ratios or runs dominate the estimate; otherwise empty.
  std::string warning() const;
};

/// Returns the exact probability if it is known from theory. This may take long.
std::optional<double> exact_mean(const RareEventRequest& request);

/// Returns the work done so far as text, such as "12 of 30 runs".
std::string done_text(const RareEventReport& report);
/// Whether a launch stop ended the run before all work was done.
bool is_ended_early(const RareEventReport& report);
/// Returns the smallest amount of work that has a result, as text for messages such as "2 runs were done".
std::string_view min_work(const RareEventRequest& request);
/// Returns a message with an upper bound of the probability if the event was not seen; otherwise empty.
std::string missed_goal(const RareEventReport& report);

/// Returns the result as data.
ResultDocument document_of(const RareEventReport& report);

}  // namespace sporos::runtime
