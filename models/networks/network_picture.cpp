// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/networks/network_picture.hpp>

#include <sporos/models/networks/network_data.hpp>
#include <sporos/models/networks/network_layout.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>
#include <sporos/core/io/picture_parts.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sporos::models {

namespace {

// Returns a point of the line far enough from its end for an arrowhead.
LayoutPoint before_end(const std::vector<LayoutPoint>& line) {
  constexpr double length = 0.015;
  std::size_t place = line.size() - 1;
  while (place > 0 && std::hypot(line[place].x - line.back().x, line[place].y - line.back().y) < length) --place;
  return line[place];
}

// Returns the layout as fractions of the picture. Boxes are not wider or higher than shares of it.
NetworkLayout unit_layout(NetworkLayout layout) {
  constexpr double max_width = 0.18, max_height = 0.17, shown_width = 0.88, shown_height = 0.94;
  const double x_scale = std::min(shown_width / layout.width, max_width / layout.box_width);
  const double y_scale = std::min(shown_height / layout.height, max_height / layout.box_height);
  const auto shown = [&](LayoutPoint& point) {
    point = {0.5 + (point.x - layout.width / 2) * x_scale, 0.5 + (point.y - layout.height / 2) * y_scale};
  };
  for (LayoutPoint& station : layout.stations) shown(station);
  for (LayoutWay& way : layout.ways) std::ranges::for_each(way.line, shown);
  layout.box_width *= x_scale;
  layout.box_height *= y_scale;
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

// Returns the utilization of each resource as text.
std::string resources_text(const NetworkDescription& network, std::span<const double> means) {
  const auto responses = network_responses(network);
  std::string text;
  for (std::size_t i = 0; i < responses.size(); ++i) {
    if (responses[i].what != Observation::resource_usage) continue;
    const NetworkResource& resource = network.resources[static_cast<std::size_t>(responses[i].limit)];
    text +=
        fmt::format("{}{}: {:.0f} % of {}", text.empty() ? "" : ", ", resource.name, 100 * means[i], resource.units);
  }
  return text;
}

std::string quoted(const std::string& text) { return io::in_gnuplot_quotes(text); }

}  // namespace

std::string network_picture(const NetworkDescription& network, std::span<const double> means) {
  const NetworkLayout layout = unit_layout(network_layout(network, 1.5, 0.9, 1));
  const double width = layout.box_width, height = layout.box_height;
  std::string script =
      io::picture_title(
          "Stations and their utilization",
          "grey: mean number of busy servers; red: utilization above 90 %; arrows: routes, dashed if backward", 0.03) +
      "unset border\nunset tics\nset key off\nset xrange [0:1]\nset yrange [0:1]\n"
      "set lmargin at screen 0.02\nset rmargin at screen 0.98\nset bmargin at screen 0.03\nset tmargin at screen "
      "0.87\n";
  const char* const style = "size screen 0.008,20 filled front linewidth 1.1 linecolor rgb '#5A6B7B'";
  const auto add_arrow = [&](LayoutPoint from, LayoutPoint to) {
    script += fmt::format("set arrow from {:.4f},{:.4f} to {:.4f},{:.4f} {}\n", from.x, from.y, to.x, to.y, style);
  };
  constexpr double length = 0.035;  // of arrows from and to the outside
  for (const int station : layout.entries) {
    const LayoutPoint& at = layout.stations[static_cast<std::size_t>(station)];
    add_arrow({at.x - width / 2 - length, at.y}, {at.x - width / 2, at.y});
  }
  for (const int station : layout.exits) {
    const LayoutPoint& at = layout.stations[static_cast<std::size_t>(station)];
    const double y = at.y + 0.4 * height;  // above most other connections
    add_arrow({at.x + width / 2, y}, {at.x + width / 2 + length, y});
  }
  std::string plots;
  for (std::size_t i = 0; i < layout.ways.size(); ++i) {
    const auto& [line, goes_back] = layout.ways[i];
    script += fmt::format("$way{} << END\n", i);
    for (const LayoutPoint& point : line) script += fmt::format("{:.4f} {:.4f}\n", point.x, point.y);
    script += "END\n";
    plots += fmt::format("$way{} with lines linewidth 1.1 linecolor rgb '#5A6B7B'{} notitle, ", i,
                         goes_back ? " dashtype 2" : "");
    add_arrow(before_end(line), line.back());
  }
  for (std::size_t s = 0; s < layout.stations.size(); ++s) {
    const LayoutPoint& place = layout.stations[s];
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
    const double line = std::min(0.042, height / 3.4), text_scale = std::min(1.0, width / 0.1);
    const auto label = [&](const std::string& text, double y, double size, const char* how) {
      script += fmt::format("set label {} at {:.4f},{:.4f} center font ',{:.2g}' {} front\n", quoted(text), place.x, y,
                            size * text_scale, how);
    };
    label(network.stations[s].name, place.y + line, 13, "");
    label(below, place.y, 11, "textcolor rgb '#303030'");
    label(last, place.y - line, 11, "textcolor rgb '#303030'");
  }
  const std::string resources = resources_text(network, means);
  if (!resources.empty())
    script += fmt::format("set label {} at screen 0.5,0.018 center font ',11' front\n", quoted(resources));
  return script + "plot " + plots + "NaN notitle\n";
}

}  // namespace sporos::models
