// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/options.hpp>

#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/help.hpp>
#include <sporos/runtime/options/option_parser.hpp>
#include <sporos/runtime/simulation/case_models.hpp>
#include <sporos/runtime/simulation/plan_options.hpp>
#include <sporos/runtime/simulation/requirements.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/replication/plan.hpp>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <stdexcept>

namespace sporos::runtime {

namespace {

constexpr auto form = "sporos simulate MODEL [OPTION...]";

void add_parameters(CLI::App& app, SimulateOptions& options) {
  const std::string group = "Parameters of the model (VALUE, or a range FIRST:LAST:STEP, or a list A,B,C)";
  for (std::size_t i = 0; i < options.model->parameters.size(); ++i) {
    const auto& parameter = options.model->parameters[i];
    const std::string unit = parameter.unit.empty() ? "" : " [" + parameter.unit + "]";
    add(app, group, parameter.flag().substr(2),
        parameter.is_file()    ? "FILE"
        : parameter.is_whole() ? "WHOLE"
                               : "NUMBER",
        fmt::format("{}{}; usually {}", parameter.meaning, unit, shown_text_of(parameter.usual)),
        options.parameters[i]);
  }
}

}  // namespace

void add_plan(CLI::App& app, PlanOptions& plan) {
  const Plan usual;
  const std::string group = "Plan";
  const auto add_to_plan = [&](const char* name, const char* value, const std::string& help, OptionText& text) {
    add(app, group, name, value, help, text);
  };
  add_to_plan("replications", "N", fmt::format("replications of each design point; usually {}", usual.replications),
              plan.replications);
  add_to_plan("precision", "H", "go on until every half-width is at most H", plan.precision);
  add_to_plan("relative-precision", "R", "go on until every half-width is at most R times its mean",
              plan.relative_precision);
  add_to_plan("max-replications", "N",
              fmt::format("give up a precision after N replications; usually {}", usual_ceiling),
              plan.max_replications);
  add_to_plan("batch", "N", fmt::format("replications between two looks at the precision; usually {}", usual.batch),
              plan.batch);
  add_to_plan("time-limit", "SECONDS", "begin no further batch after that time; whole batches are kept",
              plan.time_limit);
  add_to_plan("seed", "S", fmt::format("names the random numbers, from 0 to 2^64 - 1; usually {}", usual.seed),
              plan.seed);
  add_to_plan("engine", "NAME", names_of<Engine>(), plan.engine);
  add_to_plan("sampling", "NAME", names_of<Sampling>(), plan.sampling);
  add_to_plan(
      "run-length", "L",
      "replications that share a sample and together make one observation, their average; usually as few as the "
      "sampling can do with",
      plan.run_length);
  add_to_plan("sample-size", "N",
              "descriptive, in runs of one replication: numbers in a variable's sample; usually as many as are drawn",
              plan.sample_size);
  add_to_plan("primes", "FIRST:LAST", primes_help(), plan.primes);
  add_to_plan("sub-runs", "NAME",
              fmt::format("refined-descriptive: how a run's average counts its sub-runs: {}; usually {}",
                          names_of<SubRunWeights>(), name_of(usual.source.weights)),
              plan.sub_runs);
  add_to_plan("mapping", "NAME", names_of<Mapping>() + "; changes no bit of the result", plan.mapping);
  add_to_plan("confidence", "P", fmt::format("of the intervals; usually {}", usual.confidence), plan.confidence);
  app.add_option_function<std::string>(
         "--common-random-numbers", [&plan](const std::string& text) { plan.common_random_numbers = text; },
         "on or off: whether all design points draw the same random numbers; usually on")
      ->type_name("on|off")
      ->expected(0, 1)
      ->group(group);
}

namespace {

void add_run(CLI::App& app, SimulateOptions& options, OptionText& plan_file, OptionText& format) {
  add(app, "Design", "design", "FILE", "CSV: parameter names in the first line, then a design point a line",
      options.design);
  add(app, "Design", "plan", "FILE", "repeat the experiment whose JSON output this is; other options override it",
      plan_file);
  add(app, "Replay", "replay", "R", "run replication R (from 0) alone and print its responses to the last bit",
      options.replay);
  add(app, "Replay", "point", "P", "of design point P (from 1)", options.point);
  add(app, "Questions", "compare-sampling", "A,B,...",
      "run the experiment under each of these samplings and compare their variances with random sampling's",
      options.plan.compared_samplings);
  add(app, "Questions", "largest", "RESPONSE",
      "which design point has the largest mean of that response, and with what probability", options.largest);
  add(app, "Questions", "smallest", "RESPONSE", "the same for the smallest", options.smallest);
  add(app, "Questions", "quantiles", "P,...", "quantiles of the responses of single replications, with intervals",
      options.quantiles);
  app.add_option(
         "--require", options.requirements,
         "'RESPONSE < BOUND' (or <=, >, >=): which design points keep that with confidence; may be given several "
         "times; points that make no model are skipped")
      ->type_name("TEXT")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group("Questions");
  add(app, "Questions", options.model != nullptr ? cost_option(*options.model) : "cost", "EXPRESSION",
      "the cheapest of these first, by parameters and responses", options.cost);
  for (const auto& [group, name, value, help] : checkpoint_options()) {
    add(app, group, name, value, help, name == "every" ? options.every : options.checkpoint);
  }
  add(app, "Run", "threads", "N", "threads of the backend; changes no bit of the result", options.threads);
  add(app, "Run", "device", "N", device_help, options.device);
  add(app, "Run", "format", "NAME", names_of<Format>() + "; usually table", format);
  add(app, "Run", "responses", "FILE", "write the responses of all replications there, as CSV or NPY, all or nothing",
      options.responses);
  add(app, "Run", "output", "FILE", "write there, all or nothing, instead of to standard output", options.output);
  add_no_progress(app, options.shows_progress);
}

std::string general_help() {
  std::string text = std::string(form) +
                     "\n\nRuns replications of a model and estimates the expectations of its responses.\n"
                     "`sporos simulate MODEL --help` lists all options. The models:\n\n";
  for (const auto& model : model_descriptions()) text += fmt::format("  {:<16}{}\n", model.name, model.title);
  for (const CaseModel& model : case_models) text += fmt::format("  {:<16}{}\n", model.name, model.title);
  return text;
}

// The options that all models have; which model it is, the plan that one of them names may say.
OptionText plan_file_from(std::span<const std::string> arguments) {
  SimulateOptions options;
  OptionText plan_file, format;
  CLI::App app("", "sporos simulate");
  add_plan(app, options.plan);
  add_run(app, options, plan_file, format);
  parse_some_options(app, arguments);
  return plan_file;
}

}  // namespace

SimulateOptions parse_simulate_options(std::span<const std::string> arguments) {
  SimulateOptions options;
  const bool names_model = !arguments.empty() && !arguments[0].starts_with('-');
  if (names_model) options.model = &find_model(arguments[0], case_model_names);
  const auto behind_model = arguments.subspan(names_model ? 1 : 0);

  const auto is_help = [](const std::string& argument) { return argument == "--help" || argument == "-h"; };
  const bool asks_for_help = std::any_of(arguments.begin(), arguments.end(), is_help);
  if (asks_for_help && !names_model) throw Help{general_help()};
  OptionText plan_file, format;
  if (!asks_for_help) plan_file = plan_file_from(behind_model);
  if (plan_file) {
    options.saved_run = read_saved_run(*plan_file);
    if (names_model && options.saved_run->model != options.model) {
      throw std::invalid_argument(fmt::format("{} is an experiment with the model {}, not {}",
                                              io::in_quotes(*plan_file), options.saved_run->model->name,
                                              options.model->name));
    }
    options.model = options.saved_run->model;
  }
  if (options.model == nullptr) {
    throw std::invalid_argument(fmt::format("no model is given: expected {}; `sporos list` lists the models", form));
  }

  const std::string& model = options.model->name;
  CLI::App app(options.model->title, "sporos simulate " + model);
  app.footer(
      "JSON output holds the whole experiment: `sporos simulate --plan result.json` repeats it to the last bit.");
  options.parameters.resize(options.model->parameters.size());
  add_parameters(app, options);
  add_plan(app, options.plan);
  add_run(app, options, plan_file, format);
  options.files = parse_options(app, behind_model, form);
  if (format) options.format = parse_choice<Format>(*format);
  return options;
}

}  // namespace sporos::runtime
