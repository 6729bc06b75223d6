// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/steady_state/report.hpp>

#include <sporos/runtime/files/json_text.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/table.hpp>
#include <sporos/version.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace sporos::runtime {

namespace {

using Column = io::Table::Column;

std::string parameters_text(const SteadyStateRequest& request) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < request.values.size(); ++i) {
    const std::string& name = request.model->parameters[i].name;
    if (std::ranges::find(request.model->series_ignores, name) != request.model->series_ignores.end()) continue;
    list.push_back(fmt::format("{} {}", name, shown_text_of(request.values[i])));
  }
  return fmt::format("{}", fmt::join(list, ", "));
}

std::string goal_text(const SteadyStateRequest& request) {
  std::vector<std::string> goals;
  if (request.goal.half_width > 0) goals.push_back(io::shortest_text(request.goal.half_width));
  if (request.goal.relative_half_width > 0) {
    goals.push_back(io::shortest_text(request.goal.relative_half_width) + " of the mean");
  }
  const std::string precision =
      goals.empty() ? "" : fmt::format("half-widths up to {} within ", fmt::join(goals, " and "));
  return fmt::format("steady state by {}: {}{} of {}, seed {}", name_of(request.goal.method), precision,
                     plural(request.goal.observations, "observation", "observations"),
                     plural(request.runs, "run", "runs"), request.seed);
}

std::string number_text(double value, double width) {
  return std::isfinite(width) ? io::text_to_precision(value, width) : fmt::format("{:.6g}", value);
}

std::vector<std::string> row_of(const std::string& name, const SeriesInterval& interval,
                                const std::optional<double>& exact) {
  const double width = interval.half_width();
  const std::string exactly = exact ? number_text(*exact, width) : "";
  if (!interval.lack.empty()) return {name, "unknown", "unknown", exactly, "", "", "", ""};
  return {name,
          number_text(interval.mean, width),
          fmt::format("{} to {}", number_text(interval.low, width), number_text(interval.high, width)),
          exactly,
          std::to_string(interval.cut),
          interval.batch_size > 0 ? std::to_string(interval.batch_size) : "",
          std::to_string(interval.batches),
          std::to_string(interval.used)};
}

std::string lacks_text(const SteadyStateResult& result) {
  std::string text;
  for (std::size_t i = 0; i < result.names.size(); ++i) {
    if (result.intervals[i].lack.empty()) continue;
    text += fmt::format("{} has no interval: {}\n", result.names[i], result.intervals[i].lack);
  }
  return text;
}

}  // namespace

std::vector<std::optional<double>> exact_means(const SteadyStateRequest& request) {
  return request.model->series_means(request.values);
}

std::string table_of(const SteadyStateReport& report) {
  const SteadyStateRequest& request = report.request;
  const SteadyStateResult& result = report.result;
  const char* const batches = request.goal.method == SeriesMethod::regenerative   ? "cycles"
                              : request.goal.method == SeriesMethod::replications ? "runs"
                                                                                  : "batches";
  io::Table table({{"response", Column::text},
                   {"mean", Column::number},
                   {fmt::format("{:.6g} % interval", 100 * request.goal.confidence), Column::text},
                   {"exact", Column::number},
                   {"warm-up cut", Column::number},
                   {"batch size", Column::number},
                   {batches, Column::number},
                   {"observations used", Column::number}});
  for (std::size_t i = 0; i < result.names.size(); ++i) {
    table.add_row(row_of(result.names[i], result.intervals[i], report.exact_mean(i)));
  }
  return fmt::format("{}: {}\n{}\n{}\n\n{}\n{}{} of each run, {}\n{} on {}\n", request.model->name,
                     request.model->title, parameters_text(request), goal_text(request), table.text(),
                     lacks_text(result), plural(result.observations, "observation", "observations"),
                     end_text(result.stopped_by), duration_text(report.seconds), text_of(report.machine));
}

