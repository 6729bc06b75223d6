// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/report.hpp>

#include <sporos/runtime/files/json_text.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/search/certificate_report.hpp>
#include <sporos/runtime/search/end_report.hpp>

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/table.hpp>
#include <sporos/core/math/count.hpp>
#include <sporos/version.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace sporos::runtime {

namespace {

using Column = io::Table::Column;

std::string decision_text(const SearchReport& report, std::size_t i, double value) {
  return report.are_whole[i] ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
}

std::string mean_text(const EstimatedMean& estimate) {
  if (std::isinf(estimate.mean)) return "infeasible";
  if (std::isnan(estimate.mean)) return "unknown";
  return io::text_to_precision(estimate.mean, estimate.half_width);
}
std::string width_text(const EstimatedMean& estimate) {
  if (!std::isfinite(estimate.mean)) return "";
  return io::text_to_precision(estimate.half_width, estimate.half_width);
}

std::string fixed_text(const SearchReport& report) {
  const std::string fixed = fixed_parameters(report);
  return fixed.empty() ? "" : fmt::format("not decided: {}\n", fixed);
}

std::string decisions_table(const SearchReport& report) {
  io::Table table({{"decision", Column::text},
                   {"value", Column::number},
                   {"start", Column::number},
                   {"least", Column::number},
                   {"greatest", Column::number}});
  for (std::size_t i = 0; i < report.request.decisions.size(); ++i) {
    const Decision& decision = report.request.decisions[i];
    table.add_row({decision.parameter, decision_text(report, i, report.points.back().x[i]),
                   decision_text(report, i, report.points.front().x[i]), io::shortest_text(decision.low),
                   io::shortest_text(decision.high)});
  }
  return table.text();
}

std::string objective_table(const SearchReport& report) {
  io::Table table({{"objective", Column::text},
                   {"mean", Column::number},
                   {fmt::format("{:.6g} % half-width", 100 * report.request.confidence), Column::number}});
  const auto add = [&](const std::string& name, const EstimatedMean& estimate) {
    table.add_row({name, mean_text(estimate), width_text(estimate)});
  };
  const bool is_feasible = may_start_be_feasible(report), is_violated = is_end_infeasible(report);
  add(is_violated ? "at these decisions, infeasible" : "at these decisions", report.points.back().objective);
  add(is_feasible ? "at the start" : "at the start, infeasible", report.points.front().objective);
  if (is_feasible && !is_violated) add("better by", report.improvement);
  return table.text();
}

io::Table table_of_quartiles(const std::string& rows) {
  return io::Table({{rows, Column::text},
                    {"least", Column::number},
                    {"lower quartile", Column::number},
                    {"median", Column::number},
                    {"upper quartile", Column::number},
                    {"greatest", Column::number}});
}

std::vector<std::string> row_of(const std::string& name, const Quartiles& all, const auto& text) {
  return {name, text(all.least), text(all.lower), text(all.median), text(all.upper), text(all.greatest)};
}

// The runs' ends, and how their objectives came there.
std::string runs_tables(const SearchReport& report) {
  const MacroReplications& runs = report.runs;
  const double precision = runs.ends[runs.best].objective.half_width;
  const auto mean = [&](double value) { return io::text_to_precision(value, precision); };
  io::Table ends = table_of_quartiles("ends of the runs"), progress = table_of_quartiles("after replications");
  ends.add_row(row_of("objective", runs.progress.back().objective, mean));
  for (std::size_t i = 0; i < report.request.decisions.size(); ++i) {
    std::vector<double> values;
    for (const RunEnd& end : runs.ends) values.push_back(end.x[i]);
    ends.add_row(row_of(report.request.decisions[i].parameter, quartiles_of(std::move(values)),
                        [](double value) { return fmt::format("{:.6g}", value); }));
  }
  for (std::size_t j = 0; j < report.request.constraints_on_means.size() && report.certificate; ++j) {
    std::vector<double> values;
    for (const RunEnd& end : runs.ends) values.push_back(end.certificate->constraints[j].mean);
    const CertifiedConstraint& best = report.certificate->constraints[j];
    ends.add_row(row_of(fmt::format("{}, exceeded by", report.request.constraints_on_means[j].text),
                        quartiles_of(std::move(values)),
                        [&](double value) { return io::text_to_precision(value, best.upper - best.mean); }));
  }
  for (const auto& [replications, objective, constraints] : runs.progress)
    progress.add_row(row_of(std::to_string(replications), objective, mean));
  return ends.text() + verdicts_text(report) + "\n" + progress.text();
}

std::string path_table(const SearchReport& report) {
  if (!report.runs.ends.empty()) return runs_tables(report);
  io::Table table({{"replications", Column::number}, {"objective", Column::number}, {"half-width", Column::number}});
  for (const SearchPoint& point : report.points) {
    table.add_row({std::to_string(point.replications), mean_text(point.objective), width_text(point.objective)});
  }
  return table.text();
}

std::string replications_text(const SearchReport& report) {
  const SearchRequest& request = report.request;
  const std::string end = report.end == "replications" ? "" : fmt::format(", {}", end_text(report.end));
  const std::string used = plural(report.replications, "replication", "replications");
  const std::string others = plural(request.final_replications, "replication", "replications");
  if (report.runs.ends.empty())
    return fmt::format("{} of {}, seed {}{}; means by {} that the search has not seen", used, request.budget,
                       request.seed, end, others);
  return fmt::format(
      "{} in {} of at most {} each, seed {}{}; the best end chosen by {} and estimated by as many others, none of "
      "which "
      "a run has seen",
      used, plural(request.runs, "run", "runs"), request.budget, request.seed, end, others);
}

std::string starts_text(const SearchRequest& request) {
  if (request.settings.starts == 1) return "";
  return fmt::format(
      " from {} starts{}", request.settings.starts,
      request.constraints_on_means.empty() ? "" : ", of whose ends the best that is certified to be feasible");
}

io::Json json_of(const OptimalityGap& gap, bool is_frank_wolfe) {
  return {{"by", is_frank_wolfe ? "frank-wolfe" : "sample averages"},
          {"mean", io::json_number(gap.mean)},
          {"bound", io::json_number(gap.bound)},
          {"batches", gap.batches},
          {"replications_of_batch", gap.of_batch},
          {"replications", gap.replications}};
}

io::Json json_of(const EstimatedMean& estimate) {
  return {{"mean", io::json_number(estimate.mean)}, {"half_width", io::json_number(estimate.half_width)}};
}

io::Json json_of(const Quartiles& all) {
  return {{"least", io::json_number(all.least)},
          {"lower_quartile", io::json_number(all.lower)},
          {"median", io::json_number(all.median)},
          {"upper_quartile", io::json_number(all.upper)},
          {"greatest", io::json_number(all.greatest)}};
}

io::Json decisions_json(const SearchReport& report, const std::vector<double>& x) {
  io::Json json = io::Json::object();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::string& name = report.request.decisions[i].parameter;
    if (report.are_whole[i]) {
      json[name] = bounded_count(x[i]);
    } else {
      json[name] = x[i];
    }
  }
  return json;
}

