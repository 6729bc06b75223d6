// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/solver_comparison/report.hpp>

#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/problems/problems.hpp>

#include <sporos/core/io/format.hpp>

#include <cstdint>
#include <utility>

namespace sporos::runtime {

namespace {

const std::string& problem_name(const SolverComparisonRequest& request, std::size_t problem) {
  return request.problems[problem].described->name;
}

std::vector<std::string> problem_names(const SolverComparisonRequest& request) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < request.problems.size(); ++i) names.push_back(problem_name(request, i));
  return names;
}

bool has_constraints_on_means(const RegisteredProblem& problem) {
  return !search_request(problem).constraints_on_means.empty();
}

// Returns "half of the runs" or a text such as "0.9 of the runs".
std::string runs_text(double share) {
  return share == 0.5 ? "half of the runs" : fmt::format("{:.3g} of the runs", share);
}

ResultSubject subject_of(const SolverComparisonRequest& request) {
  constexpr std::size_t max_named = 4;
  const auto& problems = request.problems;
  if (problems.size() == 1) return {problems.front().described->name, problems.front().described->title};
  if (problems.size() > max_named) return {fmt::format("{} problems", problems.size())};
  return {fmt::format("{}", fmt::join(problem_names(request), ", "))};
}

std::vector<ResultFact> settings_of(const SolverComparisonRequest& request) {
  const SummaryOptions& summary = request.summary;
  std::vector<std::string> solvers;
  for (const ComparedSolver& solver : request.solvers) solvers.push_back(solver.name);
  return {{"solvers", "solvers", fmt::format("{}", fmt::join(solvers, ", "))},
          {"problems", "problems", fmt::format("{}", fmt::join(problem_names(request), ", "))},
          {"macroreplications", "macro-replications", request.runs, ValueKind::count},
          {"budget", "replications of a run", request.budget ? ResultValue(*request.budget) : ResultValue(),
           ValueKind::count},
          {"post_replications", "post-replications", request.post.count, ValueKind::count},
          {"solved_below", "share of the gap below which a run has solved its problem", summary.solved_below,
           ValueKind::number},
          {"quantile", "quantile of progress and of solve times", summary.quantile, ValueKind::number},
          {"reference", "reference solver of differences", request.solvers[summary.reference].name},
          {"bootstraps", "bootstrap samples", summary.bootstraps, ValueKind::count},
          {"confidence", "confidence", summary.confidence, ValueKind::percentage},
          {"seed", "seed", request.seed, ValueKind::count}};
}

// Returns notes that explain the columns to the reader of a report.
std::vector<std::string> notes_of(const SolverComparisonRequest& request) {
  return {
      fmt::format("Progress: the part of the initial gap to the optimum that is left, over {} not used in the runs.",
                  plural(request.post.count, "replication", "replications")),
      "Area: the area under mean progress over the budget; a smaller area means a faster solver.",
      fmt::format("Solve time: the part of the budget after which {} have less than {:.3g} of the gap left; empty if "
                  "never.",
                  runs_text(request.summary.quantile), request.summary.solved_below),
      "Intervals are bootstrap intervals."};
}

using Row = std::vector<ResultValue>;

void add(Row& row, const BootstrapInterval& interval) {
  row.insert(row.end(), {interval.estimate, interval.low, interval.high});
}

// Adds three columns for an estimate and the ends of its interval: `id`, `id`_low and `id`_high. `of_estimate` and
// `of_interval` select where they are shown.
void add(std::vector<ResultColumn>& columns, const std::string& id, const std::string& title, ValueKind kind,
         Shown of_interval = Shown::as_data, Shown of_estimate = Shown::everywhere,
         const std::string& low_title = "from") {
  columns.push_back({.id = id, .title = title, .kind = kind, .shown = of_estimate});
  columns.push_back({.id = id + "_low", .title = low_title, .kind = kind, .shown = of_interval});
  columns.push_back({.id = id + "_high", .title = "to", .kind = kind, .shown = of_interval});
}

