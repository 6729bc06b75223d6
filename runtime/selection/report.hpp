// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/results/result_document.hpp>
#include <sporos/runtime/selection/options.hpp>

#include <sporos/procedures/ranking_and_selection/systems.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sporos::runtime {

/// A step of a selection and the time at which it was finished.
struct TimedStep {
  std::string stage;
  std::int64_t survivors, replications;
  double seconds;
};

/// Results of a selection.
struct SelectionReport {
  SelectionRequest request;
  std::vector<TimedStep> steps;
  std::vector<SystemEstimate> survivors;  ///< the best first; means have the sign of the model's response
  std::int64_t replications;              ///< number of replications of all systems
  std::optional<StopReason> ended_by;     ///< time_limit or interrupted; nothing if the procedure finished
  double seconds;
  double seconds_in_replications;
  Machine machine;
  /// Probability of correct selection, for procedures that estimate it.
  std::optional<double> estimated_correct_selection;
  /// For each constraint, the survivors' estimates of the quantity that is compared with its limit.
  std::vector<std::vector<SystemEstimate>> constrained = {};
  /// If no system is feasible, the one nearest to feasibility and its quantity that is compared with the limit of a
  /// constraint.
  std::optional<InfeasibleSystem> nearest = {};
  std::vector<FailedSystem> failed = {};  ///< systems without a result, or with unknown variance
};

/// Converts the report to a document.
ResultDocument document_of(const SelectionReport& report);

}  // namespace sporos::runtime
