// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/core/replication/plan.hpp>

#include <vector>

namespace sporos::runtime {

/// Throws std::invalid_argument where the options ask for a checkpoint beside what is not kept, and as
/// checkpoint_interval does.
void check_checkpoint(const OptionTable& options);

/// What a checkpoint of an experiment is of: all that decides the bits of the result.
io::Json experiment_description(const ModelDescription& model, const std::vector<ParameterValues>& design,
                                const Plan& plan);

}  // namespace sporos::runtime
