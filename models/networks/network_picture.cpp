// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/networks/network_picture.hpp>

#include <sporos/models/networks/network_data.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/picture_parts.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace sporos::models {

namespace {

// Where a station is drawn: in column `column`, counted from where customers enter.
struct Place {
  int column = -1;
  double x = 0, y = 0;  // of its middle
};

// Stations and the ways between them; −1 is outside.
std::set<std::pair<int, int>> ways_of(const NetworkDescription& network) {
  std::set<std::pair<int, int>> ways;
  const auto add = [&](int from, const NetworkRoute& route) {
    double sum = 0;
    for (const NetworkBranch& branch : route) {
      sum += branch.probability;
      for (const int to : branch.to) ways.emplace(from, to);
      if (branch.to.empty() && from >= 0) ways.emplace(from, -1);
    }
    if (from >= 0 && sum < 1 - 1e-9) ways.emplace(from, -1);
  };
  for (const NetworkClass& of : network.classes) add(-1, of.enters);
  for (std::size_t s = 0; s < network.stations.size(); ++s) {
    for (const NetworkVisit& visit : network.stations[s].visits) {
      if (visit.service) add(static_cast<int>(s), visit.next);
    }
  }
  return ways;
}

// In columns by the least number of stations on the way there.
std::vector<Place> places_of(const NetworkDescription& network, const std::set<std::pair<int, int>>& ways) {
  std::vector<Place> places(network.stations.size());
  std::vector<int> reached{-1};
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const int from = reached[next], column = from < 0 ? -1 : places[static_cast<std::size_t>(from)].column;
    for (const auto& [start, to] : ways) {
      if (start != from || to < 0 || places[static_cast<std::size_t>(to)].column >= 0) continue;
      places[static_cast<std::size_t>(to)].column = column + 1;
      reached.push_back(to);
    }
  }
  int columns = 0;
  for (Place& place : places) columns = std::max(columns, (place.column = std::max(place.column, 0)) + 1);
  for (int column = 0; column < columns; ++column) {
    const auto in_column = [&](const Place& place) { return place.column == column; };
    const auto count = std::ranges::count_if(places, in_column);
    int row = 0;
    for (Place& place : places) {
      if (!in_column(place)) continue;
      place.x = (column + 0.5) / columns;
      place.y = 1 - (row++ + 0.5) / static_cast<double>(count);
    }
  }
  return places;
}

// A mean that the network has; nothing where it has none.
std::optional<double> mean_of(const NetworkDescription& network, std::span<const double> means, Observation what,
                              int station) {
  const auto responses = network_responses(network);
  for (std::size_t i = 0; i < responses.size(); ++i) {
    if (responses[i].what == what && responses[i].station == station && responses[i].of_class < 0) return means[i];
  }
  return std::nullopt;
}

std::string quoted(const std::string& text) { return io::in_gnuplot_quotes(text); }

}  // namespace

