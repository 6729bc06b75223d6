// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/json.hpp>
#include <sporos/core/io/json_text.hpp>
#include <sporos/core/io/number.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace sporos::test {

/// Writes random network cases, which use every member of a case.
class NetworkGrammar {
 public:
  explicit NetworkGrammar(std::uint32_t seed) : m_engine(seed) {}

  int below(int count) { return static_cast<int>(m_engine() % static_cast<std::uint32_t>(count)); }
  bool one_in(int count) { return below(count) == 0; }
  double number(double low, double high) {
    return low + (high - low) * (static_cast<double>(m_engine()) / 4294967296.0);
  }

  io::Json network() {
    const int classes = 1 + below(3), stations = 1 + below(4);
    io::Json json = {{"time_unit", "min"}, {"horizon", number(5, 40)}};
    if (one_in(2)) json["warm_up"] = number(0, 4);
    if (one_in(4)) json["wait_quantiles"] = {number(0, 0.5), number(0.5, 1)};
    if (one_in(3)) json["wait_limits"] = {number(0, 1), number(1, 5)};
    if (one_in(3)) json["time_limits"] = {number(0, 3), number(3, 9)};
    if (one_in(3)) json["time_quantiles"] = {number(0, 0.5), number(0.5, 1)};
    if (one_in(3)) json["number_limits"] = {0, 3};
    if (one_in(3)) json["maxima"] = true;
    if (one_in(2)) json["periods"] = {0};
    if (one_in(4)) json["periods"] = {{"every", number(5, 9)}, {"responses", {"number", "wait"}}};
    for (int c = 0; c < classes; ++c) json["classes"][name_of_class(c)] = customer_class(stations);
    for (int s = 0; s < stations; ++s) json["stations"][name_of_station(s)] = station(s, classes, stations);
    add_resources(json);
    add_impatience(json, classes, stations);
    add_staff(json, classes);
    if (one_in(4)) {
      json["areas"]["x"] = {{"room", 1 + below(9)}, {"stations", {name_of_station(below(stations))}}};
      if (one_in(2)) json["areas"]["x"].erase("stations");
      if (one_in(2)) json["areas"]["x"]["full"] = "block";
    }
    if (!json.contains("warm_up") && one_in(3)) json["until"] = {{"number", 2 + below(9)}};
    if (!json.contains("warm_up") && one_in(4)) json["until"] = {{"empty_after", number(0, 5)}};
    if (json.contains("until")) json.erase("periods");
    return json;
  }

 private:
  static std::string name_of_class(int c) { return "c" + std::to_string(c); }
  static std::string name_of_station(int s) { return "s" + std::to_string(s); }

  io::Json duration(double mean) {
    const std::string text = io::shortest_text(mean), rate = io::shortest_text(1 / mean);
    switch (below(6)) {
      case 0:
        return mean;
      case 1:
        return "exponential(" + rate + ")";
      case 2:
        return "uniform(0, " + io::shortest_text(2 * mean) + ")";
      case 3:
        return "exponential(" + io::shortest_text(60 / mean) + ") h";
      case 4:
        return "discrete(0:0.5, " + io::shortest_text(2 * mean) + ":0.5)";
      default:
        return "erlang(2, " + io::shortest_text(2 / mean) + ")";
    }
  }

  io::Json customer_class(int stations) {
    io::Json json = {
        {"enters", one_in(2) ? io::Json(name_of_station(below(stations))) : io::Json({branch(stations, 1)})}};
    if (one_in(4)) {
      json["population"] = 1 + below(5);
    } else if (one_in(4)) {
      json["arrivals"] = {0, number(0, 2), number(2, 4), number(4, 5)};
      if (one_in(2)) json["lateness"] = one_in(2) ? "normal(-1, 2)" : "uniform(-1, 1)";
      if (one_in(2)) json["no_shows"] = number(0, 0.5);
      if (one_in(2)) json["cycle"] = number(5, 9);
    } else if (one_in(3)) {
      json["rates"] = {{{"from", 0}, {"rate", number(0, 1)}}, {{"from", 3}, {"rate", "12 / h"}}};
      if (one_in(2)) json["cycle"] = number(4, 9);
    } else {
      json["interarrival"] = duration(number(0.5, 5));
      if (one_in(4)) json["batch"] = "uniform-integer(1, 3)";
    }
    if (one_in(2)) json["priority"] = below(3);
    return json;
  }

