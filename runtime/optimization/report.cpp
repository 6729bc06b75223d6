// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/optimization/optimization.hpp>

#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/named_rows.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/table.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace sporos::runtime {

namespace {

// Returns the distance of the objective from its minimum, as far as it is known. Decimals below it are not significant.
double resolution_of(const OptimizationReport& report) {
  const FrankWolfeProgress& last = report.result.trajectory.back();
  constexpr double finest = 1e-7;  // relative to the objective
  const double distance = report.result.gap ? report.result.gap->bound() : last.gap;
  return std::max(std::isfinite(distance) ? std::abs(distance) : 0, finest * std::abs(last.objective));
}

std::string lead_of(const OptimizationReport& report) {
  const auto& [problem, options, result, findings, seconds, machine, notes] = report;
  if (!problem.closed_form.empty()) return problem.closed_form;
  std::string samples;
  if (problem.is_sampled) {
    const auto last = sample_size(options, std::max<std::int64_t>(options.epochs - 1, 0));
    samples = fmt::format(", samples of {}{}, seed {}",
                          last == options.sample_size ? "" : fmt::format("{} to ", options.sample_size),
                          plural(last, "replication", "replications"), options.seed);
  }
  return fmt::format("Frank-Wolfe ({}, {} steps{}) over {}{}: {}, {}", name_of(options.variant),
                     name_of(options.step_rule), options.momentum ? ", momentum" : "", problem.region, samples,
                     plural(result.iterations, "iteration", "iterations"), end_text(name_of(result.stopped_by)));
}

// Returns a sentence about the objective and its distance from the minimum.
std::string meaning_of(const OptimizationReport& report) {
  const auto& [problem, options, result, findings, seconds, machine, notes] = report;
  const FrankWolfeProgress& last = result.trajectory.back();
  const std::string objective =
      fmt::format("The {}objective is {}", problem.is_sampled ? "expected " : "",
                  io::text_to_precision(findings.exact_objective.value_or(last.objective), resolution_of(report)));
  const std::string unknown = "no bound on its distance from the minimum is available";
  if (result.gap) {
    const bool is_asymptotic = options.gap.procedure != ReplicationsProcedure::multiple && result.gap->suboptimality;
    return fmt::format("{}. With {:.6g} % confidence{} it is at most {} above its minimum, based on {} of {}.",
                       objective, 100 * result.gap->confidence, is_asymptotic ? " (for large samples)" : "",
                       short_text(result.gap->bound()),
                       plural(result.gap->batches, "independent sample", "independent samples"),
                       plural(result.gap->batch_size, "replication", "replications"));
  }
  if (problem.is_sampled) {
    return fmt::format("{}; {}{}.", objective, unknown,
                       options.gap.batches == 0 ? ". Use --gap-batches to bound it" : "");
  }
  if (std::isinf(last.gap)) return fmt::format("{}; {}, because the run ended early.", objective, unknown);
  if (last.gap <= 0) return fmt::format("{}, its minimum up to rounding.", objective);
  return fmt::format("{}, at most {} above its minimum.", objective, short_text(last.gap));
}

// Returns the nonzeros of the solution, the largest first.
ResultTable solution_table(const OptimizationReport& report) {
  const auto& [problem, options, result, findings, seconds, machine, notes] = report;
  const std::vector<double>& x = result.solution;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] != 0) order.push_back(i);
  }
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return std::abs(x[a]) > std::abs(x[b]); });
  const double resolution = order.empty() ? no_resolution : 1e-4 * std::abs(x[order.front()]);
  ResultTable table{.id = "solution",
                    .title = "Solution",
                    .columns = {{problem.variable, problem.variable, ValueKind::text},
                                {.id = problem.quantity, .title = problem.quantity, .resolution = resolution}},
                    .rows = {},
                    .rows_shown = RowsShown::first};
  for (const std::size_t i : order) table.rows.push_back({problem.name_of(i), x[i]});
  return table;
}

// Returns the resources, the scarcest first.
ResultTable resources_table(std::vector<ResourceUse> resources) {
  std::ranges::stable_sort(resources, [](const ResourceUse& a, const ResourceUse& b) {
    return a.slack() * std::abs(b.capacity) < b.slack() * std::abs(a.capacity);
  });
  double smallest = no_resolution;  // smallest capacity
  for (const ResourceUse& resource : resources) {
    if (resource.capacity != 0) smallest = std::min(smallest, std::abs(resource.capacity));
  }
  ResultTable table{.id = "resources",
                    .title = "Resources",
                    .columns = {{"resource", "resource", ValueKind::text},
                                {"use", "use"},
                                {"sense", "sense", ValueKind::text},
                                {"capacity", "capacity"},
                                {.id = "slack", .title = "slack", .resolution = 1e-4 * smallest},
                                {"is_binding", "binding", ValueKind::boolean}},
                    .rows = {},
                    .rows_shown = RowsShown::first};
  for (const ResourceUse& resource : resources) {
    table.rows.push_back(
        {resource.name, resource.use, resource.sense, resource.capacity, resource.slack(), resource.is_binding()});
  }
  return table;
}

