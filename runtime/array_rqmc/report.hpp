// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/array_rqmc/request.hpp>
#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace sporos::runtime {

/// Report on the mean response of a chain.
struct ArrayRqmcReport {
  const ArrayRqmcRequest& request;
  const ArrayRqmcResult& result;
  double seconds;                           ///< duration of the run
  Machine machine;                          ///< machine of the run
  std::optional<double> exact = {};         ///< exact mean, if theory provides it and it was computed in time
  std::optional<StopReason> ended_by = {};  ///< time_limit or interrupted, if that ended the run early
};

/// Returns the exact mean if it is known from theory. This may take long.
std::optional<double> exact_mean(const ArrayRqmcRequest& request);

/// Returns the work done so far as text, such as "12 of 30 randomizations".
std::string done_text(const ArrayRqmcReport& report);
/// Whether a launch stop ended the run before all work was done.
bool is_ended_early(const ArrayRqmcReport& report);
/// Returns the smallest amount of work that has a result, as text for messages: "2 randomizations were done".
std::string_view min_work(const ArrayRqmcRequest& request);
/// Returns an empty text, because the run has no goal that it can miss.
std::string missed_goal(const ArrayRqmcReport& report);

/// Returns the result as data.
ResultDocument document_of(const ArrayRqmcReport& report);

}  // namespace sporos::runtime
