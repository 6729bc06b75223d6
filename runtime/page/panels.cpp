// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/page/panels.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>
#include <sporos/core/io/picture_parts.hpp>

#include <cmath>
#include <cstddef>
#include <limits>

namespace sporos::runtime {

namespace {

std::string number(double value) { return std::isfinite(value) ? fmt::format("{:.9g}", value) : "NaN"; }

std::string rows_of(const std::vector<IntervalPoint>& points) {
  std::string rows;
  for (const auto& [x, y, low, high, label] : points) {
    rows += fmt::format("{} {} {} {}\n", number(x), number(y), number(low), number(high));
  }
  return rows;
}

}  // namespace

std::string data_block_of(const std::string& name, const std::string& rows) {
  return fmt::format("${} << END\n{}END\n", name, rows);
}

std::string panel_axes(const std::string& x_label) {
  return io::quiet_axes() +
         "set key above horizontal samplen 2 width -1\nset format '%g'\nset offsets graph 0, 0, 0.05, 0.05\nset "
         "xlabel " +
         io::in_gnuplot_quotes(x_label) + '\n';
}

std::string words_of(const IntervalPoint& point) {
  const std::string place = point.label.empty() ? fmt::format("{:.6g}", point.x) : point.label;
  const std::string interval = std::isfinite(point.low) && std::isfinite(point.high)
                                   ? fmt::format(" ({:.6g} to {:.6g})", point.low, point.high)
                                   : "";
  return fmt::format("{:.6g}{} at {}", point.y, interval, place);
}

std::string words_of(const std::vector<IntervalPoint>& points) {
  constexpr std::size_t most = 12;
  std::string words;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points.size() > most && i >= most / 2 && i + most / 2 < points.size()) {
      if (i == most / 2) words += "; and so on";
      continue;
    }
    words += (words.empty() ? "" : "; ") + words_of(points[i]);
  }
  return words;
}

PagePicture convergence_picture(const std::string& title, const std::string& x_label,
                                const std::vector<IntervalPoint>& points) {
  return {title, "The estimate with its interval: " + words_of(points) + ".",
          data_block_of("steps", rows_of(points)) + panel_axes(x_label) +
              fmt::format("set logscale x\nset xrange [*:{}]\n", number(1.05 * points.back().x)) +
              "set format x '%.0f'\nset xtics rotate by 30 right\n"
              "plot $steps using 1:3:4 with filledcurves linecolor rgb '#A6CBE3' title 'interval', "
              "$steps using 1:2 with lines linewidth 2 linecolor rgb '#0072B2' title 'estimate', "
              "$steps every ::" +
              fmt::format("{}", points.size() - 1) +
              " using 1:2:3:4 with yerrorbars pointtype 7 pointsize 0.6 linewidth 1.5 linecolor rgb '#D55E00' title "
              "'at the end'\n"};
}

PagePicture curve_picture(const std::string& title, const io::Json& rows, const std::string& x, const std::string& y,
                          const std::string& x_label, bool is_logarithmic) {
  std::vector<IntervalPoint> points;
  const io::Json::json_pointer x_place(x), y_place(y);
  for (const io::Json& row : rows) {
    if (!row.contains(x_place) || !row.contains(y_place) || !row[y_place].is_number()) continue;
    const double value = row[y_place].get<double>(), none = std::numeric_limits<double>::quiet_NaN();
    if (!is_logarithmic || value > 0) points.push_back({row[x_place].get<double>(), value, none, none});
  }
  const std::string words = points.empty() ? "nothing is known of it" : words_of(points);
  if (points.empty()) points.push_back({0, 0, 0, 0});
  return {title, title + " over " + x_label + ": " + words + ".",
          data_block_of("curve", rows_of(points)) + panel_axes(x_label) + "set key off\n" +
              (is_logarithmic ? "set logscale y\nset offsets 0, 0, 0, 0\n" : "") +
              "plot $curve using 1:2 with linespoints linewidth 2 pointtype 7 pointsize 0.3 linecolor rgb '#0072B2'\n"};
}

PagePicture intervals_picture(const std::string& title, const std::string& x_label,
                              const std::vector<IntervalPoint>& points) {
  std::string tics;
  const bool has_labels = !points.empty() && !points.front().label.empty();
  constexpr std::size_t most_tics = 16;
  for (std::size_t i = 0; has_labels && i < points.size(); i += 1 + points.size() / most_tics) {
    tics +=
        fmt::format("{}{} {}", tics.empty() ? "" : ", ", io::in_gnuplot_quotes(points[i].label), number(points[i].x));
  }
  return {
      title, "Estimates with intervals: " + words_of(points) + ".",
      data_block_of("points", rows_of(points)) + panel_axes(x_label) +
          "set key off\nset offsets graph 0.04, graph 0.04, graph 0.05, graph 0.05\n" +
          (has_labels ? fmt::format("set xtics rotate by 30 right ({})\n", tics) : "set xtics rotate by 30 right\n") +
          "plot $points using 1:2:3:4 with yerrorbars pointtype 7 pointsize 0.6 linewidth 1.5 linecolor rgb "
          "'#0072B2'\n"};
}

}  // namespace sporos::runtime
