// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/optimization/optimization.hpp>

#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/classification/task.hpp>
#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/search/options.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace sporos::runtime {

namespace {

std::string form() {
  return called_with(program().has_tasks ? "optimize PROBLEM [OPTION...]" : "optimize MODEL [OPTION...]");
}

constexpr std::int64_t epochs_between_looks = 10;  // default of --gap-interval with --gap-tolerance

// Returns a text such as "default: 100; 1000 if nothing is sampled".
template <class TextOf>
std::string default_text(const ProblemKind& kind, const TextOf& text_of) {
  const std::string first = text_of(kind.default_cases.front().options);
  std::string text = "default: " + first;
  for (const DefaultCase& other : kind.default_cases) {
    if (const std::string value = text_of(other.options); value != first)
      text += fmt::format("; {} {}", value, other.when);
  }
  return text;
}

std::string default_variant(const ProblemKind& kind) {
  std::string text = default_text(kind, [](const FrankWolfeOptions& of) { return std::string(name_of(of.variant)); });
  for (const DefaultCase& of : kind.default_cases) {
    if (!of.regions.empty()) text += fmt::format(" ({})", of.regions);
  }
  return text;
}

std::vector<OptionEntry> optimizer_options(const ProblemKind& kind) {
  const FrankWolfeOptions defaults = kind.default_cases.front().options;
  const std::string method = "Frank-Wolfe", stop = "End", bound = "Distance from the optimum, from independent samples",
                    go = "Start";
  const auto number = [](double value) { return io::shortest_text(value); };
  const std::vector<OptionEntry> methods = {
      {method, "variant", "NAME",
       fmt::format("direction of each step: {}; all but {} require exact or adaptive steps to perform well; {}",
                   names_of<FrankWolfeVariant>(), name_of(FrankWolfeVariant::vanilla), default_variant(kind))},
      {method, "step-rule", "NAME",
       fmt::format("length of each step: {}, {}, {} or, if the objective is quadratic as in portfolio, {}; {}",
                   name_of(StepRule::open_loop), name_of(StepRule::restarting), name_of(StepRule::adaptive),
                   name_of(StepRule::exact),
                   default_text(kind, [](const auto& of) { return std::string(name_of(of.step_rule)); }))},
      {method,
       "epochs",
       "K",
       fmt::format("number of epochs; each draws a new sample if the problem is sampled; {}",
                   default_text(kind, [](const auto& of) { return std::to_string(of.epochs); })),
       {},
       Decides::end},
      {method, "iterations", "M",
       fmt::format("iterations of each epoch; {}",
                   default_text(kind, [](const auto& of) { return std::to_string(of.iterations); }))},
      {method, "sample-size", "N",
       fmt::format("replications in the sample of the first epoch; default: {}", defaults.sample_size)},
      {method, "sample-growth", "P",
       "epoch k, from 1, has N k^P replications; with 0 all samples are equally large; default: " +
           number(defaults.sample_growth)},
      {method, "momentum", "on|off", "on: directions follow an average of the gradients so far; default: off"},
      {method, "screening", "on|off",
       "on: an epoch skips coordinates that the linear oracle cannot choose, if variant, step rule and region allow "
       "it; the iterates are identical up to rounding; default: on"},
      {method, "seed", "S", fmt::format("seed of the random numbers, from 0 to 2^64 - 1; default: {}", defaults.seed)}};
  const std::vector<OptionEntry> ends = {
      {stop, "gap-tolerance", "E",
       "stop when the objective is at most E above its minimum, according to the bound on independent samples or, with "
       "--gap-batches 0, the duality gap on the epoch's sample, which is biased low; exit status 2 if that is not "
       "reached; " +
           default_text(kind,
                        [&](const auto& of) { return of.gap_tolerance > 0 ? number(of.gap_tolerance) : "none"; }) +
           (kind.default_cases.size() > 1 ? ", with exact moments relative to the size of the objective" : "")},
      {stop, "time-limit", "SECONDS", "start no further iteration (with screening: epoch) after that time"},
      {bound, "gap-batches", "B",
       fmt::format("number of independent samples for the estimate; 0 for no estimate; default: {}",
                   defaults.gap.batches)},
      {bound, "gap-batch-size", "N",
       fmt::format("replications of each independent sample; default: {}, fewer for very many coordinates",
                   defaults.gap.batch_size)},
      {bound, "gap-confidence", "P",
       "probability with which each bound holds; default: " + number(defaults.gap.confidence)},
      {bound, "gap-iterations", "M",
       fmt::format(
           "maximum number of iterations on the problem of each sample; 0 for the duality gap only; default: {}, fewer "
           "for very many coordinates",
           defaults.gap.iterations)},
      {bound, "gap-procedure", "NAME",
       fmt::format("which problems of the samples are solved: {}; two halves or all together require large "
                   "samples; default: {}",
                   names_of<ReplicationsProcedure>(), name_of(defaults.gap.procedure))},
      {bound, "gap-interval", "K",
       fmt::format(
           "also estimate the distance every K epochs; 0 for the end only; default: {}, with --gap-tolerance {}",
           defaults.gap.interval, epochs_between_looks)}};
  const std::vector<OptionEntry> starts = {
      {go, "start", "FILE",
       "start at the point in this CSV of names and values, as written by --weights; missing names have the value 0",
       FileUse::reads, Decides::run},
      {go, "resume", "FILE",
       "continue from the state that --save-state has written, with its options; only files, --epochs, "
       "--record-interval, --time-limit and the --gap options can be changed",
       FileUse::resumes, Decides::run}};
  const std::vector<OptionEntry> trajectory = {
      {"Trajectory", "record-interval", "K",
       fmt::format("epochs between two points of the trajectory, where progress is shown and Ctrl-C takes effect; "
                   "default: {}",
                   defaults.record_interval)}};
  return entries_of({methods, deciding(Decides::end, ends), starts, deciding(Decides::end, trajectory)});
}

std::string general_help() {
  std::string text = form() + "\n";
  const auto add = [&](std::string_view name, std::string_view title) {
    text += fmt::format("  {:<25}{}\n", name, title);
  };
  if (program().has_tasks) {
    text +=
        "\nMinimizes an expectation: over a feasible region by Frank-Wolfe with resampling, which bounds the distance "
        "from the\nminimum, without constraints by quasi-Newton methods. `sporos optimize PROBLEM --help` lists the "
        "options. The problems:\n\n";
    for (const auto& kind : problem_kinds()) add(kind.name, kind.title);
    add(classification_name, classification_title);
  }
  text += fmt::format("\nSearches for the best parameters of a model: `{}` lists the options. The models:\n\n",
                      called_with("optimize MODEL --help"));
  for (const auto& model : model_descriptions()) {
    if (is_optimizable(model)) add(model.name, model.title);
  }
  return text;
}

GapOptions gap_options(const OptionTable& table, const GapOptions& defaults) {
  GapOptions gap = defaults;
  gap.batches = table.whole("gap-batches", gap.batches, 0);
  gap.batch_size = table.whole("gap-batch-size", gap.batch_size, 1);
  gap.confidence = table.number("gap-confidence", gap.confidence, 0);
  gap.interval = table.whole("gap-interval", gap.interval, 0);
  gap.iterations = table.whole("gap-iterations", gap.iterations, 0);
  gap.procedure = table.choice("gap-procedure", gap.procedure);
  const bool is_looked_at = table.has("gap-tolerance") && gap.batches > 0 && !table.has("gap-interval");
  if (is_looked_at) gap.interval = epochs_between_looks;
  return gap;
}

}  // namespace