ResultTable trajectory_table(const OptimizationReport& report) {
  ResultTable table{.id = "trajectory",
                    .title = "How it was found",
                    .columns = {{"epoch", "epoch", ValueKind::count},
                                {"iteration", "iteration", ValueKind::count},
                                {.id = "objective", .title = "objective", .resolution = resolution_of(report)},
                                {"gap", "duality gap"},
                                data_column("step", "step"),
                                data_column("independent_gap", "duality gap on independent samples"),
                                data_column("independent_gap_low", "at least"),
                                data_column("independent_gap_high", "at most"),
                                data_column("distance", "distance from the optimum, estimated"),
                                data_column("solver_gap", "part of the distance due to inexact solutions"),
                                {"bound", "distance at most"},
                                data_column("seconds", "time", ValueKind::duration)},
                    .rows = {},
                    .rows_shown = RowsShown::thinned};
  if (report.problem.closed_form.empty()) {
    table.pictures = {
        {"Objective", PictureKind::curve, "iteration", "objective"},
        {.title = "Duality gap", .kind = PictureKind::curve, .x = "iteration", .y = "gap", .is_logarithmic = true}};
  } else {
    table.shown = Shown::as_data;
  }
  for (const FrankWolfeProgress& point : report.result.trajectory) {
    std::vector<ResultValue> row{point.epoch, point.iteration, point.objective, point.gap, point.step};
    const std::optional<GapEstimate>& gap = point.independent_gap;
    const auto distance = gap ? gap->suboptimality : std::nullopt;
    const auto value = [](const auto& estimate, auto member) {
      return estimate ? ResultValue((*estimate).*member) : ResultValue();
    };
    row.insert(row.end(),
               {value(gap, &GapEstimate::estimate), value(gap, &GapEstimate::lower), value(gap, &GapEstimate::upper),
                value(distance, &SuboptimalityEstimate::estimate), value(distance, &SuboptimalityEstimate::solver_gap),
                gap ? ResultValue(gap->bound()) : ResultValue(), point.seconds});
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Returns the settings. Options that do not apply to the problem have no value.
std::vector<ResultFact> settings_of(const ProblemDescription& problem, const FrankWolfeOptions& options) {
  std::vector<ResultFact> settings = problem.settings;
  const auto add = [&](const char* id, const char* title, bool is_used, ResultValue value,
                       ValueKind kind = ValueKind::text) {
    settings.push_back({id, title, is_used ? std::move(value) : ResultValue(), kind});
  };
  const auto text = [](auto choice) { return std::string(name_of(choice)); };
  const bool is_iterated = problem.closed_form.empty(), is_sampled = problem.is_sampled,
             has_gap = is_sampled && options.gap.batches > 0;
  constexpr ValueKind count = ValueKind::count, number = ValueKind::number;
  add("dimension", "coordinates", true, problem.dimension, count);
  add("variant", "variant", is_iterated, text(options.variant));
  add("step_rule", "step rule", is_iterated, text(options.step_rule));
  add("epochs", "epochs", is_iterated, options.epochs, count);
  add("iterations", "iterations of each epoch", is_iterated, options.iterations, count);
  add("sample_size", "sample of the first epoch", is_sampled, options.sample_size, count);
  add("sample_growth", "growth of samples", is_sampled, options.sample_growth, number);
  add("momentum", "momentum", is_iterated, options.momentum, ValueKind::boolean);
  add("screening", "screening", is_iterated, options.screening, ValueKind::boolean);
  add("seed", "seed", is_sampled, options.seed, count);
  add("gap_tolerance", "gap tolerance", is_iterated, options.gap_tolerance, number);
  add("time_limit", "time limit", std::isfinite(options.time_limit), options.time_limit, ValueKind::duration);
  add("record_interval", "epochs between points of the trajectory", is_iterated, options.record_interval, count);
  add("gap_batches", "independent samples for the bound", is_sampled, options.gap.batches, count);
  add("gap_batch_size", "replications of each independent sample", has_gap, options.gap.batch_size, count);
  add("gap_confidence", "confidence of the bound", has_gap, options.gap.confidence, ValueKind::percentage);
  add("gap_interval", "epochs between bounds", has_gap, options.gap.interval, count);
  add("gap_iterations", "iterations on each independent sample", has_gap, options.gap.iterations, count);
  add("gap_procedure", "replications procedure", has_gap, text(options.gap.procedure));
  return settings;
}

std::vector<ResultFact> findings_of(const OptimizationReport& report) {
  const auto& [problem, options, result, found, seconds, machine, notes] = report;
  const FrankWolfeProgress& last = result.trajectory.back();
  const bool is_sampled = problem.is_sampled;
  constexpr ValueKind number = ValueKind::number, count = ValueKind::count;
  const double resolution = resolution_of(report);
  const auto distance = result.gap ? result.gap->suboptimality : std::nullopt;
  const auto of_gap = [&](double GapEstimate::*member) {
    return result.gap ? ResultValue((*result.gap).*member) : ResultValue();
  };
  const bool is_distance_known = found.exact_objective && found.optimum;
  std::vector<ResultFact> findings{
      {"objective", is_sampled ? "objective on a new sample" : "objective", last.objective, number, resolution},
      {"exact_objective", "exact objective", value_of(found.exact_objective), number, resolution},
      {"optimum", "exact minimum", value_of(found.optimum), number, resolution},
      {"suboptimality", "true distance from the minimum",
       is_distance_known ? ResultValue(*found.exact_objective - *found.optimum) : ResultValue(), number},
      {"gap", is_sampled ? "duality gap on the new sample" : "duality gap", last.gap, number},
      {"independent_gap", "duality gap on independent samples", of_gap(&GapEstimate::estimate), number},
      {"independent_gap_low", "duality gap on independent samples, at least", of_gap(&GapEstimate::lower), number},
      {"independent_gap_high", "duality gap on independent samples, at most", of_gap(&GapEstimate::upper), number},
      {"distance", "distance from the minimum, estimated", distance ? ResultValue(distance->estimate) : ResultValue(),
       number},
      {"bound", "distance from the minimum, at most", result.gap ? ResultValue(result.gap->bound()) : ResultValue(),
       number}};
  findings.insert(findings.end(), found.figures.begin(), found.figures.end());
  findings.push_back({"iterations", "iterations", result.iterations, count});
  findings.push_back(
      {"nonzeros", fmt::format("{}s whose {} is not 0", problem.variable, problem.quantity),
       static_cast<std::int64_t>(std::ranges::count_if(result.solution, [](double x) { return x != 0; })), count});
  if (problem.has_resources) {
    findings.push_back({"binding_resources", "binding resources",
                        static_cast<std::int64_t>(std::ranges::count_if(found.resources, &ResourceUse::is_binding)),
                        count});
  }
  return findings;
}

}  // namespace

ResultDocument document_of(const OptimizationReport& report) {
  std::vector<ResultTable> tables{solution_table(report)};
  if (report.problem.has_resources) tables.push_back(resources_table(report.findings.resources));
  tables.push_back(trajectory_table(report));
  std::vector<std::string> notes{meaning_of(report)};
  notes.insert(notes.end(), report.notes.begin(), report.notes.end());
  return {.question = "optimize",
          .subject = {report.problem.name, report.problem.title},
          .lead = lead_of(report),
          .settings = settings_of(report.problem, report.options),
          .tables = std::move(tables),
          .findings = findings_of(report),
          .notes = std::move(notes),
          .stopped_by = std::string(name_of(report.result.stopped_by)),
          .confidence = report.options.gap.confidence,
          .seconds = report.seconds,
          .machine = report.machine};
}

std::string solution_text(const ProblemDescription& problem, const std::vector<double>& solution, bool all) {
  std::string text;
  io::append_csv_row(text, {problem.variable, problem.quantity});
  for (std::size_t i = 0; i < solution.size(); ++i) {
    if (all || solution[i] != 0) io::append_csv_row(text, {problem.name_of(i), io::shortest_text(solution[i])});
  }
  return text;
}

std::vector<double> read_solution(const ProblemDescription& problem, const std::string& path,
                                  std::vector<std::string>& notes) {
  io::NamedRows rows(path, {"column", problem.variable});
  if (rows.names() != std::vector<std::string>{problem.variable, problem.quantity}) {
    throw std::invalid_argument(fmt::format("{}, line 1: the columns are {}, expected {}, {}", path,
                                            io::in_quotes(fmt::to_string(fmt::join(rows.names(), ", "))),
                                            problem.variable, problem.quantity));
  }
  std::vector<double> solution(static_cast<std::size_t>(problem.dimension));
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < solution.size(); ++i) places.emplace(problem.name_of(i), i);
  io::UniqueNames names(problem.variable);
  while (rows.next()) {
    names.add(rows, 0);
    const auto place = places.find(std::string(rows.field(0)));
    if (place == places.end()) {
      rows.refuse(
          0, fmt::format("is {}, expected one of the problem's {}s", io::in_quotes(rows.field(0)), problem.variable));
    }
    solution[place->second] = rows.number(1);
  }
  rows.add_note(notes);
  return solution;
}

}  // namespace sporos::runtime
