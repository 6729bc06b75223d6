// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Roles, shifts and pay of the people in a case: checks and sizes.
#include <sporos/models/networks/network_case.hpp>
#include <sporos/models/networks/network_expect.hpp>
#include <sporos/models/networks/network_roles.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/replication/replication_length.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace sporos::models {

namespace {

constexpr std::size_t max_slots = 1000, max_breaks_of_shift = 100;

void require_number(bool is_good, const std::string& member, double number, const std::string& expected) {
  expect(is_good, member, fmt::format("is {}, expected {}", io::shortest_text(number), expected));
}

std::string path_of(const NetworkRole& role) { return "staff." + role.name; }
std::string path_of(const NetworkStation& station) { return "stations." + station.name; }

void check_starts(const NetworkRole& role) {
  const std::string member = path_of(role) + ".starts";
  expect(!role.starts.empty() && role.starts.size() <= max_slots, member,
         fmt::format("has {} numbers, expected 1 to {}", role.starts.size(), max_slots));
  for (std::size_t i = 0; i < role.starts.size(); ++i) {
    require_number(role.starts[i] >= 0 && role.starts[i] <= max_people, fmt::format("{}[{}]", member, i),
                   role.starts[i], fmt::format("a whole number from 0 to {}", max_people));
  }
}

void check_shift(const NetworkRole& role) {
  const std::string member = path_of(role);
  require_number(std::isfinite(role.cycle) && role.cycle > 0, member + ".cycle", role.cycle, "a time above 0");
  require_number(std::isfinite(role.shift) && role.shift > 0, member + ".shift", role.shift, "a time above 0");
  expect(role.breaks.size() <= max_breaks_of_shift, member + ".breaks",
         fmt::format("has {} breaks, expected at most {}", role.breaks.size(), max_breaks_of_shift));
  double last = 0;
  for (std::size_t i = 0; i < role.breaks.size(); ++i) {
    const auto& [after, length] = role.breaks[i];
    const std::string path = fmt::format("{}.breaks[{}]", member, i);
    require_number(after > last && after < role.shift, path + ".after", after,
                   fmt::format("a time between {} and the end of the shift, {}", io::shortest_text(last),
                               io::shortest_text(role.shift)));
    require_number(std::isfinite(length) && length > 0, path + ".length", length, "a time above 0");
    last = after;
  }
}

void check_pay(const NetworkRole& role) {
  const std::string member = path_of(role);
  require_number(std::isfinite(role.cost) && role.cost >= 0, member + ".cost", role.cost, "a rate of at least 0");
  require_number(std::isfinite(role.overtime_factor) && role.overtime_factor >= 0, member + ".overtime_factor",
                 role.overtime_factor, "a number of at least 0");
  double last = 0;
  for (std::size_t i = 0; i < role.cost_factors.size(); ++i) {
    const auto& [from, factor] = role.cost_factors[i];
    const std::string path = fmt::format("{}.cost_factors[{}]", member, i);
    require_number(i == 0 ? from == 0 : from > last && from < role.cycle, path + ".from", from,
                   i == 0 ? "0 in the first entry"
                          : fmt::format("a time between {} and the cycle, {}", io::shortest_text(last),
                                        io::shortest_text(role.cycle)));
    require_number(std::isfinite(factor) && factor >= 0, path + ".factor", factor, "a number of at least 0");
    last = from;
  }
}

bool serves(const NetworkDescription& network, std::size_t role, const NetworkWork& work) {
  const auto& visits = network.stations[static_cast<std::size_t>(work.station)].visits;
  for (std::size_t c = 0; c < visits.size(); ++c) {
    if (!visits[c].service || (work.of_class >= 0 && static_cast<std::size_t>(work.of_class) != c)) continue;
    if (std::ranges::find(visits[c].roles, static_cast<int>(role)) != visits[c].roles.end()) return true;
  }
  return false;
}

void check_work(const NetworkDescription& network, std::size_t r) {
  const NetworkRole& role = network.roles[r];
  bool has_work = false;
  for (int s = 0; s < static_cast<int>(network.stations.size()); ++s)
    has_work = has_work || serves(network, r, {s, -1});
  expect(has_work, path_of(role), "serves nowhere, expected its name in the member roles of a station");
  for (std::size_t i = 0; i < role.takes.size(); ++i) {
    expect(serves(network, r, role.takes[i]), fmt::format("{}.takes[{}]", path_of(role), i),
           fmt::format("is work at {} that the role does not do, expected the role in the member roles there",
                       io::in_quotes(network.stations[static_cast<std::size_t>(role.takes[i].station)].name)));
  }
}

// Checks that nothing else determines who serves at a station with roles.
void check_station(const NetworkDescription& network, const NetworkStation& station) {
  const std::string member = path_of(station);
  expect(station.discipline == Discipline::first_in_first_out || station.discipline == Discipline::priority,
         member + ".discipline", "is given with roles, expected first-in-first-out or priority");
  const auto exclude = [&](bool is_given, const std::string& what) {
    expect(!is_given, member, fmt::format("has roles and {}, expected one of them", what));
  };
  exclude(station.group.has_value(), "group");
  exclude(station.breakdowns.has_value(), "breakdowns");
  exclude(!station.jockeying.to.empty(), "jockeying");
  for (std::size_t c = 0; c < station.visits.size(); ++c) {
    const NetworkVisit& visit = station.visits[c];
    exclude(visit.has_balking_wait(), "balking_wait");
    exclude(visit.change.has_value(), "changes");
    expect(!visit.service || !visit.roles.empty(), member + ".roles",
           fmt::format("has none for customers of class {}, expected at least one",
                       io::in_quotes(network.classes[c].name)));
    std::vector<int> roles = visit.roles;
    std::ranges::sort(roles);
    expect(std::ranges::adjacent_find(roles) == roles.end(), member + ".roles", "names a role twice, expected it once");
  }
}

void check_choice(const NetworkDescription& network, const NetworkRoute& route) {
  for (const NetworkBranch& branch : route) {
    for (const int to : branch.to) {
      const NetworkStation& station = network.stations[static_cast<std::size_t>(to)];
      expect(!station.has_roles() || branch.to.size() == 1 || branch.choice == Choice::shortest, path_of(station),
             "has roles and is one of several stations of a choice first-free, expected the choice shortest");
    }
  }
}

void check_cool_down(const NetworkDescription& network) {
  const double cool_down = network.cool_down;
  if (cool_down == 0) return;
  expect(!network.roles.empty(), "cool_down", "is given without staff, expected both");
  expect(std::isfinite(network.horizon), "cool_down", "is given without horizon, expected both");
  require_number(cool_down > 0 && cool_down < network.horizon - network.warm_up, "cool_down", cool_down,
                 fmt::format("a time from 0 to less than horizon minus warm_up, {}",
                             io::shortest_text(network.horizon - network.warm_up)));
}

}  // namespace

