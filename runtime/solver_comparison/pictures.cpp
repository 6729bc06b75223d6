// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/page/panels.hpp>
#include <sporos/runtime/solver_comparison/report.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>
#include <sporos/procedures/solver_comparison/step_curve.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace sporos::runtime {

namespace {

const std::string& name_of_problem(const SolverComparisonReport& report, std::size_t problem) {
  return report.request.problems[problem].described->name;
}

const std::string& name_of_solver(const SolverComparisonReport& report, std::size_t solver) {
  return report.request.solvers[solver].name;
}

// Draws progress at the ends of the runs: a box with quartiles, whiskers at the extremes, and a point for each run.
PagePicture ends_picture(const SolverComparisonReport& report, std::size_t problem) {
  std::string boxes, points, tics, words;
  int place = 0;
  for (std::size_t i = 0; i < report.cells.size(); ++i) {
    if (report.cells[i].problem != problem) continue;
    ++place;
    const std::vector<double>& ends = report.summary.cells[i].ends;
    const auto at = [&](double share) { return quantile_of_numbers(ends, share); };
    boxes += fmt::format("{} {} {} {} {} {}\n", place, plotted_number(at(0.25)), plotted_number(at(0)),
                         plotted_number(at(1)), plotted_number(at(0.75)), plotted_number(at(0.5)));
    for (std::size_t run = 0; run < ends.size(); ++run) {
      const double aside = 0.3 * (static_cast<double>(run % 7) / 6 - 0.5);
      points += fmt::format("{} {}\n", place + aside, plotted_number(ends[run]));
    }
    const std::string name = name_of_solver(report, report.cells[i].solver);
    tics += fmt::format("{}{} {}", tics.empty() ? "" : ", ", io::in_gnuplot_quotes(name), place);
    words +=
        fmt::format("{}{} {:.3g} ({:.3g} to {:.3g})", words.empty() ? "" : "; ", name, at(0.5), at(0.25), at(0.75));
  }
  return {name_of_problem(report, problem) + ": where runs end",
          "Median and quartiles of progress at the ends of the runs: " + words + ".",
          data_block_of("boxes", boxes) + data_block_of("runs", points) + panel_axes("") +
              fmt::format("unset xlabel\nset key off\nset ylabel 'gap left at the end'\nset xrange [0.4:{}]\nset xtics "
                          "rotate by 30 right ({})\n",
                          place + 0.6, tics) +
              "plot $boxes using 1:2:3:4:5 with candlesticks linewidth 1.5 linecolor rgb '#0072B2' fillstyle solid 0.2 "
              "whiskerbars 0.5, $boxes using 1:6:6:6:6 with candlesticks linewidth 2.5 linecolor rgb '#0072B2', $runs "
              "using 1:2 with points pointtype 7 pointsize 0.35 linecolor rgb '#D55E00'\n"};
}

// Draws mean and standard deviation of the areas under progress.
PagePicture areas_picture(const SolverComparisonReport& report, std::size_t problem) {
  std::string data, plots, words;
  for (std::size_t i = 0; i < report.cells.size(); ++i) {
    if (report.cells[i].problem != problem) continue;
    const auto& [mean, deviation] =
        std::pair{report.summary.cells[i].area_mean, report.summary.cells[i].area_deviation};
    const std::size_t solver = report.cells[i].solver;
    const std::string name = fmt::format("a{}", solver);
    data += data_block_of(
        name, fmt::format("{} {} {} {} {} {}\n", plotted_number(mean.estimate), plotted_number(deviation.estimate),
                          plotted_number(mean.low), plotted_number(mean.high), plotted_number(deviation.low),
                          plotted_number(deviation.high)));
    plots += fmt::format(
        "{}${} using 1:2:3:4:5:6 with xyerrorbars pointtype {} pointsize 0.8 linewidth 1.5 linecolor "
        "rgb '{}' title {}",
        plots.empty() ? "" : ", ", name, 5 + 2 * (solver / 7 % 5), color_of(solver),
        io::in_gnuplot_quotes(name_of_solver(report, solver)));
    words += fmt::format("{}{} {:.3g} and {:.3g}", words.empty() ? "" : "; ", name_of_solver(report, solver),
                         mean.estimate, deviation.estimate);
  }
  return {name_of_problem(report, problem) + ": areas under progress",
          "Mean and standard deviation over runs of the area under progress: " + words + ".",
          data + panel_axes("mean area") +
              "set key above horizontal maxcols 3 samplen 1\nset ylabel 'standard deviation'\nset yrange [0:*]\nset "
              "offsets graph 0.05, graph 0.05, graph 0.05, 0\n" +
              (report.request.solvers.size() > 6 ? "set key font ',9'\n" : "") + "plot " + plots + '\n'};
}

}  // namespace

std::vector<PagePicture> drawings_of(const SolverComparisonReport& report) {
  std::vector<PagePicture> drawings;
  for (const MeasuredProblem& measured : report.problems) {
    drawings.push_back(ends_picture(report, measured.problem));
    if (report.request.runs > 1) drawings.push_back(areas_picture(report, measured.problem));
  }
  return drawings;
}

}  // namespace sporos::runtime
