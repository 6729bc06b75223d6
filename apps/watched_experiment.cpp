// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "watched_experiment.hpp"

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/panels.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/simulation/controls.hpp>
#include <sporos/runtime/simulation/point_comparison.hpp>
#include <sporos/runtime/simulation/report.hpp>
#include <sporos/runtime/simulation/saved_run.hpp>
#include <sporos/runtime/simulation/tasks.hpp>

#include <sporos/core/io/experiment_json.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/replication/estimates.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/experiment_parts.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace sporos::apps {

namespace {

// Returns a message if the run missed the requested precision of means; empty otherwise.
std::string missed_precision(const ExperimentResult& result, const Plan& plan) {
  struct Miss {
    double excess = 0;  // half-width divided by the requested one
    std::size_t point = 0;
    const ResponseEstimate* response = nullptr;
  } worst;
  std::size_t misses = 0;
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    if (result.points[p].stopped_by == StopReason::precision || result.points[p].failure) continue;
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
  return fmt::format(
      "precision not reached{}: '{}' has half-width {:.3g}, {:.3g} times the requested one, after {} ({})", where,
      worst.response->name, worst.response->half_width, worst.excess,
      plural(point.replications, "replication", "replications"), name_of(point.stopped_by));
}

// Returns a message if quantiles missed the requested precision; empty otherwise.
std::string missed_precision(const ResponseQuantiles& quantiles, const QuantilePrecision& precision,
                             const ExperimentResult& result) {
  const WidestQuantile widest = quantiles.widest(precision);
  if (widest.excess <= 1) return "";
  const QuantileReport report = quantiles.report();
  const PointResult& point = result.points[widest.point];
  const QuantileEstimate& estimate = report.estimates[widest.point][widest.response][widest.place];
  const std::string where = result.points.size() > 1 ? fmt::format(" at point {}", widest.point + 1) : "";
  return fmt::format(
      "precision not reached: quantile {} of '{}'{} is {:.6g} to {:.6g}, {:.3g} times as wide as requested, after {} "
      "({})",
      report.probabilities[widest.place], point.responses[widest.response].name, where, estimate.lower, estimate.upper,
      widest.excess, plural(point.replications, "replication", "replications"), name_of(point.stopped_by));
}

std::int64_t replications_of(const ExperimentState& state) {
  std::int64_t replications = 0;
  for (const auto& point : state.points) replications += point.summary.replications;
  return replications;
}

// Returns the files that the option names, or none if the model has no pictures.
std::vector<std::string> files_of(const std::string& option, const ModelDescription& model,
                                  const ModelOptions& options) {
  return model.picture == nullptr ? std::vector<std::string>() : options.table.list(option);
}

// Returns the result so far of an experiment whose launch takes too long. The experiment does not continue after that.
std::optional<ExperimentResult> early_result(EarlyEnd& early_end, int signal) {
  constexpr std::chrono::milliseconds between_launches{100};
  std::unique_lock lock(early_end.mutex, between_launches);
  if (!lock || !early_end.result) return std::nullopt;
  auto result = early_end.result(signal != 0 ? StopReason::interrupted : StopReason::time_limit);
  if (result) lock.release();  // the mutex stays locked
  return result;
}

ModelOptions checked(ModelOptions options) {
  check_questions(options);
  return options;
}

// Reads the plan and the design points that the options request.
Experiment experiment_of(const ModelOptions& options) {
  Plan plan = plan_from(options.table, options.base_plan());
  if (quantile_precision(options.table).is_set() && !options.table.has("replications")) {
    plan.replications = default_quantile_ceiling;
  }
  if (simultaneous_method(options.table) == Simultaneous::max_t) plan.covariances = true;
  const ReadingLimit limit(plan.time_limit);
  return experiment_from(options, plan);
}

// Returns the options of the results that a run records. The run of a part does not write the file of responses.
ModelOptions recorded_options(const ModelOptions& options) {
  ModelOptions recorded = options;
  if (options.table.has("part")) recorded.table.text("responses").reset();
  return recorded;
}

}  // namespace

Watcher watcher_of(ProgressLine& line, const Interruption& interruption) {
  return [&](const Progress& progress) {
    line.show(progress);
    return interruption.signal() == 0;
  };
}

