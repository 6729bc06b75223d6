// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/networks/network_case.hpp>
#include <sporos/models/networks/network_data.hpp>

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/replication/replication_length.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <utility>

namespace sporos::models {

namespace {

[[noreturn]] void refuse(const std::string& member, const std::string& why) {
  throw std::invalid_argument(member + " " + why);
}

void expect(bool is_good, const std::string& member, const std::string& why) {
  if (!is_good) refuse(member, why);
}

// Runs `check` and prefixes its error message with the path of the member.
template <class Check>
void with_path(const std::string& member, const Check& check) {
  try {
    check();
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(member + ": " + error.what());
  }
}

void check_duration(const std::string& member, const NetworkDuration& duration) {
  with_path(member, [&] { duration.distribution.check(); });
  const double mean = duration.mean(), least = duration.unit * duration.distribution.least();
  expect(least >= 0, member, fmt::format("can be as low as {}, expected at least 0", io::shortest_text(least)));
  expect(std::isfinite(mean) && mean > 0, member,
         fmt::format("has mean {}, expected a positive finite mean", io::shortest_text(mean)));
}

void check_batch(const std::string& member, const NetworkDuration& batch) {
  with_path(member, [&] { batch.distribution.check(); });
  const auto& [kind, parameters, values, probabilities] = batch.distribution;
  const auto is_whole = [](double number) { return number == std::floor(number); };
  const bool is_count = kind == DistributionKind::uniform_integer || kind == DistributionKind::geometric ||
                        (kind == DistributionKind::constant && is_whole(parameters[0])) ||
                        (kind == DistributionKind::discrete && std::ranges::all_of(values, is_whole));
  expect(batch.unit == 1 && is_count && batch.distribution.least() >= 1, member,
         "is not a number of customers, expected a distribution of whole numbers of at least 1");
  expect(batch.mean() <= max_customers, member,
         fmt::format("has mean {}, expected at most {}", io::shortest_text(batch.mean()), max_customers));
}

void check_schedule(const std::string& member, const std::string& what, const NetworkSchedule& schedule) {
  double last = -1, most = 0;
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    const auto& [from, value] = schedule.steps[i];
    const std::string step = fmt::format("{}.{}[{}]", member, what, i);
    if (i == 0) {
      expect(from == 0, step + ".from", fmt::format("is {}, expected 0 in the first entry", io::shortest_text(from)));
    } else {
      expect(std::isfinite(from) && from > last, step + ".from",
             fmt::format("is {}, expected more than {}", io::shortest_text(from), io::shortest_text(last)));
    }
    expect(std::isfinite(value) && value >= 0, step,
           fmt::format("is {}, expected a finite number of at least 0", io::shortest_text(value)));
    last = from;
    most = std::max(most, value);
  }
  expect(most > 0, member + "." + what, "are all 0, expected at least one above 0");
  expect(schedule.cycle > last, member + ".cycle",
         fmt::format("is {}, expected more than the last time of {}, {}", io::shortest_text(schedule.cycle), what,
                     io::shortest_text(last)));
}

// Checks every member of a network and all routes that its customers can take.
class NetworkChecker {
 public:
  explicit NetworkChecker(const NetworkDescription& network) : m_network(network) {}

  void run() {
    check_counts();
    check_run();
    for (const NetworkClass& of : m_network.classes) check_class(of);
    for (const NetworkStation& station : m_network.stations) check_station(station);
    check_breaking_servers();
    check_ways();
    check_blocking();
    check_end();
  }

 private:
  static std::string path(const NetworkClass& of) { return "classes." + of.name; }
  static std::string path(const NetworkStation& station) { return "stations." + station.name; }

  void check_counts() const {
    const std::size_t classes = m_network.classes.size(), stations = m_network.stations.size();
    const auto count = [](const std::string& member, std::size_t number, int most) {
      expect(number >= 1 && number <= static_cast<std::size_t>(most), member,
             fmt::format("has {} members, expected 1 to {}", number, most));
    };
    count("classes", classes, max_classes);
    count("stations", stations, max_stations);
    expect(classes * stations <= static_cast<std::size_t>(max_visits), "stations",
           fmt::format("has {} members, which with {} classes gives {} pairs, expected at most {}", stations, classes,
                       classes * stations, max_visits));
  }