// Returns a table with a row for each solver on each problem.
ResultTable comparison_table(const SolverComparisonReport& report) {
  const SolverComparisonRequest& request = report.request;
  ResultTable table{"comparison",
                    "Each solver on each problem",
                    {{"problem", "problem", ValueKind::text}, {"solver", "solver", ValueKind::text}},
                    {}};
  const std::string interval = interval_title(request.summary.confidence);
  add(table.columns, "area", "area", ValueKind::number, Shown::everywhere, Shown::everywhere, interval);
  add(table.columns, "area_deviation", "deviation of runs' areas", ValueKind::number, Shown::as_data, Shown::as_data);
  add(table.columns, "gap_left", "gap left at the end", ValueKind::number);
  add(table.columns, "solve_time", "solve time", ValueKind::number);
  add(table.columns, "solved", "solved", ValueKind::percentage);
  add(table.columns, "feasible", "feasible", ValueKind::percentage);
  table.columns.insert(table.columns.end(),
                       {{"objective", "objective"},
                        {.id = "replications", .title = "replications used", .shown = Shown::as_data},
                        {.id = "budget", .title = "budget", .kind = ValueKind::count, .shown = Shown::as_data}});
  for (std::size_t i = 0; i < report.cells.size(); ++i) {
    const MeasuredCell& cell = report.cells[i];
    const CellSummary& found = report.summary.cells[i];
    const RegisteredProblem& problem = request.problems[cell.problem];
    Row row{problem.described->name, request.solvers[cell.solver].name};
    add(row, found.area_mean);
    add(row, found.area_deviation);
    add(row, found.end_mean);
    const auto& [time, earliest, latest] = found.solve_time;
    // The solve time is infinite if too few runs solve the problem; its cell is then empty.
    row.insert(row.end(), {finite_value(time), finite_value(earliest), finite_value(latest)});
    add(row, found.solved.back());
    if (has_constraints_on_means(problem)) {
      add(row, found.feasible.back());
    } else {
      row.insert(row.end(), 3, ResultValue());
    }
    row.insert(row.end(), {cell.end, cell.replications, budget_of(request, problem)});
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Returns a table with the objective of each problem at the start and at the optimum. Progress is relative to their
// difference.
ResultTable problems_table(const SolverComparisonReport& report) {
  ResultTable table{"problems",
                    "The problems",
                    {{"problem", "problem", ValueKind::text},
                     {"start", "at the start"},
                     {"optimum", "at the optimum"},
                     {"known_by", "optimum known by", ValueKind::text},
                     {"objective", "objective", ValueKind::text}},
                    {}};
  for (const auto& [problem, start, optimum, known_by] : report.problems) {
    table.rows.push_back({problem_name(report.request, problem), start, optimum, std::string(known_by),
                          objective_text(*report.request.problems[problem].described)});
  }
  return table;
}

ResultTable left_out_table(const SolverComparisonReport& report) {
  ResultTable table{"left_out",
                    "Solvers that were left out",
                    {{"problem", "problem", ValueKind::text},
                     {"solver", "solver", ValueKind::text},
                     {"needs", "needs", ValueKind::text}},
                    {}};
  for (const auto& [problem, solver, why] : report.left_out)
    table.rows.push_back({problem_name(report.request, problem), report.request.solvers[solver].name, why});
  return table;
}

ResultTable effects_table(const SolverComparisonReport& report) {
  ResultTable table{
      "effects",
      "Main effects of settings on the area, each over its range on a logarithmic scale",
      {{"problem", "problem", ValueKind::text},
       {"solver", "solver", ValueKind::text},
       {"setting", "setting", ValueKind::text},
       {"low", "from"},
       {"high", "to"},
       {"effect", "area changes by", ValueKind::number, "half_width"},
       {"half_width", half_width_title(report.request.summary.confidence), ValueKind::number, "half_width"}},
      {}};
  for (const auto& [problem, solver, setting, effect] : report.effects) {
    table.rows.push_back({problem, solver, setting.name, setting.low, setting.high, effect.effect, effect.half_width});
  }
  return table;
}

// Returns the columns that summarize a solver over all problems: solvability and its difference from the reference.
std::vector<ResultColumn> profile_columns(const SolverComparisonReport& report, const std::string& interval) {
  const SummaryOptions& summary = report.request.summary;
  const std::string& reference = report.request.solvers[summary.reference].name;
  std::vector<ResultColumn> columns;
  add(columns, "solvability", "runs that solved their problem", ValueKind::percentage, Shown::everywhere,
      Shown::everywhere, interval);
  add(columns, "difference", "more than " + reference, ValueKind::percentage, Shown::everywhere);
  add(columns, "problems_solved", "problems solved by " + runs_text(summary.quantile), ValueKind::percentage);
  add(columns, "problems_difference", "more than " + reference, ValueKind::percentage, Shown::as_data, Shown::as_data);
  return columns;
}

void add_profiles(Row& row, const SolverSummary& summary, std::size_t k) {
  for (const auto& band : {&SolverSummary::solvability, &SolverSummary::difference,
                           &SolverSummary::quantile_solvability, &SolverSummary::quantile_difference})
    add(row, (summary.*band)[k]);
}

// Returns each solver's results over all problems, at the end of the budget.
ResultTable solvers_table(const SolverComparisonReport& report) {
  ResultTable table{"solvers",
                    "Each solver over all problems, at the end of the budget",
                    {{"solver", "solver", ValueKind::text}, {"problems", "problems", ValueKind::count}},
                    {}};
  const auto columns = profile_columns(report, interval_title(report.request.summary.confidence));
  table.columns.insert(table.columns.end(), columns.begin(), columns.end());
  for (std::size_t solver = 0; solver < report.summary.solvers.size(); ++solver) {
    const SolverSummary& summary = report.summary.solvers[solver];
    if (summary.problems.empty()) continue;
    Row row{report.request.solvers[solver].name, static_cast<std::int64_t>(summary.problems.size())};
    add_profiles(row, summary, summary.solvability.size() - 1);
    table.rows.push_back(std::move(row));
  }
  return table;
}

ResultPicture steps_picture(std::string title, const std::string& y) {
  return {.title = std::move(title),
          .kind = PictureKind::steps,
          .x = "budget_used",
          .y = y,
          .low = y + "_low",
          .high = y + "_high",
          .series = "solver"};
}

// Returns each solver's results over all problems, as functions of the fraction of the budget used.
ResultTable profiles_table(const SolverComparisonReport& report) {
  const SummaryOptions& options = report.request.summary;
  ResultTable table{"profiles",
                    "Progress over all problems",
                    {{"solver", "solver", ValueKind::text}, {"budget_used", "part of the budget"}},
                    {},
                    Shown::as_data};
  const auto columns = profile_columns(report, "from");
  table.columns.insert(table.columns.end(), columns.begin(), columns.end());
  std::size_t compared = 0;
  for (std::size_t solver = 0; solver < report.summary.solvers.size(); ++solver) {
    const SolverSummary& summary = report.summary.solvers[solver];
    if (summary.problems.empty()) continue;
    ++compared;
    for (std::size_t k = 0; k < options.grid.size(); ++k) {
      Row row{report.request.solvers[solver].name, options.grid[k]};
      add_profiles(row, summary, k);
      table.rows.push_back(std::move(row));
    }
  }
  const std::string than = " more than " + report.request.solvers[options.reference].name;
  table.pictures = {
      steps_picture("Solvability: runs that have solved their problem", "solvability"),
      steps_picture(fmt::format("Problems that {} have solved", runs_text(options.quantile)), "problems_solved")};
  if (compared > 1) {
    table.pictures.push_back(steps_picture("Solvability" + than, "difference"));
    table.pictures.push_back(steps_picture("Problems solved" + than, "problems_difference"));
  }
  return table;
}

void add_pictures(ResultTable& curves, const SolverComparisonRequest& request, std::size_t problem) {
  const std::string& name = problem_name(request, problem);
  const double share = request.summary.quantile;
  const auto add_picture = [&](const std::string& title, const std::string& y) {
    ResultPicture picture = steps_picture(name + ": " + title, y);
    picture.rows = std::pair("problem", ResultValue(name));
    curves.pictures.push_back(std::move(picture));
  };
  add_picture("mean progress", "mean");
  add_picture(share == 0.5 ? "median progress" : fmt::format("{:.3g}-quantile of progress", share), "quantile");
  add_picture(fmt::format("runs with less than {:.3g} left", request.summary.solved_below), "solved");
  if (has_constraints_on_means(request.problems[problem]))
    add_picture("runs at a point that is not shown to be infeasible", "feasible");
}

// Returns the progress of each solver on each problem, as a function of the fraction of the budget used.
ResultTable curves_table(const SolverComparisonReport& report) {
  ResultTable table{"curves",
                    "Progress on each problem",
                    {{"problem", "problem", ValueKind::text},
                     {"solver", "solver", ValueKind::text},
                     {"budget_used", "part of the budget"}},
                    {},
                    Shown::as_data};
  add(table.columns, "mean", "gap left", ValueKind::number);
  add(table.columns, "quantile", "gap left", ValueKind::number);
  table.columns.insert(table.columns.end(),
                       {{"lowest_tenth", "0.1-quantile of runs"}, {"highest_tenth", "0.9-quantile"}});
  add(table.columns, "solved", "share of runs", ValueKind::percentage);
  add(table.columns, "feasible", "share of runs", ValueKind::percentage);
  for (std::size_t i = 0; i < report.cells.size(); ++i) {
    const MeasuredCell& cell = report.cells[i];
    const CellSummary& found = report.summary.cells[i];
    for (std::size_t k = 0; k < report.request.summary.grid.size(); ++k) {
      Row row{problem_name(report.request, cell.problem), report.request.solvers[cell.solver].name,
              report.request.summary.grid[k]};
      add(row, found.mean[k]);
      add(row, found.quantile[k]);
      row.insert(row.end(), {found.lowest[k], found.highest[k]});
      add(row, found.solved[k]);
      add(row, found.feasible[k]);
      table.rows.push_back(std::move(row));
    }
  }
  for (const MeasuredProblem& measured : report.problems) add_pictures(table, report.request, measured.problem);
  return table;
}

// Returns a table with the gap that remains at the end of each run.
ResultTable ends_table(const SolverComparisonReport& report) {
  ResultTable table{"ends",
                    "Where runs end",
                    {{"problem", "problem", ValueKind::text},
                     {"solver", "solver", ValueKind::text},
                     {"run", "run", ValueKind::count},
                     {"gap_left", "gap left"}},
                    {},
                    Shown::as_data};
  for (std::size_t i = 0; i < report.cells.size(); ++i) {
    const MeasuredCell& cell = report.cells[i];
    std::int64_t run = 0;
    for (const double end : report.summary.cells[i].ends) {
      table.rows.push_back(
          {problem_name(report.request, cell.problem), report.request.solvers[cell.solver].name, ++run, end});
    }
  }
  table.drawings = drawings_of(report);
  return table;
}

}  // namespace

ResultDocument document_of(const SolverComparisonReport& report) {
  const SolverComparisonRequest& request = report.request;
  const std::string done = fmt::format("{} of {} pairs of a solver and a problem", report.cells.size(),
                                       request.solvers.size() * request.problems.size() - report.left_out.size());
  return {.question = "compare-solvers",
          .subject = subject_of(request),
          .lead = fmt::format("{} on {}, {} each, seed {}",
                              plural(static_cast<std::int64_t>(request.solvers.size()), "solver", "solvers"),
                              plural(static_cast<std::int64_t>(request.problems.size()), "problem", "problems"),
                              plural(request.runs, "macro-replication", "macro-replications"), request.seed),
          .settings = settings_of(request),
          .tables = {comparison_table(report), problems_table(report), left_out_table(report), effects_table(report),
                     solvers_table(report), profiles_table(report), curves_table(report), ends_table(report)},
          .notes = notes_of(request),
          .stopped_by = end_of_run(report.ended_by, "macroreplications"),
          .early_end = early_end_line(report.ended_by, done),
          .confidence = request.summary.confidence,
          .seconds = report.seconds,
          .machine = report.machine};
}

}  // namespace sporos::runtime
