// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include <sporos/runtime/array_rqmc/array_rqmc.hpp>
#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/classification/options.hpp>
#include <sporos/runtime/mixtures/mixtures.hpp>
#include <sporos/runtime/multilevel/multilevel.hpp>
#include <sporos/runtime/optimization/optimization.hpp>
#include <sporos/runtime/random_blocks/random_blocks.hpp>
#include <sporos/runtime/rare_events/rare_events.hpp>
#include <sporos/runtime/samples/samples.hpp>
#include <sporos/runtime/search/options.hpp>
#include <sporos/runtime/selection/options.hpp>
#include <sporos/runtime/sensitivity/sensitivity.hpp>
#include <sporos/runtime/simulation/case_models.hpp>
#include <sporos/runtime/simulation/options.hpp>
#include <sporos/runtime/solver_comparison/options.hpp>
#include <sporos/runtime/steady_state/steady_state.hpp>
#include <sporos/runtime/stratification/stratification.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace sporos::apps {

namespace {

// A model or problem with a dedicated function instead of that of the command.
struct OwnCommand {
  std::string_view command, name;
  CommandFunction* run;
  Usage (*usage)();
};

std::vector<OwnCommand> own_commands() {
#define SPOROS_COMMAND_OF(name, Task) name##_command,
  static constexpr auto of_case_models =
      std::to_array<CommandFunction*>({SPOROS_FOR_EACH_CASE_MODEL(SPOROS_COMMAND_OF)});
#undef SPOROS_COMMAND_OF
  std::vector<OwnCommand> all;
  for (const CaseModel& model : case_models()) {
    all.push_back({"simulate", model.name, of_case_models[all.size()], model.usage});
  }
  if (program().has_tasks) {
    all.push_back({"optimize", classification_name, classification_command, classification_usage});
  }
  return all;
}

// Adds the usages of the command's models or problems that have a dedicated function.
void add_own_usages(std::string_view command, std::vector<Usage>& usages) {
  for (const OwnCommand& own : own_commands()) {
    if (own.command == command) usages.push_back(own.usage());
  }
}

std::vector<Usage> simulate_usages() {
  std::vector<Usage> usages = usages_of(simulate_question);
  add_own_usages("simulate", usages);
  return usages;
}

std::vector<Usage> optimize_usages() {
  std::vector<Usage> usages;
  for (const auto& kind : problem_kinds()) usages.push_back(optimize_usage(kind));
  add_own_usages("optimize", usages);
  for (const ModelDescription& model : model_descriptions()) {
    if (is_optimizable(model)) usages.push_back(search_usage(model));
  }
  return usages;
}

std::vector<Usage> select_usages() {
  std::vector<Usage> usages;
  for (const ModelDescription& model : model_descriptions()) {
    if (is_optimizable(model)) usages.push_back(select_usage(model));
  }
  return usages;
}

std::vector<Usage> sample_usages() {
  std::vector<Usage> usages;
  for (const auto& sampling : ChoiceNames<Sampling>::values) usages.push_back(sample_usage(std::string(sampling.name)));
  return usages;
}

template <Usage usage()>
std::vector<Usage> only() {
  return {usage()};
}

template <const Question& question>
std::vector<Usage> of_question() {
  return usages_of(question);
}

constexpr auto all_commands = std::to_array<Command>({
    {"Simulate", "simulate", "MODEL", "run replications and estimate means, quantiles, probabilities", simulate_command,
     simulate_usages},
    {"Simulate", "merge", "PART...", "combine parts of an experiment that several runs computed", merge_command,
     only<merge_usage>},
    {"Simulate", "steady-state", "MODEL", "estimate steady-state means", steady_state_command,
     of_question<steady_state_question>},
    {"Simulate", "rare-event", "MODEL", "estimate the probability of a rare event", rare_event_command,
     of_question<rare_event_question>},
    {"Simulate", "replay", "MODEL", "run a single replication and list its events", replay_command,
     of_question<replay_question>},
    {"Uncertain parameters", "sensitivity", "MODEL", "estimate the sensitivity of responses to parameters",
     sensitivity_command, of_question<sensitivity_question>},
    {"Uncertain parameters", "input-uncertainty", "MODEL", "estimate means when parameters are estimated from data",
     input_uncertainty_command, of_question<input_uncertainty_question>},
    {"Variance reduction", "compare-samplings", "MODEL", "compare the variances under several samplings",
     compare_samplings_command, of_question<compare_samplings_question>},
    {"Variance reduction", "stratify", "MODEL", "estimate means by stratified sampling of an input", stratify_command,
     of_question<stratify_question>},
    {"Variance reduction", "multilevel", "MODEL", "estimate a mean by multilevel Monte Carlo", multilevel_command,
     of_question<multilevel_question>},
    {"Variance reduction", "array-rqmc", "MODEL", "estimate the mean of a Markov chain by array-RQMC",
     array_rqmc_command, of_question<array_rqmc_question>},
    {"Select and optimize", "select", "MODEL", "select the best of many systems of a model, with a guarantee",
     select_command, select_usages},
    {"Select and optimize", "optimize", "PROBLEM|MODEL", "minimize an expectation and bound the optimality gap",
     optimize_command, optimize_usages, Offered::with_tasks},
    {"Select and optimize", "optimize", "MODEL", "optimize parameters of a model for the best expected response",
     optimize_command, optimize_usages, Offered::without_tasks},
    {"Compare solvers", "compare-solvers", "", "compare solvers by their progress on problems", compare_solvers_command,
     only<compare_solvers_usage>},
    {"Compare solvers", "problems", "", "list the problems for comparing solvers", problems_command,
     only<problems_usage>},
    {"Learn from data", "predict", "MODEL DATA", "predict the classes of rows by a trained classification",
     predict_command, only<predict_usage>, Offered::with_tasks},
    {"Learn from data", "fit", "DATA", "fit normal mixtures to a sample, for each number of components", fit_command,
     only<fit_usage>, Offered::with_tasks},
    {"Random numbers", "sample", "SAMPLING", "write the points of a sampling as CSV or NPY", sample_command,
     sample_usages, Offered::with_tasks},
    {"Random numbers", "calibrate", "", "find the fastest block size for pre-generated random numbers",
     calibrate_command, only<calibrate_usage>, Offered::with_tasks},
    {"Models and help", "new", "NAME", "write a folder for your own model, with programs and a test", new_command,
     nullptr, Offered::with_tasks},
    {"Models and help", "list", "", "list the models", list_command, nullptr},
    {"Models and help", "describe", "MODEL|PROBLEM", "describe parameters and responses of a model, or a problem",
     describe_command, nullptr},
    {"Models and help", "info", "", "print version, devices and build options for a bug report", info_command,
     only<info_usage>},
});

}  // namespace

std::span<const Command> commands() {
  static const auto offered = [] {
    std::vector<Command> list;
    const auto other = program().has_tasks ? Offered::without_tasks : Offered::with_tasks;
    std::ranges::copy_if(all_commands, std::back_inserter(list),
                         [&](const Command& command) { return command.offered != other; });
    return list;
  }();
  return offered;
}

std::vector<Usage> usages() {
  std::vector<Usage> all;
  for (const Command& command : commands()) {
    if (command.usages == nullptr) continue;
    for (Usage& usage : command.usages()) all.push_back(std::move(usage));
  }
  return all;
}

CommandFunction* own_command(std::string_view command, std::span<const std::string> arguments) {
  if (arguments.empty()) return nullptr;
  for (const OwnCommand& own : own_commands()) {
    if (own.command == command && own.name == arguments.front()) return own.run;
  }
  return nullptr;
}

}  // namespace sporos::apps
