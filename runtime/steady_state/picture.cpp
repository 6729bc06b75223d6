// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/steady_state/report.hpp>

#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/statistics/warm_up.hpp>

#include <algorithm>
#include <cstddef>
#include <span>

namespace sporos::runtime {

namespace {

// Welch's moving average over `window` values on each side. Near the front, both sides have only `place` values.
double moving_average(std::span<const double> values, std::size_t place, std::size_t window) {
  const std::size_t reach = std::min(window, place);
  double sum = 0;
  for (std::size_t i = place - reach; i <= place + reach; ++i) sum += values[i];
  return sum / static_cast<double>(2 * reach + 1);
}

// The drawn part of a series: ten times its warm-up and at least 100 blocks if available, in at most 1000 averages.
struct DrawnSeries {
  std::vector<double> averages;
  double spacing;  // observations of each average
};

DrawnSeries drawn(const SeriesRuns& runs, std::size_t mean, std::int64_t cut) {
  constexpr std::size_t least = 100, most = 1000;
  const auto blocks = series_values(runs, mean, static_cast<std::size_t>(cut / runs.block_size())).averages();
  const std::size_t wanted = std::max(static_cast<std::size_t>(10 * cut / runs.block_size()), least);
  const std::size_t count = std::min(wanted, blocks.size()), group = (count + most - 1) / most;
  return {averages_of(std::span(blocks).first(count), group),
          static_cast<double>(group) * static_cast<double>(runs.block_size())};
}

// gnuplot data of a series, the commands that plot them, and a description of the plot.
struct SeriesPlot {
  std::string data, commands, words;
};

SeriesPlot plot_of(const SteadyStateReport& report, const SeriesRuns& runs, std::size_t i) {
  const SeriesInterval& interval = report.result.intervals[i];
  const auto [averages, spacing] = drawn(runs, report.result.means[i], interval.cut);
  const std::size_t window = std::max<std::size_t>(averages.size() / 20, 1);
  SeriesPlot plot{fmt::format("$series{} << END\n", i), "", ""};
  for (std::size_t place = 0; place < averages.size(); ++place) {
    plot.data += fmt::format(
        "{} {} {}\n", io::shortest_text((static_cast<double>(place) + 0.5) * spacing),
        io::shortest_text(averages[place]),
        place + window < averages.size() ? io::shortest_text(moving_average(averages, place, window)) : "NaN");
  }
  plot.data += "END\n";
  const double end = static_cast<double>(averages.size()) * spacing;
  plot.commands = fmt::format("set xrange [0:{}]\nunset arrow\nunset object\n", io::shortest_text(end));
  plot.words = fmt::format("The first {:.6g} observations, averaged over the runs, and their moving average", end);
  std::string mean;
  if (interval.reason.empty()) {
    plot.commands += fmt::format(
        "set object 1 rectangle from graph 0, first {} to graph 1, first {} fillcolor rgb '#F0E6C8' fillstyle solid "
        "noborder behind\nset arrow 1 from first {}, graph 0 to first {}, graph 1 nohead linewidth 2 dashtype 2 "
        "linecolor rgb '#D55E00' front\n",
        io::shortest_text(interval.low), io::shortest_text(interval.high), interval.cut, interval.cut);
    mean = fmt::format(", {} title 'mean, interval' linewidth 1.5 linecolor rgb '#707070'",
                       io::shortest_text(interval.mean));
    plot.words += fmt::format("; the warm-up ends after {} observations; mean {:.6g}, interval {:.6g} to {:.6g}",
                              interval.cut, interval.mean, interval.low, interval.high);
  }
  plot.commands += fmt::format(
      "plot $series{} using 1:2 with lines linewidth 0.8 linecolor rgb '#B8CFE0' title 'averages of {:.6g}', "
      "$series{} using 1:3 with lines linewidth 2 linecolor rgb '#0072B2' title 'moving average of {}'"
      "{}, 1/0 with lines linewidth 2 dashtype 2 linecolor rgb '#D55E00' title 'end of warm-up'\n",
      i, spacing, i, 2 * window + 1, mean);
  return plot;
}

constexpr auto welch_axes =
    "set border 3 linecolor rgb '#707070'\nset tics nomirror out textcolor rgb 'black'\n"
    "set grid linetype 1 linecolor rgb '#E4E4E4' linewidth 1\nset key below samplen 2\n"
    "set xlabel 'observation'\nset format x '%g'\nset xtics rotate by 30 right\n";

}  // namespace

std::string picture_of(const SteadyStateReport& report, const SeriesRuns& runs) {
  const SteadyStateRequest& request = report.request;
  const SteadyStateResult& result = report.result;
  std::string data, plots;
  for (std::size_t i = 0; i < result.names.size(); ++i) {
    const SeriesPlot plot = plot_of(report, runs, i);
    data += plot.data;
    plots += fmt::format("set title {}\n", io::in_gnuplot_quotes(result.names[i])) + plot.commands;
  }
  const std::string title = fmt::format("{}: {} by {}", request.model->name, plural(request.runs, "run", "runs"),
                                        name_of(request.goal.method));
  constexpr std::size_t most_columns = 3;
  const std::size_t columns = std::min(result.names.size(), most_columns);
  const std::size_t rows = (result.names.size() + columns - 1) / columns;
  return data + fmt::format("set multiplot layout {},{} title {}\n", rows, columns, io::in_gnuplot_quotes(title)) +
         welch_axes + plots + "unset multiplot\n";
}

std::vector<PagePicture> page_pictures_of(const SteadyStateReport& report, const SeriesRuns& runs) {
  std::vector<PagePicture> pictures;
  for (std::size_t i = 0; i < report.result.names.size(); ++i) {
    SeriesPlot plot = plot_of(report, runs, i);
    pictures.push_back(
        {report.result.names[i], plot.words + ".",
         plot.data + welch_axes + "set key above vertical maxrows 2 samplen 1 font ',11'\n" + plot.commands});
  }
  return pictures;
}

}  // namespace sporos::runtime
