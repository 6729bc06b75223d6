// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/steady_state/report.hpp>

#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/panels.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/procedures/steady_state/series_methods.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace sporos::runtime {

namespace {

void add(std::vector<EstimateStep>& steps, std::int64_t observations, const SeriesInterval& interval) {
  if (interval.reason.empty()) steps.push_back({observations, interval.mean, interval.low, interval.high});
}

// The model without the parameters that its series ignore.
ResultSubject subject_of(const SteadyStateRequest& request) {
  ResultSubject subject = subject_of(*request.model, request.values);
  std::erase_if(subject.parameters, [&](const ResultParameter& parameter) {
    const auto& ignored = request.model->series_ignores;
    return std::ranges::find(ignored, parameter.name) != ignored.end();
  });
  return subject;
}

std::string lead_of(const SteadyStateRequest& request, const SteadyStateResult& result) {
  std::vector<std::string> goals;
  if (request.goal.half_width > 0) goals.push_back(io::shortest_text(request.goal.half_width));
  if (request.goal.relative_half_width > 0) {
    goals.push_back(io::shortest_text(request.goal.relative_half_width) + " of the mean");
  }
  const std::string precision =
      goals.empty() ? "" : fmt::format("half-widths of at most {} within ", fmt::join(goals, " and "));
  const std::string each = result.observation.empty() ? "" : fmt::format(" ({} each)", result.observation);
  return fmt::format("Means in steady state by {}: {}{}{} of {}, seed {}", name_of(request.goal.method), precision,
                     plural(request.goal.observations, "observation", "observations"), each,
                     plural(request.runs, "run", "runs"), request.seed);
}

std::vector<ResultFact> settings_of(const SteadyStateRequest& request) {
  const SteadyStateGoal& goal = request.goal;
  const auto width = [](double asked) { return asked > 0 ? ResultValue(asked) : ResultValue(); };
  return {{"method", "method", std::string(name_of(goal.method))},
          {"precision", "maximum half-width", width(goal.half_width), ValueKind::number},
          {"relative_precision", "maximum half-width relative to the mean", width(goal.relative_half_width),
           ValueKind::percentage},
          {"observations", goal.is_sequential() ? "maximum observations of a run" : "observations of a run",
           goal.observations, ValueKind::count},
          {"runs", "runs", request.runs, ValueKind::count},
          {"confidence", "confidence", goal.confidence, ValueKind::percentage},
          {"seed", "seed", request.seed, ValueKind::count}};
}

ResultTable means_table(const SteadyStateReport& report) {
  const SteadyStateGoal& goal = report.request.goal;
  const char* const batches = goal.method == SeriesMethod::regenerative   ? "cycles"
                              : goal.method == SeriesMethod::replications ? "runs"
                                                                          : "batches";
  ResultTable table{
      "means",
      "Means in steady state",
      {{"response", "response", ValueKind::text},
       {"mean", "mean", ValueKind::number, "half_width"},
       {"low", interval_title(goal.confidence), ValueKind::number, "half_width"},
       {"high", "to", ValueKind::number, "half_width"},
       {.id = "half_width", .title = "half-width", .half_width = "half_width", .shown = Shown::in_reports},
       {"exact", "exact", ValueKind::number, "half_width"},
       {"warm_up", "warm-up cut", ValueKind::count},
       {"batch_size", "batch size", ValueKind::count},
       {"batches", batches, ValueKind::count},
       {"used", "observations used", ValueKind::count},
       {.id = "degrees_of_freedom", .title = "degrees of freedom", .shown = Shown::in_reports},
       {.id = "no_interval", .title = "why there is no interval", .kind = ValueKind::text, .shown = Shown::as_data}},
      {}};
  for (std::size_t i = 0; i < report.result.names.size(); ++i) {
    const SeriesInterval& found = report.result.intervals[i];
    const auto of_interval = [&](auto value) { return found.reason.empty() ? ResultValue(value) : ResultValue(); };
    table.rows.push_back({report.result.names[i], found.mean, found.low, found.high, found.half_width(),
                          value_of(report.exact.empty() ? std::nullopt : report.exact[report.result.means[i]]),
                          of_interval(found.cut), found.batch_size > 0 ? ResultValue(found.batch_size) : ResultValue(),
                          of_interval(found.batches), of_interval(found.used), of_interval(found.degrees_of_freedom),
                          found.reason.empty() ? ResultValue() : ResultValue(std::string(found.reason))});
  }
  return table;
}

std::vector<std::string> notes_of(const SteadyStateReport& report) {
  const SteadyStateResult& result = report.result;
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < result.names.size(); ++i) {
    const SeriesInterval& interval = result.intervals[i];
    if (!interval.reason.empty())
      notes.push_back(fmt::format("{} has no interval: {}", result.names[i], interval.reason));
  }
  if (notes.empty()) notes.push_back(missed_precision(report.request, result));
  if (notes.back().empty()) notes.pop_back();
  return notes;
}

