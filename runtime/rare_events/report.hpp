// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/rare_events/request.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace sporos::runtime {

/// What all methods tell.
struct RareEstimate {
  double probability;           ///< 0 where the event was not seen
  double low, high;             ///< ends of its interval; where it was not seen, 0 and what it is at most
  std::optional<double> exact;  ///< where theory knows it
};

/// The probability of a rare event and how it came about.
struct RareEventReport {
  const RareEventRequest& request;
  const RareEventResult& result;
  double seconds;                           ///< that it took
  Machine machine;                          ///< where
  std::optional<double> exact = {};         ///< the probability, where theory knows it and it was computed in time
  std::optional<StopReason> ended_by = {};  ///< time_limit or interrupted, if that ended it early

  RareEstimate estimate() const;  ///< the probability
  /// What people should know: where few likelihood ratios or runs carry the estimate; empty where nothing is to say.
  std::string warning() const;
};

/// What theory knows of the probability, which may take long.
std::optional<double> exact_mean(const RareEventRequest& request);

/// What is done: "12 of 30 runs".
std::string done_text(const RareEventReport& report);
/// Whether launches were asked to end before all was done.
bool is_ended_early(const RareEventReport& report);
/// The least work that has a result, for messages: "2 runs were done".
std::string_view least_work(const RareEventRequest& request);
/// The reason why the run missed its goal; empty if it has no goal or reached it.
std::string missed_goal(const RareEventReport& report);

/// The result as data.
ResultDocument document_of(const RareEventReport& report);

}  // namespace sporos::runtime
