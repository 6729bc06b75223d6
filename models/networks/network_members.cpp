// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/networks/network_case.hpp>
#include <sporos/models/networks/network_expect.hpp>
#include <sporos/models/networks/network_resources.hpp>
#include <sporos/models/networks/network_roles.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace sporos::models {

void NetworkMember::check(double number) const {
  const bool is_positive =
      kind == Kind::servers || kind == Kind::room || kind == Kind::area_room || kind == Kind::resource;
  const double least = is_positive ? 1 : 0, most = kind == Kind::priority ? 1000 : 1e6;
  if (is_whole()) {
    expect(number == std::floor(number) && number >= least && number <= most, name,
           fmt::format("is {}, expected a whole number from {} to {}", io::shortest_text(number), least, most));
  } else if (kind == Kind::probability) {
    expect(number >= 0 && number <= 1, name,
           fmt::format("is {}, expected a number from 0 to 1", io::shortest_text(number)));
  } else {
    expect(std::isfinite(number) && number > 0, name,
           fmt::format("is {}, expected a positive finite number", io::shortest_text(number)));
  }
}

std::vector<NetworkMember> network_members(const NetworkDescription& network) {
  std::vector<NetworkMember> members;
  using Kind = NetworkMember::Kind;
  int tracked_servers = 0;
  for (std::size_t i = 0; i < network.stations.size(); ++i) {
    const NetworkStation& station = network.stations[i];
    const std::string path = "stations." + station.name + ".";
    const int owner = static_cast<int>(i);
    if (station.servers < unlimited && station.shifts.steps.empty() && !station.tracks_servers()) {
      members.push_back({path + "servers", Kind::servers, owner, static_cast<double>(station.servers), "", "servers"});
    }
    if (station.room < unlimited) {
      members.push_back({path + "room", Kind::room, owner, static_cast<double>(station.room), "",
                         "places for waiting and served customers"});
    }
    if (station.waiting < unlimited) {
      members.push_back(
          {path + "waiting", Kind::waiting, owner, static_cast<double>(station.waiting), "", "waiting places"});
    }
    members.push_back({path + "speed", Kind::speed, owner, station.speed, "", "factor of the service speed"});
    for (std::size_t server = 0; server < station.speeds.size(); ++server) {
      members.push_back({fmt::format("{}speeds.{}", path, server + 1), Kind::server_speed,
                         tracked_servers + static_cast<int>(server), station.speeds[server], "",
                         "factor of the speed of this server"});
    }
    if (station.tracks_servers()) tracked_servers += station.servers;
  }
  int branches = 0;  // branches of the previous classes, numbered as in NetworkTables
  for (std::size_t i = 0; i < network.classes.size(); ++i) {
    const NetworkClass& of = network.classes[i];
    const std::string path = "classes." + of.name + ".";
    const int owner = static_cast<int>(i);
    for (std::size_t branch = 0; of.enters.size() > 1 && branch < of.enters.size(); ++branch) {
      members.push_back({fmt::format("{}enters.{}.probability", path, branch + 1), Kind::probability,
                         branches + static_cast<int>(branch), of.enters[branch].probability, "",
                         "probability of this branch, relative to the sum of all"});
    }
    branches += static_cast<int>(of.enters.size());
    members.push_back({path + "priority", Kind::priority, owner, static_cast<double>(of.priority), "",
                       "smaller values are served first"});
    if (of.interarrival || !of.rates.steps.empty()) {
      members.push_back(
          {path + "arrival_speed", Kind::arrival_speed, owner, of.arrival_speed, "", "factor of the arrival rate"});
    }
  }
  for (std::size_t i = 0; i < network.areas.size(); ++i) {
    members.push_back({"areas." + network.areas[i].name + ".room", Kind::area_room, static_cast<int>(i),
                       static_cast<double>(network.areas[i].room), "", "places for customers in the area"});
  }
  int slots = 0;
  for (const NetworkRole& role : network.roles) {
    for (std::size_t slot = 0; slot < role.starts.size(); ++slot) {
      members.push_back({fmt::format("staff.{}.starts.{}", role.name, slot + 1), Kind::starts, slots++,
                         static_cast<double>(role.starts[slot]), "", "people who start a shift in this slot"});
    }
  }
  for (std::size_t i = 0; i < network.resources.size(); ++i) {
    members.push_back({"resources." + network.resources[i].name, Kind::resource, static_cast<int>(i),
                       static_cast<double>(network.resources[i].units), "", "units of the resource"});
  }
  return members;
}

