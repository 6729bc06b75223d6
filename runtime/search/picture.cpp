// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/page/panels.hpp>
#include <sporos/runtime/search/report.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

namespace {

// On a logarithmic axis, on which the start is at 1.
std::int64_t place_of(std::int64_t replications) { return std::max<std::int64_t>(replications, 1); }

std::string_view colour_of(std::size_t constraint) {
  constexpr std::array<std::string_view, 4> colours{"#009E73", "#CC79A7", "#E69F00", "#56B4E9"};
  return colours[constraint % colours.size()];
}

std::string row_at(std::int64_t place, const EstimatedMean& estimate) {
  return fmt::format("{} {:.10g} {:.10g}\n", place, estimate.mean, estimate.half_width);
}

std::string row_at(std::int64_t place, const Quartiles& all) {
  return fmt::format("{} {:.10g} {:.10g} {:.10g} {:.10g} {:.10g}\n", place, all.least, all.lower, all.median, all.upper,
                     all.greatest);
}

// The runs' quartiles over the replications of each.
std::string objective_of_runs(const SearchReport& report) {
  std::string rows;
  for (const RunsProgress& progress : report.runs.progress)
    rows += row_at(place_of(progress.replications), progress.objective);
  const std::int64_t end = place_of(report.runs.progress.back().replications);
  return data_block_of("runs", rows) + data_block_of("best", row_at(end, report.points.back().objective)) +
         "plot $runs using 1:2:6 with filledcurves fillcolor rgb '#E3EEF6' title 'least to greatest', "
         "$runs using 1:3:5 with filledcurves fillcolor rgb '#A6CBE3' title 'quartiles', "
         "$runs using 1:4 with lines linewidth 2.5 linecolor rgb '#0072B2' title 'median', "
         "$best using 1:2:3 with yerrorbars pointtype 7 pointsize 0.9 linewidth 1.5 linecolor rgb '#D55E00' title "
         "'best end, on replications of its own'\n";
}

// The points that a single run recommended over its replications.
std::string objective_of_path(const SearchReport& report) {
  std::string rows;
  for (const SearchPoint& point : report.points) rows += row_at(place_of(point.replications), point.objective);
  const SearchPoint& last = report.points.back();
  return data_block_of("points", rows) +
         data_block_of("end", row_at(place_of(last.replications), last.objective) +
                                  row_at(place_of(report.replications), last.objective)) +
         "plot $points using 1:2 with steps linewidth 2 linecolor rgb '#0072B2' title 'recommended decisions', "
         "$end using 1:2 with lines linewidth 2 linecolor rgb '#0072B2' notitle, "
         "$points using 1:2:3 with yerrorbars pointtype 7 pointsize 0.9 linewidth 1.5 linecolor rgb '#D55E00' title "
         "'on unseen replications'\n";
}

// By what a constraint is exceeded on the way: data, and what is plotted of them.
struct Curve {
  std::string data, plot;
};

Curve curve_of_runs(const SearchReport& report, std::size_t j, const std::string& title) {
  const std::string name = fmt::format("exceeded{}", j);
  std::string rows;
  for (const RunsProgress& progress : report.runs.progress)
    rows += row_at(place_of(progress.replications), progress.constraints[j]);
  return {
      data_block_of(name, rows),
      fmt::format("${0} using 1:3:5 with filledcurves fillcolor rgb '{1}' fillstyle transparent solid 0.25 notitle, "
                  "${0} using 1:4 with lines linewidth 2.5 linecolor rgb '{1}' title {2}, ",
                  name, colour_of(j), title)};
}

Curve curve_of_path(const SearchReport& report, std::size_t j, const std::string& title) {
  const std::string name = fmt::format("exceeded{}", j);
  std::string rows;
  for (const SearchPoint& point : report.points) rows += row_at(place_of(point.replications), point.constraints[j]);
  const SearchPoint& last = report.points.back();
  const std::string end = row_at(place_of(report.replications), last.constraints[j]);
  return {data_block_of(name, rows) +
              data_block_of(name + "end", row_at(place_of(last.replications), last.constraints[j]) + end),
          fmt::format("${0} using 1:2 with steps linewidth 2 linecolor rgb '{1}' title {2}, "
                      "${0}end using 1:2 with lines linewidth 2 linecolor rgb '{1}' notitle, "
                      "${0} using 1:2:3 with yerrorbars pointtype 7 pointsize 0.6 linewidth 1 linecolor rgb '{1}' "
                      "notitle, ",
                      name, colour_of(j), title)};
}

// By what the constraints from `first` to before `last` are exceeded, with the bounds of what is certified at the end.
std::string constraints_panel(const SearchReport& report, std::size_t first, std::size_t last) {
  const bool has_runs = !report.runs.ends.empty();
  const std::int64_t end = place_of(has_runs ? report.runs.progress.back().replications : report.replications);
  std::string data, plots, certified;
  for (std::size_t j = first; j < last; ++j) {
    const std::string title = io::in_gnuplot_quotes(report.request.constraints_on_means[j].text);
    const Curve curve = has_runs ? curve_of_runs(report, j, title) : curve_of_path(report, j, title);
    data += curve.data;
    plots += curve.plot;
    const CertifiedConstraint& constraint = report.certificate->constraints[j];
    certified += fmt::format("{} {:.10g} {:.10g} {:.10g}\n", end, constraint.mean, constraint.lower, constraint.upper);
  }
  const std::string name = fmt::format("certified{}", first);
  return data + data_block_of(name, certified) + "plot " + plots +
         fmt::format(
             "0 with lines linewidth 1.5 dashtype 2 linecolor rgb '#707070' title 'limit, below which it "
             "holds', ${} using 1:2:3:4 with yerrorbars pointtype 5 pointsize 0.7 linewidth 2 linecolor rgb "
             "'#D55E00' title 'certified at the end'\n",
             name);
}

// A panel for each constraint, as far as there is room; else one for all.
std::vector<std::string> constraints_panels(const SearchReport& report) {
  constexpr std::size_t most = 3;
  if (!report.certificate) return {};
  const std::size_t m = report.certificate->constraints.size();
  if (m > most) return {constraints_panel(report, 0, m)};
  std::vector<std::string> panels;
  for (std::size_t j = 0; j < m; ++j) panels.push_back(constraints_panel(report, j, j + 1));
  return panels;
}

constexpr auto search_axes =
    "set logscale x\nset border 3 linecolor rgb '#707070'\nset tics nomirror out textcolor rgb 'black'\n"
    "set grid linetype 1 linecolor rgb '#E4E4E4' linewidth 1\n";

std::string used_label(const SearchReport& report) {
  if (report.runs.ends.empty()) return "set xlabel 'replications used by the search (the start at 1)'\n";
  return fmt::format("set xlabel 'replications used by each of {} runs (the start at 1)'\n", report.request.runs);
}

std::string objective_panel(const SearchReport& report) {
  return "set ylabel 'objective'\n" +
         (report.runs.ends.empty() ? objective_of_path(report) : objective_of_runs(report));
}

// What is told of the objective's picture.
std::string objective_words(const SearchReport& report) {
  std::vector<IntervalPoint> points;
  for (const RunsProgress& progress : report.runs.progress) {
    points.push_back({static_cast<double>(place_of(progress.replications)), progress.objective.median,
                      progress.objective.lower, progress.objective.upper});
  }
  if (!points.empty()) return "Median and quartiles of the runs: " + words_of(points) + " replications of each.";
  for (const SearchPoint& point : report.points) {
    points.push_back({static_cast<double>(place_of(point.replications)), point.objective.mean,
                      point.objective.mean - point.objective.half_width,
                      point.objective.mean + point.objective.half_width});
  }
  return "Of the recommended decisions, on unseen replications: " + words_of(points) + " replications.";
}

}  // namespace