io::Json runs_json(const SearchReport& report) {
  io::Json runs = io::Json::array(), progress = io::Json::array();
  for (const RunEnd& end : report.runs.ends) {
    runs.push_back({{"seed", end.seed},
                    {"replications", end.replications},
                    {"decisions", decisions_json(report, end.x)},
                    {"objective", json_of(end.objective)}});
    if (end.certificate) runs.back()["constraints_on_responses"] = json_of(*end.certificate, report.request);
  }
  for (const auto& [replications, objective, constraints] : report.runs.progress) {
    progress.push_back({{"replications", replications}, {"objective", json_of(objective)}});
    for (const Quartiles& constraint : constraints) progress.back()["exceeded_by"].push_back(json_of(constraint));
  }
  return {{"macro_replications", report.request.runs},
          {"best_run", report.runs.best + 1},
          {"runs", runs},
          {"progress", progress}};
}

std::string constraints_text(const SearchRequest& request) {
  std::string text;
  for (const std::string& constraint : request.constraint_texts) text += fmt::format("subject to {}\n", constraint);
  for (const ConstraintOnMeans& constraint : request.constraints_on_means)
    text += fmt::format("subject to {}\n", constraint.text);
  return text;
}

std::string decisions_header(const SearchReport& report) {
  std::string text;
  for (const Decision& decision : report.request.decisions) text += "," + io::csv_field(decision.parameter);
  return text + ",objective,half_width\n";
}