std::string network_picture(const NetworkDescription& network, std::span<const double> means) {
  const auto ways = ways_of(network);
  const auto places = places_of(network, ways);
  int columns = 1;
  std::map<int, int> rows;
  for (const Place& place : places) {
    columns = std::max(columns, place.column + 1);
    ++rows[place.column];
  }
  int most_rows = 1;
  for (const auto& [column, count] : rows) most_rows = std::max(most_rows, count);
  const double width = std::min(0.16, 0.62 / columns), height = std::min(0.16, 0.62 / most_rows);
  std::string script =
      io::picture_title(
          "Stations and their utilization",
          "grey: servers that serve, on average; red: more than nine of ten; arrows: ways of customers, dashed back",
          0.03) +
      "unset border\nunset tics\nset key off\nset xrange [0:1]\nset yrange [0:1]\n"
      "set lmargin at screen 0.02\nset rmargin at screen 0.98\nset bmargin at screen 0.03\nset tmargin at screen "
      "0.87\n";
  for (const auto& [from, to] : ways) {
    if (from == to) continue;
    const char* const style = "size screen 0.008,20 filled front linewidth 1.1 linecolor rgb '#5A6B7B'";
    if (from < 0 || to < 0) {
      const Place& at = places[static_cast<std::size_t>(from < 0 ? to : from)];
      const double x = from < 0 ? at.x - width / 2 : at.x + width / 2;
      const double y = from < 0 ? at.y : at.y + height / 4;
      script += fmt::format("set arrow from {:.4f},{:.4f} to {:.4f},{:.4f} {}\n", from < 0 ? x - 0.035 : x, y,
                            from < 0 ? x : x + 0.035, y, style);
      continue;
    }
    const Place &a = places[static_cast<std::size_t>(from)], &b = places[static_cast<std::size_t>(to)];
    if (a.column == b.column) {
      const double side = a.y > b.y ? 1 : -1;
      script += fmt::format("set arrow from {0:.4f},{1:.4f} to {0:.4f},{2:.4f} {3}\n", a.x + 0.2 * side * width,
                            a.y - side * height / 2, b.y + side * height / 2, style);
    } else if (a.column < b.column) {
      script += fmt::format("set arrow from {:.4f},{:.4f} to {:.4f},{:.4f} {}\n", a.x + width / 2, a.y, b.x - width / 2,
                            b.y, style);
    } else {  // back
      script += fmt::format("set arrow from {:.4f},{:.4f} to {:.4f},{:.4f} {} dashtype 2\n", a.x - width / 2,
                            a.y - height / 4, b.x + width / 2, b.y - height / 4, style);
    }
  }
  for (std::size_t s = 0; s < places.size(); ++s) {
    const Place& place = places[s];
    const auto utilization = mean_of(network, means, Observation::utilization, static_cast<int>(s));
    const auto waiting = mean_of(network, means, Observation::waiting, static_cast<int>(s));
    const auto number = mean_of(network, means, Observation::number, static_cast<int>(s));
    const double left = place.x - width / 2, bottom = place.y - height / 2, share = utilization.value_or(0);
    script += fmt::format(
        "set object rectangle from {:.4f},{:.4f} to {:.4f},{:.4f} fillcolor rgb '#F4F6F8' fillstyle "
        "solid noborder behind\n",
        left, bottom, left + width, bottom + height);
    script += fmt::format(
        "set object rectangle from {:.4f},{:.4f} to {:.4f},{:.4f} fillcolor rgb '{}' fillstyle solid "
        "noborder\n",
        left, bottom, left + width * std::clamp(share, 0.0, 1.0), bottom + height, share > 0.9 ? "#F2B8A8" : "#C9D6E2");
    script += fmt::format(
        "set object rectangle from {:.4f},{:.4f} to {:.4f},{:.4f} fillstyle empty border linecolor rgb "
        "'#40505F' linewidth 1.2\n",
        left, bottom, left + width, bottom + height);
    const int servers = network.stations[s].servers;
    const bool has_shifts = !network.stations[s].shifts.steps.empty();
    const std::string below = utilization ? fmt::format("{:.0f} % of {}", 100 * share,
                                                        has_shifts     ? "shifts"
                                                        : servers == 1 ? "1 server"
                                                                       : fmt::format("{} servers", servers))
                                          : "";
    const std::string last = waiting ? fmt::format("{} waiting", io::picture_number(*waiting, 2))
                                     : fmt::format("{} there", io::picture_number(number.value_or(0), 2));
    const double line = std::min(0.042, height / 3.4);
    const auto label = [&](const std::string& text, double y, const char* how) {
      script += fmt::format("set label {} at {:.4f},{:.4f} center {} front\n", quoted(text), place.x, y, how);
    };
    label(network.stations[s].name, place.y + line, "font ',13'");
    label(below, place.y, "font ',11' textcolor rgb '#303030'");
    label(last, place.y - line, "font ',11' textcolor rgb '#303030'");
  }
  return script + "plot NaN notitle\n";
}

std::string numbers_picture(const NetworkDescription& network, std::span<const NumberStep> steps, double end) {
  constexpr std::size_t most_panels = 8, most_columns = 1500;
  const std::size_t count = network.stations.size();
  std::vector<double> areas(count, 0), numbers(count, 0), since(count, 0);
  for (const auto& [time, station, number] : steps) {
    const auto s = static_cast<std::size_t>(station);
    areas[s] += numbers[s] * (time - since[s]);
    numbers[s] = number;
    since[s] = time;
  }
  for (std::size_t s = 0; s < count; ++s) areas[s] += numbers[s] * (end - since[s]);
  std::vector<std::size_t> drawn(count);
  for (std::size_t s = 0; s < count; ++s) drawn[s] = s;
  std::ranges::stable_sort(drawn, std::greater(), [&](std::size_t s) { return areas[s]; });
  drawn.resize(std::min(count, most_panels));
  std::ranges::sort(drawn);
  const std::string left_out =
      drawn.size() < count ? fmt::format("; the {} of {} with the most", most_panels, count) : "";
  std::string script =
      io::quiet_axes() +
      io::picture_title("Numbers at stations over time",
                        "customers waiting and in service in one replication; dashed: average over its "
                        "time" +
                            left_out,
                        0.11) +
      fmt::format("set xrange [0:{:.9g}]\nset lmargin at screen 0.17\nset rmargin at screen 0.97\n", end);
  std::vector<int> peaks;
  for (const std::size_t s : drawn) {
    // Of each column of the picture the greatest number, so that no peak is lost.
    std::vector<int> greatest(most_columns, 0);
    int number = 0;
    std::size_t column = 0;
    const auto advance = [&](double time) {
      const auto to = std::min(static_cast<std::size_t>(time / end * most_columns), most_columns - 1);
      while (column < to) greatest[++column] = number;
    };
    for (const NumberStep& step : steps) {
      if (static_cast<std::size_t>(step.station) != s) continue;
      advance(step.time);
      number = step.number;
      greatest[column] = std::max(greatest[column], number);
    }
    advance(end);
    peaks.push_back(*std::ranges::max_element(greatest));
    script += fmt::format("$station{} << END\n", s);
    for (std::size_t i = 0; i < most_columns; ++i)
      script += fmt::format("{:.6g} {}\n", static_cast<double>(i) * end / most_columns, greatest[i]);
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
        std::max(1, (peaks[i] + 2) / 3), quoted(network.stations[s].name), upper - height / 2, s, areas[s] / end);
    if (i == 0) script += "unset label\n";
  }
  return script + "unset multiplot\n";
}

}  // namespace sporos::models