namespace {

// The parts that members name by their numbers among all of a network.
struct NumberedParts {
  explicit NumberedParts(NetworkDescription& network) {
    for (NetworkStation& station : network.stations) {
      for (int server = 0; station.tracks_servers() && server < station.servers; ++server)
        speeds.push_back(station.speeds.empty() ? nullptr : &station.speeds[static_cast<std::size_t>(server)]);
    }
    for (NetworkClass& of : network.classes) {
      for (NetworkBranch& branch : of.enters) branches.push_back(&branch);
    }
    for (NetworkRole& role : network.roles) {
      for (int& people : role.starts) starts.push_back(&people);
    }
  }

  std::vector<double*> speeds;  // of the tracked servers; null if the station has none
  std::vector<NetworkBranch*> branches;
  std::vector<int*> starts;
};

void set(NetworkDescription& network, const NumberedParts& parts, const NetworkMember& member, double value) {
  const auto owner = static_cast<std::size_t>(member.owner);
  switch (member.kind) {
    case NetworkMember::Kind::servers:
      network.stations[owner].servers = static_cast<int>(value);
      break;
    case NetworkMember::Kind::room:
      network.stations[owner].room = static_cast<int>(value);
      break;
    case NetworkMember::Kind::waiting:
      network.stations[owner].waiting = static_cast<int>(value);
      break;
    case NetworkMember::Kind::speed:
      network.stations[owner].speed = value;
      break;
    case NetworkMember::Kind::priority:
      network.classes[owner].priority = static_cast<int>(value);
      break;
    case NetworkMember::Kind::arrival_speed:
      network.classes[owner].arrival_speed = value;
      break;
    case NetworkMember::Kind::area_room:
      network.areas[owner].room = static_cast<int>(value);
      break;
    case NetworkMember::Kind::server_speed:
      *parts.speeds[owner] = value;
      break;
    case NetworkMember::Kind::starts:
      *parts.starts[owner] = static_cast<int>(value);
      break;
    case NetworkMember::Kind::resource:
      network.resources[owner].units = static_cast<int>(value);
      break;
    case NetworkMember::Kind::probability:
      parts.branches[owner]->probability = value;
      break;
  }
}

// Divides the probabilities of branches by their sum if any differs from that of `before`.
void normalize(NetworkRoute& branches, const NetworkRoute& before) {
  double sum = 0;
  bool is_changed = false;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    sum += branches[i].probability;
    is_changed = is_changed || branches[i].probability != before[i].probability;
  }
  if (!is_changed || !(sum > 0)) return;
  for (NetworkBranch& branch : branches) branch.probability /= sum;
}

}  // namespace

NetworkDescription with_members(const NetworkDescription& network, std::span<const double> values) {
  NetworkDescription changed = network;
  const NumberedParts parts(changed);
  const std::vector<NetworkMember> members = network_members(network);
  for (std::size_t i = 0; i < std::min(members.size(), values.size()); ++i) {
    if (values[i] != members[i].value) set(changed, parts, members[i], values[i]);
  }
  for (std::size_t c = 0; c < changed.classes.size(); ++c)
    normalize(changed.classes[c].enters, network.classes[c].enters);
  return changed;
}

void check_network_members(const NetworkDescription& network, std::span<const double> values) {
  const NetworkDescription changed = with_members(network, values);
  if (!network.roles.empty()) check_people(changed, most_people_of(network));
  check_units(changed);
  for (const NetworkClass& of : changed.classes) {
    const bool can_enter =
        of.enters.empty() || std::ranges::any_of(of.enters, [](const auto& branch) { return branch.probability > 0; });
    expect(can_enter, "classes." + of.name + ".enters", "has only probabilities of 0, expected a positive one");
  }
}
}  // namespace sporos::models
