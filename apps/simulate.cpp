// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulate.hpp"

#include "complaint.hpp"
#include "germinal_centre.hpp"
#include "interruption.hpp"
#include "progress_line.hpp"
#include "radiation.hpp"
#include "start_backend.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/files/destination.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/interval_notes.hpp>
#include <sporos/runtime/simulation/kept_experiment.hpp>
#include <sporos/runtime/simulation/options.hpp>
#include <sporos/runtime/simulation/plan_options.hpp>
#include <sporos/runtime/simulation/report.hpp>
#include <sporos/runtime/simulation/requirements.hpp>
#include <sporos/runtime/simulation/response_file.hpp>
#include <sporos/runtime/simulation/response_quantiles.hpp>
#include <sporos/runtime/simulation/value_list.hpp>

#include <sporos/core/io/experiment_json.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/core/replication/experiment.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

namespace sporos::apps {

namespace {

// What the run has to tell beside its results; nothing where there is nothing to tell.
std::string missed_precision(const ExperimentResult& result, const Plan& plan) {
  struct Miss {
    double excess = 0;  // half-width over the wanted one
    std::size_t point = 0;
    const ResponseEstimate* response = nullptr;
  } worst;
  std::size_t misses = 0;
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    if (result.points[p].stopped_by == StopReason::precision) continue;
    ++misses;
    for (const auto& response : result.points[p].responses) {
      const double excess = sporos::impl::excess(response, plan.precision);
      if (worst.response == nullptr || excess > worst.excess) worst = {excess, p, &response};
    }
  }
  if (misses == 0) return "";
  const PointResult& point = result.points[worst.point];
  std::string where;
  if (result.points.size() > 1) {
    where = fmt::format(" at {} of {} design points, the worst being point {}", misses, result.points.size(),
                        worst.point + 1);
  }
  return fmt::format("precision not reached{}: '{}' has half-width {:.3g}, {:.3g} times the wanted one, after {} ({})",
                     where, worst.response->name, worst.response->half_width, worst.excess,
                     plural(point.replications, "replication", "replications"), name_of(point.stopped_by));
}

// Says what kept the experiment from its goal, and returns the exit status.
int conclude(const ExperimentResult& result, const Plan& plan, int signal, const std::optional<KeptRun>& kept) {
  std::int64_t replications = 0;
  bool is_interrupted = false;
  for (const auto& point : result.points) {
    replications += point.replications;
    is_interrupted = is_interrupted || point.stopped_by == StopReason::interrupted;
  }
  if (is_interrupted) {
    complain(fmt::format("interrupted after {}, whose results are written{}",
                         plural(replications, "replication", "replications"), kept ? kept->note() : ""));
    return exit_status_of(signal);
  }
  const std::string missed = plan.precision.is_set() ? missed_precision(result, plan) : "";
  if (missed.empty()) return 0;
  complain(missed);
  return 2;
}

struct Experiment {
  const ModelDescription& model;
  std::vector<ParameterValues> design;
  Plan plan;
  std::vector<SkippedPoint> skipped;  // points that make no model
  std::vector<std::string> notes;     // of how files were read
};

std::int64_t replications_of(const ExperimentState& state) {
  std::int64_t replications = 0;
  for (const auto& point : state.points) replications += point.summary.replications;
  return replications;
}

// Where the experiment goes on, and how it is kept: the first process reads and writes for all.
Checkpoints checkpoints_of(const std::optional<KeptRun>& kept, const SimulateOptions& options) {
  if (!options.checkpoint) return {};
  Checkpoints checkpoints;
  checkpoints.every = checkpoint_interval(options.every);
  if (kept) checkpoints.save = [&kept](const ExperimentState& state) { kept->save(io::json_of(state)); };
  checkpoints.start = kept_state(kept, options.checkpoint, io::experiment_state_of_json);
  if (kept && checkpoints.start) {
    kept->announce(plural(replications_of(*checkpoints.start), "replication", "replications"), options.shows_progress);
  }
  return checkpoints;
}

// Whether there is nothing left to go on with.
bool has_ended(const ExperimentResult& result) {
  return std::all_of(result.state.points.begin(), result.state.points.end(),
                     [](const PointState& point) { return point.stopped_by.has_value(); });
}

// Runs the experiment while a line shows its progress and a signal can end it.
ExperimentResult watched_run(const Experiment& experiment, const Plan& plan, const SimulateOptions& options,
                             const Backend& backend, const Interruption& interruption, const Observer& observer,
                             const Checkpoints& checkpoints = {}, const Recorder& recorder = {}) {
  const std::int64_t first = checkpoints.start ? replications_of(*checkpoints.start) : 0;
  ProgressLine line(experiment.model.name, plan, first, options.shows_progress);
  const auto watcher = [&](const Progress& progress) {
    line.show(progress);
    return interruption.signal() == 0;
  };
  return backend.runner_of(experiment.model.name)
      .simulate(experiment.design, plan, watcher, observer, checkpoints, recorder);
}

// The response of which the best design point is asked.
struct BestQuestion {
  Best best;
  std::size_t response;
};

std::optional<BestQuestion> best_question(const Experiment& experiment, const SimulateOptions& options) {
  if (!options.largest && !options.smallest) return std::nullopt;
  if (options.largest && options.smallest) {
    throw std::invalid_argument("--largest and --smallest are given, expected one of them");
  }
  const std::string option = options.largest ? "--largest" : "--smallest";
  const std::string& name = options.largest ? *options.largest : *options.smallest;
  if (experiment.design.size() < 2) {
    throw std::invalid_argument(option + " is given for one design point, expected several to choose from");
  }
  if (experiment.plan.precision.is_set()) {
    throw std::invalid_argument(option +
                                " needs equally many replications of each design point: expected "
                                "--replications instead of a precision");
  }
  if (experiment.plan.replications / experiment.plan.source.replications_of_run() < 2) {
    throw std::invalid_argument(option + " is given for one observation of each design point, expected at least 2");
  }
  const auto names = experiment.model.response_names(experiment.design.front());
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw std::invalid_argument(
        fmt::format("{} is {}, expected a response: {}", option, io::in_quotes(name), fmt::join(names, ", ")));
  }
  return BestQuestion{options.largest ? Best::largest : Best::smallest,
                      static_cast<std::size_t>(found - names.begin())};
}

