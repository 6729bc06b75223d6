// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "complaint.hpp"
#include "progress_line.hpp"
#include "run.hpp"
#include "start_backend.hpp"
#include "steady_state.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/files/destination.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/interval_notes.hpp>
#include <sporos/runtime/simulation/kept_experiment.hpp>
#include <sporos/runtime/simulation/options.hpp>
#include <sporos/runtime/simulation/plan_options.hpp>
#include <sporos/runtime/simulation/quantile_rounds.hpp>
#include <sporos/runtime/simulation/report.hpp>
#include <sporos/runtime/simulation/requirements.hpp>
#include <sporos/runtime/simulation/response_file.hpp>
#include <sporos/runtime/simulation/response_probabilities.hpp>
#include <sporos/runtime/simulation/response_quantiles.hpp>
#include <sporos/runtime/simulation/value_list.hpp>

#include <sporos/core/io/experiment_json.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/core/replication/estimates.hpp>
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

// Shows how far a run has come, and ends it where a signal came.
Watcher watcher_of(ProgressLine& line, const Interruption& interruption) {
  return [&](const Progress& progress) {
    line.show(progress);
    return interruption.signal() == 0;
  };
}

// The response of which the best design point is asked.
struct BestQuestion {
  Best best;
  std::size_t response;
};

std::optional<BestQuestion> best_question(const Experiment& experiment, const SimulateOptions& options) {
  const OptionText &largest = options.table.text("largest"), &smallest = options.table.text("smallest");
  if (!largest && !smallest) return std::nullopt;
  if (largest && smallest) {
    throw std::invalid_argument("--largest and --smallest are given, expected one of them");
  }
  const std::string option = largest ? "--largest" : "--smallest";
  const std::string& name = largest ? *largest : *smallest;
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
  return BestQuestion{largest ? Best::largest : Best::smallest, static_cast<std::size_t>(found - names.begin())};
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
    const OptionText &levels = options.table.text("quantiles"), &path = options.table.text("responses");
    if (levels) {
      ResponseQuantiles kept(parse_probabilities(*levels), experiment.plan, experiment.design.size(),
                             experiment.model.response_names(experiment.design.front()).size());
      if (is_first_process()) quantiles = std::move(kept);
    }
    const auto& events = options.table.list("probability");
    if (!events.empty()) {
      ResponseProbabilities counted(events, experiment.model, experiment.design, experiment.plan);
      if (is_first_process()) probabilities = std::move(counted);
    }
    if (path && is_first_process()) file.emplace(*path, experiment.model, experiment.design);
    is_wanted = levels || path || !events.empty();
  }

  Recorder recorder() {
    if (!is_wanted) return {};
    return [this](const ReplicationRows& rows) {
      if (file) file->add(rows);
      if (quantiles) quantiles->add(rows);
      if (probabilities) probabilities->add(rows);
    };
  }

  bool is_wanted;
  std::optional<ResponseQuantiles> quantiles;
  std::optional<ResponseProbabilities> probabilities;
  std::optional<ResponseFile> file;
};

std::optional<Requirements> requirements_of(const Experiment& experiment, const SimulateOptions& options) {
  if (options.table.list("require").empty()) return std::nullopt;
  return std::optional<Requirements>(std::in_place, experiment.model, experiment.design, experiment.plan,
                                     options.table.list("require"), options.table.text(cost_option(*options.model)));
}

// Throws where questions are asked beside what does not answer them.
void check_questions(const SimulateOptions& options) {
  if (options.table.has(cost_option(*options.model)) && options.table.list("require").empty()) {
    throw std::invalid_argument(
        fmt::format("--{} is given without --require: expected both", cost_option(*options.model)));
  }
  const bool asks = options.table.has("responses") || options.table.has("quantiles") ||
                    !options.table.list("probability").empty() || !options.table.list("require").empty();
  if (asks && (options.table.has("replay") || options.table.has("compare-sampling"))) {
    throw std::invalid_argument(
        "--responses, --quantiles, --probability or --require is given beside --replay or --compare-sampling, expected "
        "one of them");
  }
}

