// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/core/replication/plan.hpp>

#include <string>
#include <vector>

namespace sporos::runtime {

/// What an experiment was, as its JSON output tells.
struct SavedRun {
  const ModelDescription* model;
  Plan plan;
  std::vector<ParameterValues> design;
};

/// Reads the JSON file that an experiment has written. Throws std::invalid_argument where it is none.
SavedRun read_saved_run(const std::string& path);

}  // namespace sporos::runtime
