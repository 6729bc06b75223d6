// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/question.hpp>

#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/simulation/case_models.hpp>
#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/estimated_inputs.hpp>
#include <sporos/runtime/simulation/expression.hpp>
#include <sporos/runtime/simulation/options.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/replication/plan.hpp>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace sporos::runtime {

namespace {

std::string form_of(const Question& question) {
  return called_with(fmt::format("{} MODEL [OPTION...]", question.command));
}

std::string general_help(const Question& question) {
  std::string text = fmt::format("Usage: {}\n{}\n`{}` lists all options. The models:\n\n", form_of(question),
                                 question.meaning, called_with(fmt::format("{} MODEL --help", question.command)));
  for (const ModelDescription& model : model_descriptions()) {
    if (question.reason_not_offered(model).empty()) text += fmt::format("  {:<25}{}\n", model.name, model.title);
  }
  if (!question.has_cases) return text;
  for (const CaseModel& model : case_models()) text += fmt::format("  {:<25}{}\n", model.name, model.title);
  return text;
}

// Returns the file that --plan names if the question has that option. If no model is named, the file determines the
// model.
OptionText plan_file_from(const Question& question, const ModelDescription* model,
                          std::span<const std::string> arguments) {
  Usage usage = question.usage(model == nullptr ? model_descriptions().front() : *model);
  if (model == nullptr) {
    std::erase_if(usage.options, [](const OptionEntry& entry) { return entry.group.starts_with("Parameters"); });
  }
  const OptionTable table = parsed_in_part(usage, arguments).options;
  return table.has("plan") ? table.text("plan") : std::nullopt;
}

void read_plan(ModelOptions& options, const std::string& path) {
  options.saved_run = read_saved_run(path);
  const ModelDescription& saved = *options.saved_run->model;
  if (options.model != nullptr && saved.name != options.model->name) {
    throw std::invalid_argument(fmt::format("{} is an experiment with the model {}, not {}", io::in_quotes(path),
                                            saved.name, options.model->name));
  }
  options.model = &saved;
}

}  // namespace

std::vector<Usage> usages_of(const Question& question) {
  std::vector<Usage> usages;
  for (const ModelDescription& model : model_descriptions()) {
    if (question.reason_not_offered(model).empty()) usages.push_back(question.usage(model));
  }
  return usages;
}

void check_model(const Question& question, const ModelDescription& model) {
  const std::string reason_not_offered = question.reason_not_offered(model);
  if (reason_not_offered.empty()) return;
  constexpr std::size_t max_listed = 6;
  const auto others =
      names_of_models([&](const ModelDescription& other) { return question.reason_not_offered(other).empty(); });
  const bool is_listed = !others.empty() && others.size() <= max_listed;
  throw std::invalid_argument(fmt::format("{} {}: expected {}", model.name, reason_not_offered,
                                          is_listed ? fmt::format("{}", fmt::join(others, ", ")) : "another model"));
}

ModelOptions parsed_question(const Question& question, std::span<const std::string> arguments) {
  ModelOptions options;
  const bool names_model = !arguments.empty() && !arguments[0].starts_with('-');
  const auto others = question.has_cases ? case_model_names() : std::vector<std::string_view>();
  if (names_model) options.model = &find_model(arguments[0], others);
  const auto after_model = arguments.subspan(names_model ? 1 : 0);

  const bool is_help = std::ranges::any_of(arguments, asks_for_help);
  if (is_help && !names_model) throw Help{general_help(question)};
  if (!is_help) {
    const OptionText plan_file = plan_file_from(question, options.model, after_model);
    if (plan_file) read_plan(options, *plan_file);
  }
  if (options.model == nullptr) {
    throw std::invalid_argument(
        fmt::format("no model is given: expected {}; `{}` lists the models", form_of(question), called_with("list")));
  }

  check_model(question, *options.model);
  options.model = &with_members(*options.model, after_model, question.usage);
  Arguments given = parsed(question.usage(*options.model), after_model);
  options.files = std::move(given.files);
  options.table = std::move(given.options);
  if (!question.analyses_data) options.notes = set_estimated_inputs(*options.model, options.files, options.table);
  return options;
}

Usage usage_of(const Question& question, const ModelDescription& model, std::vector<OptionEntry> options,
               const std::string& asked) {
  const std::string words = fmt::format("{} {}", question.command, model.name);
  return {words,
          form_of(question),
          fmt::format("{}\n{}: {}", question.meaning, model.name, model.title),
          {},
          {},
          std::move(options),
          {words + asked, words + asked + " --format json"}};
}

Usage one_point_usage(const Question& question, const ModelDescription& model, std::vector<OptionEntry> options,
                      const std::string& asked) {
  return usage_of(
      question, model,
      entries_of({parameter_entries(model, "Parameters of the model"),
                  input_entries(question),
                  std::move(options),
                  execution_options("threads of the backend; changes no bit of the result"),
                  {format_option(), table_option(), output_option(), report_option(), no_progress_option()}}),
      asked);
}

std::vector<OptionEntry> input_entries(const Question& question) {
  if (question.analyses_data) return {};
  return {input_option("Inputs from data")};
}

std::vector<OptionEntry> estimate_entries() {
  const std::string group = "Plan";
  std::vector<OptionEntry> entries = plan_entries_named({"seed"});
  entries.push_back(
      {group, "confidence", "P", fmt::format("confidence level of the intervals; default: {}", Plan().confidence)});
  entries.push_back({group, "time-limit", "SECONDS", "end after this time, with the results so far"});
  return entries;
}

std::vector<OptionEntry> plan_entries_named(std::initializer_list<std::string_view> names) {
  std::vector<OptionEntry> entries;
  std::ranges::copy_if(plan_entries(), std::back_inserter(entries),
                       [&](const OptionEntry& entry) { return std::ranges::find(names, entry.name) != names.end(); });
  return entries;
}

ParameterValues only_point(const ModelOptions& options) {
  const ReadDesign read = design_from(options);
  if (read.points.size() != 1) {
    throw std::invalid_argument(
        fmt::format("there are {} design points, expected one value of each parameter", read.points.size()));
  }
  return read.points.front();
}

std::vector<std::string> notes_of(const ModelOptions& options, const ParameterValues& values) {
  std::vector<std::string> notes = options.notes;
  add_model_notes(*options.model, {values}, notes);
  return notes;
}

std::size_t response_named(const std::string& name, const ModelDescription& model, const ParameterValues& values,
                           std::string_view option) {
  return response_named(name, model.response_names(values), option);
}

std::size_t response_named(const std::string& name, const std::vector<std::string>& names, std::string_view option) {
  const auto found = std::ranges::find_if(names, [&](const std::string& known) { return is_same_name(known, name); });
  if (found == names.end()) {
    throw std::invalid_argument(
        fmt::format("--{} is {}, which is no response{}", option, io::in_quotes(name), suggestion_for(name, names)));
  }
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace sporos::runtime
