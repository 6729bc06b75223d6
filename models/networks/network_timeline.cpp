// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/networks/network_timeline.hpp>

#include <sporos/models/networks/network_layout.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>
#include <sporos/core/io/picture_parts.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace sporos::models {

namespace {

// Numbers of customers at a station over the period.
struct Course {
  double mean = 0;         // time average
  std::vector<int> peaks;  // largest number in each part of the period
  int number = 0;          // number at time `since`
  double since = 0;        // time up to which `mean` and `peaks` are complete
  std::size_t part = 0;    // part of the period that contains `since`
};

// Returns the course of each station, with the largest numbers in equal `parts` of the period, so that no peak is lost.
std::vector<Course> courses_of(const NumberRecord& record, std::size_t stations, std::size_t parts) {
  const double end = record.end();
  Course empty;
  empty.peaks.resize(parts);
  std::vector<Course> courses(stations, empty);
  const auto advance = [&](Course& course, double time) {
    course.mean += course.number * (time - course.since) / end;
    course.since = time;
    const auto to = std::min(static_cast<std::size_t>(time / end * static_cast<double>(parts)), parts - 1);
    while (course.part < to) course.peaks[++course.part] = course.number;
  };
  for (const auto& [time, station, number] : record.steps()) {
    Course& course = courses[static_cast<std::size_t>(station)];
    advance(course, time);
    course.number = number;
    course.peaks[course.part] = std::max(course.peaks[course.part], number);
  }
  for (Course& course : courses) advance(course, end);
  return courses;
}

// Returns the numbers at the multiples of `interval` as changes, or nothing if there are too many.
std::optional<std::vector<io::NumberStep>> sampled(const NumberRecord& record, std::size_t stations, double interval) {
  const std::size_t most = std::max(max_animated_steps, stations);
  std::vector<int> numbers(stations), shown(stations);
  std::vector<io::NumberStep> steps;
  auto next = record.steps().begin();
  for (std::int64_t i = 0; static_cast<double>(i) * interval <= record.end(); ++i) {
    const double time = static_cast<double>(i) * interval;
    for (; next != record.steps().end() && next->time <= time; ++next)
      numbers[static_cast<std::size_t>(next->station)] = next->number;
    for (std::size_t s = 0; s < stations; ++s) {
      if (numbers[s] == shown[s]) continue;
      if (steps.size() == most) return std::nullopt;
      steps.push_back({time, static_cast<int>(s), numbers[s]});
      shown[s] = numbers[s];
    }
  }
  return steps;
}

// Returns how the record differs from a whole replication, as a sentence; empty if it does not.
std::string missing_part(const NumberRecord& record, const std::string& unit) {
  if (record.is_cut()) {
    return fmt::format("The picture ends at {:.6g} {}, because only the first {} changes are recorded. ", record.end(),
                       unit, record.steps().size());
  }
  if (record.has_failed())
    return fmt::format("The replication failed at {:.6g} {}, where the picture ends. ", record.end(), unit);
  return "";
}

// Sets the changes that the animation shows, and the note on them.
void set_steps(io::StationAnimation& animation, const NumberRecord& record) {
  animation.note = missing_part(record, animation.time_unit);
  if (record.steps().size() <= max_animated_steps) {
    animation.steps = record.steps();
    animation.note += fmt::format("The animation shows all {} changes of the numbers.", record.steps().size());
    return;
  }
  double power = std::pow(10.0, std::floor(std::log10(record.end() / static_cast<double>(max_animated_steps))));
  for (;; power *= 10) {
    for (const double times : {1, 2, 5}) {
      auto steps = sampled(record, animation.stations.size(), times * power);
      if (!steps) continue;
      animation.steps = std::move(*steps);
      animation.note += fmt::format(
          "Of {} changes of the numbers, the animation shows the numbers at every {:.6g} {}; the curves show all "
          "peaks. "
          "The animation of a shorter replication shows all changes.",
          record.steps().size(), times * power, animation.time_unit);
      return;
    }
  }
}

io::ServerSteps servers_of(const NetworkStation& station) {
  if (station.discipline == Discipline::processor_sharing || station.servers == unlimited || station.group) return {};
  if (station.shifts.steps.empty()) return {{{0, station.servers}}};
  io::ServerSteps servers;
  for (const auto& [from, value] : station.shifts.steps) servers.steps.emplace_back(from, static_cast<int>(value));
  servers.cycle = station.shifts.cycle;
  return servers;
}

io::StationAnimation animation_of(const NetworkDescription& network, const NumberRecord& record) {
  constexpr double pixels = 90;  // per inch
  constexpr double box_width = 162, box_height = 112, gap = 54, margin = 4, stub = 34;
  constexpr std::size_t parts = 146;  // one for each pixel of a curve
  const NetworkLayout layout = network_layout(network, box_width / pixels, box_height / pixels, gap / pixels);
  const auto shown = [&](const LayoutPoint& point) {
    return io::PixelPoint{stub + margin + pixels * point.x, margin + pixels * (layout.height - point.y)};
  };
  io::StationAnimation animation{pixels * layout.width + 2 * (stub + margin),
                                 pixels * layout.height + 2 * margin,
                                 box_width,
                                 box_height,
                                 {},
                                 {},
                                 {},
                                 record.end(),
                                 network.warm_up,
                                 network.time_unit,
                                 {}};
  const std::vector<Course> courses = courses_of(record, network.stations.size(), parts);
  for (std::size_t s = 0; s < network.stations.size(); ++s) {
    const io::PixelPoint centre = shown(layout.stations[s]);
    animation.stations.push_back({network.stations[s].name,
                                  {centre.x - box_width / 2, centre.y - box_height / 2},
                                  servers_of(network.stations[s]),
                                  courses[s].mean,
                                  courses[s].peaks});
  }
  for (const int station : layout.entries) {
    const auto& [x, y] = animation.stations[static_cast<std::size_t>(station)].at;
    animation.ways.push_back({{{x - stub, y + box_height / 2}, {x, y + box_height / 2}}, false});
  }
  for (const int station : layout.exits) {
    const auto& [x, y] = animation.stations[static_cast<std::size_t>(station)].at;
    const double above = y + 0.1 * box_height;  // above most other connections
    animation.ways.push_back({{{x + box_width, above}, {x + box_width + stub, above}}, false});
  }
  for (const LayoutWay& way : layout.ways) {
    std::vector<io::PixelPoint> line;
    for (const LayoutPoint& point : way.line) line.push_back(shown(point));
    animation.ways.push_back({std::move(line), way.goes_back});
  }
  set_steps(animation, record);
  return animation;
}

// Returns the script of a picture of the numbers over time, for the stations with the most customers.
std::string numbers_picture(const NetworkDescription& network, const NumberRecord& record) {
  constexpr std::size_t max_panels = 8, max_columns = 1500;
  const std::size_t count = network.stations.size();
  const double end = record.end();
  const std::vector<Course> courses = courses_of(record, count, max_columns);
  std::vector<std::size_t> drawn(count);
  std::iota(drawn.begin(), drawn.end(), std::size_t{0});
  std::ranges::stable_sort(drawn, std::greater(), [&](std::size_t s) { return courses[s].mean; });
  drawn.resize(std::min(count, max_panels));
  std::ranges::sort(drawn);
  const std::string left_out =
      drawn.size() < count ? fmt::format("; the {} of {} stations with the most", max_panels, count) : "";
  const std::string cut = record.is_cut() || record.has_failed() ? fmt::format(", until {:.6g}", end) : "";
  std::string script =
      io::quiet_axes() +
      io::picture_title(
          "Customers at stations over time",
          "customers waiting and in service in one replication" + cut + "; dashed: time average" + left_out, 0.11) +
      fmt::format("set xrange [0:{:.9g}]\nset lmargin at screen 0.17\nset rmargin at screen 0.97\n", end);
  for (const std::size_t s : drawn) {
    script += fmt::format("$station{} << END\n", s);
    for (std::size_t i = 0; i < max_columns; ++i)
      script += fmt::format("{:.6g} {}\n", static_cast<double>(i) * end / max_columns, courses[s].peaks[i]);
    script += "END\n";
  }
  script += "set multiplot\n";
  const double top = 0.87, bottom = 0.1, gap = 0.025;
  const double height = (top - bottom) / static_cast<double>(drawn.size());
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const std::size_t s = drawn[i];
    const double upper = top - static_cast<double>(i) * height;
    const bool is_last = i + 1 == drawn.size();
    script += fmt::format(
        "set tmargin at screen {:.4f}\nset bmargin at screen {:.4f}\nset xlabel '{}'\nset format x '{}'\n"
        "set yrange [0:*]\nset ytics 0,{}\n"
        "set label 99 {} at screen 0.105,{:.4f} right front\n"
        "plot $station{} using 1:2 with steps linewidth 1.3 linecolor rgb '#0072B2' notitle, {:.9g} with lines "
        "dashtype 2 "
        "linecolor rgb '#707070' notitle\n",
        upper, upper - height + gap, is_last ? "time in " + network.time_unit : "", is_last ? "%g" : "",
        std::max(1, (std::ranges::max(courses[s].peaks) + 2) / 3), io::in_gnuplot_quotes(network.stations[s].name),
        upper - height / 2, s, courses[s].mean);
    if (i == 0) script += "unset label\n";
  }
  return script + "unset multiplot\n";
}

}  // namespace

io::StationTimeline network_timeline(const NetworkDescription& network, const NumberRecord& record) {
  return {numbers_picture(network, record), animation_of(network, record)};
}

}  // namespace sporos::models
