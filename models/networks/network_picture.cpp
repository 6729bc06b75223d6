// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/networks/network_picture.hpp>

#include <sporos/models/networks/network_data.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>
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
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace sporos::models {

namespace {

struct Point {
  double x, y;
};

// A connection between two stations as a polyline.
struct Way {
  std::vector<Point> line;
  bool goes_back;  // towards an earlier column
};

// Positions of all elements, as fractions of the picture.
struct Layout {
  double width, height;         // size of a station's box
  std::vector<Point> stations;  // centres of the boxes
  std::vector<Way> ways;
};

// Returns the pairs of connected stations; −1 stands for the outside.
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

// Returns for each station the smallest number of stations on a route to it.
std::vector<int> columns_of(const NetworkDescription& network, const std::set<std::pair<int, int>>& ways) {
  std::vector<int> columns(network.stations.size(), -1), reached{-1};
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const int from = reached[next], column = from < 0 ? -1 : columns[static_cast<std::size_t>(from)];
    for (const auto& [start, to] : ways) {
      if (start != from || to < 0 || columns[static_cast<std::size_t>(to)] >= 0) continue;
      columns[static_cast<std::size_t>(to)] = column + 1;
      reached.push_back(to);
    }
  }
  for (int& column : columns) column = std::max(column, 0);
  return columns;
}

// Returns a straight connection between boxes in columns.
Way straight_way(const Layout& layout, const std::vector<int>& columns, std::size_t from, std::size_t to) {
  const Point &a = layout.stations[from], &b = layout.stations[to];
  const double width = layout.width, height = layout.height;
  if (columns[from] == columns[to]) {
    const double side = a.y > b.y ? 1 : -1, x = a.x + 0.2 * side * width;
    return {{{x, a.y - side * height / 2}, {x, b.y + side * height / 2}}, false};
  }
  if (columns[from] < columns[to]) return {{{a.x + width / 2, a.y}, {b.x - width / 2, b.y}}, false};
  return {{{a.x - width / 2, a.y - height / 4}, {b.x + width / 2, b.y - height / 4}}, true};
}

// Places stations in columns by the smallest number of stations on a route to them.
Layout grid_layout(const NetworkDescription& network, const std::set<std::pair<int, int>>& ways) {
  const std::vector<int> columns = columns_of(network, ways);
  std::map<int, int> rows;  // rows in each column
  for (const int column : columns) ++rows[column];
  int max_rows = 1;
  for (const auto& [column, count] : rows) max_rows = std::max(max_rows, count);
  const double count = rows.rbegin()->first + 1;
  Layout layout{std::min(0.16, 0.62 / count), std::min(0.16, 0.62 / max_rows), {}, {}};
  std::map<int, int> placed;
  for (const int column : columns) {
    layout.stations.push_back({(column + 0.5) / count, 1 - (placed[column]++ + 0.5) / rows[column]});
  }
  for (const auto& [from, to] : ways) {
    if (from < 0 || to < 0 || from == to) continue;
    layout.ways.push_back(straight_way(layout, columns, static_cast<std::size_t>(from), static_cast<std::size_t>(to)));
  }
  return layout;
}

// Returns points on the cubic Bézier curves with these control points.
std::vector<Point> sampled_curve(const std::vector<Point>& controls) {
  constexpr int pieces = 12;
  std::vector<Point> line{controls.front()};
  for (std::size_t first = 0; first + 3 < controls.size(); first += 3) {
    const Point* const c = &controls[first];
    for (int piece = 1; piece <= pieces; ++piece) {
      const double t = static_cast<double>(piece) / pieces, s = 1 - t;
      const double w[] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
      line.push_back({w[0] * c[0].x + w[1] * c[1].x + w[2] * c[2].x + w[3] * c[3].x,
                      w[0] * c[0].y + w[1] * c[1].y + w[2] * c[2].y + w[3] * c[3].y});
    }
  }
  return line;
}

// Returns a point of the line far enough from its end for an arrowhead.
Point before_end(const std::vector<Point>& line) {
  constexpr double length = 0.015;
  std::size_t place = line.size() - 1;
  while (place > 0 && std::hypot(line[place].x - line.back().x, line[place].y - line.back().y) < length) --place;
  return line[place];
}

// Returns the graph of stations in Graphviz's language, with boxes from left to right.
std::string graph_of(std::size_t stations, const std::set<std::pair<int, int>>& ways) {
  std::string graph =
      "digraph { rankdir=LR; nodesep=0.35; ranksep=1;\n"
      "node [shape=box, fixedsize=true, width=1.5, height=0.9, label=\"\"]; edge [arrowhead=none];\n";
  for (std::size_t s = 0; s < stations; ++s) graph += fmt::format("{};\n", s);
  for (const auto& [from, to] : ways) {
    if (from >= 0 && to >= 0 && from != to) graph += fmt::format("{} -> {};\n", from, to);
  }
  return graph + "}\n";
}

// Returns the layout made by Graphviz's `dot`, or nothing if it is not installed.
std::optional<Layout> graphviz_layout(const NetworkDescription& network, const std::set<std::pair<int, int>>& ways) {
  const auto run = io::impl::run_program({"dot", "-Tplain"}, graph_of(network.stations.size(), ways));
  if (!run || !run->succeeded) return std::nullopt;
  constexpr double max_width = 0.18, max_height = 0.17, shown_width = 0.88, shown_height = 0.94;
  Layout layout{0, 0, std::vector<Point>(network.stations.size()), {}};
  double graph_width = 1, graph_height = 1, x_scale = 1, y_scale = 1;
  const auto shown = [&](Point of_graph) {
    return Point{0.5 + (of_graph.x - graph_width / 2) * x_scale, 0.5 + (of_graph.y - graph_height / 2) * y_scale};
  };
  std::istringstream lines(run->output);
  std::string line, word;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    words >> word;
    if (word == "graph") {
      words >> word >> graph_width >> graph_height;
    } else if (word == "node") {
      std::size_t station = 0;
      Point at{};
      double width = 1, height = 1;
      words >> station >> at.x >> at.y >> width >> height;
      if (!words || station >= layout.stations.size()) return std::nullopt;
      x_scale = std::min(shown_width / graph_width, max_width / width);
      y_scale = std::min(shown_height / graph_height, max_height / height);
      layout.width = width * x_scale;
      layout.height = height * y_scale;
      layout.stations[station] = shown(at);
    } else if (word == "edge") {
      std::size_t from = 0, to = 0, count = 0;
      words >> from >> to >> count;
      std::vector<Point> controls(words ? count : 0);
      for (Point& control : controls) {
        words >> control.x >> control.y;
        control = shown(control);
      }
      if (!words || controls.size() < 4) return std::nullopt;
      layout.ways.push_back({sampled_curve(controls), layout.stations[to].x < layout.stations[from].x});
    }
  }
  return layout;
}

