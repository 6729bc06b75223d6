// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/core/replication/plan.hpp>

#include <string>
#include <vector>

namespace sporos::runtime {

/// An experiment as described by its JSON output.
struct SavedRun {
  const ModelDescription* model;
  Plan plan;
  std::vector<ParameterValues> design;
};

/// Reads the JSON file that an experiment has written. Throws std::invalid_argument if it is not such a file.
SavedRun read_saved_run(const std::string& path);

}  // namespace sporos::runtime
