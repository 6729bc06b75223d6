// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/networks/network_load.hpp>

#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace sporos::models {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Long-run average of a schedule. Returns `otherwise` if it has several steps and no cycle, such as a single day.
double long_run(const NetworkSchedule& schedule, double otherwise) {
  if (std::isfinite(schedule.cycle)) return schedule.integral() / schedule.cycle;
  return schedule.steps.size() == 1 ? schedule.steps.front().value : otherwise;
}

double arrival_rate(const NetworkClass& of) {
  if (of.max_arrivals > 0 || (!of.interarrival && of.rates.steps.empty())) return 0;
  const double batches = of.interarrival ? 1 / of.interarrival->mean() : long_run(of.rates, 0);
  return of.arrival_speed * batches * (of.batch ? of.batch->mean() : 1);
}

double server_count(const NetworkStation& station) {
  if (!station.shifts.steps.empty()) return long_run(station.shifts, infinity);
  if (station.servers == unlimited) return infinity;
  if (!station.breakdowns) return station.servers;
  const double up = station.breakdowns->up.mean(), down = station.breakdowns->down.mean();
  return station.servers * up / (up + down);
}

bool is_constant(const std::optional<NetworkDuration>& duration) {
  return !duration || duration->distribution.kind == DistributionKind::constant;
}

// Whether only routes are random. A load of exactly 1 is stable in that case.
bool has_constant_times(const NetworkDescription& network) {
  return std::ranges::all_of(
             network.classes,
             [](const auto& of) { return is_constant(of.interarrival) && of.rates.steps.empty() && !of.batch; }) &&
         std::ranges::all_of(network.stations, [](const auto& station) {
           return !station.breakdowns &&
                  std::ranges::all_of(station.visits, [](const auto& visit) { return is_constant(visit.service); });
         });
}

// Flows of customers by the traffic equations, one per pair of station and class.
class Flows {
 public:
  explicit Flows(const NetworkDescription& network)
      : m_network(network), m_flows(network.stations.size() * network.classes.size()) {
    constexpr int max_iterations = 1000;
    for (int iteration = 0; iteration < max_iterations; ++iteration) {
      const std::vector<double> before = m_flows;
      iterate();
      if (before == m_flows) return;
    }
  }

  // Returns the average number of servers that the customers of station s keep busy.
  double needed(std::size_t s) const {
    const NetworkStation& station = m_network.stations[s];
    double work = 0;
    for (std::size_t c = 0; c < station.visits.size(); ++c) {
      const NetworkVisit& visit = station.visits[c];
      if (visit.service && !visit.patience) work += m_flows[place(s, c)] * visit.service->mean() / station.speed;
    }
    return work;
  }

 private:
  std::size_t place(std::size_t s, std::size_t c) const { return s * m_network.classes.size() + c; }

  void iterate() {
    std::vector<double> next(m_flows.size());
    const auto add = [&](const NetworkRoute& route, std::size_t of, double flow) {
      for (const NetworkBranch& branch : route) {
        if (branch.to.size() != 1) continue;
        const auto becomes = branch.becomes ? static_cast<std::size_t>(*branch.becomes) : of;
        next[place(static_cast<std::size_t>(branch.to.front()), becomes)] += branch.probability * flow;
      }
    };
    for (std::size_t c = 0; c < m_network.classes.size(); ++c)
      add(m_network.classes[c].enters, c, arrival_rate(m_network.classes[c]));
    for (std::size_t s = 0; s < m_network.stations.size(); ++s) {
      const NetworkStation& station = m_network.stations[s];
      if (station.has_limit()) continue;
      const double work = needed(s), servers = server_count(station), served = work > servers ? servers / work : 1;
      for (std::size_t c = 0; c < station.visits.size(); ++c) {
        if (!station.visits[c].patience) add(station.visits[c].next, c, served * m_flows[place(s, c)]);
      }
    }
    m_flows = next;
  }

  const NetworkDescription& m_network;
  std::vector<double> m_flows;
};

// Describes the values that differ from the case and affect loads.
std::string where_of(const NetworkDescription& network, std::span<const double> values) {
  using Kind = NetworkMember::Kind;
  const std::vector<NetworkMember> members = network_members(network);
  std::string where;
  for (std::size_t i = 0; i < std::min(members.size(), values.size()); ++i) {
    const NetworkMember& member = members[i];
    if (values[i] == member.value || member.kind == Kind::priority || member.kind == Kind::room ||
        member.kind == Kind::waiting) {
      continue;
    }
    where += fmt::format("{}{} = {}", where.empty() ? "with " : ", ", member.name, io::shortest_text(values[i]));
  }
  return where.empty() ? "with the values of the case" : where;
}

}  // namespace

std::vector<StationLoad> station_loads(const NetworkDescription& network) {
  const Flows flows(network);
  constexpr double tolerance = 1e-9;
  const double most = has_constant_times(network) ? 1 + tolerance : 1 - tolerance;
  std::vector<StationLoad> loads;
  for (std::size_t s = 0; s < network.stations.size(); ++s) {
    const NetworkStation& station = network.stations[s];
    const double needed = flows.needed(s), servers = server_count(station);
    loads.push_back({needed, servers, station.has_limit() || needed < most * servers});
  }
  return loads;
}

std::vector<std::string> instability_notes(const NetworkDescription& network, std::span<const double> values) {
  const std::vector<StationLoad> loads = station_loads(with_members(network, values));
  if (std::ranges::all_of(loads, &StationLoad::is_stable)) return {};
  const std::string where = where_of(network, values);
  std::vector<std::string> notes;
  for (std::size_t s = 0; s < loads.size(); ++s) {
    if (loads[s].is_stable) continue;
    notes.push_back(
        fmt::format("station {} is unstable {}: its customers need {:.4g} servers on average, and it has {:.4g}; its "
                    "queue grows with the horizon, and there is no steady state",
                    io::in_quotes(network.stations[s].name), where, loads[s].needed, loads[s].servers));
  }
  return notes;
}

}  // namespace sporos::models