  void check_run() const {
    const auto& [unit, horizon, customers, warm_up, wait_limits, time_limits, quantiles, classes, stations] = m_network;
    const bool has_horizon = std::isfinite(horizon);
    expect(has_horizon || customers > 0, "horizon", "and customers are missing, expected one of them");
    expect(!has_horizon || customers == 0, "horizon", "and customers are both given, expected one of them");
    if (has_horizon) {
      expect(horizon > 0, "horizon", fmt::format("is {}, expected more than 0", io::shortest_text(horizon)));
      expect(
          warm_up < horizon, "warm_up",
          fmt::format("is {}, expected less than horizon, {}", io::shortest_text(warm_up), io::shortest_text(horizon)));
    } else {
      check_steps("customers", customers);
    }
    expect(std::isfinite(warm_up) && warm_up >= 0, "warm_up",
           fmt::format("is {}, expected a finite number of at least 0", io::shortest_text(warm_up)));
    check_limits("wait_limits", wait_limits, max_wait_limits);
    check_limits("time_limits", time_limits, max_time_limits);
    expect(quantiles.size() <= static_cast<std::size_t>(max_wait_quantiles), "wait_quantiles",
           fmt::format("has {} members, expected at most {}", quantiles.size(), max_wait_quantiles));
    for (std::size_t i = 0; i < quantiles.size(); ++i) {
      expect(quantiles[i] > (i == 0 ? 0 : quantiles[i - 1]) && quantiles[i] < 1, fmt::format("wait_quantiles[{}]", i),
             fmt::format("is {}, expected increasing numbers between 0 and 1", io::shortest_text(quantiles[i])));
    }
  }

  static void check_limits(const std::string& member, const std::vector<double>& limits, int most) {
    expect(limits.size() <= static_cast<std::size_t>(most), member,
           fmt::format("has {} members, expected at most {}", limits.size(), most));
    for (std::size_t i = 0; i < limits.size(); ++i) {
      expect(std::isfinite(limits[i]) && limits[i] >= 0 && (i == 0 || limits[i] > limits[i - 1]),
             fmt::format("{}[{}]", member, i),
             fmt::format("is {}, expected increasing numbers of at least 0", io::shortest_text(limits[i])));
    }
  }

  void check_class(const NetworkClass& of) const {
    const std::string member = path(of);
    const bool arrives = of.interarrival || !of.rates.steps.empty();
    expect(!(of.interarrival && !of.rates.steps.empty()), member, "has interarrival and rates, expected one of them");
    if (of.interarrival) check_duration(member + ".interarrival", *of.interarrival);
    if (!of.rates.steps.empty()) check_schedule(member, "rates", of.rates);
    expect(!of.batch || arrives, member + ".batch", "is given without arrivals, expected interarrival or rates");
    if (of.batch) check_batch(member + ".batch", *of.batch);
    expect(of.max_arrivals == 0 || arrives, member + ".max_arrivals",
           "is given without arrivals, expected interarrival or rates");
    expect(of.population >= 0 && of.population <= max_customers, member + ".population",
           fmt::format("is {}, expected a number from 0 to {}", of.population, max_customers));
    expect(of.priority >= 0 && of.priority <= 1000, member + ".priority",
           fmt::format("is {}, expected a number from 0 to 1000", of.priority));
    expect(std::isfinite(of.arrival_speed) && of.arrival_speed > 0, member + ".arrival_speed",
           fmt::format("is {}, expected a positive finite number", io::shortest_text(of.arrival_speed)));
    const bool comes = arrives || of.population > 0;
    expect(comes || of.enters.empty(), member + ".enters",
           "is given for a class without customers, expected also interarrival, rates or population");
    expect(!comes || !of.enters.empty(), member,
           "has no member enters, expected the stations that its customers enter");
    check_route(member + ".enters", of.enters);
    double sum = 0;
    for (const NetworkBranch& branch : of.enters) {
      sum += branch.probability;
      expect(!branch.to.empty(), member + ".enters", "leads out of the network, expected stations");
    }
    expect(!comes || sum > 1 - 1e-9, member + ".enters",
           fmt::format("has probabilities whose sum is {}, expected 1", io::shortest_text(sum)));
    if (std::isfinite(m_network.horizon) && arrives) {
      const double mean = of.interarrival ? 1 / of.interarrival->mean() : max_rate(of);
      check_expected_steps(member + ": expected number of arrivals", mean * of.arrival_speed * m_network.horizon);
    }
  }

