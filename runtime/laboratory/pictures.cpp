// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/laboratory/report.hpp>
#include <sporos/runtime/page/panels.hpp>
#include <sporos/runtime/problems/report.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>
#include <sporos/procedures/laboratory/step_curve.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

namespace {

// Of a solver: colours that people with colour-blindness tell apart (Okabe, Ito), then the same with other dashes.
std::string line_of(std::size_t solver) {
  constexpr std::array<std::string_view, 7> colours{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                    "#E69F00", "#56B4E9", "#505050"};
  return fmt::format("linewidth 2 dashtype {} linecolor rgb '{}'", 1 + solver / colours.size() % 5,
                     colours[solver % colours.size()]);
}

std::string colour_of(std::size_t solver) {
  const std::string line = line_of(solver);
  return line.substr(line.find("rgb '") + 5, 7);
}

std::string number(double value) { return std::isfinite(value) ? fmt::format("{:.9g}", value) : "NaN"; }

std::string name_of(const ExperimentReport& report, std::size_t solver) { return report.request.solvers[solver].name; }

// Curves of some solvers, with bands where there are few of them.
struct SolverBand {
  std::size_t solver;
  const BootstrapBand* band;
};

std::string plot_of(const ExperimentReport& report, const std::vector<SolverBand>& bands) {
  constexpr std::size_t most_with_bands = 4;
  std::string data, areas, lines;
  for (const auto& [solver, band] : bands) {
    std::string rows;
    for (std::size_t k = 0; k < band->size(); ++k) {
      const BootstrapInterval& at = (*band)[k];
      rows += fmt::format("{} {} {} {}\n", report.request.summary.grid[k], number(at.estimate), number(at.low),
                          number(at.high));
    }
    const std::string name = fmt::format("s{}", solver);
    data += data_block_of(name, rows);
    if (bands.size() <= most_with_bands) {
      areas += fmt::format(
          "${} using 1:3:4 with filledcurves linecolor rgb '{}' fillstyle transparent solid 0.18 noborder notitle, ",
          name, colour_of(solver));
    }
    lines += fmt::format("{}${} using 1:2 with steps {} title {}", lines.empty() ? "" : ", ", name, line_of(solver),
                         io::in_gnuplot_quotes(name_of(report, solver)));
  }
  return data + "plot " + areas + lines + '\n';
}

std::string axes(const ExperimentReport& report, const std::string& y_label) {
  return panel_axes("part of the budget") +
         fmt::format("set key above horizontal maxcols 3 samplen 2\nset xrange [0:1]\nset ylabel {}\n",
                     io::in_gnuplot_quotes(y_label)) +
         (report.request.solvers.size() > 6 ? "set key font ',9'\n" : "");
}

// "adam 0.02 (0.01 to 0.03)" at the end of the budget.
std::string words_at_the_end(const ExperimentReport& report, const std::vector<SolverBand>& bands) {
  std::string words;
  for (const auto& [solver, band] : bands) {
    const BootstrapInterval& end = band->back();
    words += fmt::format("{}{} {:.3g} ({:.3g} to {:.3g})", words.empty() ? "" : "; ", name_of(report, solver),
                         end.estimate, end.low, end.high);
  }
  return words;
}

PagePicture band_picture(const ExperimentReport& report, const std::string& title, const std::string& y_label,
                         const std::vector<SolverBand>& bands, const std::string& more = "") {
  return {title, title + ". At the end of the budget: " + words_at_the_end(report, bands) + ".",
          axes(report, y_label) + more + plot_of(report, bands)};
}

// A curve of each cell of a problem.
std::vector<SolverBand> bands_of(const ExperimentReport& report, std::size_t problem,
                                 BootstrapBand CellSummary::*member) {
  std::vector<SolverBand> bands;
  for (std::size_t i = 0; i < report.cells.size(); ++i) {
    if (report.cells[i].problem == problem)
      bands.push_back({report.cells[i].solver, &(report.summary.cells[i].*member)});
  }
  return bands;
}

std::vector<SolverBand> profiles_of(const ExperimentReport& report, BootstrapBand SolverSummary::*member,
                                    bool with_reference = true) {
  std::vector<SolverBand> bands;
  for (std::size_t solver = 0; solver < report.summary.solvers.size(); ++solver) {
    const SolverSummary& summary = report.summary.solvers[solver];
    if (summary.problems.empty() || (!with_reference && solver == report.request.summary.reference)) continue;
    bands.push_back({solver, &(summary.*member)});
  }
  return bands;
}

// Progress at the ends of the runs: quartiles in a box, all between whiskers, each run a point.
PagePicture ends_picture(const ExperimentReport& report, std::size_t problem) {
  std::string boxes, points, tics, words;
  int place = 0;
  for (std::size_t i = 0; i < report.cells.size(); ++i) {
    if (report.cells[i].problem != problem) continue;
    ++place;
    const std::vector<double>& ends = report.summary.cells[i].ends;
    const auto at = [&](double share) { return quantile_of_numbers(ends, share); };
    boxes += fmt::format("{} {} {} {} {} {}\n", place, number(at(0.25)), number(at(0)), number(at(1)), number(at(0.75)),
                         number(at(0.5)));
    for (std::size_t run = 0; run < ends.size(); ++run) {
      const double aside = 0.3 * (static_cast<double>(run % 7) / 6 - 0.5);
      points += fmt::format("{} {}\n", place + aside, number(ends[run]));
    }
    const std::string name = name_of(report, report.cells[i].solver);
    tics += fmt::format("{}{} {}", tics.empty() ? "" : ", ", io::in_gnuplot_quotes(name), place);
    words +=
        fmt::format("{}{} {:.3g} ({:.3g} to {:.3g})", words.empty() ? "" : "; ", name, at(0.5), at(0.25), at(0.75));
  }
  return {"Where runs end", "Median and quartiles of progress at the ends of the runs: " + words + ".",
          data_block_of("boxes", boxes) + data_block_of("runs", points) + panel_axes("") +
              fmt::format("unset xlabel\nset key off\nset ylabel 'gap left at the end'\nset xrange [0.4:{}]\nset xtics "
                          "rotate by 30 right ({})\n",
                          place + 0.6, tics) +
              "plot $boxes using 1:2:3:4:5 with candlesticks linewidth 1.5 linecolor rgb '#0072B2' fillstyle solid 0.2 "
              "whiskerbars 0.5, $boxes using 1:6:6:6:6 with candlesticks linewidth 2.5 linecolor rgb '#0072B2', $runs "
              "using 1:2 with points pointtype 7 pointsize 0.35 linecolor rgb '#D55E00'\n"};
}

// Mean and standard deviation of the areas under progress.
PagePicture areas_picture(const ExperimentReport& report, std::size_t problem) {
  std::string data, plots, words;
  for (std::size_t i = 0; i < report.cells.size(); ++i) {
    if (report.cells[i].problem != problem) continue;
    const auto& [mean, deviation] =
        std::pair{report.summary.cells[i].area_mean, report.summary.cells[i].area_deviation};
    const std::size_t solver = report.cells[i].solver;
    const std::string name = fmt::format("a{}", solver);
    data += data_block_of(
        name, fmt::format("{} {} {} {} {} {}\n", number(mean.estimate), number(deviation.estimate), number(mean.low),
                          number(mean.high), number(deviation.low), number(deviation.high)));
    plots += fmt::format(
        "{}${} using 1:2:3:4:5:6 with xyerrorbars pointtype {} pointsize 0.8 linewidth 1.5 linecolor "
        "rgb '{}' title {}",
        plots.empty() ? "" : ", ", name, 5 + 2 * (solver / 7 % 5), colour_of(solver),
        io::in_gnuplot_quotes(name_of(report, solver)));
    words += fmt::format("{}{} {:.3g} and {:.3g}", words.empty() ? "" : "; ", name_of(report, solver), mean.estimate,
                         deviation.estimate);
  }
  return {"Areas under progress", "Mean and standard deviation over runs of the area under progress: " + words + ".",
          data + panel_axes("mean area") +
              "set key above horizontal maxcols 3 samplen 1\nset ylabel 'standard deviation'\nset yrange [0:*]\nset "
              "offsets graph 0.05, graph 0.05, graph 0.05, 0\n" +
              (report.request.solvers.size() > 6 ? "set key font ',9'\n" : "") + "plot " + plots + '\n'};
}

bool has_constraints_on_means(const RegisteredProblem& problem) {
  return !search_request(problem).constraints_on_means.empty();
}

}  // namespace

