// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/options.hpp>

#include <sporos/runtime/array_rqmc/request.hpp>
#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/files/picture_files.hpp>
#include <sporos/runtime/multilevel/request.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/help.hpp>
#include <sporos/runtime/options/output_format.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/rare_events/request.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/sensitivity/request.hpp>
#include <sporos/runtime/simulation/case_models.hpp>
#include <sporos/runtime/simulation/controls.hpp>
#include <sporos/runtime/simulation/plan_options.hpp>
#include <sporos/runtime/simulation/point_comparison.hpp>
#include <sporos/runtime/simulation/quantile_rounds.hpp>
#include <sporos/runtime/simulation/requirements.hpp>
#include <sporos/runtime/steady_state/request.hpp>
#include <sporos/runtime/stratification/request.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/replication/plan.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace sporos::runtime {

namespace {

std::string form() { return called_with("simulate MODEL [OPTION...]"); }

}  // namespace

std::vector<OptionEntry> parameter_entries(const ModelDescription& model, const std::string& group) {
  std::vector<OptionEntry> entries;
  for (const auto& parameter : model.parameters) {
    const std::string unit = parameter.unit.empty() ? "" : " [" + parameter.unit + "]";
    const std::string help = fmt::format("{}{}; default: {}", parameter.meaning, unit, shown_text_of(parameter.usual));
    OptionEntry entry{group, parameter.option(), parameter.is_whole() ? "WHOLE" : "NUMBER", help};
    if (parameter.is_file()) {
      entry.value = "FILE";
      entry.file = FileUse::reads;
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

namespace {

// Of a model that has pictures.
std::vector<OptionEntry> drawing_entries(const ModelDescription& model) {
  if (model.picture == nullptr) return {};
  OptionEntry timeline = picture_option("what happens over the time of replication 0");
  timeline.name = "timeline";
  return {picture_option("the model with what came out"), timeline};
}

// The options of all models but for a plan, parameters and the name of the option that gives a cost.
std::vector<OptionEntry> experiment_entries(const std::string& cost) {
  return entries_of(
      {{{"Design", "design", "FILE", "CSV: parameter names in the first line, then a design point a line",
         FileUse::reads},
        {"Design", "plan", "FILE", "repeat the experiment whose JSON output this is; other options override it",
         FileUse::reads},
        {"Replay", "replay", "R", "run replication R (from 0) alone and print its responses to the last bit"},
        {"Replay", "point", "P", "of design point P (from 1)"},
        {"Replay", "trace", "", "also list the events of that replication in order (of models with a calendar)"},
        {"Questions", "compare-sampling", "A,B,...",
         "run the experiment under each of these samplings and compare their variances with random sampling's"},
        {"Questions", "largest", "RESPONSE",
         "which design point has the largest mean of that response, and with what probability"},
        {"Questions", "smallest", "RESPONSE", "the same for the smallest"},
        {"Questions", "quantiles", "P,...", "quantiles of the responses of single replications, with intervals"},
        {"Questions", "quantile-precision", "H",
         fmt::format(
             "go on until every quantile's interval is at most 2 H wide; give up after --replications, by default {}",
             usual_quantile_ceiling)},
        {"Questions", "relative-quantile-precision", "R", "the same with R times the quantile instead of H"},
        {"Questions",
         "probability",
         "TEXT",
         "'RESPONSE > BOUND' (or <, >=, <=): with which probability a replication keeps that; may be given several "
         "times",
         {},
         Decides::result,
         Occurrence::repeated},
        {"Questions",
         "histogram",
         "TEXT",
         "'RESPONSE=LOW:HIGH:BINS': how many replications are in each of so many equal bins, below and above, with "
         "intervals that hold for all bins at once; may be given several times",
         {},
         Decides::result,
         Occurrence::repeated},
        {"Questions",
         "density",
         "TEXT",
         "'RESPONSE=LOW:HIGH:POINTS': the density of single replications at so many points by kernels, with intervals "
         "that hold for all points at once; may be given several times",
         {},
         Decides::result,
         Occurrence::repeated},
        {"Questions",
         "require",
         "TEXT",
         "'RESPONSE < BOUND' (or <=, >, >=): which design points keep that with confidence; may be given several "
         "times; points that make no model are skipped",
         {},
         Decides::result,
         Occurrence::repeated},
        {"Questions", cost, "EXPRESSION", "the cheapest of these first, by parameters and responses"}},
       comparison_entries(),
       sensitivity_entries(),
       rare_event_entries(),
       multilevel_entries(),
       stratification_entries(),
       array_rqmc_entries(),
       {control_variates_entry(), conditional_entry()},
       checkpoint_options(),
       execution_options("threads of the backend; changes no bit of the result"),
       {format_option(),
        table_option(),
        {"Run", "responses", "FILE", "write the responses of all replications there, as CSV or NPY, all or nothing",
         FileUse::writes},
        output_option(),
        report_option(),
        no_progress_option()}});
}

}  // namespace

std::vector<OptionEntry> plan_entries() {
  const Plan usual;
  const std::string group = "Plan";
  return {
      {group, "replications", "N",
       fmt::format("replications of each design point; default: {}; with --quantile-precision {}, with --rare-event {}",
                   usual.replications, usual_quantile_ceiling, ImportanceOptions().replications)},
      {group, "precision", "H", "go on until every half-width is at most H"},
      {group, "relative-precision", "R", "go on until every half-width is at most R times its mean"},
      {group, "max-replications", "N",
       fmt::format("give up a precision after N replications; default: {}", usual_ceiling)},
      {group, "batch", "N", fmt::format("replications between two looks at the precision; default: {}", usual.batch)},
      {group, "time-limit", "SECONDS", "begin no further batch after that time; whole batches are kept"},
      {group, "seed", "S", fmt::format("names the random numbers, from 0 to 2^64 - 1; default: {}", usual.seed)},
      {group, "engine", "NAME", names_of<Engine>()},
      {group, "sampling", "NAME",
       fmt::format("{}; biased, and intervals do not include the bias: {}", names_of<Sampling>(),
                   names_where<Sampling>([](Sampling sampling) { return !is_unbiased(sampling); }))},
      {group, "run-length", "L",
       "replications that share a sample and together make one observation, their average; default: as few as the "
       "sampling can do with; descriptive and point sets need it"},
      {group, "sample-size", "N",
       "descriptive, in runs of one replication: numbers in a variable's sample; with --run-length 1 as many as are "
       "drawn"},
      {group, "primes", "FIRST:LAST", primes_help()},
      {group, "sub-runs", "NAME",
       fmt::format("refined-descriptive: how a run's average counts its sub-runs: {}; default: {}",
                   names_of<SubRunWeights>(), name_of(usual.source.weights))},
      {group, "mapping", "NAME", names_of<Mapping>() + "; changes no bit of the result"},
      {group, "confidence", "P",
       fmt::format("of the intervals; default: {}; means of few replications of a skewed response cover less often: of "
                   "30 lognormal ones (sigma 1) in 88 % instead of 95, of 1000 in 94.5",
                   usual.confidence)},
      {group,
       "common-random-numbers",
       "on|off",
       "on or off: whether all design points draw the same random numbers; default: on",
       {},
       Decides::result,
       Occurrence::value_may_be_missing},
      {group,
       "covariances",
       "on|off",
       "on or off: whether correlations between responses are shown, and JSON has them and covariances; default: off",
       {},
       Decides::result,
       Occurrence::value_may_be_missing}};
}

Usage simulate_usage(const ModelDescription& model) {
  return {"simulate " + model.name,
          form(),
          model.title,
          fmt::format("JSON output holds the whole experiment: `{}` repeats it to the last bit.",
                      called_with("simulate --plan result.json")),
          {},
          entries_of(
              {parameter_entries(model, "Parameters of the model (VALUE, or a range FIRST:LAST:STEP, or a list A,B,C)"),
               plan_entries(), steady_state_entries(!model.series_names.empty()),
               experiment_entries(cost_option(model)), drawing_entries(model)}),
          {fmt::format("simulate {} --replications 10000 --quantiles 0.5,0.9", model.name),
           fmt::format("simulate {} --format json --output result.json", model.name)}};
}

namespace {

std::string general_help() {
  std::string text = fmt::format(
      "{}\n\nRuns replications of a model and estimates the expectations of its responses.\n"
      "`{}` lists all options. The models:\n\n",
      form(), called_with("simulate MODEL --help"));
  for (const auto& model : model_descriptions()) text += fmt::format("  {:<18}{}\n", model.name, model.title);
  for (const CaseModel& model : case_models()) text += fmt::format("  {:<18}{}\n", model.name, model.title);
  return text;
}

// By the options that all models have, where none is named; which model it is, the plan that one of them names may say.
OptionText plan_file_from(const ModelDescription* model, std::span<const std::string> arguments) {
  if (model != nullptr) return parsed_in_part(simulate_usage(*model), arguments).options.text("plan");
  const Usage of_any{"simulate", form(),
                     "",         "",
                     {},         entries_of({plan_entries(), steady_state_entries(true), experiment_entries("cost")})};
  return parsed_in_part(of_any, arguments).options.text("plan");
}

}  // namespace

SimulateOptions parse_simulate_options(std::span<const std::string> arguments) {
  SimulateOptions options;
  const bool names_model = !arguments.empty() && !arguments[0].starts_with('-');
  if (names_model) options.model = &find_model(arguments[0], case_model_names());
  const auto behind_model = arguments.subspan(names_model ? 1 : 0);

  const bool is_help = std::any_of(arguments.begin(), arguments.end(), asks_for_help);
  if (is_help && !names_model) throw Help{general_help()};
  OptionText plan_file;
  if (!is_help) plan_file = plan_file_from(options.model, behind_model);
  if (plan_file) {
    options.saved_run = read_saved_run(*plan_file);
    if (names_model && options.saved_run->model->name != options.model->name) {
      throw std::invalid_argument(fmt::format("{} is an experiment with the model {}, not {}",
                                              io::in_quotes(*plan_file), options.saved_run->model->name,
                                              options.model->name));
    }
    options.model = options.saved_run->model;
  }
  if (options.model == nullptr) {
    throw std::invalid_argument(
        fmt::format("no model is given: expected {}; `{}` lists the models", form(), called_with("list")));
  }

  options.model = &with_members(*options.model, behind_model, simulate_usage);
  Arguments given = parsed(simulate_usage(*options.model), behind_model);
  options.files = std::move(given.files);
  options.table = std::move(given.options);
  options.format = options.table.choice("format", Format::table);
  return options;
}

}  // namespace sporos::runtime
