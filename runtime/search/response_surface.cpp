// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/response_surface.hpp>

#include <sporos/runtime/search/unseen_objectives.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace sporos::runtime {

namespace {

// Returns evenly spaced values of a decision variable.
std::vector<double> places_of(const DecisionRange& bounds, std::size_t decision,
                              const std::vector<std::vector<double>>& path, int count) {
  auto [low, high, is_integer] = bounds;
  if (std::isinf(high)) {
    const auto by_decision = [&](const auto& a, const auto& b) { return a[decision] < b[decision]; };
    const auto [least, greatest] = std::ranges::minmax_element(path, by_decision);
    const double from = (*least)[decision], to = (*greatest)[decision];
    const double margin = to > from ? (to - from) / 2 : std::max(1.0, std::abs(to)) / 2;
    low = std::max(low, from - margin);
    high = to + margin;
  }
  if (is_integer) low = std::ceil(low), high = std::floor(high);
  double step = (high - low) / (count - 1);
  if (is_integer) step = std::max(1.0, std::ceil(step));
  std::vector<double> places;
  for (int i = 0; i < count && low + i * step <= high * (1 + 1e-12); ++i)
    places.push_back(std::min(low + i * step, high));
  return places;
}

// Reduces a long path to a few hundred points.
std::vector<std::vector<double>> thinned(std::vector<std::vector<double>> path) {
  constexpr std::size_t most = 400;
  const std::size_t stride = path.size() / most + 1;
  std::vector<std::vector<double>> points;
  for (std::size_t i = 0; i + 1 < path.size(); i += stride) points.push_back(std::move(path[i]));
  points.push_back(std::move(path.back()));
  return points;
}

// The range of objectives that is shown. Values much worse than most are cut off, because they would flatten the
// others.
struct ShownRange {
  double best, worst;
  bool is_cut;