// Returns the mean of a response of a station, or nothing if the network lacks that response.
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
  const auto by_graphviz = graphviz_layout(network, ways);
  const Layout layout = by_graphviz ? *by_graphviz : grid_layout(network, ways);
  const double width = layout.width, height = layout.height;
  std::string script =
      io::picture_title(
          "Stations and their utilization",
          "grey: mean number of busy servers; red: utilization above 90 %; arrows: routes, dashed if backward", 0.03) +
      "unset border\nunset tics\nset key off\nset xrange [0:1]\nset yrange [0:1]\n"
      "set lmargin at screen 0.02\nset rmargin at screen 0.98\nset bmargin at screen 0.03\nset tmargin at screen "
      "0.87\n";
  const char* const style = "size screen 0.008,20 filled front linewidth 1.1 linecolor rgb '#5A6B7B'";
  const auto add_arrow = [&](Point from, Point to) {
    script += fmt::format("set arrow from {:.4f},{:.4f} to {:.4f},{:.4f} {}\n", from.x, from.y, to.x, to.y, style);
  };
  for (const auto& [from, to] : ways) {
    constexpr double length = 0.035;
    if (from < 0) {
      const Point& at = layout.stations[static_cast<std::size_t>(to)];
      add_arrow({at.x - width / 2 - length, at.y}, {at.x - width / 2, at.y});
    } else if (to < 0) {
      const Point& at = layout.stations[static_cast<std::size_t>(from)];
      const double y = at.y + 0.4 * height;  // above most other connections
      add_arrow({at.x + width / 2, y}, {at.x + width / 2 + length, y});
    }
  }
  std::string plots;
  for (std::size_t i = 0; i < layout.ways.size(); ++i) {
    const auto& [line, goes_back] = layout.ways[i];
    script += fmt::format("$way{} << END\n", i);
    for (const Point& point : line) script += fmt::format("{:.4f} {:.4f}\n", point.x, point.y);
    script += "END\n";
    plots += fmt::format("$way{} with lines linewidth 1.1 linecolor rgb '#5A6B7B'{} notitle, ", i,
                         goes_back ? " dashtype 2" : "");
    add_arrow(before_end(line), line.back());
  }
  for (std::size_t s = 0; s < layout.stations.size(); ++s) {
    const Point& place = layout.stations[s];
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
  return script + "plot " + plots + "NaN notitle\n";
}

std::string numbers_picture(const NetworkDescription& network, std::span<const NumberStep> steps, double end) {
  constexpr std::size_t max_panels = 8, max_columns = 1500;
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
  drawn.resize(std::min(count, max_panels));
  std::ranges::sort(drawn);
  const std::string left_out =
      drawn.size() < count ? fmt::format("; the {} of {} stations with the most", max_panels, count) : "";
  std::string script =
      io::quiet_axes() +
      io::picture_title("Customers at stations over time",
                        "customers waiting and in service in one replication; dashed: time average" + left_out, 0.11) +
      fmt::format("set xrange [0:{:.9g}]\nset lmargin at screen 0.17\nset rmargin at screen 0.97\n", end);
  std::vector<int> peaks;
  for (const std::size_t s : drawn) {
    // Keep the largest number in each column of the picture so that no peak is lost.
    std::vector<int> greatest(max_columns, 0);
    int number = 0;
    std::size_t column = 0;
    const auto advance = [&](double time) {
      const auto to = std::min(static_cast<std::size_t>(time / end * max_columns), max_columns - 1);
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
    for (std::size_t i = 0; i < max_columns; ++i)
      script += fmt::format("{:.6g} {}\n", static_cast<double>(i) * end / max_columns, greatest[i]);
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
