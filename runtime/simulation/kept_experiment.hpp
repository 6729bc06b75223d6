// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/simulation/model_description.hpp>
#include <sporos/runtime/simulation/options.hpp>

#include <sporos/core/replication/plan.hpp>

#include <optional>
#include <vector>

namespace sporos::runtime {

/// Makes `kept` the checkpoint of an experiment, where the options ask for one. Throws as KeptRun does, and
/// std::invalid_argument where they ask for what is not kept, too.
void keep_experiment(std::optional<KeptRun>& kept, const SimulateOptions& options,
                     const std::vector<ParameterValues>& design, const Plan& plan);

}  // namespace sporos::runtime
