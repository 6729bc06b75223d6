// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/classification/options.hpp>
#include <sporos/runtime/mixtures/options.hpp>
#include <sporos/runtime/optimization/options.hpp>
#include <sporos/runtime/random_blocks/options.hpp>
#include <sporos/runtime/samples/options.hpp>
#include <sporos/runtime/search/options.hpp>
#include <sporos/runtime/selection/options.hpp>
#include <sporos/runtime/simulation/case_models.hpp>
#include <sporos/runtime/simulation/options.hpp>
#include <sporos/runtime/solver_comparison/options.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace sporos::apps {

namespace {

// A model or problem that is not carried out as the others of its command.
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

// The models or problems that a command carries out itself, and those that have a function of their own.
template <class Kinds, class Kind>
std::vector<Usage> usages_of(std::string_view command, const Kinds& kinds, Usage (*usage)(const Kind&)) {
  std::vector<Usage> all;
  for (const Kind& kind : kinds) all.push_back(usage(kind));
  for (const OwnCommand& own : own_commands()) {
    if (own.command == command) all.push_back(own.usage());
  }
  return all;
}

std::vector<Usage> simulate_usages() { return usages_of("simulate", model_descriptions(), simulate_usage); }

std::vector<Usage> optimize_usages() {
  std::vector<Usage> usages = usages_of("optimize", problem_kinds(), optimize_usage);
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

constexpr auto all_commands = std::to_array<Command>({
    {"Simulate and decide", "simulate", "MODEL [OPTION...]", "run an experiment and print its estimates",
     simulate_command, simulate_usages},
    {"Simulate and decide", "optimize", "PROBLEM|MODEL [OPTION...]",
     "minimize an expectation and bound how far it is from the minimum", optimize_command, optimize_usages,
     Offered::with_tasks},
    {"Simulate and decide", "optimize", "MODEL [OPTION...]",
     "decide parameters of a model, for the best of what it is expected to give", optimize_command, optimize_usages,
     Offered::without_tasks},
    {"Simulate and decide", "select", "MODEL [OPTION...]",
     "select the best of many systems of a model, with a guarantee", select_command, select_usages},
    {"Compare solvers", "compare-solvers", "--solvers LIST --problems LIST [OPTION...]",
     "compare solvers by their progress on problems", compare_solvers_command, only<compare_solvers_usage>},
    {"Compare solvers", "problems", "", "the problems that solvers can be compared on", problems_command,
     only<problems_usage>},
    {"Learn from data", "predict", "MODEL DATA", "give the classes of rows by a classification that was learned",
     predict_command, only<predict_usage>, Offered::with_tasks},
    {"Learn from data", "fit", "DATA [OPTION...]", "fit normal mixtures to a sample, for each number of components",
     fit_command, only<fit_usage>, Offered::with_tasks},
    {"Draw numbers", "sample", "SAMPLING [OPTION...]", "write the points of a sampling as CSV or NPY", sample_command,
     sample_usages, Offered::with_tasks},
    {"Draw numbers", "calibrate", "[OPTION...]", "measure blocks of random numbers, and how large they should be",
     calibrate_command, only<calibrate_usage>, Offered::with_tasks},
    {"Models and help", "new", "NAME", "write a folder for your own model, with programs and a test", new_command,
     nullptr, Offered::with_tasks},
    {"Models and help", "list", "", "the models there are", list_command, nullptr},
    {"Models and help", "describe", "MODEL|PROBLEM",
     "parameters, responses and exact values of a model; what is known of a problem", describe_command, nullptr},
    {"Models and help", "info", "", "version, devices and build options of this program, for a bug report, say",
     info_command, only<info_usage>},
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
