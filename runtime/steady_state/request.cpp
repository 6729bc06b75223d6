// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/steady_state/request.hpp>

#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/files/picture_files.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/version.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::runtime {

namespace {

constexpr std::int64_t default_runs = 32;                       // runs of the method of replications
constexpr std::int64_t default_ceiling_of_run = 1'000'000'000;  // observations, if a precision is requested

std::vector<OptionEntry> steady_state_entries(const ModelDescription& model) {
  const std::string group = "Steady state";
  const SteadyStateGoal defaults;
  OptionEntry picture = picture_option("the series with the end of the warm-up, after Welch");
  picture.group = group;
  return {{group, "method", "NAME",
           fmt::format(
               "{}; 95 % intervals of methods other than skart cover less often if runs are short for the correlation: "
               "87 to 91 % with 262144 waits at load 0.95, 50 to 73 % with 16384; default: {}",
               names_of<SeriesMethod>(), name_of(defaults.method))},
          {group, "runs", "R",
           fmt::format("independent long runs, for regenerative and replications; default: {} for replications, else 1",
                       default_runs)},
          {group, "observations", "N",
           fmt::format("observations of each run; with a precision, the maximum; default: {}, with a precision {}",
                       model.series_observations, default_ceiling_of_run)},
          {group,
           "response",
           "NAME ...",
           "mean to estimate; may be given several times; default: all",
           {},
           Decides::result,
           Occurrence::repeated},
          picture};
}

Usage steady_state_usage(const ModelDescription& model) {
  Usage usage =
      one_point_usage(steady_state_question, model,
                      entries_of({steady_state_entries(model), plan_entries_named({"precision", "relative-precision"}),
                                  estimate_entries(), checkpoint_options()}),
                      " --relative-precision 0.05");
  usage.footer = model.station_names != nullptr ? "One observation is a time slot, whose length the result shows. For "
                                                  "quantiles of waits, use `sporos simulate` "
                                                  "with a case that has warm_up and wait_quantiles."
                                                : "Runs store averages and no single observations. For the "
                                                  "distribution of single waits, simulate a network whose "
                                                  "case has warm_up, wait_quantiles and wait_limits.";
  return usage;
}

std::string reason_without_series(const ModelDescription& model) {
  if (model.series_names != nullptr) return "";
  return model.without_series.empty() ? "has no steady-state series"
                                      : fmt::format("has no steady state, because {}", model.without_series);
}

// Returns the places in `names` of the means that --response names; none if it is not given.
std::vector<std::size_t> chosen_means(const std::vector<std::string>& names, const OptionTable& options) {
  std::vector<std::size_t> means;
  for (const std::string& name : options.list("response")) means.push_back(response_named(name, names, "response"));
  std::ranges::sort(means);
  means.erase(std::ranges::unique(means).begin(), means.end());
  return means;
}

void check_parameters(const ModelDescription& model, const OptionTable& options) {
  for (const std::string& ignored : model.series_ignores) {
    const ParameterDescription& parameter = model.parameters[*model.find_parameter(ignored)];
    if (!options.has(parameter.option())) continue;
    throw std::invalid_argument(
        fmt::format("{} is given, but steady-state runs have no end: omit it", parameter.flag()));
  }
}

}  // namespace

const Question steady_state_question{"steady-state", "Estimates the steady-state means of a model from long runs.",
                                     steady_state_usage, reason_without_series};

SteadyStateRequest steady_state_request(const ModelOptions& given) {
  const ModelDescription& model = *given.model;
  const OptionTable& options = given.table;
  check_parameters(model, options);
  const SteadyStateGoal defaults;
  const Plan plan;
  SteadyStateRequest request{
      &model, only_point(given), defaults, 1, options.seed("seed", plan.seed), time_limit_of(options)};
  SteadyStateGoal& goal = request.goal;
  goal.method = options.choice("method", defaults.method);
  goal.confidence = options.positive("confidence", plan.confidence);
  goal.half_width = options.has("precision") ? options.positive("precision", 0) : 0;
  goal.relative_half_width = options.has("relative-precision") ? options.positive("relative-precision", 0) : 0;
  goal.observations =
      options.whole("observations", goal.is_sequential() ? default_ceiling_of_run : model.series_observations, 1);
  request.runs = options.whole("runs", goal.method == SeriesMethod::replications ? default_runs : 1, 1);
  if (goal.method == SeriesMethod::regenerative && !model.series_regenerates) {
    throw std::invalid_argument(
        fmt::format("method is regenerative, expected another with {}, which has no regeneration points", model.name));
  }
  check_goal(goal, request.runs);
  request.names = model.series_names(request.values);
  goal.means = chosen_means(request.names, options);
  return request;
}

io::Json description_of(const SteadyStateRequest& request) {
  const SteadyStateGoal& goal = request.goal;
  return {{"sporos", SPOROS_VERSION},
          {"command", "steady-state"},
          {"model", request.model->name},
          {"parameters", json_of(*request.model, request.values)},
          {"method", name_of(goal.method)},
          {"confidence", goal.confidence},
          {"precision", goal.half_width},
          {"relative_precision", goal.relative_half_width},
          {"observations", goal.observations},
          {"means", goal.means},
          {"runs", request.runs},
          {"seed", request.seed}};
}

}  // namespace sporos::runtime
