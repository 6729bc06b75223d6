// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/replication_range.hpp>
#include <sporos/core/replication/result.hpp>

#include <cstdint>
#include <optional>

/// Parts of an experiment that separate runs compute. Since replications are identified by their numbers, the states of
/// all parts, one after the other, are the state of a single run, with the same bits.
///
/// To run the part with replications `range`, pass beginning_of_part(range) as Checkpoints::start, and a plan with
/// `range.first + range.count` replications.
namespace sporos {

/// Replications of part `number`, from 1, if the replications of `plan` are divided evenly into `parts` parts, in whole
/// runs. Throws std::invalid_argument if the plan has a target precision, which depends on all replications, and if
/// there is no such part.
ReplicationRange replications_of_part(const Plan& plan, std::int64_t number, std::int64_t parts);

/// State at which a run of the replications `range` begins; empty for a part that begins at replication 0.
std::optional<ExperimentState> beginning_of_part(const ReplicationRange& range);

/// Appends the state of the part that follows `state`. Afterwards, all design points of `state` count as running.
/// Throws std::invalid_argument if `next` does not follow or has other design points or responses.
void append_part(ExperimentState& state, const ExperimentState& next);

}  // namespace sporos
