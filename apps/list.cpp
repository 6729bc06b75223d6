// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include <sporos/runtime/backend/info.hpp>
#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/problems/problems.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/simulation/case_models.hpp>
#include <sporos/runtime/simulation/model_description.hpp>
#include <sporos/runtime/simulation/options.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/core/io/table.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace sporos::apps {

namespace {

using Column = io::Table::Column;

// Checks the arguments of a command that takes exactly `count`. Throws Help if help is requested.
void check_arguments(std::span<const std::string> arguments, std::size_t count, const std::string& words,
                     const std::string& help) {
  const std::string form = called_with(words);
  if (std::any_of(arguments.begin(), arguments.end(), asks_for_help)) throw Help{form + "\n\n" + help + "\n"};
  if (arguments.size() > count) {
    throw std::invalid_argument(fmt::format("unexpected {}: expected {}", io::in_quotes(arguments[count]), form));
  }
  if (arguments.size() < count) throw std::invalid_argument("no model is given: expected " + form);
}

std::string list() {
  io::Table table({{"model", Column::text}, {"what it simulates", Column::text}});
  for (const auto& model : model_descriptions()) table.add_row({model.name, model.title});
  for (const CaseModel& model : case_models()) table.add_row({std::string(model.name), std::string(model.title)});
  return table.text();
}

constexpr const char* describe_words = "describe MODEL|PROBLEM [--PARAMETER VALUE...]";

// Returns the usage of `describe` for a model. The model is described at the values of its parameters and of the case
// or data in the files that they name.
Usage describe_usage(const ModelDescription& model) {
  return {"describe " + model.name,
          called_with(describe_words),
          "Describes " + model.title + ".",
          "",
          {},
          parameter_entries(model, "Parameters of the model")};
}

std::string describe(const ModelDescription& described, std::span<const std::string> arguments) {
  const ModelDescription& model = with_members(described, arguments, describe_usage);
  const OptionTable options = parsed(describe_usage(model), arguments).options;
  ParameterValues values = model.default_values();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ParameterDescription& parameter = model.parameters[i];
    if (const OptionText& text = options.text(parameter.option()))
      values[i] = parse_value(parameter, parameter.flag(), *text);
  }
  model.check(values);
  io::Table parameters(
      {{"parameter", Column::text}, {"value", Column::number}, {"unit", Column::text}, {"meaning", Column::text}});
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ParameterDescription& parameter = model.parameters[i];
    parameters.add_row({parameter.flag(), shown_text_of(values[i]), parameter.unit, parameter.meaning});
  }
  io::Table responses({{"response", Column::text}, {"exact mean at these values", Column::text}});
  const auto names = model.response_names(values);
  const auto exact = model.exact_means(values);
  for (std::size_t i = 0; i < names.size(); ++i) {
    responses.add_row({names[i], exact[i] ? io::shortest_text(*exact[i]) : "unknown"});
  }
  std::string storage;
  if (model.storage_bytes > 0)
    storage = fmt::format(", {} bytes for events and queues per replication", model.storage_bytes);
  std::string notes;
  for (const std::string& note : model.notes(values)) notes += note + "\n";
  return fmt::format("{}: {}\n{}{}\n{}\n{}\n{}", model.name, model.title,
                     plural(model.input_count, "input variable", "input variables"), storage, notes, parameters.text(),
                     responses.text());
}

// Describes the model or problem that the first argument names. Case models have no parameter values: a file holds
// their parameters. The number of their responses depends on the elements or kinds of cells in the case.
std::string description_of(std::span<const std::string> arguments, const std::string& help) {
  const std::string& name = arguments[0];
  const auto expect_no_options = [&] { check_arguments(arguments, 1, describe_words, help); };
  for (const CaseModel& model : case_models()) {
    if (name != model.name) continue;
    expect_no_options();
    return fmt::format("{0}: {1}\n`sporos simulate {0} --help` {2}\n", model.name, model.title, model.help);
  }
  // If a model and a problem share a name, both are described; values are those of the model.
  const bool is_model =
      std::ranges::find(model_descriptions(), name, &ModelDescription::name) != model_descriptions().end();
  if (const RegisteredProblem* problem = find_registered(name); problem && !(is_model && arguments.size() > 1)) {
    expect_no_options();
    const std::string of_model = is_model ? describe(find_model(name), {}) + "\nThe problem of that name:\n\n" : "";
    return of_model + description_of(*problem);
  }
  check_no_problem_is_meant(name);
  return describe(find_model(name, case_model_names()), arguments.subspan(1));
}

}  // namespace

int list_command(std::span<const std::string> arguments, Backend&) {
  check_arguments(arguments, 0, "list", "Lists the models and what they simulate.");
  io::write_standard_output(list());
  return 0;
}

int describe_command(std::span<const std::string> arguments, Backend&) {
  const std::string help =
      "Describes a model or a problem. For a model: its parameters with values and units, its responses, and their\n"
      "exact means if these are known, at the default values or at those that options give, such as the --case of a\n"
      "network. For a problem: its decision variables, objective, constraints and optimum.\n"
      "`" +
      called_with("list") + "` lists the models, `" + called_with("problems") + "` the problems.";
  if (arguments.empty() || asks_for_help(arguments[0])) check_arguments(arguments, 1, describe_words, help);
  io::write_standard_output(description_of(arguments, help));
  return 0;
}

Usage problems_usage() {
  return {"problems",
          called_with("problems [OPTION...]"),
          "Lists the problems for comparing solvers, with their decision variables and known optimum.",
          "`" + called_with("describe PROBLEM") + "` describes one problem in full.",
          {},
          {format_option(), output_option()}};
}

int problems_command(std::span<const std::string> arguments, Backend&) {
  const OptionTable options = parsed(problems_usage(), arguments).options;
  const Format format = options.choice("format", Format::table);
  const Destination destination(options.text("output"));
  destination.write(text_of(ProblemList{registered_problems()}, format));
  return 0;
}

Usage info_usage() {
  return {"info",
          called_with("info [OPTION...]"),
          "Prints version, devices and build options of this program, which a bug report should include.",
          "",
          {},
          entries_of({execution_options("threads of the backend, as in the other commands"),
                      {format_option(), output_option()}})};
}

int info_command(std::span<const std::string> arguments, Backend& backend) {
  const OptionTable table = parsed(info_usage(), arguments).options;
  const Format format = table.choice("format", Format::table);
  const auto settings = execution_settings(table, backend);
  const Destination destination(table.text("output"));
  destination.write(info_text(backend, settings, format));
  return 0;
}

}  // namespace sporos::apps