std::vector<ProblemKind> problem_kinds() {
  if (!program().has_tasks) return {};
  return {portfolio_kind(), newsvendor_kind()};
}

ProblemKind problem_kind(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& kind : problem_kinds()) {
    if (kind.name == name) return kind;
    names.push_back(kind.name);
  }
  if (program().has_tasks) names.push_back(classification_name);
  for (const auto& model : model_descriptions()) {
    if (model.name == name) check_optimizable(model);
    if (is_optimizable(model)) names.push_back(model.name);
  }
  const std::string what = program().has_tasks ? "problem or model" : "model";
  const std::string suggestion = suggestion_for(name, names);
  throw std::invalid_argument(
      "unknown " + what + " " + io::in_quotes(name) +
      (suggestion.ends_with('?') ? suggestion : fmt::format(": `{}` lists all", called_with("optimize --help"))));
}

std::vector<OptionEntry> run_options(const std::string& csv) {
  return entries_of(
      {{{"Run", "save-state", "FILE",
         "write the state for --resume there; with the same number of threads, results have the bits of a single run",
         FileUse::saves, Decides::run}},
       execution_options("threads of the backend; another number may change the last bits"),
       {format_option(csv), table_option(), output_option(), report_option()}});
}

std::vector<OptionEntry> optimize_options(const ProblemKind& kind) {
  const OptionEntry weights{"Run",           "weights",
                            "FILE",          "write the solution there as CSV: names and values that are not 0",
                            FileUse::writes, Decides::run};
  const OptionEntry all_weights{"Run", "all-weights", "", "--weights: write the values that are 0, too",
                                {},    Decides::run};
  return entries_of({kind.options(),
                     optimizer_options(kind),
                     checkpoint_options(),
                     {weights},
                     run_options(" (the solution)"),
                     {all_weights, no_progress_option()}});
}

