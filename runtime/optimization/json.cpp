// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/files/json_text.hpp>
#include <sporos/runtime/optimization/report.hpp>

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/procedures/frank_wolfe_json.hpp>
#include <sporos/version.hpp>

#include <cmath>

namespace sporos::runtime {

namespace {

io::Json optional_json(const std::optional<double>& value) {
  return value ? io::json_number(*value) : io::Json(nullptr);
}

io::Json solution_json(const OptimizationReport& report) {
  io::Json solution = io::Json::array();
  const auto& x = report.result.solution;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] != 0) solution.push_back({{"name", report.problem.name_of(i)}, {"value", x[i]}});
  }
  return solution;
}

io::Json resources_json(const Findings& findings) {
  io::Json resources = io::Json::array();
  for (const auto& resource : findings.resources) {
    resources.push_back({{"name", resource.name},
                         {"use", io::json_number(resource.use)},
                         {"capacity", resource.capacity},
                         {"sense", resource.sense},
                         {"is_binding", resource.is_binding()}});
  }
  return resources;
}

}  // namespace

std::string json_of(const OptimizationReport& report) {
  const auto& [problem, options, result, findings, seconds, machine, notes] = report;
  const FrankWolfeProgress& last = result.trajectory.back();
  io::Json figures = io::Json::object();
  for (const auto& [name, value] : findings.figures) figures[name] = io::json_number(value);
  io::Json trajectory = io::Json::array();
  for (const auto& point : result.trajectory) trajectory.push_back(sporos::json_of(point));
  const io::Json suboptimality = findings.optimum && findings.exact_objective
                                     ? io::json_number(*findings.exact_objective - *findings.optimum)
                                     : io::Json(nullptr);
  return json_text({{"sporos", SPOROS_VERSION},
                    {"problem", problem.name},
                    {"instance", problem.instance},
                    {"notes", notes},
                    {"options", sporos::json_of(options)},
                    {"stopped_by", end_of(result)},
                    {"iterations", result.iterations},
                    {"objective", io::json_number(last.objective)},
                    {"exact_objective", optional_json(findings.exact_objective)},
                    {"optimum", optional_json(findings.optimum)},
                    {"suboptimality", suboptimality},
                    {"gap", io::json_number(last.gap)},
                    {"independent_gap", sporos::json_of(result.gap)},
                    {"figures", std::move(figures)},
                    {"resources", resources_json(findings)},
                    {"dimension", problem.dimension},
                    {"solution", solution_json(report)},
                    {"trajectory", std::move(trajectory)},
                    {"run", {{"seconds", io::json_number(seconds)}, {"machine", json_of(machine)}}}});
}

std::string csv_of(const OptimizationReport& report) {
  std::string text;
  io::append_csv_row(text, {"epoch", "iteration", "objective", "gap", "step", "independent_gap", "independent_lower",
                            "independent_upper", "seconds"});
  const auto number = [](double value) { return std::isfinite(value) ? io::shortest_text(value) : ""; };
  for (const auto& point : report.result.trajectory) {
    const auto of_gap = [&](double GapEstimate::*member) {
      return point.independent_gap ? number((*point.independent_gap).*member) : "";
    };
    io::append_csv_row(text, {std::to_string(point.epoch), std::to_string(point.iteration), number(point.objective),
                              number(point.gap), number(point.step), of_gap(&GapEstimate::estimate),
                              of_gap(&GapEstimate::lower), of_gap(&GapEstimate::upper), number(point.seconds)});
  }
  return text;
}

}  // namespace sporos::runtime
