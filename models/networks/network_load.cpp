// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/networks/network_load.hpp>
#include <sporos/models/networks/network_resources.hpp>
#include <sporos/models/networks/network_roles.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace sporos::models {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Long-run average of a schedule. Returns `otherwise` if it has several steps and no cycle, such as a single day.
double long_run(const NetworkSchedule& schedule, double otherwise) {
  if (std::isfinite(schedule.cycle)) return schedule.integral() / schedule.cycle;
  return schedule.steps.size() == 1 ? schedule.steps.front().value : otherwise;
}

// Long-run rate of customers who come to their appointments. It is 0 if the appointments do not repeat.
double appointment_rate(const NetworkAppointments& appointments) {
  if (!std::isfinite(appointments.cycle)) return 0;
  return static_cast<double>(appointments.times.size()) * (1 - appointments.no_shows) / appointments.cycle;
}

double arrival_rate(const NetworkClass& of) {
  if (of.max_arrivals > 0 || !of.has_arrivals()) return 0;
  const double batches = of.interarrival                  ? 1 / of.interarrival->mean()
                         : !of.appointments.times.empty() ? appointment_rate(of.appointments)
                                                          : long_run(of.rates, 0);
  return of.arrival_speed * batches * (of.batch ? of.batch->mean() : 1);
}

// Average number of people of all roles that serve at a station, also of those that serve elsewhere.
double people_of(const NetworkDescription& network, const NetworkStation& station) {
  double people = 0;
  for (std::size_t r = 0; r < network.roles.size(); ++r) {
    const bool serves = std::ranges::any_of(station.visits, [&](const NetworkVisit& visit) {
      return std::ranges::find(visit.roles, static_cast<int>(r)) != visit.roles.end();
    });
    if (serves) people += average_people(network.roles[r]);
  }
  return people;
}

double server_count(const NetworkDescription& network, const NetworkStation& station) {
  if (station.has_roles()) return people_of(network, station);
  if (!station.shifts.steps.empty()) return long_run(station.shifts, infinity);
  if (station.servers == unlimited) return infinity;
  const double speeds = std::accumulate(station.speeds.begin(), station.speeds.end(), 0.0);
  const double servers = station.speeds.empty() ? station.servers : speeds;
  if (!station.breakdowns) return servers;
  const double up = station.breakdowns->up.mean(), down = station.breakdowns->down.mean();
  return servers * up / (up + down);
}

bool is_constant(const std::optional<NetworkDuration>& duration) { return !duration || duration->is_constant(); }

// Whether only routes are random. A load of exactly 1 is stable in that case.
bool has_constant_times(const NetworkDescription& network) {
  return std::ranges::all_of(network.classes,
                             [](const auto& of) {
                               return is_constant(of.interarrival) && of.rates.steps.empty() && !of.batch &&
                                      !of.appointments.lateness && of.appointments.no_shows == 0;
                             }) &&
         std::ranges::all_of(network.stations, [](const auto& station) {
           return !station.breakdowns &&
                  std::ranges::all_of(station.visits, [](const auto& visit) { return is_constant(visit.service); });
         });
}

// Smallest share of the arriving customers who stay until they are served, however long the queue is.
double staying_share(const NetworkVisit& visit) {
  if (visit.patience || visit.balking_wait) return 0;
  return visit.balking.empty() ? 1 : 1 - *std::ranges::max_element(visit.balking);
}

// Smallest mean service of a class and of the classes that it can become while it waits.
double least_service(const NetworkStation& station, std::size_t of) {
  double least = station.visits[of].service->mean();
  for (std::size_t changes = 0; station.visits[of].change && changes < station.visits.size(); ++changes) {
    of = static_cast<std::size_t>(station.visits[of].change->becomes);
    if (station.visits[of].service) least = std::min(least, station.visits[of].service->mean());
  }
  return least;
}

// Whether a queue cannot grow without limit: customers find no place or go elsewhere.
bool has_short_queue(const NetworkDescription& network, std::size_t s) {
  return network.is_limited(static_cast<int>(s)) || !network.stations[s].jockeying.to.empty();
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
    for (std::size_t c = 0; c < station.visits.size(); ++c) work += in_service(s, c);
    return station.group ? work / station.group->most : work;
  }

  // Returns the average number of customers of class c in service at station s.
  double in_service(std::size_t s, std::size_t c) const {
    const NetworkStation& station = m_network.stations[s];
    const NetworkVisit& visit = station.visits[c];
    if (!visit.service) return 0;
    return staying_share(visit) * m_flows[place(s, c)] * least_service(station, c) / station.speed;
  }

  // Returns the number of visits to all stations per unit of time.
  double total() const { return std::accumulate(m_flows.begin(), m_flows.end(), 0.0); }

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
      if (has_short_queue(m_network, s)) continue;
      const double work = needed(s), servers = server_count(m_network, station),
                   served = work > servers ? servers / work : 1;
      for (std::size_t c = 0; c < station.visits.size(); ++c) {
        const NetworkVisit& visit = station.visits[c];
        if (!visit.change) add(visit.next, c, served * staying_share(visit) * m_flows[place(s, c)]);
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
        member.kind == Kind::waiting || member.kind == Kind::area_room) {
      continue;
    }
    where += fmt::format("{}{} = {}", where.empty() ? "with " : ", ", member.name, io::shortest_text(values[i]));
  }
  return where.empty() ? "with the values of the case" : where;
}

}  // namespace

