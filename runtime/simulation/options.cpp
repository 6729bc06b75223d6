// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/options.hpp>

#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/files/picture_files.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/output_format.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/simulation/controls.hpp>
#include <sporos/runtime/simulation/plan_options.hpp>
#include <sporos/runtime/simulation/point_comparison.hpp>
#include <sporos/runtime/simulation/quantile_rounds.hpp>
#include <sporos/runtime/simulation/requirements.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/replication/plan.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace sporos::runtime {

std::vector<OptionEntry> parameter_entries(const ModelDescription& model, const std::string& group) {
  std::vector<OptionEntry> entries;
  for (const auto& parameter : model.parameters) {
    const std::string unit = parameter.unit.empty() ? "" : " [" + parameter.unit + "]";
    const std::string help =
        fmt::format("{}{}; default: {}", parameter.meaning, unit, shown_text_of(parameter.default_value));
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

std::vector<OptionEntry> design_entries() {
  return {{"Design", "design", "FILE", "CSV: parameter names in the first line, then a design point a line",
           FileUse::reads},
          {"Design", "plan", "FILE", "repeat the experiment whose JSON output this is; other options override it",
           FileUse::reads}};
}

// Returns the usage of a question about an experiment. Its options are the model's parameters, each of which may have
// several values, those of the plan and the design, and `options`. `asked` is the text of options that follow the model
// in the example.
Usage experiment_usage(const Question& question, const ModelDescription& model, std::vector<OptionEntry> options,
                       const std::string& asked) {
  return usage_of(
      question, model,
      entries_of(
          {parameter_entries(model, "Parameters of the model (VALUE, or a range FIRST:LAST:STEP, or a list A,B,C)"),
           plan_entries(),
           design_entries(),
           std::move(options),
           execution_options("threads of the backend; changes no bit of the result"),
           {format_option(), table_option(), output_option(), no_progress_option()}}),
      asked);
}

// Returns the options of a model that has pictures; empty for other models.
std::vector<OptionEntry> drawing_entries(const ModelDescription& model) {
  if (model.picture == nullptr) return {};
  OptionEntry timeline = picture_option("what happens over the time of replication 0");
  timeline.name = "timeline";
  return {picture_option("the model with what came out"), timeline};
}

// Returns the options of what `sporos simulate` reports in addition to means. `cost` is the name of the option for a
// cost.
std::vector<OptionEntry> answer_entries(const std::string& cost) {
  return entries_of(
      {{{"Questions", "largest", "RESPONSE",
         "which design point has the largest mean of that response, and with what probability"},
        {"Questions", "smallest", "RESPONSE", "the same for the smallest"},
        {"Questions", "quantiles", "P,...", "quantiles of the responses of single replications, with intervals"},
        {"Questions", "quantile-precision", "H",
         fmt::format(
             "go on until every quantile's interval is at most 2 H wide; give up after --replications, by default {}",
             default_quantile_ceiling)},
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
        {"Questions", cost, "EXPRESSION", "with --require: the cheapest of these first, by parameters and responses"}},
       comparison_entries(),
       {control_variates_entry(), conditional_entry()},
       checkpoint_options(),
       {{"Run", "responses", "FILE", "write the responses of all replications there, as CSV or NPY, all or nothing",
         FileUse::writes},
        report_option()}});
}

Usage simulate_usage(const ModelDescription& model) {
  Usage usage = experiment_usage(simulate_question, model,
                                 entries_of({answer_entries(cost_option(model)), drawing_entries(model)}),
                                 " --replications 10000 --quantiles 0.5,0.9");
  usage.footer = fmt::format("JSON output holds the whole experiment: `{}` repeats it to the last bit.",
                             called_with("simulate --plan result.json"));
  return usage;
}

Usage replay_usage(const ModelDescription& model) {
  return experiment_usage(
      replay_question, model,
      {{"Replay", "replication", "R", "which replication: 0 is the first"},
       {"Replay", "point", "P", "of which design point, from 1; default: the only one"},
       {"Replay", "trace", "", "also list the events of the replication in order (of models with a calendar)"}},
      " --replication 17");
}

Usage compare_samplings_usage(const ModelDescription& model) {
  Usage usage = experiment_usage(
      compare_samplings_question, model,
      {{"Samplings", "samplings", "A,B,...", fmt::format("which to compare: {}", names_of<Sampling>())}},
      " --samplings antithetic");
  std::erase_if(usage.options,
                [](const OptionEntry& entry) { return entry.name == "sampling" || entry.name == "design"; });
  return usage;
}

}  // namespace

std::vector<OptionEntry> plan_entries() {
  const Plan defaults;
  const std::string group = "Plan";
  return {
      {group, "replications", "N",
       fmt::format("replications of each design point; default: {}; with --quantile-precision {}",
                   defaults.replications, default_quantile_ceiling)},
      {group, "precision", "H", "go on until every half-width is at most H"},
      {group, "relative-precision", "R", "go on until every half-width is at most R times its mean"},
      {group, "max-replications", "N",
       fmt::format("give up a precision after N replications; default: {}", default_ceiling)},
      {group, "batch", "N",
       fmt::format("replications between two looks at the precision; default: {}", defaults.batch)},
      {group, "time-limit", "SECONDS", "begin no further batch after that time; whole batches are kept"},
      {group, "seed", "S", fmt::format("names the random numbers, from 0 to 2^64 - 1; default: {}", defaults.seed)},
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
                   names_of<SubRunWeights>(), name_of(defaults.source.weights))},
      {group, "mapping", "NAME", names_of<Mapping>() + "; changes no bit of the result"},
      {group, "confidence", "P",
       fmt::format("of the intervals; default: {}; means of few replications of a skewed response cover less often: of "
                   "30 lognormal ones (sigma 1) in 88 % instead of 95, of 1000 in 94.5",
                   defaults.confidence)},
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

const Question simulate_question{"simulate",
                                 "Runs replications of a model and estimates the expectations of its responses.",
                                 simulate_usage, is_offered_always, true};

const Question replay_question{"replay",
                               "Runs one replication of an experiment alone and prints its responses to the last bit.",
                               replay_usage, is_offered_always};

const Question compare_samplings_question{
    "compare-samplings",
    "Runs an experiment under several samplings and compares their variances with that of random sampling.",
    compare_samplings_usage, is_offered_always};

}  // namespace sporos::runtime