  static double max_rate(const NetworkClass& of) {
    return std::ranges::max_element(of.rates.steps, {}, &NetworkStep::value)->value;
  }

  void check_route(const std::string& member, const NetworkRoute& route) const {
    expect(route.size() <= max_branches, member,
           fmt::format("has {} branches, expected at most {}", route.size(), max_branches));
    double sum = 0;
    for (std::size_t i = 0; i < route.size(); ++i) {
      const double probability = route[i].probability;
      expect(probability > 0 && probability <= 1, fmt::format("{}[{}].probability", member, i),
             fmt::format("is {}, expected a number in (0, 1]", io::shortest_text(probability)));
      sum += probability;
    }
    expect(sum <= 1 + 1e-9, member,
           fmt::format("has probabilities whose sum is {}, expected at most 1", io::shortest_text(sum)));
  }

  void check_station(const NetworkStation& station) const {
    const std::string member = path(station);
    const bool shares = station.discipline == Discipline::processor_sharing;
    expect(station.servers >= 1, member + ".servers", fmt::format("is {}, expected at least 1", station.servers));
    expect(station.room >= 1, member + ".room", fmt::format("is {}, expected at least 1", station.room));
    expect(std::isfinite(station.speed) && station.speed > 0, member + ".speed",
           fmt::format("is {}, expected a positive finite number", io::shortest_text(station.speed)));
    expect(station.waiting == unlimited || station.room == unlimited, member,
           "has room and waiting, expected one of them");
    expect(station.waiting == unlimited || station.servers < unlimited, member + ".waiting",
           "is given for unlimited servers, expected room instead");
    expect(station.when_full == WhenFull::lose || station.has_limit(), member + ".full",
           "is given without room or waiting, expected one of them");
    const bool has_shifts = !station.shifts.steps.empty();
    if (has_shifts) check_schedule(member, "shifts", station.shifts);
    for (std::size_t i = 0; i < station.shifts.steps.size(); ++i) {
      const double servers = station.shifts.steps[i].value;
      expect(servers == std::floor(servers) && servers <= 1e6, fmt::format("{}.shifts[{}].servers", member, i),
             fmt::format("is {}, expected a whole number from 0 to 1000000", io::shortest_text(servers)));
    }
    expect(!shares || (!has_shifts && !station.breakdowns), member,
           "has shifts or breakdowns and shares its servers, expected another discipline");
    if (station.breakdowns) {
      expect(!has_shifts, member, "has shifts and breakdowns, expected one of them");
      expect(station.servers <= max_breaking_servers, member + ".servers",
             fmt::format("is {}, expected at most {} with breakdowns",
                         station.servers == unlimited ? "unlimited" : std::to_string(station.servers),
                         max_breaking_servers));
      check_duration(member + ".breakdowns.up", station.breakdowns->up);
      check_duration(member + ".breakdowns.down", station.breakdowns->down);
    }
    for (std::size_t i = 0; i < station.visits.size(); ++i) {
      const NetworkVisit& visit = station.visits[i];
      const std::string& of = m_network.classes[i].name;
      if (visit.service) check_duration(fmt::format("{}.service ({})", member, of), *visit.service);
      if (visit.patience) {
        check_duration(fmt::format("{}.patience ({})", member, of), *visit.patience);
        expect(!shares, member + ".patience",
               "is given for shared servers, where nobody waits, expected another discipline");
      }
      check_route(fmt::format("{}.next ({})", member, of), visit.next);
    }
  }

