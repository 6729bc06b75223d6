// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resources that customers seize and release: checks, and what customers hold at each station.
#include <sporos/models/networks/network_data.hpp>
#include <sporos/models/networks/network_expect.hpp>
#include <sporos/models/networks/network_resources.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>

namespace sporos::models {

namespace {

std::string path_of(const NetworkResource& resource) { return "resources." + resource.name; }
std::string path_of_visit(const NetworkDescription& network, const NetworkStation& station, const char* member,
                          std::size_t c) {
  return fmt::format("stations.{}.{} ({})", station.name, member, network.classes[c].name);
}

const NetworkStation& station_of(const NetworkDescription& network, const HoldingVisit& visit) {
  return network.stations[static_cast<std::size_t>(visit.station)];
}

const NetworkVisit& visit_of(const NetworkDescription& network, const HoldingVisit& visit) {
  return station_of(network, visit).visits[static_cast<std::size_t>(visit.of_class)];
}

// Returns the units that a customer holds in its service.
std::vector<int> held_in_service(const NetworkDescription& network, const HoldingVisit& visit) {
  std::vector<int> held = visit.held;
  for (const auto& [r, units] : units_of(visit_of(network, visit).seize)) {
    int& of = held[static_cast<std::size_t>(r)];
    of = std::max(of, units);
  }
  return held;
}

// Returns the units that a customer holds after its service.
std::vector<int> held_after_service(const NetworkDescription& network, const HoldingVisit& visit) {
  std::vector<int> held = held_in_service(network, visit);
  for (const auto& [r, units] : units_of(visit_of(network, visit).release)) {
    int& of = held[static_cast<std::size_t>(r)];
    of = std::max(of - units, 0);
  }
  return held;
}

// Follows the routes of customers with what they hold.
class HoldingRoutes {
 public:
  explicit HoldingRoutes(const NetworkDescription& network) : m_network(network) {
    const std::vector<bool> reneging = reneging_visits(network);
    const std::vector<int> nothing(network.resources.size());
    for (std::size_t c = 0; c < network.classes.size(); ++c)
      follow(network.classes[c].enters, static_cast<int>(c), nothing);
    for (std::size_t next = 0; next < m_visits.size(); ++next) {
      const HoldingVisit now = m_visits[next];
      const NetworkStation& station = station_of(network, now);
      const NetworkVisit& visit = visit_of(network, now);
      follow(visit.next, now.of_class, held_after_service(network, now));
      const std::size_t place = static_cast<std::size_t>(now.station) * network.classes.size();
      if (reneging[place + static_cast<std::size_t>(now.of_class)]) follow(visit.reneging, now.of_class, now.held);
      follow({{.to = station.jockeying.to}}, now.of_class, now.held);
      if (visit.change) follow({{.to = {now.station}, .becomes = visit.change->becomes}}, now.of_class, now.held);
    }
  }

  std::vector<HoldingVisit> visits() && { return std::move(m_visits); }

 private:
  void follow(const NetworkRoute& route, int of_class, const std::vector<int>& held) {
    constexpr std::size_t most = 100'000;
    for (const NetworkBranch& branch : route) {
      for (const int to : branch.to) {
        const int becomes = branch.becomes.value_or(of_class);
        if (m_known.emplace(to, becomes, held).second) m_visits.push_back({to, becomes, held});
      }
    }
    expect(m_visits.size() <= most, "resources",
           fmt::format("are held in more than {} combinations, expected earlier releases", most));
  }