// What an experiment has given whose launch takes too long, which it then does not go on from.
std::optional<ExperimentResult> early_result(EarlyEnd& early_end, int signal) {
  constexpr std::chrono::milliseconds between_launches{100};
  std::unique_lock lock(early_end.mutex, between_launches);
  if (!lock || !early_end.result) return std::nullopt;
  auto result = early_end.result(signal != 0 ? StopReason::interrupted : StopReason::time_limit);
  if (result) lock.release();  // it stays locked
  return result;
}

// What looks at every replication, of the first process.
struct Recording {
  Recording(const Experiment& experiment, const SimulateOptions& options) {
    if (options.quantiles) {
      ResponseQuantiles kept(parse_probabilities(*options.quantiles), experiment.plan, experiment.design.size(),
                             experiment.model.response_names(experiment.design.front()).size());
      if (is_first_process()) quantiles = std::move(kept);
    }
    if (options.responses && is_first_process()) file.emplace(*options.responses, experiment.model, experiment.design);
    is_wanted = options.quantiles || options.responses;
  }

  Recorder recorder() {
    if (!is_wanted) return {};
    return [this](const ReplicationRows& rows) {
      if (file) file->add(rows);
      if (quantiles) quantiles->add(rows);
    };
  }

  bool is_wanted;
  std::optional<ResponseQuantiles> quantiles;
  std::optional<ResponseFile> file;
};

std::optional<Requirements> requirements_of(const Experiment& experiment, const SimulateOptions& options) {
  if (options.requirements.empty()) return std::nullopt;
  return std::optional<Requirements>(std::in_place, experiment.model, experiment.design, experiment.plan,
                                     options.requirements, options.cost);
}