  void check_breaking_servers() const {
    int servers = 0;
    for (const NetworkStation& station : m_network.stations) {
      if (station.breakdowns) servers += station.servers;
    }
    expect(servers <= max_breaking_servers, "stations",
           fmt::format("have {} servers with breakdowns, expected at most {}", servers, max_breaking_servers));
  }

  // Checks that every station has a service time for each class of customers who can reach it.
  void check_ways() {
    for (std::size_t i = 0; i < m_network.classes.size(); ++i)
      follow(m_network.classes[i].enters, static_cast<int>(i), path(m_network.classes[i]) + ".enters");
    for (std::size_t next = 0; next < m_visited.size(); ++next) {
      const auto [station, of] = m_visited[next];
      const NetworkStation& at = m_network.stations[static_cast<std::size_t>(station)];
      const NetworkVisit& visit = at.visits[static_cast<std::size_t>(of)];
      follow(visit.next, of,
             fmt::format("{}.next ({})", path(at), m_network.classes[static_cast<std::size_t>(of)].name));
    }
    expect(!m_visited.empty(), "classes",
           "have no customers, expected interarrival, rates or population in at least one");
  }

  void follow(const NetworkRoute& route, int of, const std::string& member) {
    double sum = 0;
    for (const NetworkBranch& branch : route) {
      sum += branch.probability;
      const int becomes = branch.becomes.value_or(of);
      m_leaves = m_leaves || branch.to.empty();
      for (const int to : branch.to) {
        const NetworkStation& station = m_network.stations[static_cast<std::size_t>(to)];
        const std::string& name = m_network.classes[static_cast<std::size_t>(becomes)].name;
        expect(station.visits[static_cast<std::size_t>(becomes)].service.has_value(), path(station) + ".service",
               fmt::format("has no service time for customers of class {}, whom {} sends there", io::in_quotes(name),
                           member));
        if (m_known.insert({to, becomes}).second) m_visited.emplace_back(to, becomes);
      }
    }
    m_leaves = m_leaves || sum < 1 - 1e-9;
  }

  // A choice among full stations of which some block and others lose customers has no defined outcome.
  void check_choice(const NetworkStation& at, const NetworkBranch& branch) const {
    const auto station = [this](int s) -> const NetworkStation& {
      return m_network.stations[static_cast<std::size_t>(s)];
    };
    if (!std::ranges::all_of(branch.to, [&](int to) { return station(to).has_limit(); })) return;
    for (const int to : branch.to) {
      expect(station(to).when_full == station(branch.to.front()).when_full, path(station(to)) + ".full",
             fmt::format("differs from that of {}, expected the same, because customers of {} choose between them",
                         io::in_quotes(station(branch.to.front()).name), io::in_quotes(at.name)));
    }
  }

  // Stations that block each other in a cycle can deadlock. So can a station whose customers come back to it: each
  // waits on its server for the place that it occupies itself.
  void check_blocking() const {
    const std::size_t count = m_network.stations.size();
    std::vector<std::set<int>> blocks(count);
    for (const auto& [at, of] : m_visited) {
      const NetworkStation& station = m_network.stations[static_cast<std::size_t>(at)];
      for (const NetworkBranch& branch : station.visits[static_cast<std::size_t>(of)].next) {
        check_choice(station, branch);
        for (const int to : branch.to) {
          const NetworkStation& target = m_network.stations[static_cast<std::size_t>(to)];
          if (target.when_full != WhenFull::block) continue;
          expect(to != at, path(target) + ".full",
                 "is block and customers return to the station directly: if it is full, a served customer waits "
                 "forever for its own place, expected lose or no limit");
          expect(station.discipline != Discipline::processor_sharing, path(target) + ".full",
                 fmt::format("is block for customers from {}, which shares its servers, expected lose",
                             io::in_quotes(station.name)));
          blocks[static_cast<std::size_t>(at)].insert(to);
        }
      }
    }
    std::vector<int> mark(count, 0);  // 1 while its routes are followed, 2 afterwards
    const auto visit = [&](const auto& self, std::size_t at) -> void {
      mark[at] = 1;
      for (const int to : blocks[at]) {
        expect(mark[static_cast<std::size_t>(to)] != 1,
               path(m_network.stations[static_cast<std::size_t>(to)]) + ".full",
               fmt::format(
                   "is block in a cycle of such stations through {}, which can deadlock, expected lose in one of them",
                   io::in_quotes(m_network.stations[at].name)));
        if (mark[static_cast<std::size_t>(to)] == 0) self(self, static_cast<std::size_t>(to));
      }
      mark[at] = 2;
    };
    for (std::size_t at = 0; at < count; ++at) {
      if (mark[at] == 0) visit(visit, at);
    }
  }

