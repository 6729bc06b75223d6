// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/selection/report.hpp>

#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/math/count.hpp>
#include <sporos/core/statistics/critical_values.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace sporos::runtime {

namespace {

// Returns the half-width of Student's interval of a system's mean; infinite after a single replication.
double half_width(const SelectionReport& report, const SystemEstimate& estimate) {
  if (estimate.replications < 2) return std::numeric_limits<double>::infinity();
  const double spread = std::sqrt(estimate.variance / static_cast<double>(estimate.replications));
  return student_t(report.request.options.confidence, estimate.replications) * spread;
}

bool has_standard(const SelectionRequest& request) { return request.procedure->run == compare_with_standard; }

// Returns the known standard with the sign that the user gave.
double given_standard(const SelectionRequest& request) {
  return request.which.is_smallest_best ? -request.options.standard : request.options.standard;
}

bool is_guaranteed(const SelectionReport& report) { return !report.ended_by && !report.request.procedure->has_budget; }

std::string lead_of(const SelectionRequest& request) {
  const SelectionOptions& options = request.options;
  std::string text = fmt::format("The {} {} of {}", request.which.is_smallest_best ? "smallest" : "largest",
                                 request.response, plural(request.grid.size(), "system", "systems"));
  for (std::size_t i = 0; i < request.constraints.size(); ++i) {
    text += fmt::format("{}{} (tolerance {})", i == 0 ? " subject to " : " and ", request.constraints[i].text,
                        io::shortest_text(options.tolerances[i]));
  }
  text += fmt::format(", by procedure {}", request.procedure->name);
  if (request.procedure->has_delta) text += ", delta " + io::shortest_text(options.delta);
  if (has_standard(request)) text += ", standard " + io::shortest_text(given_standard(request));
  if (request.procedure->has_budget) text += fmt::format(", budget {}", options.budget);
  return text + fmt::format(", first stage of {}, {} random numbers, seed {}",
                            plural(options.first_stage, "replication", "replications"),
                            request.which.common_random_numbers ? "common" : "independent", request.which.seed);
}

std::vector<ResultFact> settings_of(const SelectionRequest& request) {
  const SelectionOptions& options = request.options;
  const auto if_so = [](bool is_so, ResultValue value) { return is_so ? std::move(value) : ResultValue(); };
  return {{"systems", "systems", request.grid.size(), ValueKind::count},
          {"response", "compared by", request.response},
          {"best", "best", std::string(request.which.is_smallest_best ? "smallest" : "largest")},
          {"procedure", "procedure", std::string(request.procedure->name)},
          {"delta", "delta", if_so(request.procedure->has_delta, options.delta), ValueKind::number},
          {"standard", "standard", if_so(has_standard(request), given_standard(request)), ValueKind::number},
          {"budget", "budget", if_so(request.procedure->has_budget, options.budget), ValueKind::count},
          {"first_stage", "replications of the first stage", options.first_stage, ValueKind::count},
          {"common_random_numbers", "common random numbers", request.which.common_random_numbers},
          {"confidence", "confidence", options.confidence, ValueKind::percentage},
          {"seed", "seed", request.which.seed, ValueKind::count}};
}

// Whether systems are compared by the response with index `place`.
bool is_compared(const SelectionRequest& request, std::size_t place) {
  const std::vector<double>& sums = request.which.sums;
  if (sums.empty()) return place == static_cast<std::size_t>(request.which.response);
  const std::size_t of_system = sums.size() / static_cast<std::size_t>(request.grid.size());
  for (std::size_t i = place; i < sums.size(); i += of_system) {
    if (sums[i] != 0) return true;
  }
  return false;
}

// Adds notes on ratios: a ratio observed in replications differs from the ratio of means that `simulate` estimates.
void add_ratio_notes(const SelectionRequest& request, std::vector<std::string>& notes) {
  const auto names = request.model->response_names(request.values);
  for (const RatioOfMeans& ratio : request.model->ratios(request.values)) {
    const auto place = static_cast<std::size_t>(ratio.response);
    const auto tell = [&](std::string_view what) {
      notes.push_back(
          fmt::format("{} the mean of {} over replications, which is not the ratio of means that `simulate` estimates.",
                      what, names[place]));
    };
    if (is_compared(request, place)) tell("Systems are compared by");
    const bool is_constrained = std::ranges::any_of(
        request.constraints, [&](const SelectionConstraint& one) { return one.observed.weights[place] != 0; });
    if (is_constrained) tell("A constraint is on");
  }
}

std::vector<std::string> notes_of(const SelectionReport& report) {
  const SelectionRequest& request = report.request;
  std::vector<std::string> notes = request.notes;
  if (has_standard(request) && is_guaranteed(report) && report.survivors.empty()) {
    notes.emplace_back("No system is better: the standard is retained.");
  }
  if (!report.ended_by && request.procedure->has_budget) {
    notes.push_back(fmt::format("There is no guarantee: the procedure allocates a budget of {} replications.",
                                request.options.budget));
  }
  if (report.estimated_correct_selection) {
    notes.emplace_back("The estimated probability is Bonferroni's bound, computed as if the variances were known.");
  }
  add_ratio_notes(request, notes);
  if (!report.survivors.empty()) {
    notes.emplace_back(
        "Each interval is for a single system and ignores the selection, which favours systems that look too good.");
  }
  return notes;
}

std::int64_t of_unknown_variance(const SelectionReport& report) {
  return std::ranges::count_if(report.failed, &FailedSystem::has_equal_numbers);
}

// Returns the guarantee, which applies to the systems that were compared.
ResultValue guarantee_of(const SelectionReport& report) {
  if (!is_guaranteed(report)) return {};
  const std::int64_t left_out = of_unknown_variance(report);
  return report.request.procedure->guarantee(report.request.options, report.request.grid.size()) +
         (left_out == 0 ? "" : fmt::format("; excludes {} of unknown variance", plural(left_out, "system", "systems")));
}

std::vector<ResultFact> findings_of(const SelectionReport& report) {
  const auto count = [](const auto& list) { return ResultValue(static_cast<std::int64_t>(list.size())); };
  return {{"guarantee", "guarantee", guarantee_of(report)},
          {"estimated_correct_selection", "estimated probability that the best system is selected",
           value_of(report.estimated_correct_selection), ValueKind::percentage},
          {"survivors", "survivors", count(report.survivors), ValueKind::count, no_resolution, Shown::as_data},
          {"failed", "systems without a result", count(report.failed), ValueKind::count, no_resolution, Shown::as_data},
          {"replications", "replications of all systems", report.replications, ValueKind::count},
          {"seconds_in_replications", "time in replications", report.seconds_in_replications, ValueKind::duration,
           no_resolution, Shown::as_data}};
}

// Limits JSON output: there may be a million systems.
constexpr std::size_t max_in_json = 1000;

// Returns an empty table of systems: their numbers and the parameters that differ between them, followed by `columns`.
ResultTable table_of_systems(const SelectionReport& report, std::string id, std::string title,
                             const std::vector<ResultColumn>& columns) {
  const ModelDescription& model = *report.request.model;
  ResultTable table{std::move(id), std::move(title), {{"system", "system", ValueKind::count}}, {}};
  std::vector<ResultColumn> others = columns;
  others.push_back(table.columns.front());
  for (const GridAxis& axis : report.request.grid.axes()) {
    table.columns.push_back(parameter_column(model.parameters[*model.find_parameter(axis.parameter)], others));
  }
  table.columns.insert(table.columns.end(), columns.begin(), columns.end());
  return table;
}

// Returns the number of a system and the values of the parameters that differ between systems.
std::vector<ResultValue> row_of(const SelectionReport& report, std::int64_t system) {
  const ModelDescription& model = *report.request.model;
  std::vector<ResultValue> row{system + 1};
  const auto values = report.request.grid.values_of(system);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string& name = report.request.grid.axes()[i].parameter;
    const bool is_whole = model.parameters[*model.find_parameter(name)].is_whole();
    row.push_back(is_whole ? ResultValue(bounded_count(values[i])) : ResultValue(values[i]));
  }
  return row;
}

