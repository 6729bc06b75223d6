// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/results/result_document.hpp>
#include <sporos/runtime/stratification/request.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// Report on means estimated from strata. Responses that are ratios of means are omitted.
struct StratifiedReport {
  const StratifiedRequest& request;
  const StratifiedResult& result;
  double seconds;   ///< duration of the run
  Machine machine;  ///< machine of the run
  /// Exact mean of each response, if it is known from theory; no entries if there was no time to compute them.
  std::vector<std::optional<double>> exact = {};
  std::optional<StopReason> ended_by = {};  ///< time_limit or interrupted, if that ended the run early
};

/// Returns, for each response, the exact mean if it is known from theory. This may take long.
std::vector<std::optional<double>> exact_mean(const StratifiedRequest& request);

/// Returns the work done so far as text, such as "512 of 100000 replications".
std::string done_text(const StratifiedReport& report);
/// Whether a launch stop ended the run before all work was done.
bool is_ended_early(const StratifiedReport& report);
/// Returns the smallest amount of work that has a result, as text for messages: "each stratum had 2 replications".
std::string_view min_work(const StratifiedRequest& request);
/// Returns an empty text, because the run has no goal that it can miss.
std::string missed_goal(const StratifiedReport& report);

/// Returns the result as data.
ResultDocument document_of(const StratifiedReport& report);

}  // namespace sporos::runtime