WatchedExperiment::WatchedExperiment(ModelOptions options, const Backend& backend, const MergedParts* merged)
    : m_options(checked(std::move(options))),
      m_experiment(experiment_of(m_options)),
      m_settings(execution_settings(m_options.table, backend)),
      m_destination(m_options.table.text("output")),
      m_merged(merged),
      m_part(part_from(m_options.table, m_experiment.plan)),
      m_requirements(requirements_of(m_experiment, m_options)),
      m_recording(m_experiment, recorded_options(m_options)),
      m_precision(quantile_precision(m_options.table)),
      m_simultaneous(simultaneous_method(m_options.table)),
      m_has_controls(wants_controls(m_options.table, m_experiment.model, m_experiment.plan)),
      m_is_conditional(wants_conditional(m_options.table, m_experiment.model)),
      m_plan(m_experiment.plan),
      m_questions(m_experiment, m_options),
      m_page(m_options.table, "simulate " + m_experiment.model.name),
      m_pictures(files_of("picture", m_experiment.model, m_options)),
      m_timelines(files_of("timeline", m_experiment.model, m_options)) {
  check_checkpoint(m_options.table);
  const auto& [model, design, plan, skipped, notes] = m_experiment;
  if (design.size() > 1 && !(m_pictures.empty() && m_timelines.empty())) {
    throw std::invalid_argument(fmt::format("--{} is given for {} design points, expected one",
                                            m_pictures.empty() ? "timeline" : "picture", design.size()));
  }
  const std::size_t responses = model.response_names(design.front()).size();
  if (m_part) {
    const bool keeps_rows = m_recording.recorder() || m_options.table.has("responses");
    m_record.emplace(*m_part, design.size(), responses + (m_has_controls ? model.control_names.size() : 0),
                     static_cast<bool>(m_questions.observer()), keeps_rows);
  }
  const bool has_observations = m_merged == nullptr || m_merged->has_observations();
  if (m_options.table.has("report") && has_observations) m_convergence.emplace(model, design);
  for (const auto& point : design) m_exact.emplace_back(model.response_names(point).size());
  if (m_merged != nullptr) m_merged->check_run(description());
}

io::Json WatchedExperiment::description() const {
  io::Json json = experiment_description(m_experiment.model, m_experiment.design, m_experiment.plan, m_has_controls,
                                         m_is_conditional);
  if (m_part) json["part"] = fmt::format("{}/{}", m_part->number, m_part->count);
  return json;
}

std::string WatchedExperiment::restore(const io::Json& state, const std::string& what) {
  m_start = io::experiment_state_of_json(state, what);
  m_convergence.reset();  // a checkpoint holds no observations
  return plural(replications_of(*m_start), "replication", "replications");
}

void WatchedExperiment::compute(const Backend& backend, const RunControl& control) {
  Checkpoints checkpoints;
  checkpoints.start = std::move(m_start);
  if (m_options.table.has("checkpoint")) checkpoints.every = checkpoint_interval(m_options.table);
  const auto& kept = control.kept;
  if (m_part && !checkpoints.start) checkpoints.start = beginning_of_part(m_part->range);
  if (m_merged != nullptr) checkpoints.start = m_merged->state();
  const std::int64_t run_length = m_plan.source.replications_of_run();
  if (kept) {
    checkpoints.save = [&kept, run_length](const ExperimentState& state) {
      kept->save(io::json_of(state, run_length));
    };
  }
  if (processes().count() == 1) checkpoints.early_end = &m_early_end;
  control.interruption.rescue_by([this, write = control.write](int signal) { return rescued(signal, write); });
  const Observer observer = m_record ? m_record->observer() : this->observer();
  const Recorder recorder = m_record ? m_record->recorder() : m_recording.recorder();
  if (m_merged != nullptr) m_merged->replay(observer, recorder);
  if (!m_timelines.empty()) m_timeline = timeline(backend, 0);
  QuantileRounds rounds(m_plan, m_recording.quantiles, m_precision);
  do {
    Plan plan = rounds.plan();
    plan.covariances = plan.covariances || m_has_controls;
    if (m_part) plan.replications = m_part->range.first + m_part->range.count;
    const std::int64_t before = checkpoints.start ? replications_of(*checkpoints.start) : 0;
    ProgressLine line(m_experiment.model.name, plan, before, control.shows_progress);
    m_result = run_simulation(backend, m_experiment.model.name,
                              {{m_experiment.design, plan, simulated_responses(m_has_controls, m_is_conditional)},
                               watcher_of(line, control.interruption),
                               observer,
                               checkpoints,
                               recorder});
  } while (rounds.needs_another(m_result, checkpoints.start));
  if (m_part) return;
  if (m_merged != nullptr) m_result.seconds = m_merged->seconds(), m_result.mapping = m_merged->mapping();
  take_exact_means(control);
  take_animations(backend, control);
}

// Draws replication 0 of a design point.
io::StationTimeline WatchedExperiment::timeline(const Backend& backend, std::size_t point) const {
  return backend.run_with(m_experiment.model.name, TimelineTask{m_experiment.design[point], m_plan, point, 0});
}

