// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/networks/network_load.hpp>
#include <sporos/models/networks/network_series.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <stdexcept>

namespace sporos::models {

namespace {

[[noreturn]] void refuse(const std::string& reason) {
  throw std::invalid_argument("the case has no steady state: " + reason);
}

std::string member(const char* group, const std::string& name, const char* what) {
  return fmt::format("{}.{}.{}", group, name, what);
}

bool varies(const NetworkSchedule& schedule) { return schedule.steps.size() > 1; }

// Refuses a schedule that changes without a cycle.
void check_schedule(const NetworkSchedule& schedule, const std::string& name) {
  if (!varies(schedule) || std::isfinite(schedule.cycle)) return;
  refuse(name + " changes only once; give \"cycle\" to repeat it, or one value for all times");
}

void check_class(const NetworkClass& of) {
  const auto name = [&](const char* what) { return member("classes", of.name, what); };
  if (of.max_arrivals > 0) refuse(name("max_arrivals") + " ends the arrivals: omit it");
  check_schedule(of.rates, name("rates"));
  if (of.appointments.times.empty()) return;
  if (!std::isfinite(of.appointments.cycle)) refuse(name("arrivals") + " ends; give \"cycle\" to repeat the list");
  if (!of.appointments.lateness) return;
  throw std::invalid_argument(
      name("lateness") +
      " is given, which long runs do not support: omit it, or use `sporos simulate` with a long horizon and a warm_up");
}

bool is_closed(const NetworkDescription& network) {
  return std::ranges::none_of(network.classes, &NetworkClass::has_arrivals);
}

// Whether customers of a population can leave the network at the end of a service.
bool can_leave(const NetworkDescription& network) {
  const std::size_t classes = network.classes.size();
  std::vector<bool> reached(network.stations.size() * classes);
  std::vector<std::size_t> found;
  bool leaves = false;
  const auto follow = [&](const NetworkRoute& route, std::size_t c) {
    constexpr double rounding = 1e-9;
    double sum = 0;
    for (const NetworkBranch& branch : route) {
      if (!branch.to.empty()) sum += branch.probability;
      for (const int s : branch.to) {
        const std::size_t place =
            static_cast<std::size_t>(s) * classes + (branch.becomes ? static_cast<std::size_t>(*branch.becomes) : c);
        if (!reached[place]) found.push_back(place);
        reached[place] = true;
      }
    }
    leaves = leaves || sum < 1 - rounding;
  };
  for (std::size_t c = 0; c < classes; ++c) {
    if (network.classes[c].population > 0) follow(network.classes[c].enters, c);
  }
  for (std::size_t next = 0; next < found.size(); ++next)
    follow(network.stations[found[next] / classes].visits[found[next] % classes].next, found[next] % classes);
  return leaves;
}

void check(const NetworkDescription& network, std::span<const double> values) {
  if (!network.roles.empty()) {
    throw std::invalid_argument(
        "staff is given, which long runs do not support: use `sporos simulate` with a long horizon and a warm_up");
  }
  if (network.until.kind != NetworkUntil::Kind::none) refuse("\"until\" ends it; omit this member");
  for (const NetworkClass& of : network.classes) check_class(of);
  for (const NetworkStation& station : network.stations)
    check_schedule(station.shifts, member("stations", station.name, "shifts"));
  if (is_closed(network) && can_leave(network))
    refuse("customers leave and nobody arrives; give a class \"interarrival\", or routes without an exit");
  const std::vector<std::string> notes = instability_notes(network, values);
  if (notes.empty()) return;
  const char* const more = notes.front().starts_with("resource ") ? "units" : "servers";
  throw std::invalid_argument(fmt::format("{}; give it more {}, or less load", notes.front(), more));
}

// Lengths of time after which parts of the case repeat.
std::vector<double> cycles_of(const NetworkDescription& network) {
  std::vector<double> cycles;
  const auto add = [&](double cycle) {
    if (std::isfinite(cycle)) cycles.push_back(cycle);
  };
  for (const NetworkClass& of : network.classes) {
    if (varies(of.rates)) add(of.rates.cycle);
    if (!of.appointments.times.empty()) add(of.appointments.cycle);
  }
  for (const NetworkStation& station : network.stations) {
    if (varies(station.shifts)) add(station.shifts.cycle);
    if (station.group) add(station.group->every);
  }
  if (!network.periods.ends.empty()) add(network.periods.cycle);
  return cycles;
}

// Returns the shortest time of which all cycles are parts; 0 without cycles.
double common_cycle(const std::vector<double>& cycles) {
  if (cycles.empty()) return 0;
  constexpr int most = 10'000;
  constexpr double rounding = 1e-9;
  const double longest = *std::ranges::max_element(cycles);
  for (int times = 1; times <= most; ++times) {
    const double length = times * longest;
    if (std::ranges::all_of(cycles, [&](double cycle) {
          return std::abs(length / cycle - std::round(length / cycle)) < rounding * (length / cycle);
        }))
      return length;
  }
  throw std::invalid_argument(fmt::format(
      "the cycles {} and {} have no common multiple below {} times the longer one: an observation of a long "
      "run must consist of whole cycles; change one of them",
      io::shortest_text(*std::ranges::min_element(cycles)), io::shortest_text(longest), most));
}

// Returns the smallest number of the form 1, 2 or 5 times a power of ten that is at least `length`.
double rounded_up(double length) {
  const double power = std::pow(10.0, std::floor(std::log10(length)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= length) return factor * power;
  }
  return 10 * power;
}

double slot_of(const NetworkDescription& network) {
  constexpr double fewest_visits = 10;
  const double rate = visit_rate(network);
  const double needed = std::max(fewest_visits, rough_customers(network)) / rate;
  const double length = std::isfinite(needed) && needed > 0 ? rounded_up(needed) : 1;
  const double cycle = common_cycle(cycles_of(network));
  return cycle > 0 ? cycle * std::max(1.0, std::ceil(length / cycle)) : length;
}

bool changes_classes(const NetworkDescription& network) {
  const auto changes = [](const NetworkRoute& route) {
    return std::ranges::any_of(route, [](const NetworkBranch& branch) { return branch.becomes.has_value(); });
  };
  return std::ranges::any_of(network.stations, [&](const NetworkStation& station) {
    return std::ranges::any_of(station.visits, [&](const NetworkVisit& visit) {
      return visit.change || changes(visit.next) || changes(visit.reneging);
    });
  });
}

// Whether customers can be lost because station s, or an area in which it lies, is full.
bool can_lose(const NetworkDescription& network, int s) {
  const auto& station = network.stations[static_cast<std::size_t>(s)];
  const auto loses = [&](const NetworkArea& area) { return area.contains(s) && area.when_full == WhenFull::lose; };
  const auto enters = [&](const NetworkClass& of) {
    return std::ranges::any_of(
        of.enters, [&](const NetworkBranch& branch) { return std::ranges::find(branch.to, s) != branch.to.end(); });
  };
  return network.is_limited(s) &&
         ((station.has_limit() && station.when_full == WhenFull::lose) || std::ranges::any_of(network.areas, loses) ||
          (!is_closed(network) && std::ranges::any_of(network.classes, enters)));
}

// Quantity by which a response divides its sums.
enum class Divisor { time, waits, arrivals, served, servers, period };

Divisor divisor_of(Observation what) {
  switch (what) {
    case Observation::wait:
    case Observation::late:
    case Observation::served_within:
    case Observation::reneging:
    case Observation::jockeying:
    case Observation::resource_wait:
      return Divisor::waits;
    case Observation::lost:
    case Observation::balking:
    case Observation::area_lost:
      return Divisor::arrivals;
    case Observation::time:
    case Observation::time_over:
      return Divisor::served;
    case Observation::utilization:
    case Observation::blocked:
      return Divisor::servers;
    case Observation::period_number:
    case Observation::period_waiting:
    case Observation::period_wait:
    case Observation::period_utilization:
    case Observation::period_throughput:
      return Divisor::period;
    default:
      return Divisor::time;
  }
}

}  // namespace

NetworkDescription long_run_of(const NetworkDescription& network, std::span<const double> values) {
  check(network, values);
  NetworkDescription run = network;
  run.horizon = std::numeric_limits<double>::infinity();
  run.customers = 0;
  run.warm_up = 0;
  run.wait_quantiles.clear();
  run.time_quantiles.clear();
  run.has_maxima = false;
  if (!std::isfinite(run.periods.cycle)) run.periods = {};
  run.slot = slot_of(with_members(run, values));
  return run;
}

NetworkSeries network_series(const NetworkDescription& network) {
  NetworkSeries series;
  std::map<std::array<int, 5>, int> divisors;
  for (const NetworkResponse& response : network_responses(network)) {
    NetworkSeriesTerm term{response, series.count++, -1, false};
    const Divisor divisor = divisor_of(response.what);
    if (divisor != Divisor::time) {
      // Responses of an area, of a resource or of a period do not share divisors.
      const bool is_separate = response.what == Observation::area_lost || response.what == Observation::resource_wait ||
                               divisor == Divisor::period;
      const auto [found, is_new] =
          divisors.try_emplace({static_cast<int>(divisor), response.station, response.of_class,
                                is_separate ? static_cast<int>(response.what) : -1, is_separate ? response.limit : -1},
                               series.count);
      term.all = found->second;
      term.records_all = is_new;
      series.count += is_new ? 1 : 0;
    }
    series.means.push_back({static_cast<std::size_t>(term.sum),
                            term.all < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(term.all))});
    series.terms.push_back(term);
  }
  return series;
}

bool is_constant(const NetworkDescription& network, const NetworkResponse& response) {
  const auto& [what, s, c, limit] = response;
  if (what == Observation::lost) return !can_lose(network, s);
  if (s >= 0) return false;
  const int stations = static_cast<int>(network.stations.size());
  if (what == Observation::losses) {
    for (int station = 0; station < stations; ++station) {
      if (can_lose(network, station)) return false;
    }
    return true;
  }
  if (!is_closed(network)) return false;
  switch (what) {
    case Observation::number:
      return c < 0 || !changes_classes(network);
    case Observation::time:
    case Observation::time_over:
    case Observation::throughput:
    case Observation::number_over:
    case Observation::period_number:
    case Observation::period_throughput:
      return true;
    default:
      return false;
  }
}

std::string slot_text(const NetworkDescription& network) {
  return fmt::format("{} {}", io::shortest_text(network.slot), network.time_unit);
}

}  // namespace sporos::models
