// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/results/result_document.hpp>
#include <sporos/runtime/selection/options.hpp>

#include <sporos/procedures/ranking_and_selection/systems.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// A step of a selection, and when it was done.
struct TimedStep {
  std::string stage;
  std::int64_t survivors, replications;
  double seconds;
};

/// What a selection found.
struct SelectionReport {
  SelectionRequest request;
  std::vector<TimedStep> steps;
  std::vector<SystemEstimate> survivors;  ///< the best first; means as the model gives them
  std::int64_t replications;              ///< of all systems
  std::optional<StopReason> ended_by;     ///< time_limit or interrupted; nothing if the procedure came to its end
  double seconds;
  double seconds_in_replications;
  Machine machine;
  std::optional<double> estimated_correct_selection;  ///< a probability, of procedures that estimate it
  /// Of each constraint what is compared with its limit, of the survivors.
  std::vector<std::vector<SystemEstimate>> constrained = {};
  /// Where none is feasible, that which is nearest to it, and what is compared with the limit of a constraint.
  std::optional<InfeasibleSystem> nearest = {};
  std::vector<FailedSystem> failed = {};  ///< systems without a result, or of unknown variance
};

/// The result as data.
ResultDocument document_of(const SelectionReport& report);

}  // namespace sporos::runtime
