// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/multilevel/request.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace sporos::runtime {

/// A mean over levels and how it came about.
struct MultilevelReport {
  const MultilevelRequest& request;
  const MultilevelResult& result;
  double seconds;                    ///< that it took
  Machine machine;                   ///< where
  std::optional<double> exact = {};  ///< the limit of the means, where theory knows it and it was computed in time
  std::optional<StopReason> ended_by = {};  ///< time_limit or interrupted, if that ended it early
};

/// What theory knows of the mean, which may take long.
std::optional<double> exact_mean(const MultilevelRequest& request);

/// What is done: "3 levels".
std::string done_text(const MultilevelReport& report);
/// Whether launches were asked to end before all was done.
bool is_ended_early(const MultilevelReport& report);
/// The least work that has a result, for messages: "2 runs were done".
std::string_view least_work(const MultilevelRequest& request);
/// The reason why the run missed its goal; empty if it has no goal or reached it.
std::string missed_goal(const MultilevelReport& report);

/// The result as data.
ResultDocument document_of(const MultilevelReport& report);

}  // namespace sporos::runtime
