// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/options.hpp>

#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/simulation/controls.hpp>
#include <sporos/runtime/simulation/experiment_part.hpp>
#include <sporos/runtime/simulation/point_comparison.hpp>
#include <sporos/runtime/simulation/requirements.hpp>
#include <sporos/runtime/simulation/response_quantiles.hpp>

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace sporos::runtime {

namespace {

std::int64_t parse_count(const char* option, const std::string& text) {
  return io::parse_number<std::int64_t>(option, text, 1, std::numeric_limits<std::int64_t>::max());
}

double parse_precision(const char* option, const std::string& text) {
  const double value = io::parse_number<double>(option, text);
  if (!(value > 0) || std::isinf(value)) sporos::impl::refuse_parameter(option, text, "a positive number");
  return value;
}

bool parse_switch(const char* option, const std::string& text) {
  if (text != "on" && text != "off" && !text.empty())
    sporos::impl::refuse_parameter(option, io::in_quotes(text), "on or off");
  return text != "off";
}

// Sets the number of replications and the stopping criterion. If an option sets the criterion, it replaces that of the
// base plan.
void set_replications(Plan& plan, const OptionTable& options) {
  const bool asks_for_precision = options.has("precision") || options.has("relative-precision");
  if (options.has("replications") && (asks_for_precision || options.has("max-replications"))) {
    throw std::invalid_argument(
        "--replications is given with a precision: expected --max-replications, which limits the replications");
  }
  if (options.has("replications")) {
    plan.precision = {};
    plan.replications = parse_count("--replications", *options.text("replications"));
  }
  if (asks_for_precision) {
    if (!plan.precision.is_set()) plan.replications = default_ceiling;
    plan.precision = {};
    if (options.has("precision"))
      plan.precision.half_width = parse_precision("--precision", *options.text("precision"));
    if (options.has("relative-precision")) {
      plan.precision.relative_half_width = parse_precision("--relative-precision", *options.text("relative-precision"));
    }
  }
  if (options.has("max-replications")) {
    if (!plan.precision.is_set()) {
      throw std::invalid_argument(
          "--max-replications is given without a precision: expected --replications, or --precision or "
          "--relative-precision with it");
    }
    plan.replications = parse_count("--max-replications", *options.text("max-replications"));
  }
}

void check_refined(const char* option, const Plan& plan, bool is_compared) {
  if (plan.source.sampling == Sampling::refined_descriptive || is_compared) return;
  refuse_option(option, plan.source.sampling, "refined-descriptive");
}

// Sets the engine and the sampling. A change of the sampling, or of the kind of sample, drops the base plan's settings
// that depend on it.
void set_source(UniformSource& source, const OptionTable& options) {
  const Engine engine = options.has("engine") ? parse_choice<Engine>(*options.text("engine")) : source.engine;
  if (options.has("sampling")) source = source_with(source, parse_choice<Sampling>(*options.text("sampling")));
  if (options.has("engine")) source.engine = engine;
  if (options.has("run-length")) {
    source.run_length = parse_count("--run-length", *options.text("run-length"));
    source.sample_size = 0;
  }
  if (options.has("sample-size")) {
    source.sample_size = parse_count("--sample-size", *options.text("sample-size"));
    if (!options.has("run-length")) source.run_length = 0;
  }
}

// Sets how runs are formed. Rounds up replications and batch to whole runs if the user has not set them.
void set_runs(Plan& plan, const OptionTable& options, bool is_compared) {
  if (options.has("primes")) {
    check_refined("--primes", plan, is_compared);
    plan.source.primes = parse_primes(*options.text("primes"));
  }
  if (options.has("sub-runs")) {
    check_refined("--sub-runs", plan, is_compared);
    plan.source.weights = parse_choice<SubRunWeights>(*options.text("sub-runs"));
  }
  const std::int64_t length = plan.source.replications_of_run();
  const auto make_whole = [&](std::int64_t& number) {
    if (number <= std::numeric_limits<std::int64_t>::max() - length) number = (number + length - 1) / length * length;
  };
  if (!options.has("replications") && !options.has("max-replications")) make_whole(plan.replications);
  if (!options.has("batch")) make_whole(plan.batch);
}

void check(const Plan& plan) {
  try {
    check_plan(plan);
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    const bool is_ceiling = plan.precision.is_set() && message.starts_with("replications ");
    throw std::invalid_argument((is_ceiling ? "max-" : "") + message);
  }
}

}  // namespace

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

std::string primes_help() {
  const PrimeRange defaults;
  return fmt::format("refined-descriptive: range of the primes that are sizes of sub-runs; default: {}:{}",
                     defaults.smallest, defaults.largest);
}

void refuse_option(std::string_view option, Sampling sampling, std::string_view expected) {
  throw std::invalid_argument(
      fmt::format("{} is given for sampling {}, expected it with {} only", option, name_of(sampling), expected));
}

PrimeRange parse_primes(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos) {
    sporos::impl::refuse_parameter("--primes", io::in_quotes(text), "a range FIRST:LAST, such as 7:97");
  }
  return {io::parse_number<std::uint32_t>("--primes", text.substr(0, colon)),
          io::parse_number<std::uint32_t>("--primes", text.substr(colon + 1))};
}

Plan plan_from(const OptionTable& options, const Plan& base, bool is_compared) {
  Plan plan = base;
  set_replications(plan, options);
  if (options.has("batch")) plan.batch = parse_count("--batch", *options.text("batch"));
  if (options.has("time-limit"))
    plan.time_limit = io::parse_number<double>("--time-limit", *options.text("time-limit"));
  if (options.has("seed")) plan.seed = io::parse_number<std::uint64_t>("--seed", *options.text("seed"));
  set_source(plan.source, options);
  set_runs(plan, options, is_compared);
  if (options.has("mapping")) plan.mapping = parse_choice<Mapping>(*options.text("mapping"));
  if (options.has("confidence"))
    plan.confidence = io::parse_number<double>("--confidence", *options.text("confidence"));
  if (options.has("common-random-numbers")) {
    plan.common_random_numbers = parse_switch("--common-random-numbers", *options.text("common-random-numbers"));
  }
  if (options.has("covariances")) plan.covariances = parse_switch("--covariances", *options.text("covariances"));
  check(plan);
  return plan;
}

}  // namespace sporos::runtime
