// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/multilevel/request.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace sporos::runtime {

/// Report on a mean estimated by multilevel Monte Carlo.
struct MultilevelReport {
  const MultilevelRequest& request;
  const MultilevelResult& result;
  double seconds;   ///< duration of the run
  Machine machine;  ///< machine of the run
  /// Exact limit of the levels' means, if theory provides it and it was computed in time.
  std::optional<double> exact = {};
  std::optional<StopReason> ended_by = {};  ///< time_limit or interrupted, if that ended the run early
};

/// Returns the exact limit of the levels' means if it is known from theory. This may take long.
std::optional<double> exact_mean(const MultilevelRequest& request);

/// Returns the work done so far as text, such as "5000 replications on 3 levels".
std::string done_text(const MultilevelReport& report);
/// Whether a launch stop ended the run before it reached the requested root mean square error.
bool is_ended_early(const MultilevelReport& report);
/// Returns the smallest amount of work that has a result, as text for messages: "3 levels were done".
std::string_view min_work(const MultilevelRequest& request);
/// Returns the reason why the run missed the requested root mean square error; empty if it reached it.
std::string missed_goal(const MultilevelReport& report);

/// Returns the result as data.
ResultDocument document_of(const MultilevelReport& report);

}  // namespace sporos::runtime