  bool holds(double objective) const {
    return objective >= std::min(best, worst) && objective <= std::max(best, worst);
  }
};

ShownRange shown_range(const ResponseSurface& surface, bool is_maximized) {
  std::vector<double> means;
  for (const EstimatedMean& objective : surface.objectives) {
    if (std::isfinite(objective.mean)) means.push_back(objective.mean);
  }
  if (means.empty()) return {0, 1, false};
  const Quartiles all = quartiles_of(std::move(means));
  const double best = is_maximized ? all.greatest : all.least, worst = is_maximized ? all.least : all.greatest;
  const double far = best + 3 * ((is_maximized ? all.lower : all.upper) - best);
  const bool is_cut = far != best && std::abs(worst - best) > std::abs(far - best);
  return {best, is_cut ? far : worst, is_cut};
}

std::string name_of(const SearchReport& report, std::size_t decision) {
  const ModelDescription& model = *report.request.model;
  const auto& parameter = model.parameters[*model.find_parameter(report.request.decisions[decision].parameter)];
  return io::in_gnuplot_quotes(parameter.unit.empty() ? parameter.name
                                                      : fmt::format("{} ({})", parameter.name, parameter.unit));
}

// Returns the range from the first value to the last; for whole numbers it includes their whole cells.
std::string range_of(const std::vector<double>& axis, bool is_whole) {
  const double margin = is_whole ? (axis.size() > 1 ? axis[1] - axis[0] : 1) / 2 : 0;
  return fmt::format("[{:.10g}:{:.10g}]", axis.front() - margin, axis.back() + margin);
}

std::string number_text(double value) { return std::isfinite(value) ? fmt::format("{:.10g}", value) : "NaN"; }

std::string block_of(const std::string& name, const std::vector<std::vector<double>>& rows) {
  std::string text = fmt::format("${} << END\n", name);
  for (const auto& row : rows) {
    for (const double value : row) text += number_text(value) + " ";
    text += "\n";
  }
  return text + "END\n";
}

// Returns the decision variables and the objective of a point as a row.
std::vector<double> row_of(std::vector<double> x, const EstimatedMean& objective) {
  x.insert(x.end(), {objective.mean, objective.half_width});
  return x;
}

std::string points_of(const SearchReport& report) {
  std::vector<std::vector<double>> points, ends;
  for (const SearchPoint& point : report.points) points.push_back(row_of(point.x, point.objective));
  for (const RunEnd& end : report.runs.ends) ends.push_back(row_of(end.x, end.objective));
  return block_of("start", {points.front()}) + block_of("end", {points.back()}) +
         block_of("recommended", {points.begin() + 1, points.end()}) + block_of("ends", ends);
}

std::string title_of(const SearchReport& report) {
  return fmt::format("set title {}\n", io::in_gnuplot_quotes(fmt::format("{}: {}", report.request.model->name,
                                                                         objective_text(report.request))));
}

std::string curve_of(const ResponseSurface& surface, const SearchReport& report) {
  const std::vector<double>& axis = surface.axes.front();
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < axis.size(); ++i) rows.push_back(row_of({axis[i]}, surface.objectives[i]));
  for (const SearchPoint& point : report.points) rows.push_back(row_of(point.x, point.objective));
  std::ranges::sort(rows, {}, [](const auto& row) { return row.front(); });
  const ShownRange shown = shown_range(surface, report.request.objective.is_maximized);
  double low = std::min(shown.best, shown.worst), high = std::max(shown.best, shown.worst);
  const auto include = [&](const EstimatedMean& objective) {
    if (!std::isfinite(objective.mean + objective.half_width)) return;
    low = std::min(low, objective.mean - objective.half_width);
    high = std::max(high, objective.mean + objective.half_width);
  };
  for (const SearchPoint& point : report.points) include(point.objective);
  for (const EstimatedMean& objective : surface.objectives) {
    if (shown.holds(objective.mean)) include(objective);
  }
  const double margin = high > low ? 0.05 * (high - low) : 1;
  std::string text = block_of("curve", rows) + points_of(report) + title_of(report);
  text += fmt::format("set xrange {}\nset yrange [{:.10g}:{:.10g}]\nset xlabel {}\nset ylabel 'objective'\n",
                      range_of(axis, report.are_whole[0]), low - margin, high + margin, name_of(report, 0));
  text +=
      "set border 3 linecolor rgb '#707070'\nset tics nomirror out textcolor rgb 'black'\n"
      "set grid linetype 1 linecolor rgb '#E4E4E4' linewidth 1\nset key top center\n";
  text += report.are_whole[0]
              ? "plot $curve using 1:2:3 with yerrorbars pointtype 7 pointsize 1 linewidth 1.5 linecolor rgb "
                "'#0072B2' title 'objective with intervals', "
              : "plot $curve using 1:($2-$3):($2+$3) with filledcurves fillcolor rgb '#BFDDF0' title 'intervals', "
                "$curve using 1:2 with lines linewidth 2 linecolor rgb '#0072B2' title 'objective', ";
  if (!report.runs.ends.empty())
    text +=
        "$ends using 1:2 with points pointtype 2 pointsize 1.5 linewidth 1.5 linecolor rgb '#009E73' title 'ends of "
        "all runs', ";
  return text +
         "$recommended using 1:2:3 with yerrorbars pointtype 7 pointsize 1.2 linewidth 1.5 linecolor rgb '#D55E00' "
         "title 'recommended', $start using 1:2 with points pointtype 6 pointsize 2.4 linewidth 2 linecolor rgb "
         "'black' title 'start', $end using 1:2 with points pointtype 7 pointsize 2 linecolor rgb 'black' title "
         "'end'\n";
}

