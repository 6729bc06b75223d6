// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/panels.hpp>
#include <sporos/runtime/selection/report.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace sporos::runtime {

namespace {

constexpr std::size_t most_shown = 20;

// What is plotted of an estimate.
std::string plotted(const SelectionReport& report, const SystemEstimate& estimate) {
  const double width = half_width(estimate, report.request.options.confidence);
  return fmt::format(" {} {}", io::shortest_text(estimate.mean), io::shortest_text(std::isfinite(width) ? width : 0));
}

// The steps and the best survivors.
std::string data_of(const SelectionReport& report, std::size_t shown) {
  const std::int64_t first = report.steps.empty() ? report.replications : report.steps.front().replications;
  std::string steps = fmt::format("{} {}\n", std::max<std::int64_t>(first, 1), report.request.grid.size()), best;
  for (const TimedStep& step : report.steps) {
    steps += fmt::format("{} {}\n", std::max<std::int64_t>(step.replications, 1), step.survivors);
  }
  for (std::size_t i = 0; i < shown; ++i) {
    best += fmt::format("{} {}", i + 1, report.survivors[i].system + 1) + plotted(report, report.survivors[i]);
    for (const auto& constrained : report.constrained) best += plotted(report, constrained[i]);
    best += "\n";
  }
  return data_block_of("steps", steps) + data_block_of("best", best);
}

// A picture, or a part of one: what it shows, and commands that plot it.
struct SelectionPanel {
  std::string title, commands, words;
};

// Intervals of the best survivors, whose means stand in a column of $best, the half-widths behind it.
SelectionPanel intervals_panel(const SelectionReport& report, const std::string& title, const std::string& label,
                               const std::vector<SystemEstimate>& estimates, std::size_t shown, std::size_t column,
                               const std::string& limit = "") {
  std::vector<IntervalPoint> points;
  for (std::size_t i = 0; i < shown; ++i) {
    const double width = half_width(estimates[i], report.request.options.confidence), mean = estimates[i].mean;
    points.push_back({static_cast<double>(i), mean, mean - width, mean + width,
                      fmt::format("system {}", report.survivors[i].system + 1)});
  }
  return {title,
          fmt::format("set ylabel {}\nset xrange [0.5:{}.5]\n", io::in_gnuplot_quotes(label), shown) +
              fmt::format("plot {}$best using 1:{}:{}:xtic(2) with yerrorbars pointtype 7 pointsize 0.6 linewidth 1.5 "
                          "linecolor rgb '#0072B2'\n",
                          limit, column, column + 1),
          label + ": " + words_of(points) + "."};
}

SelectionPanel survivors_panel(const SelectionReport& report) {
  const std::string end = plural(report.replications, "replication", "replications");
  return {
      "survivors",
      "set xlabel 'replications of all systems'\nset logscale xy\n"
      "set format x '%g'\nset xtics rotate by 30 right\nset yrange [0.8:*]\n"
      "plot $steps using 1:2 with steps linewidth 2 linecolor rgb '#0072B2'\n",
      fmt::format("Of {} systems, {} are left after {}.", report.request.grid.size(), report.survivors.size(), end)};
}

constexpr auto selection_axes =
    "set border 3 linecolor rgb '#707070'\nset tics nomirror out textcolor rgb 'black'\n"
    "set grid linetype 1 linecolor rgb '#E4E4E4' linewidth 1\nunset key\n";
constexpr auto systems_axes = "unset logscale\nset yrange [*:*]\nset xlabel 'system'\nset xtics rotate by 60 right\n";

std::vector<SelectionPanel> intervals_panels(const SelectionReport& report, std::size_t shown) {
  const SelectionRequest& request = report.request;
  const std::string left =
      fmt::format("{}{}, with intervals", shown < report.survivors.size() ? fmt::format("best {} of ", shown) : "",
                  plural(static_cast<std::int64_t>(report.survivors.size()), "survivor", "survivors"));
  std::vector<SelectionPanel> panels{intervals_panel(report, left, request.response, report.survivors, shown, 3)};
  for (std::size_t i = 0; i < request.constraints.size(); ++i) {
    const SelectionConstraint& constraint = request.constraints[i];
    const std::string limit =
        fmt::format("{} with lines linewidth 1 linecolor rgb '#D55E00', ", io::shortest_text(constraint.limit));
    panels.push_back(
        intervals_panel(report, constraint.text, constraint.name, report.constrained[i], shown, 5 + 2 * i, limit));
  }
  return panels;
}

std::size_t shown_of(const SelectionReport& report) { return std::min(most_shown, report.survivors.size()); }

std::string titled(const SelectionPanel& panel) {
  return fmt::format("set title {}\n", io::in_gnuplot_quotes(panel.title)) + panel.commands;
}

}  // namespace

std::string picture_of(const SelectionReport& report) {
  const SelectionRequest& request = report.request;
  const std::size_t shown = shown_of(report);
  const std::string title =
      fmt::format("{}: {} {}, {}", request.model->name, request.which.is_smallest_best ? "smallest" : "largest",
                  request.response, request.procedure->name);
  std::string text = data_of(report, shown) +
                     fmt::format("set multiplot layout 1,{} title {}\n", 2 + request.constraints.size(),
                                 io::in_gnuplot_quotes(title)) +
                     selection_axes + titled(survivors_panel(report));
  if (shown > 0) {
    text += systems_axes;
    for (const SelectionPanel& panel : intervals_panels(report, shown)) text += titled(panel);
  }
  return text + "unset multiplot\n";
}

std::vector<PagePicture> page_pictures_of(const SelectionReport& report) {
  const std::size_t shown = shown_of(report);
  const std::string begin = data_of(report, shown) + selection_axes;
  SelectionPanel survivors = survivors_panel(report);
  std::vector<PagePicture> pictures{{survivors.title, survivors.words, begin + survivors.commands}};
  if (shown == 0) return pictures;
  for (const SelectionPanel& panel : intervals_panels(report, shown)) {
    pictures.push_back({panel.title, panel.words, begin + systems_axes + panel.commands});
  }
  return pictures;
}

}  // namespace sporos::runtime
