// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/output_format.hpp>
#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/simulation/model_description.hpp>
#include <sporos/runtime/simulation/saved_run.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sporos::runtime {

/// The options that give a model's parameters, in a group of the help.
std::vector<OptionEntry> parameter_entries(const ModelDescription& model, const std::string& group);

/// The options that make a plan.
std::vector<OptionEntry> plan_entries();

/// `sporos simulate` with a model.
Usage simulate_usage(const ModelDescription& model);

/// Everything that `sporos simulate` is told.
struct SimulateOptions {
  const ModelDescription* model = nullptr;
  std::optional<SavedRun> saved_run;  ///< what --plan names
  NamedFiles files;                   ///< that the arguments name
  OptionTable table;                  ///< all options, the model's parameters included
  Format format = Format::table;
};

/// Reads the arguments behind `sporos simulate`. Throws Help where that is asked for, std::invalid_argument for what is
/// no option; values are looked at later.
SimulateOptions parse_simulate_options(std::span<const std::string> arguments);

}  // namespace sporos::runtime
