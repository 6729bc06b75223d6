// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/selection/report.hpp>

#include <sporos/runtime/files/json_text.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/table.hpp>
#include <sporos/core/math/count.hpp>
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/version.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>

namespace sporos::runtime {

namespace {

using Column = io::Table::Column;

std::string same_in_all(const SelectionReport& report) {
  const auto axes = report.request.grid.axes();
  std::vector<std::string> list;
  for (std::size_t i = 0; i < report.request.values.size(); ++i) {
    const std::string& name = report.request.model->parameters[i].name;
    if (std::ranges::find(axes, name, &GridAxis::parameter) != axes.end()) continue;
    if (report.request.model->parameters[i].is_as_in_case(report.request.values[i])) continue;
    list.push_back(fmt::format("{} {}", name, shown_text_of(report.request.values[i])));
  }
  return list.empty() ? "" : fmt::format("{}\n", fmt::join(list, ", "));
}

// The known standard as it was given.
double given_standard(const SelectionRequest& request) {
  return request.which.is_smallest_best ? -request.options.standard : request.options.standard;
}

bool has_standard(const SelectionRequest& request) { return request.procedure->run == compare_with_standard; }

std::string aim_text(const SelectionRequest& request) {
  if (has_standard(request)) return ", standard " + io::shortest_text(given_standard(request));
  return request.procedure->has_budget ? fmt::format(", budget {}", request.options.budget) : "";
}

std::string procedure_text(const SelectionReport& report) {
  const SelectionRequest& request = report.request;
  const std::string delta =
      request.procedure->has_delta ? fmt::format(", delta {}", io::shortest_text(request.options.delta)) : "";
  return fmt::format("procedure {}{}{}, first stage of {}, seed {}, {} random numbers", request.procedure->name, delta,
                     aim_text(request), plural(request.options.first_stage, "replication", "replications"),
                     request.which.seed, request.which.common_random_numbers ? "common" : "independent");
}

// Whether systems are compared by the response at that place.
bool is_compared(const SelectionRequest& request, std::size_t place) {
  const std::vector<double>& sums = request.which.sums;
  if (sums.empty()) return place == static_cast<std::size_t>(request.which.response);
  const std::size_t of_system = sums.size() / static_cast<std::size_t>(request.grid.size());
  for (std::size_t i = place; i < sums.size(); i += of_system) {
    if (sums[i] != 0) return true;
  }
  return false;
}

// A ratio that replications observe is another thing than the ratio of means that `simulate` estimates.
std::string ratio_note(const SelectionReport& report) {
  const SelectionRequest& request = report.request;
  const auto names = request.model->response_names(request.values);
  std::string note;
  for (const RatioOfMeans& ratio : request.model->ratios(request.values)) {
    const auto place = static_cast<std::size_t>(ratio.response);
    const auto tell = [&](std::string_view what) {
      note += fmt::format("{} the mean of {} in a replication, a ratio there: it is not the ratio of means.\n", what,
                          names[place]);
    };
    if (is_compared(request, place)) tell("Systems are compared by");
    const bool is_constrained = std::ranges::any_of(
        request.constraints, [&](const SelectionConstraint& one) { return one.observed.weights[place] != 0; });
    if (is_constrained) tell("A constraint is on");
  }
  return note;
}

std::string constraints_text(const SelectionRequest& request) {
  std::string text;
  for (std::size_t i = 0; i < request.constraints.size(); ++i) {
    text += fmt::format("subject to {}, tolerance {}\n", request.constraints[i].text,
                        io::shortest_text(request.options.tolerances[i]));
  }
  return text;
}

// "rate_1 2, rate_2 3".
std::string system_text(const SelectionRequest& request, std::int64_t system) {
  std::vector<std::string> texts;
  const auto values = request.grid.values_of(system);
  for (std::size_t i = 0; i < values.size(); ++i) {
    texts.push_back(fmt::format("{} {}", request.grid.axes()[i].parameter, io::shortest_text(values[i])));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

// Where no system is feasible, which is nearest.
std::string infeasible_text(const SelectionReport& report) {
  if (!report.nearest) return "";
  const auto& [place, estimate] = *report.nearest;
  const SelectionConstraint& constraint = report.request.constraints[static_cast<std::size_t>(place)];
  const double width = half_width(estimate, report.request.options.confidence);
  return fmt::format("No system is feasible: in the nearest, {} ({}), {} is {} +- {} after {}, expected {} {}.\n",
                     estimate.system + 1, system_text(report.request, estimate.system), constraint.name,
                     io::text_to_precision(estimate.mean, width), io::text_to_precision(width, width),
                     plural(estimate.replications, "replication", "replications"),
                     constraint.is_at_least ? "at least" : "at most", io::shortest_text(constraint.limit));
}

std::int64_t of_unknown_variance(const SelectionReport& report) {
  return std::ranges::count_if(report.failed, &FailedSystem::has_equal_numbers);
}

// For the systems that were compared alone.
std::string guarantee_of(const SelectionReport& report) {
  const std::int64_t left_out = of_unknown_variance(report);
  return report.request.procedure->guarantee(report.request.options, report.request.grid.size()) +
         (left_out == 0 ? "" : fmt::format("; {} of unknown variance left out", plural(left_out, "system", "systems")));
}

std::string guarantee_text(const SelectionReport& report) {
  const SelectionRequest& request = report.request;
  if (report.end != "guarantee" && report.end != "budget") return "Ended early: nothing is guaranteed.\n";
  const std::string retained =
      has_standard(request) && report.survivors.empty() ? "No system is better: the standard is retained.\n" : "";
  const std::string estimate =
      report.estimated_correct_selection
          ? fmt::format(
                "Estimated probability that this is the best system: {:.4g} (Bonferroni's bound, as if variances "
                "were known).\n",
                *report.estimated_correct_selection)
          : "";
  return fmt::format("{}{}Guarantee: {}.\n{}", retained, infeasible_text(report), guarantee_of(report), estimate);
}

std::vector<std::string> value_texts(const SelectionReport& report, std::int64_t system) {
  std::vector<std::string> texts;
  for (const double value : report.request.grid.values_of(system)) texts.push_back(io::shortest_text(value));
  return texts;
}

std::string best_table(const SelectionReport& report) {
  constexpr std::size_t rows = 10;
  std::vector<std::pair<std::string, Column>> columns{{"system", Column::number}};
  for (const GridAxis& axis : report.request.grid.axes()) columns.emplace_back(axis.parameter, Column::number);
  columns.insert(columns.end(),
                 {{report.request.response, Column::number},
                  {fmt::format("{:.6g} % half-width", 100 * report.request.options.confidence), Column::number}});
  for (const SelectionConstraint& constraint : report.request.constraints) {
    columns.insert(columns.end(), {{constraint.name, Column::number}, {"half-width", Column::number}});
  }
  columns.emplace_back("replications", Column::number);
  io::Table table(std::move(columns));
  for (std::size_t i = 0; i < std::min(rows, report.survivors.size()); ++i) {
    const SystemEstimate& estimate = report.survivors[i];
    const double width = half_width(estimate, report.request.options.confidence);
    std::vector<std::string> row{std::to_string(estimate.system + 1)};
    for (std::string& text : value_texts(report, estimate.system)) row.push_back(std::move(text));
    row.insert(row.end(), {io::text_to_precision(estimate.mean, width), io::text_to_precision(width, width)});
    for (const auto& constrained : report.constrained) {
      const double own = half_width(constrained[i], report.request.options.confidence);
      row.insert(row.end(), {io::text_to_precision(constrained[i].mean, own), io::text_to_precision(own, own)});
    }
    row.push_back(std::to_string(estimate.replications));
    table.add_row(row);
  }
  return table.text();
}

// Systems without a result, the first of them.
std::string failed_text(const SelectionReport& report) {
  constexpr std::size_t rows = 10;
  if (report.failed.empty()) return "";
  std::vector<std::pair<std::string, Column>> columns{{"system", Column::number}};
  for (const GridAxis& axis : report.request.grid.axes()) columns.emplace_back(axis.parameter, Column::number);
  columns.insert(columns.end(),
                 {{"failed", Column::number}, {"replications", Column::number}, {"reason", Column::text}});
  io::Table table(std::move(columns));
  for (const FailedSystem& failed : std::span(report.failed).first(std::min(rows, report.failed.size()))) {
    std::vector<std::string> row{std::to_string(failed.system + 1)};
    for (std::string& value : value_texts(report, failed.system)) row.push_back(std::move(value));
    row.insert(row.end(), {std::to_string(failed.failures), std::to_string(failed.replications), failed.reason});
    table.add_row(std::move(row));
  }
  const auto count = static_cast<std::int64_t>(report.failed.size());
  const std::int64_t equal = of_unknown_variance(report);
  const std::string note =
      equal == 0
          ? ""
          : fmt::format("\n{} of unknown variance: not compared, so that the guarantee is for the others alone.\n",
                        plural(equal, "system", "systems"));
  const std::string meaning =
      equal == 0 ? fmt::format(", which {} as worse than every other", count == 1 ? "counts" : "count") : "";
  return fmt::format("\n{} without a result{}{}:\n\n{}{}", plural(count, "system", "systems"), meaning,
                     report.failed.size() > rows ? fmt::format(" (the first {})", rows) : "", table.text(), note);
}

std::string steps_table(const SelectionReport& report) {
  io::Table table({{"stage", Column::text},
                   {"survivors", Column::number},
                   {"replications", Column::number},
                   {"seconds", Column::number}});
  for (const TimedStep& step : some_of(report.steps)) {
    table.add_row(
        {step.stage, std::to_string(step.survivors), std::to_string(step.replications), short_text(step.seconds)});
  }
  return table.text();
}

io::Json json_of_mean(const SelectionReport& report, const SystemEstimate& estimate) {
  return {{"mean", io::json_number(estimate.mean)},
          {"half_width", io::json_number(half_width(estimate, report.request.options.confidence))}};
}

io::Json json_of_system(const SelectionReport& report, std::int64_t system) {
  io::Json json = {{"system", system + 1}};
  const auto values = report.request.grid.values_of(system);
  const ModelDescription& model = *report.request.model;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string& name = report.request.grid.axes()[i].parameter;
    if (model.parameters[*model.find_parameter(name)].is_whole()) {
      json["parameters"][name] = bounded_count(values[i]);
    } else {
      json["parameters"][name] = values[i];
    }
  }
  return json;
}

// The survivor at a place.
io::Json json_of(const SelectionReport& report, std::size_t place) {
  const SystemEstimate& estimate = report.survivors[place];
  io::Json json = json_of_system(report, estimate.system);
  json.update(json_of_mean(report, estimate));
  for (std::size_t i = 0; i < report.constrained.size(); ++i) {
    io::Json& told = json["constraints"].emplace_back(json_of_mean(report, report.constrained[i][place]));
    told["name"] = report.request.constraints[i].name;
  }
  json["replications"] = estimate.replications;
  return json;
}

io::Json json_of(const SelectionReport& report, const FailedSystem& failed) {
  io::Json json = json_of_system(report, failed.system);
  json["failures"] = failed.failures;
  json["replications"] = failed.replications;
  json["reason"] = failed.reason;
  return json;
}

io::Json json_of_nearest(const SelectionReport& report) {
  if (!report.nearest) return {};
  const auto& [constraint, estimate] = *report.nearest;
  io::Json json = json_of_system(report, estimate.system);
  json["constraint"] = report.request.constraints[static_cast<std::size_t>(constraint)].text;
  json.update(json_of_mean(report, estimate));
  json["replications"] = estimate.replications;
  return json;
}

// Of each constraint, as SelectionConstraint has it.
io::Json json_of_constraints(const SelectionRequest& request) {
  io::Json json = io::Json::array();
  for (std::size_t i = 0; i < request.constraints.size(); ++i) {
    const SelectionConstraint& constraint = request.constraints[i];
    json.push_back({{"text", constraint.text},
                    {"name", constraint.name},
                    {"is_at_least", constraint.is_at_least},
                    {"limit", constraint.limit},
                    {"tolerance", request.options.tolerances[i]}});
  }
  return json;
}

}  // namespace

io::Json json_of(const TimedStep& step) {
  return {{"stage", step.stage},
          {"survivors", step.survivors},
          {"replications", step.replications},
          {"seconds", step.seconds}};
}

double half_width(const SystemEstimate& estimate, double confidence) {
  if (estimate.replications < 2) return std::numeric_limits<double>::infinity();
  const double spread = std::sqrt(estimate.variance / static_cast<double>(estimate.replications));
  return student_t(confidence, estimate.replications) * spread;
}

std::string table_of(const SelectionReport& report) {
  const SelectionRequest& request = report.request;
  const std::string steps = report.steps.empty() ? "" : "\n" + steps_table(report);
  return fmt::format(
      "{}: {}\n{}{}{}, the {} {} of which is best\n{}{}\n{}{}\n{}\n{}Intervals are those of single systems: that one "
      "was "
      "selected makes it look better than it is.\n{}\n{}, {}{} on {}\n",
      request.model->name, request.model->title, same_in_all(report),
      fmt::format("{}{}", fmt::join(request.notes, "\n"), request.notes.empty() ? "" : "\n"),
      plural(request.grid.size(), "system", "systems"), request.which.is_smallest_best ? "smallest" : "largest",
      request.response, constraints_text(request), procedure_text(report), best_table(report), failed_text(report),
      guarantee_text(report), ratio_note(report), steps, plural(report.replications, "replication", "replications"),
      duration_text(report.seconds),
      report.end == "guarantee" || report.end == "budget" ? "" : ", " + end_text(report.end), text_of(report.machine));
}

std::string json_of(const SelectionReport& report) {
  constexpr std::size_t most_told = 1000;
  const SelectionRequest& request = report.request;
  io::Json axes = io::Json::array(), steps = io::Json::array(), survivors = io::Json::array();
  for (const GridAxis& axis : request.grid.axes()) {
    axes.push_back({{"parameter", axis.parameter}, {"values", axis.values.size()}});
  }
  for (const TimedStep& step : report.steps) steps.push_back(json_of(step));
  for (std::size_t i = 0; i < std::min(most_told, report.survivors.size()); ++i) {
    survivors.push_back(json_of(report, i));
  }
  io::Json failed = io::Json::array();
  for (std::size_t i = 0; i < std::min(most_told, report.failed.size()); ++i) {
    failed.push_back(json_of(report, report.failed[i]));
  }
  const bool is_guaranteed = report.end == "guarantee";
  return json_text({{"sporos", SPOROS_VERSION},
                    {"model", request.model->name},
                    {"parameters", json_of(*request.model, request.values)},
                    {"over", axes},
                    {"systems", request.grid.size()},
                    {"response", request.response},
                    {"best", request.which.is_smallest_best ? "smallest" : "largest"},
                    {"subject_to", json_of_constraints(request)},
                    {"procedure", request.procedure->name},
                    {"delta", request.procedure->has_delta ? io::Json(request.options.delta) : io::Json()},
                    {"confidence", request.options.confidence},
                    {"first_stage", request.options.first_stage},
                    {"standard", has_standard(request) ? io::Json(given_standard(request)) : io::Json()},
                    {"budget", request.procedure->has_budget ? io::Json(request.options.budget) : io::Json()},
                    {"common_random_numbers", request.which.common_random_numbers},
                    {"seed", request.which.seed},
                    {"selected", survivors.empty() ? io::Json() : survivors.front()},
                    {"guarantee", is_guaranteed ? io::Json(guarantee_of(report)) : io::Json()},
                    {"estimated_correct_selection",
                     report.estimated_correct_selection ? io::Json(*report.estimated_correct_selection) : io::Json()},
                    {"nearest_infeasible", json_of_nearest(report)},
                    {"survivor_count", report.survivors.size()},
                    {"survivors", survivors},
                    {"failed_count", report.failed.size()},
                    {"failed", failed},
                    {"notes", request.notes},
                    {"steps", steps},
                    {"replications", report.replications},
                    {"stopped_by", report.end},
                    {"seconds", report.seconds},
                    {"seconds_in_replications", report.seconds_in_replications},
                    {"machine", json_of(report.machine)}});
}

std::string csv_of(const SelectionReport& report) {
  std::string text = "system";
  for (const GridAxis& axis : report.request.grid.axes()) text += "," + io::csv_field(axis.parameter);
  text += "," + io::csv_field(report.request.response) + ",half_width";
  for (const SelectionConstraint& constraint : report.request.constraints) {
    text += fmt::format(",{},{}", io::csv_field(constraint.name), io::csv_field(constraint.name + " half_width"));
  }
  text += ",replications\n";
  const auto add = [&](const SystemEstimate& estimate) {
    text += fmt::format(",{},{}", io::shortest_text(estimate.mean),
                        io::shortest_text(half_width(estimate, report.request.options.confidence)));
  };
  for (std::size_t i = 0; i < report.survivors.size(); ++i) {
    const SystemEstimate& estimate = report.survivors[i];
    text += std::to_string(estimate.system + 1);
    for (const std::string& value : value_texts(report, estimate.system)) text += "," + value;
    add(estimate);
    for (const auto& constrained : report.constrained) add(constrained[i]);
    text += fmt::format(",{}\n", estimate.replications);
  }
  return text;
}

}  // namespace sporos::runtime
