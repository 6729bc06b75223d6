// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/report.hpp>

#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/math/count.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace sporos::runtime {

namespace {

using Columns = std::vector<ResultColumn>;
using Row = std::vector<ResultValue>;

void append(Row& row, Row values) {
  row.insert(row.end(), std::make_move_iterator(values.begin()), std::make_move_iterator(values.end()));
}

void append(Columns& columns, const Columns& more) { columns.insert(columns.end(), more.begin(), more.end()); }

// Returns the title of the excess of constraint j.
std::string excess_name(const SearchReport& report, std::size_t j) {
  return report.request.constraints_on_means[j].text + ", exceeded by";
}

bool has_runs(const SearchReport& report) { return !report.runs.ends.empty(); }

std::string constraints_text(const SearchRequest& request) {
  std::vector<std::string> texts = request.constraint_texts;
  for (const ConstraintOnMeans& constraint : request.constraints_on_means) texts.push_back(constraint.text);
  return fmt::format("{}", fmt::join(texts, " and "));
}

std::string lead_of(const SearchReport& report) {
  const SearchRequest& request = report.request;
  const std::string constraints = constraints_text(request);
  std::string lead = objective_text(request) + (constraints.empty() ? "" : " subject to " + constraints);
  lead.front() = 'M';  // first letter of "minimize" or "maximize"
  lead += fmt::format(", by {}", report.solver);
  if (request.settings.starts > 1) {
    lead +=
        fmt::format(" from {} starts{}", request.settings.starts,
                    request.constraints_on_means.empty() ? "" : ", keeping the best end that is certified feasible");
  }
  if (!report.reason.empty()) lead += fmt::format(" (chosen because {})", report.reason);
  const std::string used = plural(report.replications, "replication", "replications");
  const std::string others = plural(request.final_replications, "replication", "replications");
  if (!has_runs(report)) {
    return lead + fmt::format(": {} of {}, seed {}; means over {} not used in the search", used, request.budget,
                              request.seed, others);
  }
  return lead + fmt::format(
                    ": {} in {} of at most {} each, seed {}; the best end is chosen on {} and estimated on as many "
                    "others, none of them used in a run",
                    used, plural(request.runs, "run", "runs"), request.budget, request.seed, others);
}

std::vector<ResultFact> settings_of(const SearchRequest& request) {
  const std::string constraints = constraints_text(request);
  return {
      {"objective", "objective", objective_text(request)},
      {"subject_to", "subject to", constraints.empty() ? ResultValue() : ResultValue(constraints)},
      {"solver", "solver", request.solver},
      {"gradient", "gradients", std::string(name_of(request.gradient))},
      {"budget", "maximum replications of a run", request.budget, ValueKind::count},
      {"macro_replications", "runs", request.runs, ValueKind::count},
      {"final_replications", "replications of final estimates", request.final_replications, ValueKind::count},
      {"feasible_with", "required confidence of feasibility", value_of(request.feasible_with), ValueKind::percentage},
      {"confidence", "confidence", request.confidence, ValueKind::percentage},
      {"seed", "seed", request.seed, ValueKind::count}};
}

// Returns the findings, all of which the lead or the notes state for human readers.
std::vector<ResultFact> findings_of(const SearchReport& report) {
  const EndReport& last = report.last;
  std::vector<ResultFact> findings;
  const auto add = [&](std::string id, std::string title, ResultValue value, ValueKind kind) {
    findings.push_back(data_fact(std::move(id), std::move(title), std::move(value), kind));
  };
  const auto count = [&](std::string id, std::string title, std::int64_t value, bool is_known = true) {
    add(std::move(id), std::move(title), is_known ? ResultValue(value) : ResultValue(), ValueKind::count);
  };
  const auto text = [&](std::string id, std::string title, std::string_view value) {
    add(std::move(id), std::move(title), value.empty() ? ResultValue() : ResultValue(std::string(value)),
        ValueKind::text);
  };
  text("solver", "solver that ran", report.solver);
  text("reason", "reason for the solver", report.reason);
  count("replications", "replications of the search", report.replications);
  count("starts", "starts", last.starts);
  count("tried_points", "points that random search tried", last.tried_points, last.tried_points > 0);
  add("is_convex", "whether the objective is convex", last.is_not_convex ? ResultValue(false) : ResultValue(),
      ValueKind::text);
  add("ended_at_start", "whether the search ended at its start", last.place.is_at_start, ValueKind::text);
  text("feasibility", "whether the constraints on responses hold",
       report.certificate ? name_of(report.certificate->feasibility()) : "");
  add("feasibility_confidence", "confidence of the feasibility",
      report.certificate ? ResultValue(confidence_of_constraints(report.request)) : ResultValue(),
      ValueKind::percentage);
  count("feasibility_replications", "replications for the feasibility",
        report.certificate ? report.certificate->replications : 0, report.certificate.has_value());
  count("neighbours", "neighbours compared with the end", last.neighbours.neighbours);
  count("neighbour_replications", "replications of each neighbour", last.neighbours.replications);
  count("neighbours_confirmed_by", "other replications of the best neighbour", last.neighbours.confirmed_by);
  count("samples", "samples of the search", last.infeasible.samples);
  count("infeasible_samples", "samples at infeasible decisions", last.infeasible.infeasible);
  const Selection selection = report.selection.value_or(Selection{});
  count("selection_points", "visited points in the selection of the end", static_cast<std::int64_t>(selection.points),
        report.selection.has_value());
  count("selection_replications", "replications of the selection", selection.replications,
        report.selection.has_value());
  add("selection_bound", "maximum by which another of these points can be better",
      report.selection ? finite_value(selection.bound) : ResultValue(), ValueKind::number);
  const OptimalityGap gap = report.gap.value_or(OptimalityGap{});
  text("gap_by", "method of the bound on the optimality gap",
       !report.gap                 ? ""
       : report.is_frank_wolfe_gap ? "frank-wolfe"
                                   : "sample averages");
  add("gap", "estimated optimality gap", report.gap ? finite_value(gap.mean) : ResultValue(), ValueKind::number);
  add("gap_bound", "upper bound on the optimality gap", report.gap ? finite_value(gap.bound) : ResultValue(),
      ValueKind::number);
  count("gap_batches", "batches for the gap", gap.batches, report.gap.has_value());
  count("gap_batch_replications", "replications of a batch", gap.of_batch, report.gap.has_value());
  count("gap_replications", "replications for the gap", gap.replications, report.gap.has_value());
  count("best_run", "best run", static_cast<std::int64_t>(report.runs.best) + 1, has_runs(report));
  return findings;
}

// Returns the columns of the decision variables. Their ids are those of the parameters, distinct from those of
// `others`.
Columns decision_columns(const SearchReport& report, const Columns& others) {
  const ModelDescription& model = *report.request.model;
  Columns columns;
  for (const Decision& decision : report.request.decisions) {
    columns.push_back(parameter_column(model.parameters[*model.find_parameter(decision.parameter)], others));
    columns.back().shown = Shown::in_reports;
  }
  return columns;
}

ResultValue decision_value(const SearchReport& report, std::size_t i, double value) {
  return report.are_whole[i] ? ResultValue(bounded_count(value)) : ResultValue(value);
}

Row decision_values(const SearchReport& report, const std::vector<double>& x) {
  Row row;
  for (std::size_t i = 0; i < x.size(); ++i) row.push_back(decision_value(report, i, x[i]));
  return row;
}

std::string width_title(const SearchReport& report) { return half_width_title(report.request.confidence); }

Columns objective_columns(const SearchReport& report) {
  return {{"objective", "objective", ValueKind::number, "half_width"},
          {"half_width", width_title(report), ValueKind::number, "half_width"}};
}

// A mean and its half-width; neither if the mean is not finite.
Row mean_values(const EstimatedMean& estimate) {
  if (!std::isfinite(estimate.mean)) return {ResultValue(), ResultValue()};
  return {estimate.mean, estimate.half_width};
}

// Returns the reason why there is no mean.
ResultValue fault_of(const EstimatedMean& estimate) {
  if (std::isfinite(estimate.mean)) return {};
  return std::string(std::isnan(estimate.mean) ? "unknown" : "infeasible");
}

// Returns the answer as a table of one row, for programs.
ResultTable answer_table(const SearchReport& report) {
  const Columns objective = objective_columns(report);
  ResultTable table{"answer", "The answer", decision_columns(report, objective), {}, Shown::as_data};
  append(table.columns, objective);
  const SearchPoint& end = report.points.back();
  table.rows.push_back(decision_values(report, end.x));
  append(table.rows.back(), mean_values(end.objective));
  return table;
}

ResultTable decisions_table(const SearchReport& report) {
  const auto number = [](std::string id) {
    return ResultColumn{.id = id, .title = id, .kind = ValueKind::number, .resolution = 0};
  };
  ResultTable table{"decisions",
                    "Decisions",
                    {{"decision", "decision", ValueKind::text},
                     number("value"),
                     number("start"),
                     number("low"),
                     number("high"),
                     {"at_bound", "ended at", ValueKind::text},
                     {"drawn_from", "random points from", ValueKind::text}},
                    {}};
  const EndOfSearch& place = report.last.place;
  const auto is_in = [](const std::vector<std::size_t>& list, std::size_t i) {
    return std::ranges::find(list, i) != list.end();
  };
  for (std::size_t i = 0; i < report.request.decisions.size(); ++i) {
    const auto& [name, low, high] = report.request.decisions[i];
    const auto drawn = std::ranges::find(report.request.draws, name, &DrawnDecision::parameter);
    const char* const bound = is_in(place.at_low, i) ? "lower bound" : is_in(place.at_high, i) ? "upper bound" : "";
    table.rows.push_back({name, decision_value(report, i, report.points.back().x[i]),
                          decision_value(report, i, report.points.front().x[i]), finite_value(low), finite_value(high),
                          *bound == 0 ? ResultValue() : ResultValue(std::string(bound)),
                          drawn == report.request.draws.end() ? ResultValue() : ResultValue(drawn->text)});
  }
  return table;
}

ResultTable objective_table(const SearchReport& report) {
  ResultTable table{"objective",
                    "Objective",
                    {{"at", "objective", ValueKind::text},
                     {"mean", "mean", ValueKind::number, "half_width"},
                     {"half_width", width_title(report), ValueKind::number, "half_width"},
                     {"note", "note", ValueKind::text}},
                    {}};
  const auto add = [&](std::string at, const EstimatedMean& estimate, bool is_violated) {
    Row row{std::move(at)};
    append(row, mean_values(estimate));
    row.push_back(is_violated ? ResultValue(std::string("infeasible")) : fault_of(estimate));
    table.rows.push_back(std::move(row));
  };
  const bool is_feasible = may_start_be_feasible(report), is_violated = is_end_infeasible(report);
  add("at these decisions", report.points.back().objective, is_violated);
  add("at the start", report.points.front().objective, !is_feasible);
  if (is_feasible && !is_violated && std::isfinite(report.improvement.mean)) {
    add("improvement", report.improvement, false);
  }
  return table;
}

Row certified_values(const CertifiedConstraint& one) {
  return {finite_value(one.mean),       finite_value(one.lower),
          ResultValue(one.upper),       ResultValue(one.upper - one.mean),
          finite_value(one.multiplier), finite_value(one.multiplier_half_width)};
}

Columns certified_columns(const SearchReport& report) {
  return {{"constraint", "constraint", ValueKind::text},
          {"exceeded_by", "exceeded by", ValueKind::number, "margin"},
          {.id = "at_least", .title = "at least", .half_width = "margin", .shown = Shown::in_reports},
          {"at_most", fmt::format("{:.6g} % at most", 100 * confidence_of_constraints(report.request)),
           ValueKind::number, "margin"},
          {.id = "margin", .title = "from the estimate to the upper bound", .shown = Shown::as_data},
          {"multiplier", "multiplier", ValueKind::number, "multiplier_half_width"},
          {"multiplier_half_width", "half-width", ValueKind::number, "multiplier_half_width"}};
}

ResultTable constraints_table(const SearchReport& report) {
  ResultTable table{"constraints", "Constraints on responses", certified_columns(report), {}};
  for (std::size_t j = 0; report.certificate && j < report.certificate->constraints.size(); ++j) {
    table.rows.push_back({report.request.constraints_on_means[j].text});
    append(table.rows.back(), certified_values(report.certificate->constraints[j]));
  }
  return table;
}

ResultTable responses_table(const SearchReport& report) {
  ResultTable table{.id = "responses",
                    .title = "Other responses at these decisions",
                    .columns = {{"response", "response", ValueKind::text},
                                {"mean", "mean", ValueKind::number, "half_width"},
                                {"half_width", width_title(report), ValueKind::number, "half_width"}},
                    .rows = {},
                    .rows_shown = RowsShown::first};
  for (const auto& [name, mean] : report.last.responses) {
    table.rows.push_back({name});
    append(table.rows.back(), mean_values(mean));
  }
  return table;
}

ResultTable neighbours_table(const SearchReport& report) {
  ResultTable table{"better_neighbours",
                    "Steps that improve the objective",
                    {{"decision", "decision", ValueKind::text},
                     {"step", "step"},
                     {"improvement", "improvement", ValueKind::number, "half_width"},
                     {"half_width", width_title(report), ValueKind::number, "half_width"}},
                    {},
                    Shown::in_reports};
  for (const auto& [coordinate, step, improvement, half_width] : report.last.neighbours.better) {
    table.rows.push_back({report.request.decisions[coordinate].parameter, step, improvement, half_width});
  }
  return table;
}

// Returns the number of constraints with a picture, which is limited.
std::size_t drawn_constraints(const SearchReport& report) {
  constexpr std::size_t most = 5;
  return report.certificate ? std::min(most, report.certificate->constraints.size()) : 0;
}

// Returns the mark of constraint j at the end of the search, at the horizontal position x.
ResultMark certified_mark(const SearchReport& report, std::size_t j, double x) {
  const CertifiedConstraint& one = report.certificate->constraints[j];
  return {"certified at the end", x, one.mean, one.lower, one.upper};
}

// Returns the points that the search recommended; with several runs only the start and the best end.
ResultTable points_table(const SearchReport& report) {
  const std::size_t constraints = report.request.constraints_on_means.size();
  Columns others{{"replications", "replications used", ValueKind::count},
                 {.id = "low", .title = "from", .shown = Shown::as_data},
                 {.id = "high", .title = "to", .shown = Shown::as_data}};
  append(others, objective_columns(report));
  for (std::size_t j = 0; j < constraints; ++j) {
    const std::string id = fmt::format("exceeded_by_{}", j + 1);
    append(others,
           {{.id = id, .title = excess_name(report, j), .half_width = id + "_half_width", .shown = Shown::in_reports},
            {.id = id + "_half_width", .title = "half-width", .shown = Shown::as_data},
            {.id = id + "_low", .title = "from", .shown = Shown::as_data},
            {.id = id + "_high", .title = "to", .shown = Shown::as_data}});
  }
  ResultTable table{"points",
                    "Progress of the search",
                    {others.front()},
                    {},
                    has_runs(report) ? Shown::in_reports : Shown::everywhere};
  append(table.columns, decision_columns(report, others));
  table.columns.insert(table.columns.end(), others.begin() + 3, others.end());
  table.columns.insert(table.columns.end(), others.begin() + 1, others.begin() + 3);
  table.columns.push_back({"note", "note", ValueKind::text});
  const auto interval = [](const EstimatedMean& estimate) -> Row {
    return {finite_value(estimate.mean - estimate.half_width), finite_value(estimate.mean + estimate.half_width)};
  };
  for (const auto& [replications, x, objective, excesses] : report.points) {
    Row row{replications};
    append(row, decision_values(report, x));
    append(row, mean_values(objective));
    for (std::size_t j = 0; j < constraints; ++j) {
      const EstimatedMean excess = j < excesses.size() ? excesses[j] : EstimatedMean{NAN, NAN};
      append(row, mean_values(excess));
      append(row, interval(excess));
    }
    append(row, interval(objective));
    row.push_back(fault_of(objective));
    table.rows.push_back(std::move(row));
  }
  if (has_runs(report)) return table;
  const auto end = static_cast<double>(report.replications);
  const auto draw = [&](std::string title, std::string y, const std::string& prefix) -> ResultPicture& {
    return table.pictures.emplace_back(ResultPicture{.title = std::move(title),
                                                     .kind = PictureKind::progress,
                                                     .x = "replications",
                                                     .y = std::move(y),
                                                     .low = prefix + "low",
                                                     .high = prefix + "high",
                                                     .last_x = end});
  };
  draw("Objective of the recommended decisions", "objective", "");
  for (std::size_t j = 0; j < drawn_constraints(report); ++j) {
    const std::string id = fmt::format("exceeded_by_{}", j + 1);
    ResultPicture& picture = draw(excess_name(report, j), id, id + '_');
    picture.limit = 0;
    picture.mark = certified_mark(report, j, end);
  }
  return table;
}

Columns quartile_columns() {
  Columns columns{{"smallest", "smallest"},
                  {"lower_quartile", "lower quartile"},
                  {"median", "median"},
                  {"upper_quartile", "upper quartile"},
                  {"largest", "largest"}};
  for (ResultColumn& column : columns) column.resolution = 0;
  return columns;
}

Row quartile_values(const Quartiles& all) {
  return {finite_value(all.least), finite_value(all.lower), finite_value(all.median), finite_value(all.upper),
          finite_value(all.greatest)};
}

// Returns the quartiles of the runs' ends.
ResultTable ends_table(const SearchReport& report) {
  ResultTable table{"ends", "Quartiles of the ends of the runs", {{"quantity", "quantity", ValueKind::text}}, {}};
  append(table.columns, quartile_columns());
  const auto add = [&](std::string name, const Quartiles& all) {
    table.rows.push_back({std::move(name)});
    append(table.rows.back(), quartile_values(all));
  };
  add("objective", report.runs.progress.back().objective);
  for (std::size_t i = 0; i < report.request.decisions.size(); ++i) {
    std::vector<double> values;
    for (const RunEnd& end : report.runs.ends) values.push_back(end.x[i]);
    add(report.request.decisions[i].parameter, quartiles_of(std::move(values)));
  }
  for (std::size_t j = 0; report.certificate && j < report.certificate->constraints.size(); ++j) {
    std::vector<double> values;
    for (const RunEnd& end : report.runs.ends) values.push_back(end.certificate->constraints[j].mean);
    add(excess_name(report, j), quartiles_of(std::move(values)));
  }
  return table;
}

// Returns an empty table for the quartiles of the runs' progress. The columns `before` come first.
ResultTable table_of_progress(std::string id, std::string title, Columns before, Shown shown) {
  before.push_back({"replications", "replications of each run", ValueKind::count});
  append(before, quartile_columns());
  return {std::move(id), std::move(title), std::move(before), {}, shown};
}

// Returns a picture of quartiles over the replications, with `mark` at the end.
ResultPicture picture_of_progress(std::string title, ResultMark mark) {
  return {.title = std::move(title),
          .kind = PictureKind::quartiles,
          .x = "replications",
          .y = "median",
          .low = "lower_quartile",
          .high = "upper_quartile",
          .second_y = "median",
          .second_low = "smallest",
          .second_high = "largest",
          .mark = std::move(mark)};
}

double end_of_progress(const SearchReport& report) {
  return static_cast<double>(report.runs.progress.back().replications);
}

ResultTable progress_table(const SearchReport& report) {
  ResultTable table =
      table_of_progress("progress", "Quartiles of the objective during the runs", {}, Shown::everywhere);
  for (const RunsProgress& progress : report.runs.progress) {
    table.rows.push_back({progress.replications});
    append(table.rows.back(), quartile_values(progress.objective));
  }
  const auto& [mean, half_width] = report.points.back().objective;
  table.pictures.push_back(picture_of_progress(
      "Objective of the runs", {"best end", end_of_progress(report), mean, mean - half_width, mean + half_width}));
  return table;
}

ResultTable constraint_progress_table(const SearchReport& report) {
  ResultTable table = table_of_progress("constraint_progress", "Quartiles of the constraints' excess during the runs",
                                        {{"constraint", "exceeded constraint", ValueKind::text}}, Shown::in_reports);
  for (std::size_t j = 0; j < report.runs.progress.front().constraints.size(); ++j) {
    const std::string& name = report.request.constraints_on_means[j].text;
    for (const RunsProgress& progress : report.runs.progress) {
      table.rows.push_back({name, progress.replications});
      append(table.rows.back(), quartile_values(progress.constraints[j]));
    }
    if (j >= drawn_constraints(report)) continue;
    table.pictures.push_back(
        picture_of_progress(excess_name(report, j), certified_mark(report, j, end_of_progress(report))));
    table.pictures.back().rows = std::pair("constraint", ResultValue(name));
    table.pictures.back().limit = 0;
  }
  return table;
}

ResultTable runs_table(const SearchReport& report) {
  Columns before{{"run", "run", ValueKind::count},
                 {"seed", "seed", ValueKind::count},
                 {"replications", "replications", ValueKind::count},
                 {"feasibility", "feasibility", ValueKind::text}};
  const Columns objective = objective_columns(report);
  Columns others = before;
  append(others, objective);
  ResultTable table{"runs", "Ends of the runs", std::move(before), {}, Shown::in_reports};
  append(table.columns, decision_columns(report, others));
  append(table.columns, objective);
  std::int64_t run = 0;
  for (const auto& [seed, replications, x, mean, certificate] : report.runs.ends) {
    Row row{++run, seed, replications,
            certificate ? ResultValue(std::string(name_of(certificate->feasibility()))) : ResultValue()};
    append(row, decision_values(report, x));
    append(row, mean_values(mean));
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Returns the constraints on responses at the end of each run.
ResultTable run_constraints_table(const SearchReport& report) {
  ResultTable table{
      "run_constraints", "Constraints at the ends of the runs", {{"run", "run", ValueKind::count}}, {}, Shown::as_data};
  append(table.columns, certified_columns(report));
  std::int64_t run = 0;
  for (const RunEnd& end : report.runs.ends) {
    ++run;
    for (std::size_t j = 0; end.certificate && j < end.certificate->constraints.size(); ++j) {
      table.rows.push_back({run, report.request.constraints_on_means[j].text});
      append(table.rows.back(), certified_values(end.certificate->constraints[j]));
    }
  }
  return table;
}

std::vector<ResultTable> tables_of(const SearchReport& report) {
  std::vector<ResultTable> tables{answer_table(report), decisions_table(report), objective_table(report)};
  if (!report.request.constraints_on_means.empty()) tables.push_back(constraints_table(report));
  tables.push_back(responses_table(report));
  if (has_runs(report)) {
    tables.push_back(ends_table(report));
    tables.push_back(progress_table(report));
    if (!report.request.constraints_on_means.empty()) tables.push_back(constraint_progress_table(report));
    tables.push_back(runs_table(report));
    if (report.certificate) tables.push_back(run_constraints_table(report));
  }
  tables.push_back(points_table(report));
  tables.push_back(neighbours_table(report));
  return tables;
}

}  // namespace

Quartiles quartiles_of(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  const auto at = [&](double share) {
    const double place = share * static_cast<double>(numbers.size() - 1), part = place - std::floor(place);
    const auto i = static_cast<std::size_t>(place);
    return part == 0 ? numbers[i] : (1 - part) * numbers[i] + part * numbers[i + 1];
  };
  return {at(0), at(0.25), at(0.5), at(0.75), at(1)};
}

std::string objective_text(const SearchRequest& request) {
  const ObjectiveExpression& objective = request.objective;
  return fmt::format("{} {}{}{}", objective.is_maximized ? "maximize" : "minimize", objective.text,
                     objective.added.empty() ? "" : " + ", objective.added);
}

std::vector<std::string> table_names(const SearchRequest& request) {
  std::vector<std::string> names{"answer", "decisions", "objective", "responses", "points", "better_neighbours"};
  if (!request.constraints_on_means.empty()) names.emplace_back("constraints");
  return names;
}

ResultDocument document_of(const SearchReport& report) {
  const SearchRequest& request = report.request;
  std::vector<std::size_t> decided;
  for (const Decision& decision : request.decisions) {
    decided.push_back(*request.model->find_parameter(decision.parameter));
  }
  const bool is_early = report.end != StopReason::replications;
  const std::string done = fmt::format("{} of {} replications", report.replications, request.budget * request.runs);
  return {.question = "optimize",
          .subject = subject_of(*request.model, request.values, decided),
          .lead = lead_of(report),
          .settings = settings_of(request),
          .tables = tables_of(report),
          .findings = findings_of(report),
          .notes = notes_of(report),
          .stopped_by = std::string(name_of(report.end)),
          .early_end = is_early ? early_end_line(report.end, done) : "",
          .confidence = request.confidence,
          .seconds = report.seconds,
          .machine = report.machine};
}

}  // namespace sporos::runtime
