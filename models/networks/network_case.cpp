// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/networks/network_case.hpp>
#include <sporos/models/networks/network_resources.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>

namespace sporos::models {

double NetworkDuration::mean() const {
  double sum = mixed.empty() ? unit * distribution.mean() : probability * unit * distribution.mean();
  for (const NetworkDuration& component : mixed) sum += component.probability * component.mean();
  for (const NetworkDuration& part : more) sum += part.mean();
  return sum;
}

bool NetworkDuration::is_constant() const {
  return distribution.kind == DistributionKind::constant && mixed.empty() &&
         std::ranges::all_of(more, [](const NetworkDuration& part) { return part.is_constant(); });
}

double NetworkAppointments::repetitions(double horizon) const {
  return std::isfinite(cycle) ? std::ceil(horizon / cycle) : 1;
}

double NetworkClass::most_arrivals() const {
  if (!has_arrivals()) return 0;
  double most = std::numeric_limits<double>::infinity();
  if (!appointments.times.empty() && !std::isfinite(appointments.cycle) && !batch)
    most = static_cast<double>(appointments.times.size());
  return max_arrivals > 0 ? std::min(most, static_cast<double>(max_arrivals)) : most;
}

bool NetworkArea::contains(int station) const { return std::ranges::find(stations, station) != stations.end(); }

bool NetworkDescription::is_limited(int s) const {
  return stations[static_cast<std::size_t>(s)].has_limit() ||
         std::ranges::any_of(areas, [&](const NetworkArea& area) { return area.contains(s); });
}

bool NetworkDescription::has_limits() const {
  return !areas.empty() || std::ranges::any_of(stations, &NetworkStation::has_limit);
}

bool NetworkDescription::can_block(int from, int to) const {
  return stations[static_cast<std::size_t>(to)].when_full == WhenFull::block ||
         std::ranges::any_of(areas, [&](const NetworkArea& area) {
           return area.when_full == WhenFull::block && area.contains(to) && !area.contains(from);
         });
}

bool NetworkDescription::can_block(int from) const {
  for (const NetworkVisit& visit : stations[static_cast<std::size_t>(from)].visits) {
    for (const NetworkBranch& branch : visit.next) {
      if (visit.service && std::ranges::any_of(branch.to, [&](int to) { return can_block(from, to); })) return true;
    }
  }
  return false;
}

namespace {

// Returns the stations whose customers a blocked customer of station `at` may wait for: its next stations that block,
// and all stations of the areas that block.
std::set<int> awaited_stations(const NetworkDescription& network, int at) {
  std::set<int> awaited;
  for (const NetworkVisit& visit : network.stations[static_cast<std::size_t>(at)].visits) {
    if (!visit.service) continue;
    for (const NetworkBranch& branch : visit.next) {
      for (const int to : branch.to) {
        if (network.can_block(at, to)) awaited.insert(to);
        for (const NetworkArea& area : network.areas) {
          if (area.when_full == WhenFull::block && area.contains(to) && !area.contains(at))
            awaited.insert(area.stations.begin(), area.stations.end());
        }
      }
    }
  }
  return awaited;
}

// Whether a graph, given by the successors of each node, has a cycle.
bool has_cycle(const std::vector<std::set<int>>& successors) {
  // Nodes without successors, or with only such nodes as successors, are no part of a cycle.
  std::vector<bool> is_free(successors.size());
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (std::size_t node = 0; node < successors.size(); ++node) {
      if (is_free[node] ||
          !std::ranges::all_of(successors[node], [&](int to) { return is_free[static_cast<std::size_t>(to)]; }))
        continue;
      is_free[node] = has_changed = true;
    }
  }
  return std::ranges::find(is_free, false) != is_free.end();
}

}  // namespace

bool NetworkDescription::can_deadlock() const {
  const int count = static_cast<int>(stations.size());
  std::vector<std::set<int>> awaited;
  for (int s = 0; s < count; ++s) awaited.push_back(awaited_stations(*this, s));
  return has_cycle(resources.empty() ? awaited : waits_for_resources(*this, awaited));
}

double NetworkSchedule::integral() const {
  if (!std::isfinite(cycle)) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < steps.size(); ++i)
    sum += steps[i].value * ((i + 1 < steps.size() ? steps[i + 1].from : cycle) - steps[i].from);
  return sum;
}
}  // namespace sporos::models