  io::Json branch(int stations, double probability) {
    io::Json json = {{"to", name_of_station(below(stations))}, {"probability", probability}};
    if (one_in(4)) json["to"] = {name_of_station(below(stations)), name_of_station(below(stations))};
    return json;
  }

  // Routes to full stations that block only lead onwards.
  io::Json station(int s, int classes, int stations) {
    constexpr const char* disciplines[] = {"first-in-first-out", "last-in-first-out",  "priority",
                                           "preemptive",         "preemptive-restart", "preemptive-resample",
                                           "processor-sharing"};
    const int discipline = below(7);
    const bool preempts = discipline >= 3 && discipline <= 5, shares = discipline == 6;
    io::Json json = {{"discipline", disciplines[discipline]}};
    if (one_in(6)) {
      json["service"] = {duration(number(0.1, 1)), duration(number(0.1, 1))};
    } else if (one_in(2)) {
      json["service"] = duration(number(0.1, 2));
    } else {
      for (int c = 0; c < classes; ++c) json["service"][name_of_class(c)] = duration(number(0.1, 2));
    }
    const bool has_room = one_in(3);
    if (has_room) json["room"] = 1 + below(6);
    if (has_room && one_in(2)) json["full"] = "block";
    const bool is_staffed = (discipline == 0 || discipline == 2) && one_in(3);
    if (is_staffed) {
      json["roles"] = {"r0"};
      if (one_in(2)) json["roles"] = {"r1", "r0"};
    } else if (!shares && one_in(4)) {
      json["shifts"] = {{{"from", 0}, {"servers", below(2)}}, {{"from", 2}, {"servers", 1 + below(3)}}};
      if (one_in(2)) json["cycle"] = number(3, 9);
      constexpr const char* ends[] = {"complete", "resume", "restart", "resample"};
      if (one_in(2)) json["shift_end"] = ends[below(4)];
    } else if (!shares && one_in(6)) {
      json["speeds"] = {number(0.5, 1), number(1, 2)};
    } else {
      json["servers"] = one_in(6) ? io::Json("unlimited") : io::Json(1 + below(3));
    }
    if (!shares && !is_staffed && !json.contains("shifts") && json.value("servers", io::Json()) != "unlimited" &&
        one_in(4))
      json["breakdowns"] = {{"up", duration(3)}, {"down", io::Json::array({duration(0.5), duration(0.5)})}};
    const bool interrupts = preempts || is_staffed || json.contains("breakdowns") || json.contains("shift_end");
    if (!shares && !interrupts && one_in(4)) {
      json["group"] = {{"most", 1 + below(4)}, {"least", 1}, {"every", number(1, 5)}};
      if (!has_room) json["group"].erase("least");
      if (one_in(2)) json["group"]["after"] = number(0, 2);
    }
    if (!shares && one_in(3)) json["patience"] = duration(number(0.5, 5));
    if (one_in(3)) json["speed"] = number(0.5, 2);
    if (s + 1 < stations && one_in(2))
      json["next"] = {{{"to", name_of_station(s + 1)}, {"probability", number(0.1, 1)}}};
    if (one_in(4)) json["next"] = {branch(stations, number(0.1, 0.9))};
    return json;
  }

