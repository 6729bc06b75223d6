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
#include <sporos/runtime/simulation/experiment_part.hpp>
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
    const std::string& words = parameter.default_words;
    const std::string help = fmt::format("{}{}; default: {}", parameter.meaning, unit,
                                         words.empty() ? shown_text_of(parameter.default_value) : words);
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
  return {{"Design", "design", "FILE", "CSV: parameter names in the first line, then one design point per line",
           FileUse::reads},
          {"Design", "plan", "FILE", "repeat the experiment of this JSON output; other options override it",
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
           input_entries(question),
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
  OptionEntry timeline = picture_option("the course of replication 0");
  timeline.name = "timeline";
  return {picture_option("the model with its results"), timeline};
}

// Returns the options of what `sporos simulate` reports in addition to means. `cost` is the name of the option for a
// cost.
std::vector<OptionEntry> answer_entries(const std::string& cost) {
  return entries_of(
      {{{"Questions", "largest", "RESPONSE", "probability that each design point has the largest mean of RESPONSE"},
        {"Questions", "smallest", "RESPONSE", "probability that each design point has the smallest mean of RESPONSE"},
        {"Questions", "quantiles", "P,...", "quantiles of the responses of single replications, with intervals"},
        {"Questions", "quantile-precision", "H",
         fmt::format(
             "continue until every quantile's interval is at most 2 H wide, or until --replications, by default {}",
             default_quantile_ceiling)},
        {"Questions", "relative-quantile-precision", "R", "as --quantile-precision, with H being R times the quantile"},
        {"Questions",
         "probability",
         "TEXT",
         "'RESPONSE > BOUND' (or <, >=, <=): probability that a replication satisfies this; may be given several times",
         {},
         Decides::result,
         Occurrence::repeated},
        {"Questions",
         "histogram",
         "TEXT",
         "'RESPONSE=LOW:HIGH:BINS': number of replications in each of BINS equal bins, below LOW and above HIGH, with "
         "simultaneous intervals; may be given several times",
         {},
         Decides::result,
         Occurrence::repeated},
        {"Questions",
         "density",
         "TEXT",
         "'RESPONSE=LOW:HIGH:POINTS': kernel density of single replications at so many points, with simultaneous "
         "intervals; may be given several times",
         {},
         Decides::result,
         Occurrence::repeated},
        {"Questions",
         "require",
         "TEXT",
         "'RESPONSE < BOUND' (or <=, >, >=): which design points satisfy this with confidence; may be given several "
         "times; invalid points are skipped",
         {},
         Decides::result,
         Occurrence::repeated},
        {"Questions", cost, "EXPRESSION",
         "with --require: show the cheapest points first, by this expression in parameters and responses"}},
       comparison_entries(),
       {control_variates_entry(), conditional_entry()},
       checkpoint_options(),
       {part_option(),
        {"Run", "responses", "FILE", "write the responses of all replications to FILE, as CSV or NPY, all or nothing",
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
      {{"Replay", "replication", "R", "replication to run; 0 is the first"},
       {"Replay", "point", "P", "number of the design point, from 1; default: the only one"},
       {"Replay", "trace", "", "also list the events of the replication in order (of models with a calendar)"},
       {"Replay", "log", "FILE", "write a row for each visit of a customer to a station there, as CSV (of networks)",
        FileUse::writes}},
      " --replication 17");
}

Usage compare_samplings_usage(const ModelDescription& model) {
  Usage usage = experiment_usage(
      compare_samplings_question, model,
      {{"Samplings", "samplings", "A,B,...", fmt::format("samplings to compare: {}", names_of<Sampling>())}},
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
      {group, "precision", "H", "continue until every half-width is at most H"},
      {group, "relative-precision", "R", "continue until every half-width is at most R times its mean"},
      {group, "max-replications", "N",
       fmt::format("with --precision or --relative-precision: maximum number of replications; default: {}",
                   default_ceiling)},
      {group, "batch", "N",
       fmt::format("replications between two checks of the precision; default: {}", defaults.batch)},
      {group, "time-limit", "SECONDS", "start no further batch after this time; finished batches count"},
      {group, "seed", "S", fmt::format("seed of the random numbers, from 0 to 2^64 - 1; default: {}", defaults.seed)},
      {group, "engine", "NAME", names_of<Engine>()},
      {group, "sampling", "NAME",
       fmt::format("{}; biased, and intervals do not include the bias: {}", names_of<Sampling>(),
                   names_where<Sampling>([](Sampling sampling) { return !is_unbiased(sampling); }))},
      {group, "run-length", "L",
       "replications that share a sample and are averaged to one observation; required for descriptive and point sets; "
       "default: the smallest number that the sampling supports"},
      {group, "sample-size", "N",
       "descriptive, in runs of one replication: size of each variable's sample; with --run-length 1: number of its "
       "draws"},
      {group, "primes", "FIRST:LAST", primes_help()},
      {group, "sub-runs", "NAME",
       fmt::format("refined-descriptive: weights of the sub-runs in a run's average: {}; default: {}",
                   names_of<SubRunWeights>(), name_of(defaults.source.weights))},
      {group, "mapping", "NAME", names_of<Mapping>() + "; changes no bit of the result"},
      {group, "confidence", "P",
       fmt::format("confidence level of the intervals; means of few replications of a skewed response cover less "
                   "often: of 30 lognormal ones (sigma 1) in 88 % instead of 95 %, of 1000 in 94.5 %; default: {}",
                   defaults.confidence)},
      {group,
       "common-random-numbers",
       "on|off",
       "whether all design points draw the same random numbers; default: on",
       {},
       Decides::result,
       Occurrence::value_may_be_missing},
      {group,
       "covariances",
       "on|off",
       "whether to show correlations between responses, and to add them and covariances to JSON; default: off",
       {},
       Decides::result,
       Occurrence::value_may_be_missing}};
}

const Question simulate_question{"simulate",
                                 "Runs replications of a model and estimates the expectations of its responses.",
                                 simulate_usage, is_offered_always, true};

const Question replay_question{"replay",
                               "Runs a single replication of an experiment and prints its responses to the last bit.",
                               replay_usage, is_offered_always};

const Question compare_samplings_question{
    "compare-samplings",
    "Runs an experiment under several samplings and compares their variances with that of random sampling.",
    compare_samplings_usage, is_offered_always};

}  // namespace sporos::runtime
