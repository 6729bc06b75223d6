// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kept_run.hpp"
#include "model_description.hpp"
#include "simulate_options.hpp"

#include <sporos/core/replication/plan.hpp>

#include <optional>
#include <vector>

namespace sporos::apps {

/// Makes `kept` the checkpoint of an experiment, where the options ask for one. Throws as KeptRun does, and
/// std::invalid_argument where they ask for what is not kept, too.
void keep_experiment(std::optional<KeptRun>& kept, const SimulateOptions& options,
                     const std::vector<ParameterValues>& design, const Plan& plan);

}  // namespace sporos::apps