namespace {

// Largest load of a stable station with one server.
double most_load(const NetworkDescription& network) {
  constexpr double tolerance = 1e-9;
  return has_constant_times(network) ? 1 + tolerance : 1 - tolerance;
}

}  // namespace

std::vector<StationLoad> resource_loads(const NetworkDescription& network) {
  if (network.resources.empty()) return {};
  const Flows flows(network);
  const double most = most_load(network);
  const std::vector<HoldingVisit> visits = holding_visits(network);
  std::vector<StationLoad> loads;
  for (std::size_t r = 0; r < network.resources.size(); ++r) {
    const std::vector<int> held = least_held(network, visits, static_cast<int>(r));
    const double units = network.resources[r].units;
    double needed = 0;
    for (std::size_t place = 0; place < held.size(); ++place) {
      const std::size_t s = place / network.classes.size();
      if (held[place] > 0 && !has_short_queue(network, s))
        needed += held[place] * flows.in_service(s, place % network.classes.size());
    }
    loads.push_back({needed, units, needed < most * units});
  }
  return loads;
}

std::vector<StationLoad> station_loads(const NetworkDescription& network) {
  const Flows flows(network);
  const double most = most_load(network);
  std::vector<StationLoad> loads;
  for (std::size_t s = 0; s < network.stations.size(); ++s) {
    const NetworkStation& station = network.stations[s];
    const double needed = flows.needed(s), servers = server_count(network, station);
    loads.push_back({needed, servers, has_short_queue(network, s) || needed < most * servers});
  }
  return loads;
}

namespace {

// Number of customers who can enter; infinite if it has no limit.
double entering_count(const NetworkDescription& network) {
  double customers = 0;
  for (const NetworkClass& of : network.classes) {
    customers += of.population + of.most_arrivals();
  }
  return customers;
}

}  // namespace

double rough_customers(const NetworkDescription& network) {
  NetworkDescription busy = network;
  double customers = 0;
  for (NetworkClass& of : busy.classes) {
    const auto& times = of.appointments.times;
    if (!times.empty() && times.back() > times.front()) {
      of.rates = {{{0, static_cast<double>(times.size() - 1) / (times.back() - times.front())}}};
      of.appointments.times.clear();
    }
    if (!of.rates.steps.empty())
      of.rates = {{{0, std::ranges::max_element(of.rates.steps, {}, &NetworkStep::value)->value}}};
    customers += of.population;
    if (of.batch) customers += of.batch->mean();
  }
  for (NetworkStation& station : busy.stations) {
    auto& steps = station.shifts.steps;
    if (!steps.empty()) steps.erase(steps.begin() + 1, steps.end());
  }
  const std::vector<StationLoad> loads = station_loads(busy);
  for (std::size_t s = 0; s < loads.size(); ++s) {
    const double free = loads[s].servers - loads[s].needed;
    const double most = busy.stations[s].group ? busy.stations[s].group->most : 1;  // customers in a service
    customers += most * loads[s].needed + (most > 1 ? most : 0);
    if (std::isfinite(free) && free > 0) customers += most * loads[s].needed / free;
  }
  for (const StationLoad& load : resource_loads(busy)) {
    const double free = load.servers - load.needed;
    if (free > 0) customers += load.needed / free;
  }
  return customers;
}

double visit_rate(const NetworkDescription& network) {
  double rate = Flows(network).total();
  for (std::size_t c = 0; c < network.classes.size(); ++c) {
    if (network.classes[c].population == 0 || network.classes[c].has_arrivals()) continue;
    double slowest = infinity;  // rate of the station that limits the others
    for (const NetworkStation& station : network.stations) {
      if (!station.visits[c].service) continue;
      const double served =
          std::min(server_count(network, station), static_cast<double>(network.classes[c].population));
      slowest = std::min(slowest, served * station.speed / station.visits[c].service->mean());
    }
    if (std::isfinite(slowest)) rate += slowest;
  }
  return rate;
}

int most_customers_of(const NetworkDescription& network) {
  if (network.most_customers > 0) return static_cast<int>(network.most_customers);
  constexpr double smallest_default = 1024;
  const double most =
      std::max({smallest_default, 4 * rough_customers(network), static_cast<double>(network.until.count)});
  return static_cast<int>(std::min({entering_count(network), most, static_cast<double>(max_customers)}));
}

std::vector<std::string> instability_notes(const NetworkDescription& network, std::span<const double> values) {
  const NetworkDescription changed = with_members(network, values);
  const std::vector<StationLoad> loads = station_loads(changed), of_resources = resource_loads(changed);
  if (std::ranges::all_of(loads, &StationLoad::is_stable) && std::ranges::all_of(of_resources, &StationLoad::is_stable))
    return {};
  const std::string where = where_of(network, values);
  std::vector<std::string> notes;
  for (std::size_t s = 0; s < loads.size(); ++s) {
    if (loads[s].is_stable) continue;
    notes.push_back(
        fmt::format("station {} is unstable {}: its customers need {:.4g} servers on average, and it has {:.4g}; its "
                    "queue grows with the horizon, and there is no steady state",
                    io::in_quotes(network.stations[s].name), where, loads[s].needed, loads[s].servers));
  }
  for (std::size_t r = 0; r < of_resources.size(); ++r) {
    if (of_resources[r].is_stable) continue;
    notes.push_back(
        fmt::format("resource {} is unstable {}: services need {:.4g} units on average, and it has {:.4g}; the queue "
                    "for it grows with the horizon, and there is no steady state",
                    io::in_quotes(network.resources[r].name), where, of_resources[r].needed, of_resources[r].servers));
  }
  return notes;
}

}  // namespace sporos::models
