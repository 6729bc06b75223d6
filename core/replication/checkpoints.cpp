// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/replication/checkpoints.hpp>

#include <stdexcept>
#include <string>

namespace sporos {

void check_state(const ExperimentState& state, std::size_t points, std::size_t responses, std::size_t pairs,
                 const Plan& plan) {
  const auto refuse = [](const std::string& what, std::int64_t value, const std::string& expected) {
    throw std::invalid_argument("state of an experiment has " + std::to_string(value) + " " + what + ", expected " +
                                expected);
  };
  const auto as_number = [](std::size_t count) { return static_cast<std::int64_t>(count); };
  const std::int64_t length = plan.source.replications_of_run();
  const bool is_beginning = state.points.empty() && state.first > 0 && state.first == state.replications;
  if (!is_beginning && state.points.size() != points) {
    refuse("design points", as_number(state.points.size()), std::to_string(points));
  }
  if (state.replications < 0 || state.replications > plan.replications) {
    refuse("replications", state.replications, "from 0 to " + std::to_string(plan.replications));
  }
  const bool is_part = state.first != 0;
  if (is_part && (state.first < 0 || state.first > state.replications || state.first % length != 0)) {
    refuse("replications before its first", state.first,
           "a multiple of " + std::to_string(length) + ", at most " + std::to_string(state.replications));
  }
  if (is_part && plan.precision.is_set()) {
    refuse("replications before its first", state.first, "0, because the plan has a target precision");
  }
  for (const auto& [summary, stopped_by] : state.points) {
    const std::int64_t count = summary.replications;
    if (summary.observations.size() != responses || summary.runs_replications.size() != responses) {
      refuse("responses", as_number(summary.observations.size()), std::to_string(responses));
    }
    if (summary.pairs.size() != pairs) {
      refuse("pairs of responses", as_number(summary.pairs.size()), std::to_string(pairs));
    }
    if (stopped_by ? count < 0 || count > plan.replications : count != state.replications - state.first) {
      refuse("replications of a design point", count, std::to_string(state.replications - state.first));
    }
    for (std::size_t response = 0; response < responses; ++response) {
      const std::int64_t observations = summary.observations[response].count();
      const std::int64_t of_runs = summary.runs_replications[response].count();
      if (observations != count / length) refuse("observations", observations, std::to_string(count / length));
      if (of_runs != (length > 1 ? count : 0)) refuse("replications in runs", of_runs, std::to_string(count));
    }
    for (const CoMomentsTree& pair : summary.pairs) {
      if (pair.count() != count / length) refuse("observed pairs", pair.count(), std::to_string(count / length));
    }
  }
}

}  // namespace sporos