  // Checks that enough customers leave to end a replication.
  void check_end() const {
    if (m_network.customers == 0) return;
    std::int64_t population = 0;
    bool arrives = false;
    for (const NetworkClass& of : m_network.classes) {
      population += of.population;
      population += of.max_arrivals;
      arrives = arrives || ((of.interarrival || !of.rates.steps.empty()) && of.max_arrivals == 0);
    }
    const bool loses = std::ranges::any_of(m_network.stations, [](const auto& station) { return station.has_limit(); });
    expect(m_leaves || loses, "customers", "end a replication, but no customer leaves the network, expected a horizon");
    expect(arrives || m_network.customers <= population, "customers",
           fmt::format("is {}, expected at most the number of customers that ever arrive, {}", m_network.customers,
                       population));
  }

  const NetworkDescription& m_network;
  std::vector<std::pair<int, int>> m_visited;  // pairs of station and class that customers can reach
  std::set<std::pair<int, int>> m_known;       // same pairs as a set, for lookup
  bool m_leaves = false;                       // whether a route leads out of the network
};

}  // namespace

double NetworkSchedule::integral() const {
  if (!std::isfinite(cycle)) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < steps.size(); ++i)
    sum += steps[i].value * ((i + 1 < steps.size() ? steps[i + 1].from : cycle) - steps[i].from);
  return sum;
}

void NetworkDescription::check() const { NetworkChecker(*this).run(); }

void NetworkMember::check(double number) const {
  const double least = kind == Kind::servers || kind == Kind::room ? 1 : 0, most = kind == Kind::priority ? 1000 : 1e6;
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
  for (std::size_t i = 0; i < network.stations.size(); ++i) {
    const NetworkStation& station = network.stations[i];
    const std::string path = "stations." + station.name + ".";
    const int owner = static_cast<int>(i);
    if (station.servers < unlimited && station.shifts.steps.empty() && !station.breakdowns) {
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
  return members;
}

NetworkDescription with_members(const NetworkDescription& network, std::span<const double> values) {
  NetworkDescription changed = network;
  std::vector<NetworkBranch*> branches;
  for (NetworkClass& of : changed.classes) {
    for (NetworkBranch& branch : of.enters) branches.push_back(&branch);
  }
  std::vector<bool> has_change(branches.size());
  const std::vector<NetworkMember> members = network_members(network);
  for (std::size_t i = 0; i < std::min(members.size(), values.size()); ++i) {
    const auto owner = static_cast<std::size_t>(members[i].owner);
    const double value = values[i];
    if (value == members[i].value) continue;
    if (set_member(members[i].kind, owner, value, changed.stations, changed.classes)) continue;
    branches[owner]->probability = value;
    has_change[owner] = true;
  }
  std::size_t first = 0;
  for (NetworkClass& of : changed.classes) {
    const std::size_t end = first + of.enters.size();
    double sum = 0;
    bool is_changed = false;
    for (std::size_t branch = first; branch < end; ++branch) {
      sum += branches[branch]->probability;
      is_changed = is_changed || has_change[branch];
    }
    for (std::size_t branch = first; is_changed && sum > 0 && branch < end; ++branch)
      branches[branch]->probability /= sum;
    first = end;
  }
  return changed;
}

void check_network_members(const NetworkDescription& network, std::span<const double> values) {
  for (const NetworkClass& of : with_members(network, values).classes) {
    const bool can_enter =
        of.enters.empty() || std::ranges::any_of(of.enters, [](const auto& branch) { return branch.probability > 0; });
    expect(can_enter, "classes." + of.name + ".enters", "has only probabilities of 0, expected a positive one");
  }
}

}  // namespace sporos::models
