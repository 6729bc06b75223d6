// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/core/replication/plan.hpp>

#include <string>
#include <vector>

namespace sporos::runtime {

/// Throws std::invalid_argument if the options request a checkpoint together with results that a checkpoint does not
/// store, and in the same cases as checkpoint_interval.
void check_checkpoint(const OptionTable& options);

/// Describes the experiment of a checkpoint or a part: everything that determines the bits of the result, including
/// whether responses are corrected by controls or replaced by conditional expectations.
io::Json experiment_description(const ModelDescription& model, const std::vector<ParameterValues>& design,
                                const Plan& plan, bool has_controls = false, bool is_conditional = false);

/// An experiment as described by its JSON output.
struct SavedRun {
  const ModelDescription* model;
  Plan plan;
  std::vector<ParameterValues> design;
};

/// Reads the JSON file that an experiment has written. Throws std::invalid_argument if it is not such a file.
SavedRun read_saved_run(const std::string& path);

}  // namespace sporos::runtime
