// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/steady_state/report.hpp>

#include <sporos/runtime/files/json_text.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/table.hpp>
#include <sporos/core/statistics/warm_up.hpp>
#include <sporos/version.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

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

std::string table_of(const SteadyStateReport& report) {
  const auto& [request, result, seconds, machine] = report;
  const auto exact = request.model->series_means(request.values);
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
    table.add_row(row_of(result.names[i], result.intervals[i], exact[i]));
  }
  return fmt::format("{}: {}\n{}\n{}\n\n{}\n{}{} of each run, {}\n{} on {}\n", request.model->name,
                     request.model->title, parameters_text(request), goal_text(request), table.text(),
                     lacks_text(result), plural(result.observations, "observation", "observations"),
                     end_text(result.stopped_by), duration_text(seconds), text_of(machine));
}

std::string json_of(const SteadyStateReport& report) {
  const auto& [request, result, seconds, machine] = report;
  const auto exact = request.model->series_means(request.values);
  io::Json responses = io::Json::array();
  for (std::size_t i = 0; i < result.names.size(); ++i) {
    const SeriesInterval& interval = result.intervals[i];
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
                         {"exact", exact[i] ? io::json_number(*exact[i]) : io::Json(nullptr)},
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
                    {"seconds", seconds},
                    {"machine", json_of(machine)}});
}

std::string csv_of(const SteadyStateReport& report) {
  const auto exact = report.request.model->series_means(report.request.values);
  std::string text;
  io::append_csv_row(text, {"response", "mean", "low", "high", "warm_up", "used", "batch_size", "batches",
                            "degrees_of_freedom", "exact", "observations", "stopped_by"});
  const auto number = [](double value) { return std::isfinite(value) ? io::shortest_text(value) : ""; };
  for (std::size_t i = 0; i < report.result.names.size(); ++i) {
    const SeriesInterval& interval = report.result.intervals[i];
    io::append_csv_row(
        text, {report.result.names[i], number(interval.mean), number(interval.low), number(interval.high),
               std::to_string(interval.cut), std::to_string(interval.used), std::to_string(interval.batch_size),
               std::to_string(interval.batches), number(interval.degrees_of_freedom), exact[i] ? number(*exact[i]) : "",
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

namespace {

// Welch's moving average: of `window` values on both sides, of as many as there are at the front.
double moving_average(std::span<const double> values, std::size_t place, std::size_t window) {
  const std::size_t reach = std::min(window, place);
  double sum = 0;
  for (std::size_t i = place - reach; i <= place + reach; ++i) sum += values[i];
  return sum / static_cast<double>(2 * reach + 1);
}

// What is drawn of a series: ten times its warm-up, of at most a thousand averages.
struct DrawnSeries {
  std::vector<double> averages;
  double spacing;  // observations of each
};

DrawnSeries drawn(const SeriesRuns& runs, std::size_t series, std::int64_t cut) {
  constexpr std::size_t least = 100, most = 1000;
  const auto blocks = averages_over_runs(runs, series);
  const std::size_t wanted = std::max(static_cast<std::size_t>(10 * cut / runs.block_size()), least);
  const std::size_t count = std::min(wanted, blocks.size()), group = (count + most - 1) / most;
  return {averages_of(std::span(blocks).first(count), group),
          static_cast<double>(group) * static_cast<double>(runs.block_size())};
}

}  // namespace

std::string picture_of(const SteadyStateReport& report, const SeriesRuns& runs) {
  const auto& [request, result, seconds, machine] = report;
  std::string data, plots;
  for (std::size_t i = 0; i < result.names.size(); ++i) {
    const SeriesInterval& interval = result.intervals[i];
    const auto [averages, spacing] = drawn(runs, i, interval.cut);
    const std::size_t window = std::max<std::size_t>(averages.size() / 20, 1);
    data += fmt::format("$series{} << END\n", i);
    for (std::size_t place = 0; place < averages.size(); ++place) {
      data += fmt::format(
          "{} {} {}\n", io::shortest_text((static_cast<double>(place) + 0.5) * spacing),
          io::shortest_text(averages[place]),
          place + window < averages.size() ? io::shortest_text(moving_average(averages, place, window)) : "NaN");
    }
    data += "END\n";
    const double end = static_cast<double>(averages.size()) * spacing;
    plots += fmt::format("set title {}\nset xrange [0:{}]\nunset arrow\nunset object\n",
                         io::in_gnuplot_quotes(result.names[i]), io::shortest_text(end));
    std::string mean;
    if (interval.lack.empty()) {
      plots += fmt::format(
          "set object 1 rectangle from graph 0, first {} to graph 1, first {} fillcolor rgb '#F0E6C8' fillstyle solid "
          "noborder behind\nset arrow 1 from first {}, graph 0 to first {}, graph 1 nohead linewidth 2 dashtype 2 "
          "linecolor rgb '#D55E00' front\n",
          io::shortest_text(interval.low), io::shortest_text(interval.high), interval.cut, interval.cut);
      mean = fmt::format(", {} title 'mean and its interval' linewidth 1.5 linecolor rgb '#707070'",
                         io::shortest_text(interval.mean));
    }
    plots += fmt::format(
        "plot $series{} using 1:2 with lines linewidth 0.8 linecolor rgb '#B8CFE0' title 'averages of {:.6g} "
        "observations', $series{} using 1:3 with lines linewidth 2 linecolor rgb '#0072B2' title 'moving average over "
        "{}'"
        "{}, 1/0 with lines linewidth 2 dashtype 2 linecolor rgb '#D55E00' title 'end of the warm-up'\n",
        i, spacing, i, 2 * window + 1, mean);
  }
  const std::string title = fmt::format("{}: {} by {}", request.model->name, plural(request.runs, "run", "runs"),
                                        name_of(request.goal.method));
  return data + fmt::format("set multiplot layout 1,{} title {}\n", result.names.size(), io::in_gnuplot_quotes(title)) +
         "set border 3 linecolor rgb '#707070'\nset tics nomirror out textcolor rgb 'black'\n"
         "set grid linetype 1 linecolor rgb '#E4E4E4' linewidth 1\nset key below samplen 2\n"
         "set xlabel 'observation'\nset format x '%g'\nset xtics rotate by 30 right\n" +
         plots + "unset multiplot\n";
}

}  // namespace sporos::runtime
