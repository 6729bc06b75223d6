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

/// A command: reads its arguments, does what they ask for and returns the exit status. Throws Help where that is asked
/// for, and what tell_failure tells.
using CommandFunction = int(std::span<const std::string> arguments, Backend& backend);

/// Which programs have a command: all, or those that carry out tasks, or the others.
enum class Offered { always, with_tasks, without_tasks };

/// What stands behind `sporos`.
struct Command {
  std::string_view group;  ///< heading above it in the list of commands
  std::string_view name;
  std::string_view arguments;  ///< behind its name, in the list of commands
  std::string_view meaning;    ///< there, too: what it does
  CommandFunction* run;
  std::vector<Usage> (*usages)();  ///< with options, of each of its models, say; null where it has no options
  Offered offered = Offered::always;
};

/// All commands of this program, in the order in which they are listed.
std::span<const Command> commands();

/// All ways to call commands that have options: of a command that has models, problems or samplings, one for each of
/// them.
std::vector<Usage> usages();

/// The commands, each in a file of its name; questions that one computation answers in estimates_at_once.cpp,
/// `input-uncertainty` in sensitivity.cpp.
CommandFunction simulate_command, steady_state_command, rare_event_command, multilevel_command, stratify_command,
    array_rqmc_command, sensitivity_command, input_uncertainty_command, compare_samplings_command, replay_command,
    optimize_command, select_command, compare_solvers_command, predict_command, fit_command, sample_command,
    calibrate_command, new_command, list_command, problems_command, describe_command, info_command;

/// What `sporos simulate` does with a case model, in a file of its name.
#define SPOROS_DECLARE_COMMAND(name, Task) CommandFunction name##_command;
SPOROS_FOR_EACH_CASE_MODEL(SPOROS_DECLARE_COMMAND)
#undef SPOROS_DECLARE_COMMAND

/// What `sporos optimize` does with a problem of its own kind.
CommandFunction classification_command;

/// What `sporos optimize` does with a model; `arguments` stand behind its name.
int optimize_model_command(const ModelDescription& model, std::span<const std::string> arguments, Backend& backend);

/// `sporos predict`.
Usage predict_usage();

/// `sporos problems`.
Usage problems_usage();

/// `sporos info`.
Usage info_usage();

/// What `command` does where its first argument names a model or problem that has a function of its own; null
/// elsewhere. That takes the arguments behind it.
CommandFunction* own_command(std::string_view command, std::span<const std::string> arguments);

}  // namespace sporos::apps