// Throws where questions are asked beside what does not answer them.
void check_questions(const SimulateOptions& options) {
  if (options.cost && options.requirements.empty()) {
    throw std::invalid_argument(
        fmt::format("--{} is given without --require: expected both", cost_option(*options.model)));
  }
  const bool asks = options.responses || options.quantiles || !options.requirements.empty();
  if (asks && (options.replay || options.plan.compared_samplings)) {
    throw std::invalid_argument(
        "--responses, --quantiles or --require is given beside --replay or --compare-sampling, expected one of them");
  }
}

int run_experiment(const Experiment& experiment, const SimulateOptions& options, const Destination& destination,
                   const std::optional<KeptRun>& kept, Recording& recording, std::optional<Requirements>& requirements,
                   const Backend& backend) {
  const auto question = best_question(experiment, options);
  const Plan& plan = experiment.plan;
  std::vector<RatioOfMeans> estimators;
  for (std::size_t point = 0; question && point < experiment.design.size(); ++point) {
    estimators.push_back(
        estimator_of(static_cast<int>(question->response), experiment.model.ratios(experiment.design[point])));
  }
  BestPoint best(estimators, plan.replications / plan.source.replications_of_run());
  Observer observer;
  if (question) observer = std::bind_front(&BestPoint::add, &best);
  const auto concluded = [&](const ExperimentResult& result, int signal) {
    Report report{experiment.model, experiment.design, plan, result, {}, machine_of(backend)};
    for (const auto& point : experiment.design) report.exact.push_back(experiment.model.exact_means(point));
    if (question) {
      report.best = BestReport{result.points.front().responses[question->response].name, question->best,
                               best.probabilities(question->best, plan.seed)};
    }
    if (recording.quantiles) report.quantiles = recording.quantiles->report();
    if (requirements) report.requirements = requirements->decide(result);
    report.skipped = experiment.skipped;
    report.notes = experiment.notes;
    const auto of_intervals = interval_notes(result.points, plan.confidence);
    report.notes.insert(report.notes.end(), of_intervals.begin(), of_intervals.end());
    if (recording.file) recording.file->finish();
    write_kept(
        kept, has_ended(result), [&] { return io::json_of(result.state); },
        [&] { destination.write(text_of(report, options.format)); });
    return conclude(result, plan, signal, kept);
  };
  Checkpoints checkpoints = checkpoints_of(kept, options);
  EarlyEnd early_end;
  if (processes().count() == 1) checkpoints.early_end = &early_end;
  Interruption interruption(plan.time_limit, [&] { return note_of(kept); });
  interruption.rescue_by([&](int signal) -> std::optional<int> {
    const auto result = early_result(early_end, signal);
    if (!result && recording.file) recording.file->discard();
    return result ? std::optional(concluded(*result, signal)) : std::nullopt;
  });
  const ExperimentResult result =
      watched_run(experiment, plan, options, backend, interruption, observer, checkpoints, recording.recorder());
  interruption.begin_writing();
  return concluded(result, interruption.signal());
}

std::vector<Sampling> samplings_from(const std::string& text) {
  std::vector<Sampling> samplings;
  for (const std::string_view name : split(text, ',')) samplings.push_back(parse_choice<Sampling>(name));
  return samplings;
}

// The samplings to compare; none where that is not asked for.
std::vector<Sampling> compared_samplings(const Experiment& experiment, const SimulateOptions& options) {
  if (!options.plan.compared_samplings) return {};
  if (experiment.design.size() > 1) {
    throw std::invalid_argument(
        fmt::format("--compare-sampling is given for {} design points, expected one", experiment.design.size()));
  }
  for (const auto* other : {&options.largest, &options.smallest, &options.replay, &options.plan.sampling}) {
    if (*other) {
      throw std::invalid_argument(
          "--compare-sampling is given beside --largest, --smallest, --replay or --sampling, expected it without them");
    }
  }
  return samplings_from(*options.plan.compared_samplings);
}