std::string json_of(const SteadyStateReport& report) {
  const SteadyStateRequest& request = report.request;
  const SteadyStateResult& result = report.result;
  io::Json responses = io::Json::array();
  for (std::size_t i = 0; i < result.names.size(); ++i) {
    const SeriesInterval& interval = result.intervals[i];
    const auto exact = report.exact_mean(i);
    responses.push_back({{"name", result.names[i]},
                         {"mean", io::json_number(interval.mean)},
                         {"low", io::json_number(interval.low)},
                         {"high", io::json_number(interval.high)},
                         {"half_width", io::json_number(interval.half_width())},
                         {"warm_up", interval.cut},
                         {"used", interval.used},
                         {"batch_size", interval.batch_size},
                         {"batches", interval.batches},
                         {"degrees_of_freedom", interval.degrees_of_freedom},
                         {"exact", exact ? io::json_number(*exact) : io::Json(nullptr)},
                         {"lack", interval.lack.empty() ? io::Json(nullptr) : io::Json(interval.lack)}});
  }
  const auto wanted = [](double width) { return width > 0 ? io::Json(width) : io::Json(nullptr); };
  return json_text({{"sporos", SPOROS_VERSION},
                    {"model", request.model->name},
                    {"parameters", json_of(*request.model, request.values)},
                    {"method", name_of(request.goal.method)},
                    {"confidence", request.goal.confidence},
                    {"precision", wanted(request.goal.half_width)},
                    {"relative_precision", wanted(request.goal.relative_half_width)},
                    {"runs", request.runs},
                    {"seed", request.seed},
                    {"observations", result.observations},
                    {"stopped_by", result.stopped_by},
                    {"responses", std::move(responses)},
                    {"seconds", report.seconds},
                    {"machine", json_of(report.machine)}});
}

std::string csv_of(const SteadyStateReport& report) {
  std::string text;
  io::append_csv_row(text, {"response", "mean", "low", "high", "warm_up", "used", "batch_size", "batches",
                            "degrees_of_freedom", "exact", "observations", "stopped_by"});
  const auto number = [](double value) { return std::isfinite(value) ? io::shortest_text(value) : ""; };
  for (std::size_t i = 0; i < report.result.names.size(); ++i) {
    const SeriesInterval& interval = report.result.intervals[i];
    const auto exact = report.exact_mean(i);
    io::append_csv_row(
        text, {report.result.names[i], number(interval.mean), number(interval.low), number(interval.high),
               std::to_string(interval.cut), std::to_string(interval.used), std::to_string(interval.batch_size),
               std::to_string(interval.batches), number(interval.degrees_of_freedom), exact ? number(*exact) : "",
               std::to_string(report.result.observations), std::string(report.result.stopped_by)});
  }
  return text;
}

std::string missed_precision(const SteadyStateRequest& request, const SteadyStateResult& result) {
  std::size_t worst = 0;
  const auto excess_of = [&](std::size_t i) { return excess(result.intervals[i], request.goal); };
  for (std::size_t i = 0; i < result.names.size(); ++i) {
    if (!result.intervals[i].lack.empty()) {
      return fmt::format("'{}' has no interval after {} of each run ({}): {}", result.names[i],
                         plural(result.observations, "observation", "observations"), result.stopped_by,
                         result.intervals[i].lack);
    }
    if (excess_of(i) > excess_of(worst)) worst = i;
  }
  if (!request.goal.is_sequential() || result.stopped_by == "precision") return "";
  const SeriesInterval& interval = result.intervals[worst];
  return fmt::format(
      "precision not reached: '{}' is {:.6g} to {:.6g}, half-width {:.3g}, {:.3g} times the wanted one, after {} of "
      "each run ({})",
      result.names[worst], interval.low, interval.high, interval.half_width(), excess_of(worst),
      plural(result.observations, "observation", "observations"), result.stopped_by);
}

}  // namespace sporos::runtime
