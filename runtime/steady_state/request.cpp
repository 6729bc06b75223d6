// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/steady_state/request.hpp>

#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/files/picture_files.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/version.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sporos::runtime {

namespace {

constexpr std::int64_t usual_runs = 32;                       // of replications
constexpr std::int64_t usual_ceiling_of_run = 1'000'000'000;  // observations, where a precision is asked for

// Those that go with --steady-state beside the model's parameters.
constexpr std::array shared_options{
    "precision", "relative-precision", "time-limit", "seed",   "confidence", "steady-state", "method",
    "runs",      "observations",       "picture",    "report", "threads",    "device",       "format",
    "output",    "no-progress",        "checkpoint", "every",  "table"};

// Options that ask for the distribution of a response.
constexpr std::array<std::string_view, 5> options_of_distributions{"quantiles", "quantile-precision", "probability",
                                                                   "histogram", "density"};

bool is_shared(const ModelDescription& model, const std::string& option) {
  if (std::ranges::find(shared_options, option) != shared_options.end()) return true;
  const auto place = model.find_parameter(option);
  if (!place) return false;
  return std::ranges::find(model.series_ignores, model.parameters[*place].name) == model.series_ignores.end();
}

void check_model(const ModelDescription& model) {
  if (!model.series_names.empty()) return;
  std::vector<std::string> with_series;
  for (const auto& other : model_descriptions()) {
    if (!other.series_names.empty()) with_series.push_back(other.name);
  }
  throw std::invalid_argument(
      fmt::format("--steady-state is given with {}, which offers no series, expected {}", model.name,
                  with_series.empty() ? "a model that does" : fmt::format("{}", fmt::join(with_series, ", "))));
}

void check_options(const ModelDescription& model, const OptionTable& options) {
  for (const OptionEntry& entry : options.entries()) {
    if (!options.given(entry) || is_shared(model, entry.name)) continue;
    if (std::ranges::find(options_of_distributions, entry.name) != options_of_distributions.end()) {
      throw std::invalid_argument(
          fmt::format("--{} is given with --steady-state, whose runs keep averages and no single observations: for the "
                      "distribution "
                      "of single waits, use `{}` and a case with warm_up, wait_quantiles and wait_limits",
                      entry.name, called_with("simulate network --case FILE")));
    }
    throw std::invalid_argument(
        fmt::format("--{} is given with --steady-state, whose runs do not end: expected it without", entry.name));
  }
}

}  // namespace

std::vector<OptionEntry> steady_state_entries(bool has_series) {
  const std::string group = "Steady state";
  const SteadyStateGoal usual;
  std::vector<OptionEntry> entries{
      {group, "steady-state", "", "estimate the means of runs without end instead of those of replications"}};
  if (!has_series) return entries;
  entries.insert(
      entries.end(),
      {{group, "method", "NAME",
        fmt::format(
            "how: {}; default: {}; intervals of 95 % of the others cover less often where runs are short for the "
            "correlation: of 262144 waits at load 0.95 in 87 to 91 %, of 16384 in 50 to 73 %",
            names_of<SeriesMethod>(), name_of(usual.method))},
       {group, "runs", "R",
        fmt::format(
            "independent long runs, of methods regenerative and replications; default: {} of replications, else 1",
            usual_runs)},
       {group, "observations", "N",
        fmt::format("of each run, default: {}; with a precision at most as many, default: {}", usual.observations,
                    usual_ceiling_of_run)},
       picture_option("the series with the end of the warm-up, after Welch")});
  entries.back().group = group;
  return entries;
}

void refuse_without_steady_state(const OptionTable& options) {
  for (const OptionEntry& entry : options.entries()) {
    if (entry.group != "Steady state" || !options.given(entry)) continue;
    throw std::invalid_argument(fmt::format("--{} is given without --steady-state: expected both", entry.name));
  }
}

SteadyStateRequest steady_state_request(const ModelDescription& model, const std::vector<ParameterValues>& design,
                                        const OptionTable& options) {
  check_model(model);
  check_options(model, options);
  if (design.size() != 1) {
    throw std::invalid_argument(
        fmt::format("--steady-state is given for {} design points, expected one", design.size()));
  }
  const SteadyStateGoal usual;
  const Plan plan;
  SteadyStateRequest request{&model, design.front(), usual, 1, options.seed("seed", plan.seed), time_limit_of(options)};
  SteadyStateGoal& goal = request.goal;
  goal.method = options.choice("method", usual.method);
  goal.confidence = options.positive("confidence", plan.confidence);
  goal.half_width = options.has("precision") ? options.positive("precision", 0) : 0;
  goal.relative_half_width = options.has("relative-precision") ? options.positive("relative-precision", 0) : 0;
  goal.observations =
      options.whole("observations", goal.is_sequential() ? usual_ceiling_of_run : usual.observations, 1);
  request.runs = options.whole("runs", goal.method == SeriesMethod::replications ? usual_runs : 1, 1);
  if (goal.method == SeriesMethod::regenerative && !model.series_regenerates) {
    throw std::invalid_argument(
        fmt::format("method is regenerative, expected another with {}, which names no regenerations", model.name));
  }
  check_goal(goal, request.runs);
  model.check_series(request.values);
  return request;
}

io::Json description_of(const SteadyStateRequest& request) {
  const SteadyStateGoal& goal = request.goal;
  return {{"sporos", SPOROS_VERSION},
          {"command", "simulate --steady-state"},
          {"model", request.model->name},
          {"parameters", json_of(*request.model, request.values)},
          {"method", name_of(goal.method)},
          {"confidence", goal.confidence},
          {"precision", goal.half_width},
          {"relative_precision", goal.relative_half_width},
          {"observations", goal.observations},
          {"runs", request.runs},
          {"seed", request.seed}};
}

}  // namespace sporos::runtime