std::string csv_row(const std::vector<double>& x, const EstimatedMean& objective) {
  std::string text;
  for (const double value : x) text += "," + io::shortest_text(value);
  return text + fmt::format(",{},{}\n", io::shortest_text(objective.mean), io::shortest_text(objective.half_width));
}

std::string csv_of_runs(const SearchReport& report) {
  std::string text = "run,seed,replications" + (report.certificate ? std::string(",feasibility") : "");
  for (const ConstraintOnMeans& constraint : report.request.constraints_on_means)
    text += "," + io::csv_field(constraint.text + " exceeded by");
  text += decisions_header(report);
  for (std::size_t run = 0; run < report.runs.ends.size(); ++run) {
    const RunEnd& end = report.runs.ends[run];
    text += fmt::format("{},{},{}", run + 1, end.seed, end.replications);
    if (end.certificate) text += fmt::format(",{}", name_of(end.certificate->feasibility()));
    for (std::size_t j = 0; j < report.request.constraints_on_means.size() && end.certificate; ++j)
      text += "," + io::shortest_text(end.certificate->constraints[j].mean);
    text += csv_row(end.x, end.objective);
  }
  return text;
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

std::string selection_text(const SearchReport& report) {
  if (!report.selection) return "";
  const auto& [place, points, bound, replications] = *report.selection;
  const std::string more = bound > 0 ? fmt::format("\nby more than {:.3g}", bound) : "";
  return fmt::format(
      "The best of the {} lowest points that the search visited, by {} for all of them: none of these others is "
      "better{}, with {:.6g} % confidence.\n",
      points, plural(replications, "more replication", "more replications"), more, 100 * report.request.confidence);
}

std::string gap_text(const SearchReport& report) {
  if (report.was_gap_ended) {
    return "How far this is from the best decisions is not known: the run was interrupted, or its time was over, "
           "before the "
           "gap was bounded.";
  }
  if (!report.gap) return "How far this is from the best decisions is not known.";
  const auto& [mean, bound, replications, of_batch, batches] = *report.gap;
  if (report.certificate) {
    return fmt::format(
        "At most {:.3g} worse than the best decisions that meet the constraints, if the Lagrangian at these "
        "multipliers "
        "is {},\nwith {:.6g} % confidence: by {} batches of {} replications, {}, with {} in all.",
        bound, report.request.objective.is_maximized ? "concave" : "convex", 100 * report.request.confidence, batches,
        of_batch,
        report.is_frank_wolfe_gap               ? "the Frank-Wolfe gap of each"
        : report.request.objective.is_maximized ? "each maximized anew"
                                                : "each minimized anew",
        plural(replications, "replication", "replications"));
  }
  if (report.is_frank_wolfe_gap) {
    return fmt::format(
        "At most {:.3g} worse than the best decisions, if the objective is {}, with {:.6g} % confidence:\n"
        "the Frank-Wolfe gap by {} batches of {} replications that the search has not seen.",
        bound, report.request.objective.is_maximized ? "concave" : "convex", 100 * report.request.confidence, batches,
        of_batch);
  }
  return fmt::format(
      "At most {:.3g} worse than the best within these bounds, if the objective is {}, with {:.6g} % confidence:\n"
      "by {} batches of {} replications, each {} anew, with {} in all.",
      bound, report.request.objective.is_maximized ? "concave" : "convex", 100 * report.request.confidence, batches,
      of_batch, report.request.objective.is_maximized ? "maximized" : "minimized",
      plural(replications, "replication", "replications"));
}

std::string table_of(const SearchReport& report) {
  const SearchRequest& request = report.request;
  const std::string reason = report.reason.empty() ? "" : fmt::format(", chosen because {}", report.reason);
  return fmt::format(
      "{}: {}\n{}{}\n{}solver {}{}{}\n{}\n\n{}\n{}\n{}{}{}{}{}\n\n{}\n{} on "
      "{}\n",
      request.model->name, request.model->title, fixed_text(report), objective_text(request), constraints_text(request),
      report.solver, starts_text(request), reason, replications_text(report), decisions_table(report),
      objective_table(report), certificate_text(report), responses_table(report), search_text(report),
      selection_text(report), gap_text(report), path_table(report), duration_text(report.seconds),
      text_of(report.machine));
}

std::string json_of(const SearchReport& report) {
  const SearchRequest& request = report.request;
  io::Json bounds = io::Json::object(), points = io::Json::array();
  for (const Decision& decision : request.decisions) {
    bounds[decision.parameter] = {io::json_number(decision.low), io::json_number(decision.high)};
  }
  for (const SearchPoint& point : report.points) {
    points.push_back({{"replications", point.replications},
                      {"decisions", decisions_json(report, point.x)},
                      {"objective", json_of(point.objective)}});
    for (const EstimatedMean& constraint : point.constraints)
      points.back()["exceeded_by"].push_back(json_of(constraint));
  }
  io::Json json = {{"sporos", SPOROS_VERSION},
                   {"model", request.model->name},
                   {"parameters", json_of(*request.model, request.values)},
                   {"objective", objective_text(request)},
                   {"bounds", bounds},
                   {"solver", report.solver},
                   {"reason", report.reason},
                   {"seed", request.seed},
                   {"budget", request.budget},
                   {"replications", report.replications},
                   {"final_replications", request.final_replications},
                   {"confidence", request.confidence},
                   {"stopped_by", report.end},
                   {"decisions", decisions_json(report, report.points.back().x)},
                   {"estimate", json_of(report.points.back().objective)},
                   {"improvement", json_of(report.improvement)},
                   {"optimality_gap", report.gap ? json_of(*report.gap, report.is_frank_wolfe_gap) : io::Json()},
                   {"points", points},
                   {"seconds", report.seconds},
                   {"machine", json_of(report.machine)}};
  if (report.selection) {
    json["selection"] = {{"points", report.selection->points},
                         {"replications", report.selection->replications},
                         {"bound", report.selection->bound}};
  }
  if (request.constraint_texts.size() == 1) json["subject_to"] = request.constraint_texts.front();
  if (request.constraint_texts.size() > 1) json["subject_to"] = request.constraint_texts;
  if (report.certificate) json["constraints_on_responses"] = json_of(*report.certificate, request);
  json.update(json_of_end(report));
  for (const DrawnDecision& drawn : request.draws) json["draws"][drawn.parameter] = drawn.text;
  if (!report.runs.ends.empty()) json.update(runs_json(report));
  return json_text(json);
}

std::string csv_of(const SearchReport& report) {
  if (!report.runs.ends.empty()) return csv_of_runs(report);
  std::string text = "replications" + decisions_header(report);
  for (const SearchPoint& point : report.points)
    text += std::to_string(point.replications) + csv_row(point.x, point.objective);
  return text;
}

}  // namespace sporos::runtime
