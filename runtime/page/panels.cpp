// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/page/panels.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>
#include <sporos/core/io/picture_parts.hpp>
#include <sporos/core/statistics/confidence.hpp>
#include <sporos/core/statistics/moments.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>

namespace sporos::runtime {

std::string plotted_number(double value) { return std::isfinite(value) ? fmt::format("{:.9g}", value) : "NaN"; }

namespace {

bool has_interval(const IntervalPoint& point) { return std::isfinite(point.low) && std::isfinite(point.high); }

std::string rows_of(const std::vector<IntervalPoint>& points) {
  std::string rows;
  for (const IntervalPoint& point : points) {
    const std::string interval =
        has_interval(point) ? plotted_number(point.low) + ' ' + plotted_number(point.high) : std::string("NaN NaN");
    rows += fmt::format("{} {} {}\n", plotted_number(point.x), plotted_number(point.y), interval);
  }
  return rows;
}

std::vector<IntervalPoint> points_of(const std::vector<EstimateStep>& steps) {
  std::vector<IntervalPoint> points;
  for (const auto& [count, value, low, high] : steps) points.push_back({static_cast<double>(count), value, low, high});
  return points;
}

// Logarithmic x axis of counts. It has tics at powers of ten, and at 2 and 5 times these if it is short.
std::string count_axis(double first, double last) {
  std::string tics;
  const bool is_short = last < 100 * first;
  for (double power = 1; power <= last; power *= 10) {
    for (const double times : {1, 2, 5}) {
      const double tic = times * power;
      if (tic < first || tic > last || (times > 1 && !is_short)) continue;
      tics += fmt::format("{}'{:.0f}' {:.0f}", tics.empty() ? "" : ", ", tic, tic);
    }
  }
  if (tics.empty()) tics = fmt::format("'{:.0f}' {:.0f}", last, last);
  return fmt::format("set logscale x\nset xrange [{}:{}]\nset xtics rotate by 30 right ({})\n",
                     plotted_number(0.97 * first), plotted_number(1.05 * last), tics);
}

// Draws a convergence picture over `x_axis`. The plot `more`, with its data `more_data`, lies behind the estimate.
PagePicture convergence_over(const std::string& title, const std::string& x_label, const std::string& x_axis,
                             const std::vector<EstimateStep>& steps, const std::string& more_data,
                             const std::string& more) {
  const auto points = points_of(steps);
  std::vector<IntervalPoint> band;  // gnuplot cannot fill a band whose ends are missing
  std::ranges::copy_if(points, std::back_inserter(band), has_interval);
  if (band.empty()) band.push_back(points.back());
  return {title, "The estimate with its interval: " + words_of(points) + ".",
          more_data + data_block_of("steps", rows_of(points)) + data_block_of("band", rows_of(band)) +
              panel_axes(x_label) + x_axis +
              "plot $band using 1:3:4 with filledcurves linecolor rgb '#A6CBE3' title 'interval', " + more +
              "$steps using 1:2 with lines linewidth 2 linecolor rgb '#0072B2' title 'estimate', "
              "$steps every ::" +
              fmt::format("{}", points.size() - 1) +
              " using 1:2:3:4 with yerrorbars pointtype 7 pointsize 0.6 linewidth 1.5 linecolor rgb '#D55E00' title "
              "'at the end'\n"};
}

// Restricts tics to whole numbers if the axis is short and all points are at whole numbers.
std::string whole_tics(const std::vector<IntervalPoint>& points) {
  constexpr double most = 12;
  const bool is_whole = std::ranges::all_of(points, [](const auto& point) { return std::floor(point.x) == point.x; });
  return is_whole && points.back().x - points.front().x <= most ? "set xtics 1\n" : "";
}

// Plot of a dashed horizontal line at `limit`, followed by a comma; empty without a limit.
std::string line_at(std::optional<double> limit) {
  return limit ? plotted_number(*limit) + " with lines linewidth 1.5 dashtype 2 linecolor rgb '#707070' title 'limit', "
               : "";
}

// Moves points with x below 1 to 1, because a logarithmic axis has no 0.
void put_at_one(std::vector<IntervalPoint>& points) {
  for (IntervalPoint& point : points) point.x = std::max(point.x, 1.0);
}

// Data and plot of a separate point, the plot preceded by a comma. Both are empty without a point.
std::pair<std::string, std::string> mark_of(const std::optional<IntervalPoint>& mark) {
  if (!mark) return {};
  return {data_block_of("mark", rows_of({*mark})),
          ", $mark using 1:2:3:4 with yerrorbars pointtype 5 pointsize 0.7 linewidth 2 linecolor rgb '#D55E00' title " +
              io::in_gnuplot_quotes(mark->label)};
}

// Starts the y axis at 0 if the smallest value is not negative and below a tenth of the largest.
std::string from_zero(const std::vector<IntervalPoint>& points) {
  const auto [least, most] = std::ranges::minmax(points, {}, &IntervalPoint::y);
  return least.y >= 0 && least.y < 0.1 * most.y ? "set yrange [0:*]\n" : "";
}

// History of the mean, starting with the fifth estimate. Intervals of fewer estimates are wider than their scatter.
std::vector<EstimateStep> mean_steps(const std::vector<double>& estimates, double confidence) {
  constexpr std::int64_t first = 5, last_of_each = 40;
  const auto all = static_cast<std::int64_t>(estimates.size());
  MomentsTree moments;
  Looks looks;
  std::vector<EstimateStep> steps;
  for (const double estimate : estimates) {
    moments.add(estimate);
    const std::int64_t count = moments.count();
    const bool is_due = looks.are_due(count) || (count >= first && count <= last_of_each) || count == all;
    if (!is_due) continue;
    const Moments so_far = moments.total();
    const double width = half_width(so_far, confidence);
    steps.push_back({count, so_far.mean, so_far.mean - width, so_far.mean + width});
  }
  return steps;
}

}  // namespace

std::string data_block_of(const std::string& name, const std::string& rows) {
  return fmt::format("${} << END\n{}END\n", name, rows);
}

std::string panel_axes(const std::string& x_label) {
  return io::quiet_axes() +
         "set key above horizontal samplen 2 width -1\nset format '%g'\nset offsets 0, 0, graph 0.05, graph 0.05\nset "
         "xlabel " +
         io::in_gnuplot_quotes(x_label) + '\n';
}

std::string words_of(const IntervalPoint& point) {
  const std::string interval = has_interval(point) ? fmt::format(" ({:.6g} to {:.6g})", point.low, point.high) : "";
  if (!point.label.empty()) return fmt::format("{}: {:.6g}{}", point.label, point.y, interval);
  return fmt::format("{:.6g}{} at {:.6g}", point.y, interval, point.x);
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
                                const std::vector<EstimateStep>& steps) {
  const auto first = static_cast<double>(steps.front().observations),
             last = static_cast<double>(steps.back().observations);
  return convergence_over(title, x_label, count_axis(first, last), steps, "", "");
}

PagePicture runs_picture(const std::string& title, const std::string& x_label, const std::vector<double>& estimates,
                         double confidence) {
  constexpr std::size_t max_shown = 200;
  std::string singles;
  for (std::size_t i = 0; i < std::min(estimates.size(), max_shown); ++i) {
    singles += fmt::format("{} {}\n", i + 1, plotted_number(estimates[i]));
  }
  PagePicture picture = convergence_over(
      title, x_label, fmt::format("set xrange [0:{}]\nset xtics rotate by 30 right\n", estimates.size() + 1),
      mean_steps(estimates, confidence), data_block_of("singles", singles),
      "$singles using 1:2 with points pointtype 7 pointsize 0.4 linecolor rgb '#707070' title 'single estimates', ");
  const auto [least, most] = std::ranges::minmax(estimates);
  picture.words += fmt::format(" Single estimates are from {:.6g} to {:.6g}.", least, most);
  return picture;
}

PagePicture curve_picture(const std::string& title, std::vector<IntervalPoint> points, const std::string& x_label,
                          bool is_logarithmic) {
  if (is_logarithmic) std::erase_if(points, [](const IntervalPoint& point) { return !(point.y > 0); });
  for (IntervalPoint& point : points) point.low = point.high = std::numeric_limits<double>::quiet_NaN();
  const std::string words = points.empty() ? "no data" : words_of(points);
  is_logarithmic = is_logarithmic && !points.empty();
  if (points.empty()) points.push_back({0, 0, 0, 0});
  return {title, title + " over " + x_label + ": " + words + ".",
          data_block_of("curve", rows_of(points)) + panel_axes(x_label) + "set key off\n" + whole_tics(points) +
              (is_logarithmic ? "set logscale y\nset offsets 0, 0, 0, 0\n" : from_zero(points)) +
              "plot $curve using 1:2 with linespoints linewidth 2 pointtype 7 pointsize 0.3 linecolor rgb '#0072B2'\n"};
}

std::optional<PagePicture> curves_picture(const std::string& title, const std::string& x_label,
                                          std::vector<NamedCurve> curves, bool is_logarithmic) {
  // Colors of Okabe and Ito (2008), which people with color blindness can tell apart, and grey.
  constexpr std::array colors{"#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#000000", "#808080"};
  std::string data, plots, words;
  std::size_t i = 0;  // number of curves drawn so far
  for (auto& [name, place, points] : curves) {
    for (IntervalPoint& point : points) {
      point.low = point.high = std::numeric_limits<double>::quiet_NaN();
      if (is_logarithmic && !(point.y > 0)) point.y = point.low;  // leaves a gap
    }
    if (std::ranges::none_of(points, [](const auto& point) { return std::isfinite(point.y); })) continue;
    data += data_block_of(fmt::format("curve{}", i), rows_of(points));
    plots += fmt::format("{}$curve{} using 1:2 with lines linewidth 2 linecolor rgb '{}' title {}",
                         plots.empty() ? "" : ", ", i, colors[i % colors.size()], io::in_gnuplot_quotes(name));
    std::erase_if(points, [](const auto& point) { return !std::isfinite(point.y); });
    words += fmt::format("{}{}: from {} to {}", words.empty() ? "" : "; ", name, words_of(points.front()),
                         words_of(points.back()));
    ++i;
  }
  if (plots.empty()) return std::nullopt;
  return PagePicture{title, title + " over " + x_label + ". " + words + ".",
                     data + panel_axes(x_label) + "set key outside right vertical\n" +
                         (is_logarithmic ? "set logscale y\nset offsets 0, 0, 0, 0\n" : "") + "plot " + plots + '\n'};
}

PagePicture intervals_picture(const std::string& title, const std::string& x_label,
                              const std::vector<IntervalPoint>& points, std::optional<double> limit) {
  std::string tics;
  const bool has_labels = !points.empty() && !points.front().label.empty();
  const bool is_pair = has_labels && points.size() == 2;  // two labels fit horizontally
  constexpr std::size_t max_tics = 16;
  for (std::size_t i = 0; has_labels && i < points.size(); i += 1 + points.size() / max_tics) {
    tics += fmt::format("{}{} {}", tics.empty() ? "" : ", ", io::in_gnuplot_quotes(points[i].label),
                        plotted_number(points[i].x));
  }
  return {title, "Estimates with intervals: " + words_of(points) + ".",
          data_block_of("points", rows_of(points)) + panel_axes(x_label) +
              fmt::format("set key off\nset autoscale xfix\nset offsets graph {0}, graph {0}, graph 0.05, graph 0.05\n",
                          is_pair ? 0.5 : 0.04) +
              fmt::format("set xtics {}{}\n", is_pair ? "norotate" : "rotate by 30 right",
                          has_labels ? fmt::format(" ({})", tics) : "") +
              (has_labels ? "" : whole_tics(points)) + "plot " + line_at(limit) +
              "$points using 1:2:3:4 with yerrorbars pointtype 7 pointsize 0.6 linewidth 1.5 linecolor rgb "
              "'#0072B2'\n"};
}

PagePicture progress_picture(const std::string& title, const std::string& x_label, std::vector<IntervalPoint> points,
                             ProgressLook look) {
  const std::string words = title + " over " + x_label + ": " + words_of(points) + ".";
  put_at_one(points);
  std::vector<IntervalPoint> end{points.back()};
  if (look.last_x) end.push_back({std::max(*look.last_x, 1.0), end.front().y, 0, 0});
  const bool has_intervals = std::ranges::any_of(points, has_interval);
  const auto [mark, mark_plot] = mark_of(look.mark);
  return {title, words,
          data_block_of("steps", rows_of(points)) + data_block_of("end", rows_of(end)) + mark + panel_axes(x_label) +
              (look.is_logarithmic ? "set logscale xy\n" : "set logscale x\n") + "set xtics rotate by 30 right\nplot " +
              line_at(look.limit) +
              "$steps using 1:2 with steps linewidth 2 linecolor rgb '#0072B2' notitle, "
              "$end using 1:2 with lines linewidth 2 linecolor rgb '#0072B2' notitle" +
              (has_intervals ? ", $steps using 1:2:3:4 with yerrorbars pointtype 7 pointsize 0.6 linewidth 1.5 "
                               "linecolor rgb '#0072B2' title 'estimate with interval'"
                             : "") +
              mark_plot + '\n'};
}

PagePicture quartiles_picture(const std::string& title, const std::string& x_label, std::vector<IntervalPoint> points,
                              std::vector<IntervalPoint> wide, ProgressLook look) {
  const std::string words = "Median and quartiles: " + words_of(points) + ".";
  put_at_one(points), put_at_one(wide);
  const auto [mark, mark_plot] = mark_of(look.mark);
  return {title, words,
          data_block_of("band", rows_of(points)) + data_block_of("wide", rows_of(wide)) + mark + panel_axes(x_label) +
              "set logscale x\nset xtics rotate by 30 right\nplot "
              "$wide using 1:3:4 with filledcurves linecolor rgb '#E3EEF6' title 'all', "
              "$band using 1:3:4 with filledcurves linecolor rgb '#A6CBE3' title 'quartiles', " +
              line_at(look.limit) + "$band using 1:2 with lines linewidth 2.5 linecolor rgb '#0072B2' title 'median'" +
              mark_plot + '\n'};
}

namespace {

// Plot of the data block `name` as bars with intervals; empty without points.
std::string bars_of(const std::string& name, const std::vector<IntervalPoint>& points, const std::string& title,
                    const std::string& area, const std::string& line) {
  if (points.empty()) return "";
  return fmt::format(
      "${0} using 1:2 with boxes linecolor rgb '{1}' title '{2}', ${0} using 1:2:3:4 with yerrorbars "
      "pointtype -1 linewidth 1.5 linecolor rgb '{3}' notitle",
      name, area, title, line);
}

std::string rows_aside(std::vector<IntervalPoint> points, double aside) {
  for (IntervalPoint& point : points) point.x += aside;
  return rows_of(points);
}

}  // namespace

PagePicture bars_picture(const std::string& title, const std::vector<IntervalPoint>& separate,
                         const std::vector<IntervalPoint>& with_interactions) {
  const std::string first = bars_of("first", separate, "first-order", "#A6CBE3", "#0072B2"),
                    second = bars_of("total", with_interactions, "total", "#F0E6C8", "#D55E00");
  std::string tics;
  double last = 1;
  for (const auto* points : {&separate, &with_interactions}) {
    for (const IntervalPoint& point : *points) {
      tics +=
          fmt::format("{}{} {}", tics.empty() ? "" : ", ", io::in_gnuplot_quotes(point.label), plotted_number(point.x));
      last = std::max(last, point.x);
    }
  }
  return {title,
          fmt::format("Shares of the variance, with their intervals: first-order {}; total {}.", words_of(separate),
                      words_of(with_interactions)),
          data_block_of("first", rows_aside(separate, -0.19)) +
              data_block_of("total", rows_aside(with_interactions, 0.19)) + panel_axes("") +
              fmt::format("unset xlabel\nset xtics rotate by 30 right ({})\nset xrange [0.4:{}.6]\n", tics, last) +
              "set yrange [*<0:1<*]\nset offsets 0, 0, 0, 0\nset boxwidth 0.36\nset ylabel 'share of the variance'\n"
              "set style fill solid border linecolor rgb '#707070'\nplot " +
              first + (first.empty() || second.empty() ? "" : ", ") + second + '\n'};
}

PagePicture band_picture(const std::string& title, const std::string& x_label, const std::string& y_label,
                         std::vector<IntervalPoint> points) {
  std::string rows;
  for (IntervalPoint& point : points) {
    point.label = fmt::format("{:.6g}", point.x);
    rows += fmt::format("{:.9g} {:.9g} {:.9g} {:.9g}\n", point.x, point.y, point.low, point.high);
  }
  return {title, y_label + ": " + words_of(points) + ".",
          data_block_of("band", rows) + panel_axes(x_label) + "set key off\nset yrange [0:*]\nset ylabel " +
              io::in_gnuplot_quotes(y_label) +
              "\nplot $band using 1:3:4 with filledcurves linecolor rgb '#CFD6DD', $band using 1:2 with lines "
              "linewidth 1.5 linecolor rgb '#0072B2'\n"};
}

PagePicture histogram_picture(const std::string& title, const std::vector<HistogramBin>& bins) {
  std::vector<IntervalPoint> points;
  std::string rows;
  for (const auto& [from, below, share, low, high] : bins) {
    const double middle = from + 0.5 * (below - from);
    points.push_back({middle, share, low, high, fmt::format("{:.6g} to {:.6g}", from, below)});
    rows += fmt::format("{:.9g} {:.9g} {:.9g} {:.9g} {:.9g}\n", middle, share, low, high, below - from);
  }
  return {title, "Shares of the bins: " + words_of(points) + ".",
          data_block_of("bins", rows) + panel_axes(title) +
              "set key off\nset offsets 0, 0, graph 0.05, 0\nset yrange [0:*]\nset ylabel 'share'\nset style fill "
              "solid border linecolor rgb '#707070'\n"
              "plot $bins using 1:2:5 with boxes linecolor rgb '#CFD6DD', $bins using 1:2:3:4 with yerrorbars "
              "pointtype -1 linewidth 1.5 linecolor rgb '#0072B2'\n"};
}

std::string_view color_of(std::size_t place) {
  constexpr std::array<std::string_view, 7> colors{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                   "#E69F00", "#56B4E9", "#505050"};
  return colors[place % colors.size()];
}

PagePicture steps_picture(const std::string& title, const std::string& x_label, const std::string& y_label,
                          bool are_shares, const std::vector<NamedCurve>& curves) {
  constexpr std::size_t max_with_bands = 4, max_in_large_letters = 6, colors = 7;
  std::string data, areas, lines, words;
  bool is_above_0 = true;
  for (const auto& [name, place, points] : curves) {
    const std::string block = fmt::format("s{}", place);
    data += data_block_of(block, rows_of(points));
    if (curves.size() <= max_with_bands) {
      areas += fmt::format(
          "${} using 1:3:4 with filledcurves linecolor rgb '{}' fillstyle transparent solid 0.18 noborder notitle, ",
          block, color_of(place));
    }
    lines += fmt::format("{}${} using 1:2 with steps linewidth 2 dashtype {} linecolor rgb '{}' title {}",
                         lines.empty() ? "" : ", ", block, 1 + place / colors % 5, color_of(place),
                         io::in_gnuplot_quotes(name));
    const auto& [x, y, low, high, label] = points.back();
    words += fmt::format("{}{} {:.3g} ({:.3g} to {:.3g})", words.empty() ? "" : "; ", name, y, low, high);
    for (const IntervalPoint& point : points) is_above_0 = is_above_0 && !(point.y < 0) && !(point.low < 0);
  }
  const double first = curves.front().points.front().x, last = curves.front().points.back().x;
  return {title, title + ". At the end: " + words + ".",
          data + panel_axes(x_label) +
              fmt::format("set key above horizontal maxcols 3 samplen 2{}\nset xrange [{}:{}]\nset ylabel {}\n",
                          curves.size() > max_in_large_letters ? " font ',9'" : "", plotted_number(first),
                          plotted_number(last), io::in_gnuplot_quotes(y_label)) +
              (are_shares && is_above_0 ? "set yrange [0:1.05]\n" : "") + "plot " + areas + lines + '\n'};
}

}  // namespace sporos::runtime