// Returns the design points that the page animates.
std::vector<std::size_t> WatchedExperiment::animated_points() const {
  if (!m_options.table.has("report") || !m_experiment.model.has_timeline) return {};
  return runtime::animated_points(m_result, m_questions.best_point(m_result));
}

// Draws the animations of the page. If it takes too long, another thread writes the results without them.
void WatchedExperiment::take_animations(const Backend& backend, const RunControl& control) {
  const auto points = animated_points();
  if (points.empty()) return;
  m_animations = control.interruption.completed(control.write, [&] {
    std::vector<PointAnimation> animations;
    for (const std::size_t point : points) animations.push_back({point, timeline(backend, point).animation});
    return animations;
  });
}

// Computes the exact means. If they take too long, another thread writes the results without them.
void WatchedExperiment::take_exact_means(const RunControl& control) {
  m_exact = control.interruption.completed(control.write, [&] {
    std::vector<std::vector<std::optional<double>>> exact;
    for (const auto& point : m_experiment.design) exact.push_back(m_experiment.model.exact_means(point));
    return exact;
  });
}

// Returns the observer of the observations; empty if no question needs one.
Observer WatchedExperiment::observer() {
  Observer asked = m_questions.observer();
  if (!m_convergence) return asked;
  return [this, asked](std::size_t point, std::size_t response, double observation) {
    if (asked) asked(point, response, observation);
    m_convergence->add(point, response, observation);
  };
}

std::optional<std::string> WatchedExperiment::make_results() {
  if (!m_part || has_ended()) return std::nullopt;
  return fmt::format("ended before part {} of {} was complete: no part is written", m_part->number, m_part->count);
}

bool WatchedExperiment::has_ended() const {
  return std::all_of(m_result.state.points.begin(), m_result.state.points.end(),
                     [](const PointState& point) { return point.stopped_by.has_value(); });
}

io::Json WatchedExperiment::state() const { return io::json_of(m_result.state, m_plan.source.replications_of_run()); }

std::string WatchedExperiment::part_text() const {
  io::Json run = description();
  run.erase("part");
  return m_record->text(run, arguments_of(m_experiment.model, m_options.table), m_result,
                        m_plan.source.replications_of_run());
}

void WatchedExperiment::write(const Machine& machine, double) {
  if (m_part) return m_destination.write(part_text());
  const auto& [model, design, planned, skipped, notes] = m_experiment;
  const Plan& plan = m_plan;
  Report report{model, design, plan, m_result, {}, machine};
  report.exact = m_exact;
  if (m_has_controls) {
    report.controlled = take_controls(m_result.points, model, design, plan.confidence, plan.covariances);
  }
  m_questions.add_to(report, m_result.points.front().responses);
  if (m_simultaneous) report.simultaneous = simultaneous_intervals(*m_simultaneous, plan, m_result);
  m_recording.add_to(report);
  if (m_requirements) report.requirements = m_requirements->decide(m_result);
  report.skipped = skipped;
  report.notes = notes;
  if (m_is_conditional) {
    report.notes.push_back("responses are replaced by their expectations given " + model.conditional_on +
                           ", which have the same means");
  }
  for (std::string& note : host_notes(machine, design.size(), plan)) report.notes.push_back(std::move(note));
  for (std::string& note : bias_notes(plan.source.sampling)) report.notes.push_back(std::move(note));
  for (std::string& note : interval_notes(m_result.points, plan.confidence)) report.notes.push_back(std::move(note));
  for (std::string& note : control_notes(report.controlled)) report.notes.push_back(std::move(note));
  if (m_options.table.has("report") && !m_convergence) report.notes.emplace_back(unknown_narrowing);
  if (m_recording.file) m_recording.file->finish();
  if (!m_pictures.empty()) {
    std::vector<double> means, half_widths;
    for (const ResponseEstimate& response : m_result.points.front().responses) {
      means.push_back(response.mean);
      half_widths.push_back(response.half_width);
    }
    m_pictures.draw(model.picture(design.front(), means, half_widths));
  }
  if (!m_timelines.empty()) m_timelines.draw(m_timeline->picture);
  report.animations = m_animations;
  if (m_animations.empty() && !animated_points().empty())
    report.notes.emplace_back("the page has no animated picture, because the run ended before it was drawn");
  const ResultDocument document = document_of(report, m_convergence);
  m_page.write(document);
  m_destination.write(text_of(document, m_options.table));
}

Ending WatchedExperiment::ending(int signal) const {
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

// Called by another thread if a launch takes too long.
std::optional<int> WatchedExperiment::rescued(int signal, const std::function<int(int)>& write) {
  auto result = early_result(m_early_end, signal);
  if (!result && m_recording.file) m_recording.file->discard();
  if (!result) return std::nullopt;
  m_result = std::move(*result);
  return write(signal);
}

}  // namespace sporos::apps
