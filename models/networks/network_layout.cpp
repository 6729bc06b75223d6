// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/networks/network_layout.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>

namespace sporos::models {

namespace {

using Ways = std::set<std::pair<int, int>>;

constexpr double row_gap = 0.35;  // inches between boxes of a column

// Returns the pairs of connected stations; −1 stands for the outside.
Ways ways_of(const NetworkDescription& network) {
  Ways ways;
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
      if (!visit.reneging.empty()) add(static_cast<int>(s), visit.reneging);
    }
    for (const int to : network.stations[s].jockeying.to) ways.emplace(static_cast<int>(s), to);
  }
  return ways;
}

// Returns for each station the smallest number of stations on a route to it.
std::vector<int> columns_of(const NetworkDescription& network, const Ways& ways) {
  std::vector<int> columns(network.stations.size(), -1), reached{-1};
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const int from = reached[next], column = from < 0 ? -1 : columns[static_cast<std::size_t>(from)];
    for (auto way = ways.lower_bound({from, 0}); way != ways.end() && way->first == from; ++way) {
      const int to = way->second;
      if (columns[static_cast<std::size_t>(to)] >= 0) continue;
      columns[static_cast<std::size_t>(to)] = column + 1;
      reached.push_back(to);
    }
  }
  for (int& column : columns) column = std::max(column, 0);
  return columns;
}

// Returns a straight connection between boxes in columns.
LayoutWay straight_way(const NetworkLayout& layout, const std::vector<int>& columns, std::size_t from, std::size_t to) {
  const LayoutPoint &a = layout.stations[from], &b = layout.stations[to];
  const double width = layout.box_width, height = layout.box_height;
  if (columns[from] == columns[to]) {
    const double side = a.y > b.y ? 1 : -1, x = a.x + 0.2 * side * width;
    return {{{x, a.y - side * height / 2}, {x, b.y + side * height / 2}}, false};
  }
  if (columns[from] < columns[to]) return {{{a.x + width / 2, a.y}, {b.x - width / 2, b.y}}, false};
  return {{{a.x - width / 2, a.y - height / 4}, {b.x + width / 2, b.y - height / 4}}, true};
}

// Places stations in columns by the smallest number of stations on a route to them.
void place_in_grid(NetworkLayout& layout, const NetworkDescription& network, const Ways& ways, double gap) {
  const std::vector<int> columns = columns_of(network, ways);
  std::map<int, int> rows;  // rows in each column
  int max_rows = 1;
  for (const int column : columns) max_rows = std::max(max_rows, ++rows[column]);
  layout.width = (rows.rbegin()->first + 1) * (layout.box_width + gap) - gap;
  layout.height = max_rows * (layout.box_height + row_gap) - row_gap;
  std::map<int, int> placed;
  for (const int column : columns) {
    layout.stations.push_back({layout.box_width / 2 + column * (layout.box_width + gap),
                               layout.height * (1 - (placed[column]++ + 0.5) / rows[column])});
  }
  for (const auto& [from, to] : ways) {
    if (from < 0 || to < 0 || from == to) continue;
    layout.ways.push_back(straight_way(layout, columns, static_cast<std::size_t>(from), static_cast<std::size_t>(to)));
  }
}

// Returns points on the cubic Bézier curves with these control points.
std::vector<LayoutPoint> sampled_curve(const std::vector<LayoutPoint>& controls) {
  constexpr int pieces = 12;
  std::vector<LayoutPoint> line{controls.front()};
  for (std::size_t first = 0; first + 3 < controls.size(); first += 3) {
    const LayoutPoint* const c = &controls[first];
    for (int piece = 1; piece <= pieces; ++piece) {
      const double t = static_cast<double>(piece) / pieces, s = 1 - t;
      const double w[] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
      line.push_back({w[0] * c[0].x + w[1] * c[1].x + w[2] * c[2].x + w[3] * c[3].x,
                      w[0] * c[0].y + w[1] * c[1].y + w[2] * c[2].y + w[3] * c[3].y});
    }
  }
  return line;
}

// Returns the graph of stations in Graphviz's language, with boxes from left to right.
std::string graph_of(const NetworkLayout& layout, std::size_t stations, const Ways& ways, double gap) {
  std::string graph = fmt::format(
      "digraph {{ rankdir=LR; nodesep={}; ranksep={};\n"
      "node [shape=box, fixedsize=true, width={}, height={}, label=\"\"]; edge [arrowhead=none];\n",
      row_gap, gap, layout.box_width, layout.box_height);
  for (std::size_t s = 0; s < stations; ++s) graph += fmt::format("{};\n", s);
  for (const auto& [from, to] : ways) {
    if (from >= 0 && to >= 0 && from != to) graph += fmt::format("{} -> {};\n", from, to);
  }
  return graph + "}\n";
}

// Reads a node in the plain output of `dot`. Returns false if the line is invalid.
bool read_node(std::istringstream& words, NetworkLayout& layout) {
  std::size_t station = 0;
  LayoutPoint at{};
  words >> station >> at.x >> at.y;
  if (!words || station >= layout.stations.size()) return false;
  layout.stations[station] = at;
  return true;
}

// Reads an edge in the plain output of `dot`, after all nodes. Returns false if the line is invalid.
bool read_edge(std::istringstream& words, NetworkLayout& layout) {
  std::size_t from = 0, to = 0, count = 0;
  words >> from >> to >> count;
  if (!words || std::max(from, to) >= layout.stations.size() || count < 4) return false;
  std::vector<LayoutPoint> controls(count);
  for (LayoutPoint& control : controls) words >> control.x >> control.y;
  layout.ways.push_back({sampled_curve(controls), layout.stations[to].x < layout.stations[from].x});
  return static_cast<bool>(words);
}

// Places stations by Graphviz's `dot`. Returns false if it is not installed or fails.
bool place_by_graphviz(NetworkLayout& layout, std::size_t stations, const Ways& ways, double gap) {
  const auto run = io::impl::run_program({"dot", "-Tplain"}, graph_of(layout, stations, ways, gap));
  if (!run || !run->succeeded) return false;
  layout.stations.resize(stations);
  std::istringstream lines(run->output);
  std::string line, word;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    words >> word;
    if (word == "graph" && !(words >> word >> layout.width >> layout.height)) return false;
    if (word == "node" && !read_node(words, layout)) return false;
    if (word == "edge" && !read_edge(words, layout)) return false;
  }
  return true;
}

}  // namespace

NetworkLayout network_layout(const NetworkDescription& network, double box_width, double box_height, double gap) {
  constexpr std::size_t max_ways = 250;  // dot takes seconds for 400, minutes for 800
  const Ways ways = ways_of(network);
  const NetworkLayout empty{0, 0, box_width, box_height, {}, {}, {}, {}};
  NetworkLayout layout = empty;
  if (ways.size() > max_ways || !place_by_graphviz(layout, network.stations.size(), ways, gap)) {
    layout = empty;
    place_in_grid(layout, network, ways, gap);
  }
  for (const auto& [from, to] : ways) {
    if (from < 0) layout.entries.push_back(to);
    if (to < 0) layout.exits.push_back(from);
  }
  return layout;
}

}  // namespace sporos::models