std::string runs_text(double share) {
  return share == 0.5 ? "half of the runs" : fmt::format("{:.3g} of the runs", share);
}

std::vector<PagePicture> problem_pictures_of(const ExperimentReport& report, std::size_t problem) {
  const double share_of_runs = report.request.summary.quantile;
  const std::string quantile =
      share_of_runs == 0.5 ? "Median progress" : fmt::format("Progress, its {:.3g}-quantile", share_of_runs);
  const std::string from_0 = "set yrange [*:1.05<*]\n", share = "set yrange [0:1.05]\n";
  std::vector<PagePicture> pictures{
      band_picture(report, "Mean progress", "gap left", bands_of(report, problem, &CellSummary::mean), from_0),
      band_picture(report, quantile, "gap left", bands_of(report, problem, &CellSummary::quantile), from_0),
      band_picture(report, fmt::format("Runs with less than {:.3g} left", report.request.summary.solved_below),
                   "share of runs", bands_of(report, problem, &CellSummary::solved), share)};
  if (has_constraints_on_means(report.request.problems[problem])) {
    pictures.push_back(band_picture(report, "Runs at a point that is not shown to be infeasible", "share of runs",
                                    bands_of(report, problem, &CellSummary::feasible), share));
  }
  pictures.push_back(ends_picture(report, problem));
  if (report.request.runs > 1) pictures.push_back(areas_picture(report, problem));
  return pictures;
}

std::vector<PagePicture> profile_pictures_of(const ExperimentReport& report) {
  const std::string share = "set yrange [0:1.05]\n";
  std::vector<PagePicture> pictures{
      band_picture(report, "Solvability: runs that have solved their problem", "share, mean over problems",
                   profiles_of(report, &SolverSummary::solvability), share),
      band_picture(report, fmt::format("Problems that {} have solved", runs_text(report.request.summary.quantile)),
                   "share of problems", profiles_of(report, &SolverSummary::quantile_solvability), share)};
  const std::string than = " more than " + name_of(report, report.request.summary.reference);
  if (!profiles_of(report, &SolverSummary::difference, false).empty()) {
    pictures.push_back(band_picture(report, "Solvability" + than, "difference of shares",
                                    profiles_of(report, &SolverSummary::difference, false)));
    pictures.push_back(band_picture(report, "Problems solved" + than, "difference of shares",
                                    profiles_of(report, &SolverSummary::quantile_difference, false)));
  }
  return pictures;
}

}  // namespace sporos::runtime
