// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/simulation/model_description.hpp>
#include <sporos/runtime/simulation/saved_run.hpp>

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// A question about a model, which a command of its own asks.
struct Question {
  std::string_view command;                       ///< the word of the command: "rare-event"
  std::string_view meaning;                       ///< a sentence: what the command does
  Usage (*usage)(const ModelDescription& model);  ///< how the question is asked of a model
  /// What a model lacks for it: "offers no series"; empty if the question can be asked of the model.
  std::string (*lack)(const ModelDescription& model);
  bool has_cases = false;  ///< whether the command also takes case models (case_models.hpp)
};

/// The model, the options and the files that the arguments of a question name.
struct ModelOptions {
  const ModelDescription* model = nullptr;
  std::optional<SavedRun> saved_run;  ///< what --plan names
  NamedFiles files;                   ///< that the arguments name
  OptionTable table;                  ///< all options, the model's parameters included

  /// What the plan is where the options leave it open.
  Plan base_plan() const { return saved_run ? saved_run->plan : Plan(); }
};

/// The lack of a question that can be asked of all models.
inline std::string no_lack(const ModelDescription&) { return {}; }

/// The ways to ask a question, one for each model of which it can be asked.
std::vector<Usage> usages_of(const Question& question);

/// Throws std::invalid_argument, with the models of which the question can be asked, if it cannot be asked of this one.
void check_model(const Question& question, const ModelDescription& model);

/// Reads the arguments behind the question's command: a model and options. Throws Help if help is asked for,
/// std::invalid_argument for what is no option and for a model of which the question cannot be asked. Values are
/// looked at later.
ModelOptions parsed_question(const Question& question, std::span<const std::string> arguments);

/// How the question is asked of the model with these options, which are all that the command has. `asked` are options
/// behind the model that make an example.
Usage usage_of(const Question& question, const ModelDescription& model, std::vector<OptionEntry> options,
               const std::string& asked);

/// The same of a question about one design point: the model's parameters, the options of the question, then those that
/// all questions have, such as --threads, --format and --report.
Usage one_point_usage(const Question& question, const ModelDescription& model, std::vector<OptionEntry> options,
                      const std::string& asked);

/// The options --seed, --confidence and --time-limit.
std::vector<OptionEntry> estimate_entries();

/// Those options of plan_entries() that have these names.
std::vector<OptionEntry> plan_entries_named(std::initializer_list<std::string_view> names);

/// The design point. Throws std::invalid_argument if the options describe several.
ParameterValues only_point(const ModelOptions& options);

/// The number of the response of that name. Throws std::invalid_argument, with a suggestion, if there is none.
std::size_t response_named(const std::string& name, const ModelDescription& model, const ParameterValues& values,
                           std::string_view option);

}  // namespace sporos::runtime