  const NetworkDescription& m_network;
  std::vector<HoldingVisit> m_visits;
  std::set<std::tuple<int, int, std::vector<int>>> m_known;
};

// Checks that nothing but servers and resources determines who is served at a station.
void check_seizing(const NetworkStation& station) {
  const std::string member = "stations." + station.name;
  expect(station.discipline == Discipline::first_in_first_out || station.discipline == Discipline::priority,
         member + ".discipline", "is given with seize, expected first-in-first-out or priority");
  const auto exclude = [&](bool is_given, const std::string& what) {
    expect(!is_given, member, fmt::format("has seize and {}, expected one of them", what));
  };
  exclude(station.group.has_value(), "group");
  exclude(station.breakdowns.has_value(), "breakdowns");
  exclude(!station.jockeying.to.empty(), "jockeying");
  exclude(station.waiting < unlimited, "waiting");
  exclude(station.shift_end != ShiftEnd::complete, "a shift_end that interrupts services");
  for (const NetworkVisit& visit : station.visits) {
    exclude(visit.has_balking_wait(), "balking_wait");
    exclude(visit.change.has_value(), "changes");
  }
}

void check_seizing_choice(const NetworkDescription& network, const NetworkRoute& route) {
  for (const NetworkBranch& branch : route) {
    for (const int to : branch.to) {
      const NetworkStation& station = network.stations[static_cast<std::size_t>(to)];
      expect(!station.seizes() || branch.to.size() == 1 || branch.choice == Choice::shortest,
             "stations." + station.name,
             "has seize and is one of several stations of a choice first-free, expected the choice shortest");
    }
  }
}

// Checks that customers seize each resource, and hold what they release.
void check_use(const NetworkDescription& network) {
  const std::vector<HoldingVisit> visits = holding_visits(network);
  std::set<int> seized;
  std::set<std::tuple<int, int, int>> held;  // station, class and resource in a service
  for (const HoldingVisit& visit : visits) {
    const std::vector<int> in_service = held_in_service(network, visit);
    for (const int r : visit_of(network, visit).seize) seized.insert(r);
    for (std::size_t r = 0; r < in_service.size(); ++r) {
      if (in_service[r] > 0) held.emplace(visit.station, visit.of_class, static_cast<int>(r));
    }
  }
  for (std::size_t r = 0; r < network.resources.size(); ++r) {
    expect(seized.contains(static_cast<int>(r)), path_of(network.resources[r]),
           "is never seized, expected its name in the member seize of a station");
  }
  // A list for all classes of a station needs one class that holds the resource.
  for (std::size_t s = 0; s < network.stations.size(); ++s) {
    const NetworkStation& station = network.stations[s];
    for (std::size_t c = 0; c < station.visits.size(); ++c) {
      for (const int r : station.visits[c].release) {
        const bool is_held = std::ranges::any_of(
            held, [&](const auto& of) { return std::get<0>(of) == static_cast<int>(s) && std::get<2>(of) == r; });
        expect(is_held, path_of_visit(network, station, "release", c),
               fmt::format("names {}, which customers do not hold there, expected a resource that they have seized",
                           io::in_quotes(network.resources[static_cast<std::size_t>(r)].name)));
      }
    }
  }
}

}  // namespace

std::map<int, int> units_of(const std::vector<int>& resources) {
  std::map<int, int> units;
  for (const int r : resources) ++units[r];
  return units;
}

std::vector<HoldingVisit> holding_visits(const NetworkDescription& network) { return HoldingRoutes(network).visits(); }

std::vector<int> least_held(const NetworkDescription& network, const std::vector<HoldingVisit>& visits, int r) {
  const std::size_t classes = network.classes.size();
  std::vector<int> least(network.stations.size() * classes, -1);
  for (const HoldingVisit& visit : visits) {
    const int held = held_in_service(network, visit)[static_cast<std::size_t>(r)];
    int& of = least[static_cast<std::size_t>(visit.station) * classes + static_cast<std::size_t>(visit.of_class)];
    of = of < 0 ? held : std::min(of, held);
  }
  for (int& of : least) of = std::max(of, 0);
  return least;
}

void check_units(const NetworkDescription& network) {
  for (const NetworkStation& station : network.stations) {
    for (std::size_t c = 0; c < station.visits.size(); ++c) {
      for (const auto& [r, units] : units_of(station.visits[c].seize)) {
        const NetworkResource& resource = network.resources[static_cast<std::size_t>(r)];
        expect(units <= resource.units, path_of(resource),
               fmt::format("is {}, expected at least {}, which customers of class {} seize at {}", resource.units,
                           units, io::in_quotes(network.classes[c].name), io::in_quotes(station.name)));
      }
    }
  }
}

void check_resources(const NetworkDescription& network) {
  expect(network.resources.size() <= static_cast<std::size_t>(max_resources), "resources",
         fmt::format("has {} members, expected at most {}", network.resources.size(), max_resources));
  if (network.resources.empty()) return;
  for (const NetworkResource& resource : network.resources) {
    expect(resource.units >= 1 && resource.units <= max_units, path_of(resource),
           fmt::format("is {}, expected a whole number from 1 to {}", resource.units, max_units));
    expect(std::ranges::none_of(network.roles, [&](const auto& role) { return role.name == resource.name; }),
           path_of(resource), "has the name of a role, expected another one");
  }
  for (const NetworkStation& station : network.stations) {
    if (station.seizes()) check_seizing(station);
    for (const NetworkVisit& visit : station.visits) {
      check_seizing_choice(network, visit.next);
      check_seizing_choice(network, visit.reneging);
    }
  }
  for (const NetworkClass& of : network.classes) check_seizing_choice(network, of.enters);
  check_units(network);
  check_use(network);
}

// A resource is a node. So are the servers and the places of each station, for which customers may wait, too. A node
// leads to what those wait for who occupy it.
std::vector<std::set<int>> waits_for_resources(const NetworkDescription& network,
                                               const std::vector<std::set<int>>& awaited) {
  const int resources = static_cast<int>(network.resources.size()), stations = static_cast<int>(awaited.size());
  const auto servers = [&](int s) { return resources + s; };
  const auto places = [&](int s) { return resources + stations + s; };
  std::vector<std::set<int>> graph(static_cast<std::size_t>(resources + 2 * stations));
  const auto add = [&](int from, int to) { graph[static_cast<std::size_t>(from)].insert(to); };
  for (int s = 0; s < stations; ++s) {
    add(places(s), servers(s));
    for (const int to : awaited[static_cast<std::size_t>(s)]) add(servers(s), places(to));
  }
  for (const HoldingVisit& visit : holding_visits(network)) {
    std::vector<int> missing;
    for (const auto& [r, units] : units_of(visit_of(network, visit).seize)) {
      if (visit.held[static_cast<std::size_t>(r)] < units) missing.push_back(r);
    }
    for (const int r : missing) add(places(visit.station), r);
    const std::vector<int> after = held_after_service(network, visit);
    for (int r = 0; r < resources; ++r) {
      if (visit.held[static_cast<std::size_t>(r)] > 0) {
        add(r, servers(visit.station));
        for (const int other : missing) add(r, other);
      }
      if (after[static_cast<std::size_t>(r)] == 0) continue;
      for (const int to : awaited[static_cast<std::size_t>(visit.station)]) add(r, places(to));
    }
  }
  return graph;
}

}  // namespace sporos::models
