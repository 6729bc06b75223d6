// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "complaint.hpp"
#include "progress_line.hpp"
#include "rare_event.hpp"
#include "run.hpp"
#include "sensitivity.hpp"
#include "start_backend.hpp"
#include "steady_state.hpp"
#include "watched_experiment.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/files/destination.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/interval_notes.hpp>
#include <sporos/runtime/simulation/kept_experiment.hpp>
#include <sporos/runtime/simulation/options.hpp>
#include <sporos/runtime/simulation/plan_options.hpp>
#include <sporos/runtime/simulation/quantile_rounds.hpp>
#include <sporos/runtime/simulation/report.hpp>
#include <sporos/runtime/simulation/simultaneous.hpp>
#include <sporos/runtime/simulation/value_list.hpp>

#include <sporos/core/execution/processes.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/replication/failed_replications.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

namespace sporos::apps {

namespace {

std::vector<Sampling> samplings_from(const std::string& text) {
  std::vector<Sampling> samplings;
  for (const std::string_view name : split(text, ',')) samplings.push_back(parse_choice<Sampling>(name));
  return samplings;
}

// The samplings to compare; none where that is not asked for.
std::vector<Sampling> compared_samplings(const Experiment& experiment, const SimulateOptions& options) {
  if (!options.table.has("compare-sampling")) return {};
  if (experiment.design.size() > 1) {
    throw std::invalid_argument(
        fmt::format("--compare-sampling is given for {} design points, expected one", experiment.design.size()));
  }
  for (const char* other : {"largest", "smallest", "replay", "sampling"}) {
    if (options.table.has(other)) {
      throw std::invalid_argument(
          "--compare-sampling is given beside --largest, --smallest, --replay or --sampling, expected it without them");
    }
  }
  return samplings_from(*options.table.text("compare-sampling"));
}

// The experiment under each sampling. The time limit is shared among them, each of which gets an equal part of the time
// that is left.
std::vector<ComparedSampling> compared_experiments(const Experiment& experiment, const SimulateOptions& options,
                                                   const std::vector<Sampling>& samplings, const Backend& backend,
                                                   Interruption& interruption) {
  const Runner& runner = backend.runner_of(experiment.model.name);
  const auto start = Clock::now();
  const bool has_random = std::ranges::find(samplings, Sampling::random) != samplings.end();
  auto left = static_cast<double>(samplings.size() + (has_random ? 0 : 1));
  const auto run = [&](Plan plan, const Observer& observer) {
    constexpr double least_time = 1e-9;  // 0 is no time limit
    plan.time_limit = std::max((plan.time_limit - greatest(processes(), seconds_since(start))) / left--, least_time);
    ProgressLine line(experiment.model.name, plan, 0, shows_progress(options.table));
    return runner.simulate(experiment.design, plan, watcher_of(line, interruption), observer, {}, {}).points.front();
  };
  const auto check = [&](const Plan& plan) { runner.check(experiment.design, plan); };
  constexpr double time_of_launches = 0.3;  // most have ended then, and count
  const LaunchLimit limit(interruption, time_of_launches);
  return compare_samplings(run, experiment.plan, samplings, experiment.model.ratios(experiment.design.front()), check);
}

// "interrupted after 200 replications, whose results are written", where a signal ended it.
int conclude(const std::vector<ComparedSampling>& compared, std::size_t samplings, int signal) {
  std::int64_t replications = 0;
  bool is_interrupted = compared.size() < samplings;
  for (const ComparedSampling& one : compared) {
    replications += one.result.replications;
    is_interrupted = is_interrupted || one.result.stopped_by == StopReason::interrupted;
  }
  if (signal == 0 || !is_interrupted) return 0;
  complain(Ending::interrupted_after(signal, plural(replications, "replication", "replications")).message);
  return exit_status_of(signal);
}

int compare(const Experiment& experiment, const SimulateOptions& options, const std::vector<Sampling>& samplings,
            const Destination& destination, const Backend& backend) {
  const auto start = Clock::now();
  Interruption interruption(experiment.plan.time_limit);
  const auto compared = compared_experiments(experiment, options, samplings, backend, interruption);
  if (compared.empty()) return conclude_too_early(interruption, "there were 2 observations under random sampling");
  const ParameterValues& point = experiment.design.front();
  std::vector<std::string> notes = experiment.notes;
  for (const ComparedSampling& one : compared) {
    for (std::string& note : bias_notes(one.source.sampling)) notes.push_back(std::move(note));
    for (const std::string& note : interval_notes({&one.result, 1}, experiment.plan.confidence)) {
      notes.push_back(fmt::format("{} sampling: {}", name_of(one.source.sampling), note));
    }
  }
  for (const Sampling sampling : samplings) {
    if (std::ranges::none_of(compared, [&](const auto& one) { return one.source.sampling == sampling; }))
      notes.push_back(fmt::format("{} sampling is left out: the run ended early", name_of(sampling)));
  }
  ComparisonReport report{experiment.model,
                          point,
                          experiment.plan,
                          compared,
                          std::vector<std::optional<double>>(compared.front().responses.size()),
                          seconds_since(start),
                          machine_of(backend),
                          notes};
  const auto write = [&](int signal) {
    destination.write(text_of(document_of(report), options.table));
    return conclude(compared, samplings.size(), signal);
  };
  report.exact = interruption.completed(write, [&] { return experiment.model.exact_means(point); });
  interruption.begin_writing();
  return write(interruption.signal());
}

// Which replication of which design point is to run alone.
struct ReplayChoice {
  std::int64_t replication;
  std::size_t point;
};

void check_has_events(const ModelDescription& model) {
  if (!model.event_names.empty()) return;
  std::vector<std::string> with_events;
  for (const auto& other : model_descriptions()) {
    if (!other.event_names.empty()) with_events.push_back(other.name);
  }
  throw std::invalid_argument(fmt::format("--trace is given with {}, which has no calendar, expected one of {}",
                                          model.name, fmt::join(with_events, ", ")));
}

std::optional<ReplayChoice> replay_from(const SimulateOptions& options, std::size_t points) {
  if (!options.table.has("replay")) {
    if (options.table.has("point")) throw std::invalid_argument("--point is given without --replay: expected both");
    if (options.table.has("trace")) throw std::invalid_argument("--trace is given without --replay: expected both");
    return std::nullopt;
  }
  if (options.table.has("largest") || options.table.has("smallest")) {
    throw std::invalid_argument("--replay is given beside --largest or --smallest, expected one of them");
  }
  if (options.table.has("trace")) check_has_events(*options.model);
  const auto replication = io::parse_number<std::int64_t>("--replay", *options.table.text("replay"), 0,
                                                          std::numeric_limits<std::int64_t>::max() - 1);
  if (!options.table.has("point") && points > 1) {
    throw std::invalid_argument(fmt::format(
        "--replay is given for {} design points: expected --point with a number from 1 to {}", points, points));
  }
  const auto point = io::parse_number<std::size_t>("--point", options.table.text("point").value_or("1"), 1, points);
  return ReplayChoice{replication, point - 1};
}

// Runs one replication alone. What has no responses is told with its events, where these are asked for, then thrown.
int replay(const Experiment& experiment, const SimulateOptions& options, const ReplayChoice& choice,
           const Destination& destination, Backend& backend) {
  const auto start = Clock::now();
  const Runner& runner = backend.runner_of(experiment.model.name);
  const auto& [replication, point] = choice;
  Replay replay{experiment.model,
                experiment.design[point],
                experiment.plan,
                replication,
                runner.replay(experiment.design, experiment.plan, point, replication),
                seconds_since(start),
                machine_of(backend),
                experiment.notes};
  const auto failed =
      failure_of(replication, replay.responses, experiment.model.stations_with(experiment.design[point]));
  if (failed) replay.failure = *failed;
  if (options.table.has("trace")) replay.trace = runner.trace(experiment.design, experiment.plan, point, replication);
  if (!failed || options.table.has("trace")) destination.write(text_of(document_of(replay), options.table));
  if (failed) throw std::runtime_error(*failed);
  return 0;
}

}  // namespace

int simulate_command(std::span<const std::string> arguments, Backend& backend) {
  if (auto* const own = own_command("simulate", arguments)) return own(arguments.subspan(1), backend);
  const SimulateOptions options = parse_simulate_options(arguments);
  if (options.table.has("steady-state")) {
    const ReadDesign design = design_from(options);
    return estimate_steady_state(steady_state_request(*options.model, design.points, options.table), options, backend);
  }
  refuse_without_steady_state(options.table);
  if (asks_for_sensitivity(options.table)) return analyse_sensitivity(sensitivity_request(options), options, backend);
  refuse_without_sensitivity(options.table);
  if (options.table.has("array-rqmc")) return estimate_by_arrays(array_rqmc_request(options), options, backend);
  if (options.table.has("rare-event")) return estimate_rare_event(rare_event_request(options), options, backend);
  refuse_without_rare_event(options.table);
  if (options.table.has("multilevel")) return estimate_multilevel(multilevel_request(options), options, backend);
  refuse_without_multilevel(options.table);
  refuse_without_array_rqmc(options.table);
  if (options.table.has("stratify")) return estimate_from_strata(stratified_request(options), options, backend);
  refuse_without_stratification(options.table);
  check_questions(options);
  Plan plan = plan_from(options.table, options.saved_run ? options.saved_run->plan : Plan{},
                        options.table.has("compare-sampling"));
  if (quantile_precision(options.table).is_set() && !options.table.has("replications")) {
    plan.replications = usual_quantile_ceiling;
  }
  if (simultaneous_method(options.table) == Simultaneous::max_t) plan.covariances = true;
  std::optional<ReadingLimit> reading(std::in_place, plan.time_limit);
  ReadDesign design = design_from(options);
  const Experiment experiment{*options.model, std::move(design.points), plan, std::move(design.skipped),
                              std::move(design.notes)};
  reading.reset();
  const auto replayed = replay_from(options, experiment.design.size());
  const auto samplings = compared_samplings(experiment, options);
  const auto settings = execution_settings(options.table, backend);
  const Destination destination(options.table.text("output"));
  check_checkpoint(options.table);
  if (samplings.empty() && !replayed) {
    WatchedExperiment run(options, experiment, destination);
    return carry_out(run, options.table, settings, backend);
  }

  start_backend(backend, settings);
  if (!samplings.empty()) return compare(experiment, options, samplings, destination, backend);
  return replay(experiment, options, *replayed, destination, backend);
}

}  // namespace sporos::apps