// Throws where it is given without quantiles, or beside what looks at replications of its own.
QuantilePrecision quantile_precision(const OptionTable& options) {
  QuantilePrecision precision;
  if (options.has("quantile-precision")) precision.half_width = options.positive("quantile-precision", 0);
  if (options.has("relative-quantile-precision")) {
    precision.relative_half_width = options.positive("relative-quantile-precision", 0);
  }
  if (!precision.is_set()) return precision;
  const std::string given =
      options.has("quantile-precision") ? "--quantile-precision" : "--relative-quantile-precision";
  if (!options.has("quantiles")) {
    throw std::invalid_argument(given + " is given without --quantiles: expected both");
  }
  for (const char* other : {"precision", "relative-precision", "max-replications", "largest", "smallest"}) {
    if (!options.has(other)) continue;
    throw std::invalid_argument(fmt::format("{} is given beside --{}, expected one of them", given, other));
  }
  return precision;
}

// What kept quantiles from their precision.
std::string missed_precision(const ResponseQuantiles& quantiles, const QuantilePrecision& precision,
                             const ExperimentResult& result) {
  const WidestQuantile widest = quantiles.widest(precision);
  if (widest.excess <= 1) return "";
  const QuantileReport report = quantiles.report();
  const PointResult& point = result.points[widest.point];
  const QuantileEstimate& estimate = report.estimates[widest.point][widest.response][widest.place];
  const std::string where = result.points.size() > 1 ? fmt::format(" at point {}", widest.point + 1) : "";
  return fmt::format(
      "precision not reached: quantile {} of '{}'{} is {:.6g} to {:.6g}, {:.3g} times as wide as wanted, after {} ({})",
      report.probabilities[widest.place], point.responses[widest.response].name, where, estimate.lower, estimate.upper,
      widest.excess, plural(point.replications, "replication", "replications"), name_of(point.stopped_by));
}

// An experiment whose results are written.
class WatchedExperiment final : public Run {
 public:
  WatchedExperiment(const SimulateOptions& options, const Experiment& experiment, const Destination& destination)
      : m_options(options),
        m_experiment(experiment),
        m_destination(destination),
        m_requirements(requirements_of(experiment, options)),
        m_recording(experiment, options),
        m_precision(quantile_precision(options.table)),
        m_plan(experiment.plan),
        m_question(best_question(experiment, options)),
        m_best(estimators(), experiment.plan.replications / experiment.plan.source.replications_of_run()) {}

  double time_limit() const override { return m_experiment.plan.time_limit; }

  io::Json description() const override {
    return experiment_description(m_experiment.model, m_experiment.design, m_experiment.plan);
  }

  std::string restore(const io::Json& state, const std::string& what) override {
    m_start = io::experiment_state_of_json(state, what);
    return plural(replications_of(*m_start), "replication", "replications");
  }

  void compute(const Backend& backend, const RunControl& control) override {
    Checkpoints checkpoints;
    checkpoints.start = std::move(m_start);
    if (m_options.table.has("checkpoint")) checkpoints.every = checkpoint_interval(m_options.table);
    const auto& kept = control.kept;
    if (kept) checkpoints.save = [&kept](const ExperimentState& state) { kept->save(io::json_of(state)); };
    if (processes().count() == 1) checkpoints.early_end = &m_early_end;
    control.interruption.rescue_by([this, write = control.write](int signal) { return rescued(signal, write); });
    Observer observer;
    if (m_question) observer = std::bind_front(&BestPoint::add, &m_best);
    const auto simulate = [&](const Plan& plan, std::optional<ExperimentState> start) {
      if (start) checkpoints.start = std::move(start);
      const std::int64_t before = checkpoints.start ? replications_of(*checkpoints.start) : 0;
      ProgressLine line(m_experiment.model.name, plan, before, control.shows_progress);
      return backend.runner_of(m_experiment.model.name)
          .simulate(m_experiment.design, plan, watcher_of(line, control.interruption), observer, checkpoints,
                    m_recording.recorder());
    };
    m_result = m_precision.is_set() ? simulate_to_quantiles(m_plan, m_recording.quantiles, m_precision, simulate)
                                    : simulate(m_plan, std::nullopt);
  }

  bool has_ended() const override {
    return std::all_of(m_result.state.points.begin(), m_result.state.points.end(),
                       [](const PointState& point) { return point.stopped_by.has_value(); });
  }

  io::Json state() const override { return io::json_of(m_result.state); }