Usage optimize_usage(const ProblemKind& kind) {
  return {"optimize " + kind.name, form(), kind.title, kind.note, {}, optimize_options(kind)};
}

OptimizeOptions parse_optimize_options(std::span<const std::string> arguments) {
  const bool names_problem = !arguments.empty() && !arguments[0].starts_with('-');
  if (!names_problem && std::any_of(arguments.begin(), arguments.end(), asks_for_help)) throw Help{general_help()};
  if (!names_problem)
    throw std::invalid_argument(
        fmt::format("no {} is given: expected {}", program().has_tasks ? "problem" : "model", form()));
  const ProblemKind kind = problem_kind(arguments[0]);
  return {kind, parsed(optimize_usage(kind), arguments.subspan(1))};
}

namespace {

// Refuses options that have no effect on this problem.
void refuse_unused(const OptionTable& table, const ProblemDescription& problem) {
  if (!problem.closed_form.empty()) {
    for (const auto& entry : optimizer_options(problem_kind(problem.name)))
      table.refuse_unless(false, entry.name, "--resources: nothing is iterated otherwise");
  }
  for (const char* name : {"sample-size", "sample-growth", "gap-batches", "gap-batch-size", "gap-confidence",
                           "gap-interval", "gap-iterations", "gap-procedure"}) {
    table.refuse_unless(problem.is_sampled, name,
                        "--days drawn or, for given means and covariances, --moments sampled: nothing is sampled "
                        "otherwise");
  }
}

}  // namespace

FrankWolfeOptions frank_wolfe_options(const OptionTable& table, const OptimizationProblem& problem) {
  refuse_unused(table, problem.description());
  FrankWolfeOptions options = problem.default_options();
  options.variant = table.choice("variant", options.variant);
  options.step_rule = table.choice("step-rule", options.step_rule);
  options.epochs = table.whole("epochs", options.epochs, 0);
  options.iterations = table.whole("iterations", options.iterations, 1);
  options.sample_size = table.whole("sample-size", options.sample_size, 1);
  options.sample_growth = table.number("sample-growth", options.sample_growth, 0);
  options.momentum = table.is_on("momentum", options.momentum);
  options.screening = table.is_on("screening", options.screening);
  options.seed = table.seed("seed", options.seed);
  options.time_limit = time_limit_of(table);
  options.gap_tolerance = table.number("gap-tolerance", options.gap_tolerance, 0);
  options.record_interval = table.whole("record-interval", options.record_interval, 1);
  options.gap = gap_options(table, options.gap);
  check(options);
  return options;
}

}  // namespace sporos::runtime