int compare(const Experiment& experiment, const SimulateOptions& options, const std::vector<Sampling>& samplings,
            const Destination& destination, const Backend& backend) {
  Interruption interruption(experiment.plan.time_limit);
  const auto run = [&](const Plan& plan, const Observer& observer) {
    return watched_run(experiment, plan, options, backend, interruption, observer).points.front();
  };
  const auto check = [&](const Plan& plan) { backend.runner_of(experiment.model.name).check(experiment.design, plan); };
  const auto compared =
      compare_samplings(run, experiment.plan, samplings, experiment.model.ratios(experiment.design.front()), check);
  interruption.begin_writing();
  if (interruption.signal() != 0) {
    complain("interrupted: samplings are compared over all replications, so nothing is written");
    return exit_status_of(interruption.signal());
  }
  const ParameterValues& point = experiment.design.front();
  const ComparisonReport report{
      experiment.model,    point,           experiment.plan, compared, experiment.model.exact_means(point),
      machine_of(backend), experiment.notes};
  destination.write(text_of(report, options.format));
  return 0;
}

// Which replication of which design point is to run alone.
struct ReplayChoice {
  std::int64_t replication;
  std::size_t point;
};

std::optional<ReplayChoice> replay_from(const SimulateOptions& options, std::size_t points) {
  if (!options.replay) {
    if (options.point) throw std::invalid_argument("--point is given without --replay: expected both");
    return std::nullopt;
  }
  if (options.largest || options.smallest) {
    throw std::invalid_argument("--replay is given beside --largest or --smallest, expected one of them");
  }
  const auto replication =
      io::parse_number<std::int64_t>("--replay", *options.replay, 0, std::numeric_limits<std::int64_t>::max() - 1);
  if (!options.point && points > 1) {
    throw std::invalid_argument(fmt::format(
        "--replay is given for {} design points: expected --point with a number from 1 to {}", points, points));
  }
  const auto point = io::parse_number<std::size_t>("--point", options.point.value_or("1"), 1, points);
  return ReplayChoice{replication, point - 1};
}

}  // namespace

int simulate_command(std::span<const std::string> arguments, Backend& backend) {
  if (!arguments.empty() && arguments.front() == radiation_name)
    return radiation_command(arguments.subspan(1), backend);
  if (!arguments.empty() && arguments.front() == germinal_centre_name) {
    return germinal_centre_command(arguments.subspan(1), backend);
  }
  const SimulateOptions options = parse_simulate_options(arguments);
  check_questions(options);
  const Plan plan = plan_from(options.plan, options.saved_run ? options.saved_run->plan : Plan{});
  std::optional<ReadingLimit> reading(std::in_place, plan.time_limit);
  ReadDesign design = design_from(options);
  const Experiment experiment{*options.model, std::move(design.points), plan, std::move(design.skipped),
                              std::move(design.notes)};
  reading.reset();
  const auto replayed = replay_from(options, experiment.design.size());
  const auto samplings = compared_samplings(experiment, options);
  const auto settings = execution_settings(options.threads, options.device, backend);
  const Destination destination(options.output);
  std::optional<KeptRun> kept;
  keep_experiment(kept, options, experiment.design, experiment.plan);
  auto requirements = requirements_of(experiment, options);
  Recording recording(experiment, options);

  start_backend(backend, settings);
  if (!samplings.empty()) return compare(experiment, options, samplings, destination, backend);
  if (!replayed) {
    return run_experiment(experiment, options, destination, kept, recording, requirements, backend);
  }
  const Replay replay{experiment.model,
                      experiment.design[replayed->point],
                      experiment.plan,
                      replayed->replication,
                      backend.runner_of(experiment.model.name)
                          .replay(experiment.design, experiment.plan, replayed->point, replayed->replication),
                      experiment.notes};
  destination.write(text_of(replay, options.format));
  return 0;
}

}  // namespace sporos::apps
