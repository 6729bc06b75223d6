// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/laboratory/report.hpp>

#include <sporos/runtime/files/json_text.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/problems/report.hpp>

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/table.hpp>
#include <sporos/version.hpp>

#include <cmath>
#include <cstdint>
#include <utility>

namespace sporos::runtime {

namespace {

using Column = io::Table::Column;

const std::string& name_of_problem(const ExperimentReport& report, std::size_t problem) {
  return report.request.problems[problem].described->name;
}

const std::string& name_of_solver(const ExperimentReport& report, std::size_t solver) {
  return report.request.solvers[solver].name;
}

// "0.123 (0.11 to 0.14)"; a time that is never is a dash.
std::string interval_text(const BootstrapInterval& interval) {
  const auto number = [](double value) { return std::isfinite(value) ? fmt::format("{:.3g}", value) : "-"; };
  if (!std::isfinite(interval.estimate) && interval.low == interval.high) return "-";
  return fmt::format("{} ({} to {})", number(interval.estimate), number(interval.low), number(interval.high));
}

// Of one problem, a line for each solver.
std::string problem_table(const ExperimentReport& report, const MeasuredProblem& problem) {
  const bool has_constraints = !search_request(report.request.problems[problem.problem]).constraints_on_means.empty();
  std::vector<std::pair<std::string, Column>> columns{
      {"solver", Column::text},        {"area", Column::number},   {"left at the end", Column::number},
      {"solve time", Column::number},  {"solved", Column::number}, {"objective", Column::number},
      {"replications", Column::number}};
  if (has_constraints) columns.insert(columns.begin() + 5, {"feasible", Column::number});
  io::Table table(columns);
  for (std::size_t i = 0; i < report.cells.size(); ++i) {
    const MeasuredCell& cell = report.cells[i];
    if (cell.problem != problem.problem) continue;
    const CellSummary& summary = report.summary.cells[i];
    std::vector<std::string> row{name_of_solver(report, cell.solver),
                                 interval_text(summary.area_mean),
                                 interval_text(summary.end_mean),
                                 interval_text(summary.solve_time),
                                 fmt::format("{:.0f} %", 100 * summary.solved.back().estimate),
                                 fmt::format("{:.6g}", cell.end),
                                 fmt::format("{:.0f}", cell.replications)};
    if (has_constraints) row.insert(row.begin() + 5, fmt::format("{:.0f} %", 100 * summary.feasible.back().estimate));
    table.add_row(row);
  }
  return fmt::format("{}: {}\n{} at the start, {} at the optimum ({})\n{}\n", name_of_problem(report, problem.problem),
                     objective_text(*report.request.problems[problem.problem].described),
                     fmt::format("{:.6g}", problem.start), fmt::format("{:.6g}", problem.optimum), problem.known_by,
                     table.text());
}

// Of all problems together.
std::string solvers_table(const ExperimentReport& report) {
  const std::string& reference = name_of_solver(report, report.request.summary.reference);
  io::Table table({{"solver", Column::text},
                   {"problems", Column::number},
                   {"solvability", Column::number},
                   {fmt::format("more than {}", reference), Column::number},
                   {"problems solved", Column::number}});
  for (std::size_t solver = 0; solver < report.summary.solvers.size(); ++solver) {
    const SolverSummary& summary = report.summary.solvers[solver];
    if (summary.problems.empty()) continue;
    table.add_row({name_of_solver(report, solver), std::to_string(summary.problems.size()),
                   interval_text(summary.solvability.back()), interval_text(summary.difference.back()),
                   interval_text(summary.quantile_solvability.back())});
  }
  return table.text();
}

std::string left_out_text(const ExperimentReport& report) {
  std::string text;
  for (const auto& [problem, solver, why] : report.left_out) {
    text += fmt::format("{} left out on {}: needs {}\n", name_of_solver(report, solver),
                        name_of_problem(report, problem), why);
  }
  return text.empty() ? "" : text + "\n";
}

// What settings that are varied do.
std::string effects_text(const ExperimentReport& report) {
  if (report.effects.empty()) return "";
  io::Table table({{"problem", Column::text},
                   {"solver", Column::text},
                   {"setting", Column::text},
                   {"from", Column::number},
                   {"to", Column::number},
                   {"area changes by", Column::number},
                   {"half-width", Column::number}});
  for (const auto& [problem, solver, setting, effect] : report.effects) {
    table.add_row({problem, solver, setting.name, io::shortest_text(setting.low), io::shortest_text(setting.high),
                   io::text_to_precision(effect.effect, effect.half_width),
                   io::text_to_precision(effect.half_width, effect.half_width)});
  }
  return "Main effects of what is varied, each over its range on a logarithmic scale:\n" + table.text() + "\n";
}

io::Json json_of(const BootstrapInterval& interval) {
  return {{"estimate", io::json_number(interval.estimate)},
          {"low", io::json_number(interval.low)},
          {"high", io::json_number(interval.high)}};
}

io::Json json_of(const BootstrapBand& band) {
  io::Json estimates = io::Json::array(), lows = io::Json::array(), highs = io::Json::array();
  for (const BootstrapInterval& interval : band) {
    estimates.push_back(io::json_number(interval.estimate));
    lows.push_back(io::json_number(interval.low));
    highs.push_back(io::json_number(interval.high));
  }
  return {{"estimate", estimates}, {"low", lows}, {"high", highs}};
}

io::Json request_json(const ExperimentRequest& request) {
  io::Json problems = io::Json::array(), solvers = io::Json::array();
  for (const RegisteredProblem& problem : request.problems) problems.push_back(problem.described->name);
  for (const ComparedSolver& solver : request.solvers) solvers.push_back(solver.name);
  return {{"solvers", solvers},
          {"problems", problems},
          {"macroreplications", request.runs},
          {"budget", request.budget ? io::Json(*request.budget) : io::Json(nullptr)},
          {"post_replications", request.post.count},
          {"seed", request.seed},
          {"solved_below", request.summary.solved_below},
          {"quantile", request.summary.quantile},
          {"reference", request.solvers[request.summary.reference].name},
          {"bootstraps", request.summary.bootstraps},
          {"confidence", request.summary.confidence}};
}

io::Json cell_json(const ExperimentReport& report, std::size_t i) {
  const MeasuredCell& cell = report.cells[i];
  const CellSummary& summary = report.summary.cells[i];
  return {{"problem", name_of_problem(report, cell.problem)},
          {"solver", name_of_solver(report, cell.solver)},
          {"budget", budget_of(report.request, report.request.problems[cell.problem])},
          {"replications", cell.replications},
          {"objective", io::json_number(cell.end)},
          {"area", json_of(summary.area_mean)},
          {"area_deviation", json_of(summary.area_deviation)},
          {"left_at_the_end", json_of(summary.end_mean)},
          {"solve_time", json_of(summary.solve_time)},
          {"solved", json_of(summary.solved.back())},
          {"feasible", json_of(summary.feasible.back())},
          {"ends", summary.ends},
          {"curves",
           {{"mean", json_of(summary.mean)},
            {"quantile", json_of(summary.quantile)},
            {"lowest_tenth", summary.lowest},
            {"highest_tenth", summary.highest},
            {"solved", json_of(summary.solved)},
            {"feasible", json_of(summary.feasible)}}}};
}

io::Json effects_json(const ExperimentReport& report) {
  io::Json effects = io::Json::array();
  for (const auto& [problem, solver, setting, effect] : report.effects) {
    effects.push_back({{"problem", problem},
                       {"solver", solver},
                       {"setting", setting.name},
                       {"low", setting.low},
                       {"high", setting.high},
                       {"effect_on_area", io::json_number(effect.effect)},
                       {"half_width", io::json_number(effect.half_width)}});
  }
  return effects;
}

io::Json solver_json(const ExperimentReport& report, std::size_t solver) {
  const SolverSummary& summary = report.summary.solvers[solver];
  io::Json problems = io::Json::array();
  for (const std::size_t problem : summary.problems) problems.push_back(name_of_problem(report, problem));
  return {
      {"solver", name_of_solver(report, solver)},    {"problems", problems},
      {"solvability", json_of(summary.solvability)}, {"quantile_solvability", json_of(summary.quantile_solvability)},
      {"difference", json_of(summary.difference)},   {"quantile_difference", json_of(summary.quantile_difference)}};
}

}  // namespace

std::string table_of(const ExperimentReport& report) {
  const ExperimentRequest& request = report.request;
  std::string text = fmt::format(
      "{} on {}, {} each, seed {}{}\nProgress: the part of the initial gap to the optimum that is left, by {} that no "
      "run has seen.\nArea under the mean progress, and the time by which {} have less than {:.3g} left, "
      "as parts of the\nbudget; {:.6g} % bootstrap intervals.\n\n",
      plural(static_cast<std::int64_t>(request.solvers.size()), "solver", "solvers"),
      plural(static_cast<std::int64_t>(request.problems.size()), "problem", "problems"),
      plural(request.runs, "macro-replication", "macro-replications"), request.seed,
      report.end == "complete" ? "" : ", " + end_text(report.end),
      plural(request.post.count, "replication", "replications"), runs_text(request.summary.quantile),
      request.summary.solved_below, 100 * request.summary.confidence);
  for (const MeasuredProblem& problem : report.problems) text += problem_table(report, problem);
  text += left_out_text(report) + effects_text(report);
  return fmt::format(
      "{}At the end of the budget, over problems: the share of runs that have solved theirs, and of problems that "
      "{}\nhave solved.\n{}\n{} on {}\n",
      text, runs_text(request.summary.quantile), solvers_table(report), duration_text(report.seconds),
      text_of(report.machine));
}

std::string json_of(const ExperimentReport& report) {
  io::Json problems = io::Json::array(), cells = io::Json::array(), solvers = io::Json::array(),
           left_out = io::Json::array();
  for (const auto& [problem, start, optimum, known_by] : report.problems) {
    problems.push_back({{"problem", name_of_problem(report, problem)},
                        {"objective", objective_text(*report.request.problems[problem].described)},
                        {"start", io::json_number(start)},
                        {"optimum", io::json_number(optimum)},
                        {"known_by", known_by}});
  }
  for (std::size_t i = 0; i < report.cells.size(); ++i) cells.push_back(cell_json(report, i));
  for (std::size_t solver = 0; solver < report.summary.solvers.size(); ++solver) {
    if (!report.summary.solvers[solver].problems.empty()) solvers.push_back(solver_json(report, solver));
  }
  for (const auto& [problem, solver, why] : report.left_out) {
    left_out.push_back(
        {{"problem", name_of_problem(report, problem)}, {"solver", name_of_solver(report, solver)}, {"needs", why}});
  }
  return json_text({{"sporos", SPOROS_VERSION},
                    {"experiment", request_json(report.request)},
                    {"problems", problems},
                    {"cells", cells},
                    {"left_out", left_out},
                    {"solvers", solvers},
                    {"effects", effects_json(report)},
                    {"shares_of_the_budget", report.request.summary.grid},
                    {"end", report.end},
                    {"seconds", report.seconds},
                    {"machine", json_of(report.machine)}});
}

std::string csv_of(const ExperimentReport& report) {
  std::string text =
      "problem,solver,budget,replications,objective,area,area_low,area_high,area_deviation,left_at_the_end,left_low,"
      "left_high,solve_time,solve_time_low,solve_time_high,solved,feasible\n";
  const auto three = [](const BootstrapInterval& interval) {
    return fmt::format("{},{},{}", io::shortest_text(interval.estimate), io::shortest_text(interval.low),
                       io::shortest_text(interval.high));
  };
  for (std::size_t i = 0; i < report.cells.size(); ++i) {
    const MeasuredCell& cell = report.cells[i];
    const CellSummary& summary = report.summary.cells[i];
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", io::csv_field(name_of_problem(report, cell.problem)),
                        io::csv_field(name_of_solver(report, cell.solver)),
                        budget_of(report.request, report.request.problems[cell.problem]),
                        io::shortest_text(cell.replications), io::shortest_text(cell.end), three(summary.area_mean),
                        io::shortest_text(summary.area_deviation.estimate), three(summary.end_mean),
                        three(summary.solve_time), io::shortest_text(summary.solved.back().estimate),
                        io::shortest_text(summary.feasible.back().estimate));
  }
  return text;
}

}  // namespace sporos::runtime