std::string map_of(const ResponseSurface& surface, const SearchReport& report) {
  const std::vector<double>& first = surface.axes[0];
  const std::vector<double>& second = surface.axes[1];
  std::string text = "$surface << END\n";
  for (std::size_t i = 0; i < surface.objectives.size(); ++i) {
    const std::size_t a = i / second.size(), b = i % second.size();
    text += fmt::format("{:.10g} {:.10g} {}\n{}", first[a], second[b], number_text(surface.objectives[i].mean),
                        b + 1 == second.size() ? "\n" : "");
  }
  text += "END\n" + block_of("path", surface.path) + points_of(report) + title_of(report);
  const bool is_maximized = report.request.objective.is_maximized;
  const ShownRange shown = shown_range(surface, is_maximized);
  const double low = std::min(shown.best, shown.worst), high = std::max(shown.best, shown.worst);
  // Contour lines are close to each other around the best points, where there is most to see.
  std::vector<std::string> levels;
  for (const double share : {0.02, 0.05, 0.1, 0.2, 0.35, 0.55, 0.8})
    levels.push_back(fmt::format("{:.10g}", shown.best + share * (shown.worst - shown.best)));
  text += fmt::format(
      "set contour base\nunset surface\nset cntrparam levels discrete {}\nset table $lines\n"
      "splot $surface using 1:2:3 with lines\nunset table\nunset contour\nset surface\n",
      fmt::join(levels, ","));
  // Colours go from light, where the objective is good, to dark, so that the order is visible in greyscale, too.
  text += fmt::format(
      "set palette defined (0 '#FDE725', 1 '#ADDC30', 2 '#5EC962', 3 '#28AE80', 4 '#21918C', 5 '#2C728E', 6 '#3B528B', "
      "7 '#472D7B', 8 '#440154') {}\nset cbrange [{:.10g}:{:.10g}]\nset cblabel 'objective{}'\n",
      is_maximized ? "negative" : "positive", low, high == low ? low + 1 : high,
      shown.is_cut ? " (worse values in the darkest colour)" : "");
  text +=
      fmt::format("set xrange {}\nset yrange {}\nset xlabel {}\nset ylabel {}\n", range_of(first, report.are_whole[0]),
                  range_of(second, report.are_whole[1]), name_of(report, 0), name_of(report, 1));
  text +=
      "set border 15 linecolor rgb '#707070'\nset tics nomirror out textcolor rgb 'black'\n"
      "set key tmargin center horizontal\n"
      "plot $surface using 1:2:3 with image notitle, $lines using 1:2 with lines linewidth 1 linecolor rgb '#505050' "
      "title 'equal objective', ";
  if (!report.runs.ends.empty())
    text +=
        "$ends using 1:2 with points pointtype 7 pointsize 1.8 linecolor rgb 'white' notitle, $ends using 1:2 with "
        "points pointtype 2 pointsize 1.4 linewidth 2 linecolor rgb '#D55E00' title 'ends of all runs', ";
  return text +
         "$path using 1:2 with lines linewidth 5 linecolor rgb 'white' notitle, $path using 1:2 with linespoints "
         "pointtype 7 pointsize 0.7 linewidth 2 linecolor rgb 'black' title 'recommended', $start using 1:2 with "
         "points pointtype 7 pointsize 2.8 linecolor rgb 'white' notitle, $start using 1:2 with points pointtype 6 "
         "pointsize 2.4 linewidth 2 linecolor rgb 'black' title 'start', $end using 1:2 with points pointtype 7 "
         "pointsize 2.8 linecolor rgb 'white' notitle, $end using 1:2 with points pointtype 7 pointsize 2 linecolor "
         "rgb 'black' title 'end'\n";
}

}  // namespace

ResponseSurface response_surface(SampledProblem& problem, std::vector<std::vector<double>> path,
                                 const SearchRequest& request, std::int64_t skipped) {
  const auto bounds = problem.bounds();
  const int count = bounds.size() == 1 ? 41 : 21;
  ResponseSurface surface;
  for (std::size_t i = 0; i < bounds.size(); ++i) surface.axes.push_back(places_of(bounds[i], i, path, count));
  std::vector<std::vector<double>> points;
  for (const double x : surface.axes.front()) {
    if (bounds.size() == 1) {
      points.push_back({x});
    } else {
      for (const double y : surface.axes.back()) points.push_back({x, y});
    }
  }
  surface.objectives = unseen_objectives(problem, points, request, skipped);
  surface.path = thinned(std::move(path));
  return surface;
}

std::string picture_of(const ResponseSurface& surface, const SearchReport& report) {
  return surface.axes.size() == 1 ? curve_of(surface, report) : map_of(surface, report);
}

}  // namespace sporos::runtime