PageSection series_section(const SteadyStateReport& report) {
  PageSection section{"Series and end of the warm-up", {}};
  for (PagePicture& picture : page_pictures_of(report, *report.runs)) section.blocks.emplace_back(std::move(picture));
  return section;
}

PageSection convergence_section(const SteadyStateReport& report) {
  PageSection section{narrowing_heading, {}};
  if (report.convergence == nullptr) {
    section.blocks.emplace_back(PageParagraph{unknown_narrowing});
    return section;
  }
  for (std::size_t i = 0; i < report.result.names.size(); ++i) {
    const auto steps = report.convergence->steps(i, report.result);
    if (steps.empty()) continue;
    section.blocks.emplace_back(convergence_picture(report.result.names[i], "observations of a run", steps));
  }
  if (section.blocks.empty())
    section.blocks.emplace_back(PageParagraph{"No interval was available at any point of the run."});
  return section;
}

}  // namespace

void SeriesConvergence::look(const SeriesRuns& runs) {
  if (!m_looks.are_due(runs.observations())) return;
  const std::vector<std::size_t> means = estimated_means(runs, m_goal);
  m_steps.resize(means.size());
  for (std::size_t i = 0; i < means.size(); ++i)
    add(m_steps[i], runs.observations(), steady_state_mean(m_goal.method, runs, means[i], m_goal.confidence));
}

std::vector<EstimateStep> SeriesConvergence::steps(std::size_t index, const SteadyStateResult& result) const {
  std::vector<EstimateStep> steps;
  for (const EstimateStep& step : m_steps.at(index)) {
    if (step.observations < result.observations) steps.push_back(step);
  }
  add(steps, result.observations, result.intervals[index]);
  return steps;
}

std::vector<std::optional<double>> exact_means(const SteadyStateRequest& request) {
  return request.model->series_means(request.values);
}

namespace {

std::string end_of(const SteadyStateResult& result) { return end_of_run(result.stopped_by, "observations"); }

}  // namespace

bool is_ended_early(const SteadyStateResult& result) {
  return result.stopped_by == StopReason::time_limit || result.stopped_by == StopReason::interrupted;
}

std::string missed_precision(const SteadyStateRequest& request, const SteadyStateResult& result) {
  std::size_t worst = 0;
  const auto excess_of = [&](std::size_t i) { return excess(result.intervals[i], request.goal); };
  for (std::size_t i = 0; i < result.names.size(); ++i) {
    if (!result.intervals[i].reason.empty()) {
      return fmt::format("'{}' has no interval after {} of each run ({}): {}", result.names[i],
                         plural(result.observations, "observation", "observations"), end_of(result),
                         result.intervals[i].reason);
    }
    if (excess_of(i) > excess_of(worst)) worst = i;
  }
  if (!request.goal.is_sequential() || result.stopped_by == StopReason::precision) return "";
  const SeriesInterval& interval = result.intervals[worst];
  return fmt::format(
      "precision not reached: '{}' is {:.6g} to {:.6g}, half-width {:.3g}, {:.3g} times the requested one, after {} of "
      "each run ({})",
      result.names[worst], interval.low, interval.high, interval.half_width(), excess_of(worst),
      plural(result.observations, "observation", "observations"), end_of(result));
}

ResultDocument document_of(const SteadyStateReport& report) {
  const SteadyStateRequest& request = report.request;
  const std::int64_t observations = report.result.observations;
  const std::string done = plural(observations, "observation", "observations") + " of each run";
  ResultDocument document{
      .question = "steady-state",
      .subject = subject_of(request),
      .lead = lead_of(request, report.result),
      .settings = settings_of(request),
      .tables = {means_table(report)},
      .findings = {{"observations", "observations of each run", observations, ValueKind::count}},
      .notes = notes_of(report),
      .stopped_by = end_of(report.result),
      .early_end = is_ended_early(report.result) ? early_end_line(report.result.stopped_by, done) : "",
      .confidence = request.goal.confidence,
      .seconds = report.seconds,
      .machine = report.machine};
  if (!report.result.observation.empty())
    document.settings.push_back({"observation", "one observation", report.result.observation});
  if (report.runs != nullptr) document.sections = {series_section(report), convergence_section(report)};
  return document;
}

}  // namespace sporos::runtime