ResultTable survivors_table(const SelectionReport& report) {
  const SelectionRequest& request = report.request;
  std::vector<ResultColumn> columns{
      {"mean", request.response, ValueKind::number, "half_width"},
      {"half_width", half_width_title(request.options.confidence), ValueKind::number, "half_width"},
      {.id = "low", .title = "from", .shown = Shown::as_data},
      {.id = "high", .title = "to", .shown = Shown::as_data}};
  for (std::size_t i = 0; i < request.constraints.size(); ++i) {
    const std::string id = fmt::format("constraint_{}", i + 1), width = id + "_half_width";
    columns.insert(columns.end(), {{id, request.constraints[i].name, ValueKind::number, width},
                                   {width, "half-width", ValueKind::number, width},
                                   {.id = id + "_low", .title = "from", .shown = Shown::as_data},
                                   {.id = id + "_high", .title = "to", .shown = Shown::as_data}});
  }
  columns.push_back({"replications", "replications", ValueKind::count});
  ResultTable table = table_of_systems(report, "survivors", "Survivors, the best first", columns);
  table.rows_shown = RowsShown::first;
  table.max_in_json = max_in_json;
  for (std::size_t i = 0; i < report.survivors.size(); ++i) {
    std::vector<ResultValue> row = row_of(report, report.survivors[i].system);
    const auto add = [&](const SystemEstimate& estimate) {
      const double mean = estimate.mean, width = half_width(report, estimate);
      row.insert(row.end(), {mean, width, mean - width, mean + width});
    };
    add(report.survivors[i]);
    for (const auto& constrained : report.constrained) add(constrained[i]);
    row.emplace_back(report.survivors[i].replications);
    table.rows.push_back(std::move(row));
  }
  const auto draw = [&](std::string title, const std::string& id, std::optional<double> limit) {
    const std::string prefix = id == "mean" ? "" : id + '_';
    table.pictures.push_back({.title = std::move(title),
                              .kind = PictureKind::intervals,
                              .x = "system",
                              .y = id,
                              .low = prefix + "low",
                              .high = prefix + "high",
                              .is_in_order = true,
                              .limit = limit});
  };
  draw(request.response + " of the best survivors", "mean", {});
  for (std::size_t i = 0; i < request.constraints.size(); ++i) {
    draw(request.constraints[i].text, fmt::format("constraint_{}", i + 1), request.constraints[i].limit);
  }
  return table;
}

