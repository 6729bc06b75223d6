// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/requested_experiment.hpp>

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/page/panels.hpp>
#include <sporos/runtime/simulation/controls.hpp>
#include <sporos/runtime/simulation/saved_run.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/replication/experiment_parts.hpp>

#include <stdexcept>
#include <utility>

namespace sporos::runtime {

namespace {

// Returns the options of the results that a run records. The run of a part does not write the file of responses.
ModelOptions recorded_options(const ModelOptions& options) {
  ModelOptions recorded = options;
  if (options.table.has("part")) recorded.table.text("responses").reset();
  return recorded;
}

// Returns the files that the option names, or none if the model has no pictures.
std::vector<std::string> files_of(const std::string& option, const ModelDescription& model,
                                  const ModelOptions& options) {
  return model.picture == nullptr ? std::vector<std::string>() : options.table.list(option);
}

// Returns a picture of the model with the means at the only design point.
std::string picture_of(const ModelDescription& model, const ParameterValues& point, const PointResult& result) {
  std::vector<double> means, half_widths;
  for (const ResponseEstimate& response : result.responses) {
    means.push_back(response.mean);
    half_widths.push_back(response.half_width);
  }
  return model.picture(point, means, half_widths);
}

}  // namespace

Plan plan_of(const ModelOptions& options) {
  check_questions(options);
  Plan plan = plan_from(options.table, options.base_plan());
  if (quantile_precision(options.table).is_set() && !options.table.has("replications")) {
    plan.replications = default_quantile_ceiling;
  }
  if (simultaneous_method(options.table) == Simultaneous::max_t) plan.covariances = true;
  return plan;
}

RequestedExperiment::RequestedExperiment(ModelOptions options, Experiment experiment, const MergedParts* merged)
    : m_options(std::move(options)),
      m_experiment(std::move(experiment)),
      m_plan(m_experiment.plan),
      m_merged(merged),
      m_part(part_from(m_options.table, m_plan)),
      m_requirements(requirements_of(m_experiment, m_options)),
      m_recording(m_experiment, recorded_options(m_options)),
      m_precision(runtime::quantile_precision(m_options.table)),
      m_simultaneous(simultaneous_method(m_options.table)),
      m_has_controls(wants_controls(m_options.table, model(), m_plan)),
      m_is_conditional(wants_conditional(m_options.table, model())),
      m_questions(m_experiment, m_options),
      m_page(m_options.table, "simulate " + model().name),
      m_pictures(files_of("picture", model(), m_options)),
      m_timelines(files_of("timeline", model(), m_options)) {
  if (design().size() > 1 && !(m_pictures.empty() && m_timelines.empty())) {
    throw std::invalid_argument(fmt::format("--{} is given for {} design points, expected one",
                                            m_pictures.empty() ? "timeline" : "picture", design().size()));
  }
  const bool has_observations = m_merged == nullptr || m_merged->has_observations();
  if (m_options.table.has("report") && has_observations) m_convergence.emplace(model(), design());
  if (m_merged != nullptr) m_merged->check_run(description());
}

io::Json RequestedExperiment::description() const {
  io::Json json = experiment_description(model(), design(), plan(), m_has_controls, m_is_conditional);
  if (m_part) json["part"] = fmt::format("{}/{}", m_part->number, m_part->count);
  return json;
}

// Returns the observer of all that needs observations; empty if nothing does.
Observer RequestedExperiment::observer() {
  Observer asked = m_questions.observer();
  if (!m_convergence && !m_also) return asked;
  return [this, asked](std::size_t point, std::size_t response, double observation) {
    if (asked) asked(point, response, observation);
    if (m_also) m_also(point, response, observation);
    if (m_convergence) m_convergence->add(point, response, observation);
  };
}

RequestedExperiment::Rounds RequestedExperiment::begin(Checkpoints checkpoints) {
  if (m_part) {
    const std::size_t responses = model().response_names(design().front()).size();
    const bool keeps_observations = m_questions.observer() || m_also;
    const bool keeps_rows = m_recording.recorder() || m_options.table.has("responses");
    m_record.emplace(*m_part, design().size(), responses + (m_has_controls ? model().control_names.size() : 0),
                     keeps_observations, keeps_rows);
    if (!checkpoints.start) checkpoints.start = beginning_of_part(m_part->range);
  }
  if (m_merged != nullptr) checkpoints.start = m_merged->state();
  return {*this, std::move(checkpoints)};
}

RequestedExperiment::Rounds::Rounds(RequestedExperiment& request, Checkpoints checkpoints)
    : m_request(request),
      m_checkpoints(std::move(checkpoints)),
      m_observer(request.m_record ? request.m_record->observer() : request.observer()),
      m_recorder(request.m_record ? request.m_record->recorder() : request.m_recording.recorder()),
      m_rounds(request.m_plan, request.m_recording.quantiles, request.m_precision) {
  if (request.m_merged != nullptr) request.m_merged->replay(m_observer, m_recorder);
  take_plan();
}

void RequestedExperiment::Rounds::take_plan() {
  const auto& part = m_request.m_part;
  m_plan = m_rounds.plan();
  m_plan.covariances = m_plan.covariances || m_request.m_has_controls;
  if (part) m_plan.replications = part->range.first + part->range.count;
}

bool RequestedExperiment::Rounds::needs_another(ExperimentResult& result) {
  if (m_rounds.needs_another(result, m_checkpoints.start)) {
    take_plan();
    return true;
  }
  const MergedParts* const merged = m_request.m_merged;
  if (merged != nullptr) result.seconds = merged->seconds(), result.mapping = merged->mapping();
  return false;
}

io::StationTimeline RequestedExperiment::timeline(const Backend& backend, std::size_t point) const {
  return backend.run_with(model().name, TimelineTask{design()[point], m_plan, point, 0});
}

std::vector<std::size_t> RequestedExperiment::animated_points(const ExperimentResult& result) const {
  if (!m_options.table.has("report") || !model().has_timeline) return {};
  return runtime::animated_points(result, m_questions.best_point(result));
}

std::string RequestedExperiment::part_text(const ExperimentResult& result,
                                           const std::vector<std::string>& arguments) const {
  io::Json run = description();
  run.erase("part");
  return m_record->text(run, arguments, result, m_plan.source.replications_of_run());
}

Report RequestedExperiment::report_of(const ExperimentOutcome& outcome) {
  ExperimentResult& result = outcome.result;
  Report report{model(), design(), m_plan, result, outcome.exact, outcome.machine};
  if (m_has_controls) {
    report.controlled = take_controls(result.points, model(), design(), m_plan.confidence, m_plan.covariances);
  }
  m_questions.add_to(report, result.points.front().responses);
  if (m_simultaneous) report.simultaneous = simultaneous_intervals(*m_simultaneous, m_plan, result);
  m_recording.add_to(report);
  if (m_requirements) report.requirements = m_requirements->decide(result);
  report.skipped = m_experiment.skipped;
  report.animations = outcome.animations;
  add_notes_to(report);
  return report;
}

void RequestedExperiment::add_notes_to(Report& report) const {
  const auto add = [&](const std::vector<std::string>& notes) {
    report.notes.insert(report.notes.end(), notes.begin(), notes.end());
  };
  add(m_experiment.notes);
  if (m_is_conditional) {
    add({"responses are replaced by their expectations given " + model().conditional_on +
         ", which have the same means"});
  }
  add(host_notes(report.machine, design().size(), m_plan));
  add(bias_notes(m_plan.source.sampling));
  add(interval_notes(report.result.points, m_plan.confidence));
  add(control_notes(report.controlled));
  if (m_options.table.has("report") && !m_convergence) add({unknown_narrowing});
  if (report.animations.empty() && !animated_points(report.result).empty())
    add({"the page has no animated picture, because the run ended before it was drawn"});
}

ResultDocument RequestedExperiment::write(const ExperimentOutcome& outcome) {
  const Report report = report_of(outcome);
  if (m_recording.file) m_recording.file->finish();
  if (!m_pictures.empty()) m_pictures.draw(picture_of(model(), design().front(), outcome.result.points.front()));
  if (has_timeline()) m_timelines.draw(outcome.timeline->picture);
  ResultDocument document = document_of(report, m_convergence);
  m_page.write(document);
  return document;
}

}  // namespace sporos::runtime