  // Lets customers seize resources, and release them at once, later or never.
  void add_resources(io::Json& json) {
    if (!one_in(3)) return;
    io::Json resources = io::Json::object();
    for (auto& station : json["stations"]) {
      const bool excludes = station.contains("group") || station.contains("breakdowns") ||
                            station.value("shift_end", "complete") != "complete";
      const std::string discipline = station["discipline"];
      if (excludes || (discipline != "first-in-first-out" && discipline != "priority")) continue;
      constexpr const char* lists[] = {R"(["x0"])", R"(["x1"])", R"(["x0", "x1"])", R"(["x1", "x1"])"};
      station["seize"] = io::parse_json("JSON", lists[below(4)]);
      for (const auto& name : station["seize"]) resources[name.get<std::string>()] = 2 + below(3);
      if (one_in(2)) station["release"] = station["seize"];
      if (one_in(2)) station.erase("servers");
    }
    if (resources.empty()) return;
    for (auto& station : json["stations"]) {
      if (one_in(4)) station["release"] = io::Json::array({resources.begin().key()});
    }
    json["resources"] = resources;
  }

  // Lets customers balk, renege to stations, jockey and change their class.
  void add_impatience(io::Json& json, int classes, int stations) {
    std::vector<io::Json> queues;  // stations from and to which customers can jockey
    for (const auto& [name, station] : json["stations"].items()) {
      const bool waits = station.value("servers", io::Json()) != "unlimited" &&
                         station["discipline"] != "processor-sharing" && !station.contains("roles") &&
                         !station.contains("seize");
      if (waits && !station.contains("group")) queues.push_back(name);
      if (one_in(4)) station["balking"] = {0, number(0, 0.5), number(0.5, 1)};
      if (one_in(8)) station["balking"] = {{name_of_class(below(classes)), {number(0, 1)}}};
      if (waits && !station.contains("group") && one_in(4)) station["balking_wait"] = duration(number(0.5, 5));
      if (station.contains("patience") && one_in(2))
        station["reneging"] =
            one_in(2) ? io::Json({branch(stations, 0.7)}) : io::Json(name_of_station(below(stations)));
      if (waits && classes > 1 && one_in(3)) {
        station["changes"] = {{"c0", {{"after", duration(number(0.1, 2))}, {"becomes", "c1"}}}};
        if (one_in(2)) station["changes"]["c1"] = {{"after", duration(number(0.1, 2))}, {"becomes", "c0"}};
      }
    }
    if (queues.size() < 2 || !one_in(2)) return;
    for (std::size_t i = 0; i < queues.size(); ++i) {
      io::Json to = io::Json::array({queues[(i + 1) % queues.size()]});
      if (one_in(2)) to = {{"to", to}, {"difference", 2 + below(2)}};
      if (one_in(2)) json["stations"][queues[i].get<std::string>()]["jockeying"] = to;
    }
  }

  // Adds the roles of stations.
  void add_staff(io::Json& json, int classes) {
    io::Json staff = io::Json::object();
    for (const auto& [name, station] : json["stations"].items()) {
      if (!station.contains("roles")) continue;
      for (const auto& role : station["roles"]) {
        const auto role_name = role.get<std::string>();
        if (!staff.contains(role_name)) staff[role_name] = role_at(name, classes);
      }
    }
    if (staff.empty()) return;
    json["staff"] = staff;
    if (one_in(2)) json["cool_down"] = number(0.1, 0.9);
    if (one_in(4)) json["most_people"] = 100;
  }

  io::Json role_at(const std::string& station, int classes) {
    io::Json json = {{"starts", {below(3), 1 + below(2), below(3)}}, {"shift", number(2, 5)}, {"cost", "20 / h"}};
    json["cycle"] = number(3, 9);
    if (one_in(2)) json["breaks"] = {{{"after", number(0.1, 0.9)}, {"length", number(0.1, 1)}}};
    if (one_in(4)) json["breaks"].push_back({{"after", number(1, 1.9)}, {"length", "9 min"}});
    if (one_in(2)) json["cost_factors"] = {{{"from", 0}, {"factor", 1}}, {{"from", 2}, {"factor", 1.2}}};
    if (one_in(2)) json["overtime_factor"] = number(0, 2);
    if (one_in(2)) json["takes"] = {name_of_class(below(classes)) + " at " + station};
    return json;
  }

  std::mt19937 m_engine;
};

}  // namespace sporos::test
