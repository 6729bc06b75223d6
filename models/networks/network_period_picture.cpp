// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Picture of the values of periods over time.
#include <sporos/models/networks/network_data.hpp>
#include <sporos/models/networks/network_picture.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>
#include <sporos/core/io/picture_parts.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace sporos::models {

namespace {

// Values of one quantity at one place, as indices of its first and after its last period.
struct PeriodCourse {
  std::size_t first, end;
};

std::vector<PeriodCourse> period_courses_of(const std::vector<PeriodResponse>& periods) {
  std::vector<PeriodCourse> courses;
  for (std::size_t i = 0; i < periods.size(); ++i) {
    if (periods[i].from == 0) courses.push_back({i, i});
    courses.back().end = i + 1;
  }
  return courses;
}

// Writes the mean and the interval of each period at its beginning and end.
std::string block_of(const std::string& name, const std::vector<PeriodResponse>& periods, const PeriodCourse& course,
                     std::span<const double> means, std::span<const double> half_widths) {
  std::string block = name + " << END\n";
  for (std::size_t i = course.first; i < course.end; ++i) {
    const double mean = means[periods[i].response], half_width = half_widths[periods[i].response];
    for (const double time : {periods[i].from, periods[i].to}) {
      block +=
          fmt::format("{:.9g} {:.9g} {:.9g} {:.9g}\n", time, mean, std::max(mean - half_width, 0.0), mean + half_width);
    }
  }
  return block + "END\n";
}

// Returns a round distance of tics with at most four tics up to `top`.
double tic_distance(double top) {
  const double power = std::pow(10.0, std::floor(std::log10(top / 3)));
  for (const double times : {1, 2, 5}) {
    if (top <= 3 * times * power) return times * power;
  }
  return 10 * power;
}

// Returns the upper end of the intervals of the periods, or 1 if they have no width above 0.
double top_of(const std::vector<PeriodResponse>& periods, const PeriodCourse& course, std::span<const double> means,
              std::span<const double> half_widths) {
  double top = 0;
  for (std::size_t i = course.first; i < course.end; ++i)
    top = std::max(top, means[periods[i].response] + half_widths[periods[i].response]);
  return top > 0 && std::isfinite(top) ? top : 1;
}

}  // namespace

std::string network_period_picture(const NetworkDescription& network, std::span<const double> means,
                                   std::span<const double> half_widths) {
  constexpr std::size_t max_panels = 8;
  const std::vector<PeriodResponse> periods = period_responses(network);
  std::vector<PeriodCourse> courses = period_courses_of(periods);
  const std::string left_out =
      courses.size() > max_panels ? fmt::format("; the first {} of {}", max_panels, courses.size()) : "";
  courses.resize(std::min(courses.size(), max_panels));
  std::string script = io::quiet_axes() +
                       io::picture_title("Averages over periods", "means with their intervals" + left_out, 0.11) +
                       fmt::format("set xrange [0:{:.9g}]\nset lmargin at screen 0.22\nset rmargin at screen 0.97\n",
                                   network.periods.ends.back());
  for (std::size_t i = 0; i < courses.size(); ++i)
    script += block_of(fmt::format("$course{}", i), periods, courses[i], means, half_widths);
  script += "set multiplot\n";
  const double top = 0.87, bottom = 0.1, gap = 0.025;
  const double height = (top - bottom) / static_cast<double>(courses.size());
  for (std::size_t i = 0; i < courses.size(); ++i) {
    const PeriodResponse& shown = periods[courses[i].first];
    const double upper = top - static_cast<double>(i) * height;
    const bool is_last = i + 1 == courses.size();
    const double top_value = top_of(periods, courses[i], means, half_widths);
    script += fmt::format(
        "set tmargin at screen {:.4f}\nset bmargin at screen {:.4f}\nset xlabel '{}'\nset format x '{}'\n"
        "set yrange [0:{:.9g}]\nset ytics 0,{:.9g}\nset label 98 {} at screen 0.155,{:.4f} right front\n"
        "set label 99 {} at screen 0.155,{:.4f} right textcolor rgb '#505050' front\n"
        "plot $course{} using 1:3:4 with filledcurves fillcolor rgb '#BFDCEC' notitle, $course{} using 1:2 with lines "
        "linewidth 1.5 linecolor rgb '#0072B2' notitle\n",
        upper, upper - height + gap, is_last ? "time in " + network.time_unit : "", is_last ? "%g" : "",
        1.08 * top_value, tic_distance(top_value), io::in_gnuplot_quotes(shown.place), upper - 0.35 * height,
        io::in_gnuplot_quotes(shown.quantity), upper - 0.65 * height, i, i);
    if (i == 0) script += "unset label\n";
  }
  return script + "unset multiplot\n";
}

}  // namespace sporos::models
