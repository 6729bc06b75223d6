// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/classification/options.hpp>

#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/optimization/optimization.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <stdexcept>

namespace sporos::runtime {

namespace {

constexpr auto footer =
    "DATA is a CSV file with a line of column names before the rows, or a file in LIBSVM's format. Its rows belong to "
    "two classes with any names. `sporos predict MODEL DATA` gives the classes of other rows.";

const std::vector<std::string> options_of_sqn = {
    "step-rule",          "step",        "limit-steps",   "longest-move",   "batch-size",
    "hessian-batch-size", "pair-source", "pair-interval", "regularization", "seed"};
const std::vector<std::string> options_of_lbfgs = {"wolfe-decrease", "wolfe-curvature", "max-evaluations"};

std::vector<OptionEntry> method_options() {
  const SqnOptions sqn;
  const LbfgsOptions lbfgs;
  const std::string method = "Optimizer";
  return {
      {method, "optimizer", "NAME",
       names_of<QuasiNewtonMethod>() +
           ": stochastic quasi-Newton, or L-BFGS over all rows; both start from 0; default: sqn"},
      {method,
       "iterations",
       "K",
       fmt::format("maximum number of iterations; default: {}, for lbfgs {}", sqn.iterations, lbfgs.iterations),
       {},
       Decides::end},
      {method, "memory", "M", fmt::format("number of correction pairs that are stored; default: {}", sqn.pairs.memory)},
      {method, "skip-up-to", "C",
       "pairs (s, y) whose cosine is at most C are skipped; default: " + io::shortest_text(sqn.pairs.skip_up_to)},
      {method, "damp-below", "C",
       "above 0: pairs whose cosine is below C are damped instead of skipped; default: " +
           io::shortest_text(sqn.pairs.damp_below)}};
}

std::vector<OptionEntry> sqn_entries() {
  const SqnOptions defaults;
  const std::string group = "Optimizer sqn";
  return {
      {group, "batch-size", "B",
       fmt::format("rows in the sample of a gradient; default: {}, or all if fewer", defaults.batch_size)},
      {group, "hessian-batch-size", "B",
       fmt::format("rows in the sample of a correction pair; default: {}, or all if fewer",
                   defaults.hessian_batch_size)},
      {group, "pair-source", "NAME",
       fmt::format("source of correction pairs: {}; default: {}", names_of<PairSource>(),
                   name_of(defaults.pair_source))},
      {group, "regularization", "R",
       "gradient-differences: R times s is added to each difference y; default: " +
           io::shortest_text(defaults.regularization)},
      {group, "pair-interval", "L",
       fmt::format("iterations between two correction pairs; default: {}", defaults.pair_interval)},
      {group, "step-rule", "NAME",
       fmt::format("length of step k: {}: B / k, B / sqrt k, B, or by Armijo's rule on the sample of the step; "
                   "default: {}",
                   names_of<SqnStepRule>(), name_of(defaults.step_rule))},
      {group, "step", "B", "the B of --step-rule; default: " + io::shortest_text(defaults.step)},
      {group, "limit-steps", "on|off",
       "on: a step ends at the minimum of the quadratic model of its sample at the latest; off: as in Byrd, Hansen, "
       "Nocedal and Singer (2016), which may diverge; default: on"},
      {group, "longest-move", "D", "maximum distance by which a step moves the coefficients; default: unlimited"},
      {group, "seed", "S", fmt::format("seed of the random numbers, from 0 to 2^64 - 1; default: {}", defaults.seed)}};
}

std::vector<OptionEntry> lbfgs_entries() {
  const WolfeOptions defaults;
  const std::string group = "Optimizer lbfgs";
  return {
      {group, "wolfe-decrease", "C",
       "constant of the sufficient decrease in the Wolfe conditions; default: " + io::shortest_text(defaults.decrease)},
      {group, "wolfe-curvature", "C",
       "constant of the curvature condition in the Wolfe conditions; default: " +
           io::shortest_text(defaults.curvature)},
      {group, "max-evaluations", "K",
       fmt::format("maximum number of evaluations in a line search; default: {}", defaults.max_evaluations)}};
}

std::vector<OptionEntry> end_entries() {
  const SqnOptions sqn;
  const LbfgsOptions lbfgs;
  return entries_of(
      {deciding(
           Decides::end,
           {{"End", "gradient-tolerance", "E",
             fmt::format(
                 "end when the gradient's norm over all rows is at most E; exit status 2 if it is not reached; sqn "
                 "checks points of its trajectory only; default: {}, for lbfgs {}",
                 io::shortest_text(sqn.gradient_tolerance), io::shortest_text(lbfgs.gradient_tolerance))},
            {"End", "time-limit", "SECONDS", "begin no further iteration after that time"}}),
       {{"Start", "resume", "FILE",
         "resume from a file of --save-state, with its options and DATA; only files, End, --iterations and "
         "--record-interval can be changed",
         FileUse::resumes, Decides::run}},
       deciding(Decides::end,
                {{"Trajectory", "record-interval", "K",
                  fmt::format(
                      "iterations between two points of the trajectory, each evaluated on all rows; progress is shown "
                      "and Ctrl-C takes effect there; default: {}, for lbfgs {}",
                      sqn.record_interval, lbfgs.record_interval)}}),
       {{"Run", "model", "FILE", "write the model there as JSON, for sporos predict", FileUse::writes, Decides::run}}});
}

// Sets the options that both methods share.
template <class Options>
void set_common(Options& options, const OptionTable& table) {
  options.iterations = table.whole("iterations", options.iterations, 0);
  options.pairs.memory = table.whole("memory", options.pairs.memory, 1);
  options.pairs.skip_up_to = table.number("skip-up-to", options.pairs.skip_up_to, 0);
  options.pairs.damp_below = table.number("damp-below", options.pairs.damp_below, 0);
  options.time_limit = time_limit_of(table);
  options.gradient_tolerance = table.number("gradient-tolerance", options.gradient_tolerance, 0);
  options.record_interval = table.whole("record-interval", options.record_interval, 1);
}

// Returns the sample size that the user requests, or the default limited to the number of rows. Throws
// std::invalid_argument if the user requests more than all rows.
std::int64_t sample_size(const OptionTable& table, const std::string& name, std::int64_t default_size,
                         std::int64_t rows) {
  const std::int64_t size = table.whole(name, std::min(default_size, rows), 1);
  if (size <= rows) return size;
  throw std::invalid_argument(
      fmt::format("--{} is {}, expected at most the number of training rows, {}", name, size, rows));
}

SqnOptions sqn_options(const OptionTable& table, std::int64_t rows) {
  for (const auto& name : options_of_lbfgs) table.refuse_unless(false, name, "--optimizer lbfgs");
  SqnOptions options;
  set_common(options, table);
  options.step_rule = table.choice("step-rule", options.step_rule);
  options.step = table.positive("step", options.step);
  options.batch_size = sample_size(table, "batch-size", options.batch_size, rows);
  options.hessian_batch_size = sample_size(table, "hessian-batch-size", options.hessian_batch_size, rows);
  options.pair_source = table.choice("pair-source", options.pair_source);
  const bool has_differences = options.pair_source == PairSource::gradient_differences;
  table.refuse_unless(has_differences, "regularization", "--pair-source gradient-differences");
  table.refuse_unless(!has_differences, "hessian-batch-size", "--pair-source hessian-products");
  options.regularization = table.number("regularization", options.regularization, 0);
  options.pair_interval = table.whole("pair-interval", options.pair_interval, 1);
  options.limit_steps = table.is_on("limit-steps", options.limit_steps);
  if (table.has("longest-move")) options.longest_move = table.positive("longest-move", options.longest_move);
  options.seed = table.seed("seed", options.seed);
  return options;
}

LbfgsOptions lbfgs_options(const OptionTable& table, std::int64_t rows) {
  for (const auto& name : options_of_sqn) table.refuse_unless(false, name, "--optimizer sqn");
  LbfgsOptions options;
  set_common(options, table);
  options.sample_size = rows;
  options.line_search.decrease = table.number("wolfe-decrease", options.line_search.decrease, 0);
  options.line_search.curvature = table.number("wolfe-curvature", options.line_search.curvature, 0);
  options.line_search.max_evaluations = table.whole("max-evaluations", options.line_search.max_evaluations, 1);
  return options;
}

}  // namespace

std::vector<OptionEntry> classification_entries() {
  return entries_of({classification_data_options(),
                     method_options(),
                     sqn_entries(),
                     lbfgs_entries(),
                     end_entries(),
                     checkpoint_options(),
                     run_options(" (the trajectory)"),
                     {no_progress_option()}});
}

Usage classification_usage() {
  return {"optimize classification",  "sporos optimize classification DATA [OPTION...]",
          classification_title,       footer,
          {{"DATA", FileUse::reads}}, classification_entries()};
}

Arguments parse_classification_options(std::span<const std::string> arguments) {
  Arguments given = parsed(classification_usage(), arguments);
  if (given.positionals.empty()) return given;
  OptionText& data = given.options.text("data");
  if (data) throw std::invalid_argument("--data and DATA are given: expected one of them");
  data = given.positionals.front();
  return given;
}

std::variant<SqnOptions, LbfgsOptions> quasi_newton_options(const OptionTable& table, std::int64_t rows) {
  if (table.choice("optimizer", QuasiNewtonMethod::sqn) == QuasiNewtonMethod::lbfgs) {
    const LbfgsOptions options = lbfgs_options(table, rows);
    check(options);
    return options;
  }
  const SqnOptions options = sqn_options(table, rows);
  check(options);
  return options;
}

}  // namespace sporos::runtime