// Returns the nearest system to feasibility if no system is feasible.
ResultTable nearest_table(const SelectionReport& report) {
  ResultTable table = table_of_systems(
      report, "nearest_infeasible", "No system is feasible: the one closest to feasibility",
      {{"constraint", "violates", ValueKind::text},
       {"mean", "mean", ValueKind::number, "half_width"},
       {"half_width", half_width_title(report.request.options.confidence), ValueKind::number, "half_width"},
       {"replications", "replications", ValueKind::count}});
  if (!report.nearest) return table;
  const auto& [place, estimate] = *report.nearest;
  table.rows.push_back(row_of(report, estimate.system));
  table.rows.back().insert(table.rows.back().end(),
                           {report.request.constraints[static_cast<std::size_t>(place)].text, estimate.mean,
                            half_width(report, estimate), estimate.replications});
  return table;
}

ResultTable failed_table(const SelectionReport& report) {
  const bool has_equal = of_unknown_variance(report) > 0;
  ResultTable table = table_of_systems(report, "failed",
                                       has_equal ? "Systems without a result, for which there is no guarantee"
                                                 : "Systems without a result, which count as worse than every other",
                                       {{"failures", "failed", ValueKind::count},
                                        {"replications", "replications", ValueKind::count},
                                        {"reason", "reason", ValueKind::text}});
  table.rows_shown = RowsShown::first;
  table.max_in_json = max_in_json;
  for (const FailedSystem& failed : report.failed) {
    table.rows.push_back(row_of(report, failed.system));
    table.rows.back().insert(table.rows.back().end(), {failed.failures, failed.replications, failed.reason});
  }
  return table;
}

ResultTable stages_table(const SelectionReport& report) {
  ResultTable table{
      .id = "stages",
      .title = "Stages",
      .columns = {{"stage", "stage", ValueKind::text},
                  {"survivors", "survivors", ValueKind::count},
                  {"replications", "replications of all systems", ValueKind::count},
                  {.id = "seconds", .title = "time so far", .kind = ValueKind::duration, .shown = Shown::as_data}},
      .rows = {},
      .pictures = {{.title = "Survivors",
                    .kind = PictureKind::progress,
                    .x = "replications",
                    .y = "survivors",
                    .is_logarithmic = true}},
      .rows_shown = RowsShown::thinned};
  for (const auto& [stage, survivors, replications, seconds] : report.steps) {
    table.rows.push_back({stage, survivors, replications, seconds});
  }
  return table;
}

ResultTable varied_table(const SelectionRequest& request) {
  ResultTable table{"varied",
                    "Parameters that differ between systems",
                    {{"parameter", "parameter", ValueKind::text}, {"values", "values", ValueKind::count}},
                    {},
                    Shown::in_reports};
  for (const GridAxis& axis : request.grid.axes()) {
    table.rows.push_back({axis.parameter, static_cast<std::int64_t>(axis.values.size())});
  }
  return table;
}

ResultTable constraints_table(const SelectionRequest& request) {
  ResultTable table{"constraints",
                    "Constraints",
                    {{"constraint", "constraint", ValueKind::text},
                     {.id = "compared", .title = "compared", .kind = ValueKind::text, .shown = Shown::as_data},
                     {.id = "sense", .title = "sense", .kind = ValueKind::text, .shown = Shown::as_data},
                     {.id = "limit", .title = "limit", .shown = Shown::as_data},
                     {"tolerance", "tolerance"}},
                    {},
                    Shown::in_reports};
  for (std::size_t i = 0; i < request.constraints.size(); ++i) {
    const SelectionConstraint& one = request.constraints[i];
    table.rows.push_back({one.text, one.name, std::string(one.is_at_least ? "at least" : "at most"), one.limit,
                          request.options.tolerances[i]});
  }
  return table;
}

}  // namespace

ResultDocument document_of(const SelectionReport& report) {
  const SelectionRequest& request = report.request;
  std::vector<std::size_t> varied;
  for (const GridAxis& axis : request.grid.axes()) varied.push_back(*request.model->find_parameter(axis.parameter));
  const std::string done = plural(report.replications, "replication", "replications");
  return {.question = "select",
          .subject = subject_of(*request.model, request.values, varied),
          .lead = lead_of(request),
          .settings = settings_of(request),
          .tables = {survivors_table(report), nearest_table(report), failed_table(report), stages_table(report),
                     varied_table(request), constraints_table(request)},
          .findings = findings_of(report),
          .notes = notes_of(report),
          .stopped_by = end_of_run(report.ended_by, request.procedure->has_budget ? "budget" : "guarantee"),
          .early_end = early_end_line(report.ended_by, done + ": nothing is guaranteed"),
          .confidence = request.options.confidence,
          .seconds = report.seconds,
          .machine = report.machine};
}

}  // namespace sporos::runtime