  void write(const Machine& machine, double) override {
    const auto& [model, design, planned, skipped, notes] = m_experiment;
    const Plan& plan = m_plan;
    Report report{model, design, plan, m_result, {}, machine};
    for (const auto& point : design) report.exact.push_back(model.exact_means(point));
    if (m_question) {
      report.best = BestReport{m_result.points.front().responses[m_question->response].name, m_question->best,
                               m_best.probabilities(m_question->best, plan.seed)};
    }
    if (m_recording.quantiles) report.quantiles = m_recording.quantiles->report();
    if (m_recording.probabilities) report.probabilities = m_recording.probabilities->report();
    if (m_requirements) report.requirements = m_requirements->decide(m_result);
    report.skipped = skipped;
    report.notes = notes;
    const auto of_intervals = interval_notes(m_result.points, plan.confidence);
    report.notes.insert(report.notes.end(), of_intervals.begin(), of_intervals.end());
    if (m_recording.file) m_recording.file->finish();
    m_destination.write(text_of(report, m_options.format));
  }

  Ending ending(int signal) const override {
    std::int64_t replications = 0;
    bool is_interrupted = false;
    for (const auto& point : m_result.points) {
      replications += point.replications;
      is_interrupted = is_interrupted || point.stopped_by == StopReason::interrupted;
    }
    if (is_interrupted) {
      return Ending::interrupted_after(signal, plural(replications, "replication", "replications"));
    }
    const Plan& plan = m_experiment.plan;
    std::string missed = plan.precision.is_set() ? missed_precision(m_result, plan) : "";
    if (m_precision.is_set() && m_recording.quantiles) {
      missed = missed_precision(*m_recording.quantiles, m_precision, m_result);
    }
    return {missed.empty() ? 0 : 2, missed};
  }

 private:
  // By which the response of the question is estimated, of each design point; none where none is asked.
  std::vector<RatioOfMeans> estimators() const {
    std::vector<RatioOfMeans> list;
    if (!m_question) return list;
    for (const auto& point : m_experiment.design) {
      list.push_back(estimator_of(static_cast<int>(m_question->response), m_experiment.model.ratios(point)));
    }
    return list;
  }

  // By another thread, where a launch takes too long.
  std::optional<int> rescued(int signal, const std::function<int(int)>& write) {
    auto result = early_result(m_early_end, signal);
    if (!result && m_recording.file) m_recording.file->discard();
    if (!result) return std::nullopt;
    m_result = std::move(*result);
    return write(signal);
  }

  const SimulateOptions& m_options;
  const Experiment& m_experiment;
  const Destination& m_destination;
  std::optional<Requirements> m_requirements;
  Recording m_recording;
  QuantilePrecision m_precision;
  Plan m_plan;  // of what was simulated: as many replications as a precision took
  std::optional<BestQuestion> m_question;
  BestPoint m_best;
  std::optional<ExperimentState> m_start;
  EarlyEnd m_early_end;
  ExperimentResult m_result;
};

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

int compare(const Experiment& experiment, const SimulateOptions& options, const std::vector<Sampling>& samplings,
            const Destination& destination, const Backend& backend) {
  Interruption interruption(experiment.plan.time_limit);
  const Runner& runner = backend.runner_of(experiment.model.name);
  const auto run = [&](const Plan& plan, const Observer& observer) {
    ProgressLine line(experiment.model.name, plan, 0, shows_progress(options.table));
    return runner.simulate(experiment.design, plan, watcher_of(line, interruption), observer, {}, {}).points.front();
  };
  const auto check = [&](const Plan& plan) { runner.check(experiment.design, plan); };
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
  if (!options.table.has("replay")) {
    if (options.table.has("point")) throw std::invalid_argument("--point is given without --replay: expected both");
    return std::nullopt;
  }
  if (options.table.has("largest") || options.table.has("smallest")) {
    throw std::invalid_argument("--replay is given beside --largest or --smallest, expected one of them");
  }
  const auto replication = io::parse_number<std::int64_t>("--replay", *options.table.text("replay"), 0,
                                                          std::numeric_limits<std::int64_t>::max() - 1);
  if (!options.table.has("point") && points > 1) {
    throw std::invalid_argument(fmt::format(
        "--replay is given for {} design points: expected --point with a number from 1 to {}", points, points));
  }
  const auto point = io::parse_number<std::size_t>("--point", options.table.text("point").value_or("1"), 1, points);
  return ReplayChoice{replication, point - 1};
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
  check_questions(options);
  Plan plan = plan_from(options.table, options.saved_run ? options.saved_run->plan : Plan{},
                        options.table.has("compare-sampling"));
  if (quantile_precision(options.table).is_set() && !options.table.has("replications")) {
    plan.replications = usual_quantile_ceiling;
  }
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
