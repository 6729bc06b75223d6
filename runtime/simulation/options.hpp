// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_parser.hpp>
#include <sporos/runtime/options/output_format.hpp>
#include <sporos/runtime/simulation/model_description.hpp>
#include <sporos/runtime/simulation/saved_run.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sporos::runtime {

/// The options that make a plan, as the user wrote them.
struct PlanOptions {
  OptionText replications, precision, relative_precision, max_replications, batch, time_limit, seed, engine, sampling,
      run_length, sample_size, primes, sub_runs, mapping, confidence, common_random_numbers;
  OptionText compared_samplings;  ///< each takes what is meant for it
};

/// Adds the options of a plan to `app`; what the user gives goes to `plan`.
void add_plan(CLI::App& app, PlanOptions& plan);

/// Everything that `sporos simulate` is told.
struct SimulateOptions {
  const ModelDescription* model = nullptr;
  std::vector<OptionText> parameters;  ///< in the model's order
  OptionText design;                   ///< a file
  PlanOptions plan;
  std::optional<SavedRun> saved_run;  ///< what --plan names
  NamedFiles files;                   ///< that the arguments name
  OptionText threads, device, replay, point, output;
  OptionText largest, smallest;
  OptionText responses;  ///< a file
  OptionText quantiles, cost;
  std::vector<std::string> requirements;  ///< in their order
  OptionText checkpoint, every;
  Format format = Format::table;
  bool shows_progress = true;
};

/// Reads the arguments behind `sporos simulate`. Throws Help where that is asked for, std::invalid_argument for what is
/// no option; values are looked at later.
SimulateOptions parse_simulate_options(std::span<const std::string> arguments);

}  // namespace sporos::runtime