void check_roles(const NetworkDescription& network) {
  check_cool_down(network);
  expect(network.most_people == 0 || !network.roles.empty(), "most_people", "is given without staff, expected both");
  for (const NetworkStation& station : network.stations) {
    if (station.has_roles()) check_station(network, station);
    for (const NetworkVisit& visit : station.visits) {
      check_choice(network, visit.next);
      check_choice(network, visit.reneging);
    }
  }
  for (const NetworkClass& of : network.classes) check_choice(network, of.enters);
  for (std::size_t r = 0; r < network.roles.size(); ++r) {
    const NetworkRole& role = network.roles[r];
    check_starts(role);
    check_shift(role);
    check_pay(role);
    check_work(network, r);
    if (std::isfinite(network.horizon))
      check_expected_steps(path_of(role) + ": number of slots", network.horizon / role.slot());
  }
  check_people(network, most_people_of(network));
}

void check_people(const NetworkDescription& network, int most) {
  const double people = most_scheduled_people(network);
  expect(people <= most, "staff",
         fmt::format("has up to {} people at the same time, expected at most {}, the value of most_people",
                     io::shortest_text(people), most));
}

double most_scheduled_people(const NetworkDescription& network) {
  double sum = 0;
  for (const NetworkRole& role : network.roles) {
    const std::size_t slots = role.starts.size();
    double most = 0;
    for (std::size_t now = 0; now < slots; ++now) {
      double people = 0;
      for (std::size_t slot = 0; slot < slots; ++slot) {
        const double since = role.slot() * static_cast<double>((now + slots - slot) % slots);
        people += role.starts[slot] * std::max(std::ceil((role.shift - since) / role.cycle), 0.0);
      }
      most = std::max(most, people);
    }
    sum += most;
  }
  return sum;
}

int most_people_of(const NetworkDescription& network) {
  if (network.roles.empty()) return 0;
  if (network.most_people > 0) return static_cast<int>(network.most_people);
  return static_cast<int>(std::clamp(4 * most_scheduled_people(network), 1024.0, double{max_people}));
}

double average_people(const NetworkRole& role) {
  double paid = role.shift, starts = 0;
  for (const NetworkBreak& pause : role.breaks) paid -= std::min(pause.length, role.shift - pause.after);
  for (const int people : role.starts) starts += people;
  return starts * std::max(paid, 0.0) / role.cycle;
}

std::vector<NetworkWork> work_of(const NetworkDescription& network, std::size_t r, std::vector<int>& ranks) {
  const NetworkRole& role = network.roles[r];
  std::vector<std::pair<std::size_t, NetworkWork>> found;
  for (std::size_t s = 0; s < network.stations.size(); ++s) {
    for (std::size_t c = 0; c < network.classes.size(); ++c) {
      const NetworkWork work{static_cast<int>(s), static_cast<int>(c)};
      if (!serves(network, r, work)) continue;
      std::size_t rank = 0;
      while (rank < role.takes.size() &&
             !(role.takes[rank].station == work.station &&
               (role.takes[rank].of_class < 0 || role.takes[rank].of_class == work.of_class)))
        ++rank;
      found.emplace_back(rank, work);
    }
  }
  std::ranges::stable_sort(found, {}, &std::pair<std::size_t, NetworkWork>::first);
  std::vector<NetworkWork> all;
  ranks.clear();
  for (const auto& [rank, work] : found) {
    all.push_back(work);
    ranks.push_back(static_cast<int>(rank));
  }
  return all;
}

}  // namespace sporos::models
