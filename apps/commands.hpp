// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime_names.hpp"

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/backend/tasks.hpp>
#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::apps {

/// A command: parses its arguments, runs and returns the exit status. Throws Help if help is requested, and the
/// exceptions that tell_failure reports.
using CommandFunction = int(std::span<const std::string> arguments, Backend& backend);

/// Programs that offer a command: all, only those that run tasks, or only the others.
enum class Offered { always, with_tasks, without_tasks };

/// A command of `sporos` and its entry in the list of commands.
struct Command {
  std::string_view group;  ///< heading above it in the list of commands
  std::string_view name;
  std::string_view arguments;  ///< shown after the name in the list of commands
  std::string_view meaning;    ///< short description in the list of commands
  CommandFunction* run;
  /// Returns one usage for each way to call the command, such as one for each model; null if the command has no
  /// options.
  std::vector<Usage> (*usages)();
  Offered offered = Offered::always;
};

/// Returns all commands of this program, in the order of the list of commands.
std::span<const Command> commands();

/// Returns all ways to call commands that have options. A command for models, problems or samplings has one for each of
/// them.
std::vector<Usage> usages();

/// Functions of the commands. Most are defined in a file of their name. Commands that answer a question with a single
/// computation are in estimates_at_once.cpp, `merge` is in simulate.cpp, and `input-uncertainty` in sensitivity.cpp.
CommandFunction simulate_command, merge_command, steady_state_command, rare_event_command, multilevel_command,
    stratify_command, array_rqmc_command, sensitivity_command, input_uncertainty_command, compare_samplings_command,
    replay_command, optimize_command, select_command, compare_solvers_command, predict_command, fit_command,
    sample_command, calibrate_command, new_command, list_command, problems_command, describe_command, info_command;

/// Functions that `sporos simulate` runs for case models. Each is defined in a file of its name.
#define SPOROS_DECLARE_COMMAND(name, Task) CommandFunction name##_command;
SPOROS_FOR_EACH_CASE_MODEL(SPOROS_DECLARE_COMMAND)
#undef SPOROS_DECLARE_COMMAND

/// Function that `sporos optimize classification` runs.
CommandFunction classification_command;

/// Runs `sporos optimize` for a model; `arguments` are those after the model's name.
int optimize_model_command(const ModelDescription& model, std::span<const std::string> arguments, Backend& backend);

/// Usage of `sporos merge`.
Usage merge_usage();

/// Usage of `sporos predict`.
Usage predict_usage();

/// Usage of `sporos problems`.
Usage problems_usage();

/// Usage of `sporos info`.
Usage info_usage();

/// Returns the dedicated function of `command` for the model or problem that its first argument names; null if there is
/// none. The function takes the arguments after that name.
CommandFunction* own_command(std::string_view command, std::span<const std::string> arguments);

}  // namespace sporos::apps
