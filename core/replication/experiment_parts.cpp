// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/replication/experiment_parts.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos {

namespace {

void check_same_size(const char* what, std::size_t found, std::size_t expected) {
  if (found == expected) return;
  throw std::invalid_argument("the next part has " + std::to_string(found) + " " + what + ", expected " +
                              std::to_string(expected));
}

template <class Node>
void append(const char* what, std::vector<ObservationTree<Node>>& trees,
            const std::vector<ObservationTree<Node>>& next) {
  check_same_size(what, next.size(), trees.size());
  for (std::size_t i = 0; i < trees.size(); ++i) {
    for (const Node& node : next[i].nodes()) trees[i].add(node);
  }
}

}  // namespace

ReplicationRange replications_of_part(const Plan& plan, std::int64_t number, std::int64_t parts) {
  check_plan(plan);
  if (plan.precision.is_set()) {
    throw std::invalid_argument(
        "the plan has a target precision, which depends on all replications: expected a number of replications");
  }
  const std::int64_t length = plan.source.replications_of_run(), runs = plan.replications / length;
  if (parts < 1 || parts > runs) {
    throw std::invalid_argument("number of parts is " + std::to_string(parts) + ", expected a number from 1 to " +
                                std::to_string(runs) +
                                (length > 1 ? ", the number of runs" : ", the number of replications"));
  }
  if (number < 1 || number > parts) {
    throw std::invalid_argument("number of the part is " + std::to_string(number) + ", expected a number from 1 to " +
                                std::to_string(parts));
  }
  const auto begin = [&](std::int64_t part) { return length * (runs / parts * part + std::min(part, runs % parts)); };
  return {begin(number - 1), begin(number) - begin(number - 1)};
}

std::optional<ExperimentState> beginning_of_part(const ReplicationRange& range) {
  if (range.first == 0) return std::nullopt;
  return ExperimentState{range.first, {}, range.first};
}

void append_part(ExperimentState& state, const ExperimentState& next) {
  if (next.first != state.replications) {
    throw std::invalid_argument("the next part begins at replication " + std::to_string(next.first) + ", expected " +
                                std::to_string(state.replications));
  }
  check_same_size("design points", next.points.size(), state.points.size());
  for (std::size_t point = 0; point < state.points.size(); ++point) {
    ReplicationSummary& summary = state.points[point].summary;
    const ReplicationSummary& more = next.points[point].summary;
    append("responses", summary.observations, more.observations);
    append("responses", summary.runs_replications, more.runs_replications);
    append("pairs of responses", summary.pairs, more.pairs);
    summary.replications += more.replications;
    summary.digest += more.digest;
    if (more.failures.has_failed) summary.failures.add(more.failures);
    state.points[point].stopped_by.reset();
  }
  state.replications = next.replications;
}

}  // namespace sporos
