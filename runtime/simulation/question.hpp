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

/// A question about a model, which a separate command answers.
struct Question {
  std::string_view command;                       ///< word of the command: "rare-event"
  std::string_view meaning;                       ///< a sentence that describes what the command does
  Usage (*usage)(const ModelDescription& model);  ///< returns the usage of the command with a model
  /// Returns why the question does not apply to a model: "offers no series"; empty if it applies.
  std::string (*reason_not_offered)(const ModelDescription& model);
  bool has_cases = false;      ///< whether the command also takes case models (case_models.hpp)
  bool analyses_data = false;  ///< whether it analyses the data of --input, instead of only setting the estimates
};

/// Model, options and files that the arguments of a question name.
struct ModelOptions {
  const ModelDescription* model = nullptr;
  std::optional<SavedRun> saved_run;  ///< the run that --plan names
  NamedFiles files;                   ///< files that the arguments name
  OptionTable table;                  ///< all options, the model's parameters included
  std::vector<std::string> notes;     ///< notes for users on parameters that --input estimates

  /// Returns the plan that supplies what the options leave open.
  Plan base_plan() const { return saved_run ? saved_run->plan : Plan(); }
};

/// Question::reason_not_offered of a question that applies to all models.
inline std::string is_offered_always(const ModelDescription&) { return {}; }

/// Returns the usages of the command, one for each model to which the question applies.
std::vector<Usage> usages_of(const Question& question);

/// Throws std::invalid_argument, naming models to which the question applies, if it does not apply to this one.
void check_model(const Question& question, const ModelDescription& model);

/// Reads the arguments after the question's command: a model and options. Throws Help if help is requested, and
/// std::invalid_argument for an unknown option and for a model to which the question does not apply. Values are checked
/// later.
ModelOptions parsed_question(const Question& question, std::span<const std::string> arguments);

/// Returns the usage of the question's command with a model and `options`, which are all of its options. `asked` is the
/// text of options that follow the model in the examples.
Usage usage_of(const Question& question, const ModelDescription& model, std::vector<OptionEntry> options,
               const std::string& asked);

/// Returns the usage of a question about one design point. Its options are the model's parameters, `options`, and those
/// that all questions have, such as --threads, --format and --report.
Usage one_point_usage(const Question& question, const ModelDescription& model, std::vector<OptionEntry> options,
                      const std::string& asked);

/// The option --input; none for a question that has it as its own.
std::vector<OptionEntry> input_entries(const Question& question);

/// The options --seed, --confidence and --time-limit.
std::vector<OptionEntry> estimate_entries();

/// The options of plan_entries() that have these names.
std::vector<OptionEntry> plan_entries_named(std::initializer_list<std::string_view> names);

/// Returns the only design point. Throws std::invalid_argument if the options describe several.
ParameterValues only_point(const ModelOptions& options);

/// Returns notes for users on estimated parameters and on the model at its only design point.
std::vector<std::string> notes_of(const ModelOptions& options, const ParameterValues& values);

/// Returns the index of the response called `name`. Throws std::invalid_argument, with a suggestion, if there is none.
/// The message names `option`, which is passed without its dashes.
std::size_t response_named(const std::string& name, const ModelDescription& model, const ParameterValues& values,
                           std::string_view option);
/// Returns the index in `names` of the response called `name`, with the same messages.
std::size_t response_named(const std::string& name, const std::vector<std::string>& names, std::string_view option);

}  // namespace sporos::runtime