std::string picture_of(const SearchReport& report) {
  const std::string title =
      io::in_gnuplot_quotes(fmt::format("{}: {}", report.request.model->name, objective_text(report.request)));
  const std::string frame = std::string(search_axes) + "set key top right\n", label = used_label(report);
  const std::vector<std::string> panels = constraints_panels(report);
  if (panels.empty()) return fmt::format("set title {}\n", title) + frame + label + objective_panel(report);
  std::string text = fmt::format("set multiplot layout 2,{} title {}\n", panels.size() / 2 + 1, title) + frame + label +
                     "set lmargin 11\nset rmargin 5\nset key above horizontal samplen 2\n" + objective_panel(report) +
                     "set ylabel 'exceeded by'\n";
  for (const std::string& panel : panels) text += panel;
  return text + "unset multiplot\n";
}

std::vector<PagePicture> page_pictures_of(const SearchReport& report) {
  const std::string axes = search_axes + used_label(report) + "set key above vertical maxrows 3 samplen 2\n";
  std::vector<PagePicture> pictures{{"Objective", objective_words(report), axes + objective_panel(report)}};
  for (const std::string& panel : constraints_panels(report)) {
    pictures.push_back({"By what constraints are exceeded",
                        "How constraints on means come to hold; the table of constraints has the numbers of the end.",
                        axes + "set ylabel 'exceeded by'\n" + panel});
  }
  return pictures;
}

}  // namespace sporos::runtime
