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

/// Means from strata and how they came about. Responses that are ratios of means are left out.
struct StratifiedReport {
  const StratifiedRequest& request;
  const StratifiedResult& result;
  double seconds;   ///< that it took
  Machine machine;  ///< where
  std::vector<std::optional<double>> exact =
      {};                                   ///< of each response, where theory knows it and it was computed in time
  std::optional<StopReason> ended_by = {};  ///< time_limit or interrupted, if that ended it early
};

/// What theory knows of the means, which may take long.
std::vector<std::optional<double>> exact_mean(const StratifiedRequest& request);

/// What is done: "512 of 100000 replications".
std::string done_text(const StratifiedReport& report);
/// Whether launches were asked to end before all was done.
bool is_ended_early(const StratifiedReport& report);
/// The least work that has a result, for messages: "2 runs were done".
std::string_view least_work(const StratifiedRequest& request);
/// The reason why the run missed its goal; empty if it has no goal or reached it.
std::string missed_goal(const StratifiedReport& report);

/// The result as data.
ResultDocument document_of(const StratifiedReport& report);

}  // namespace sporos::runtime
