// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/networks/network_case.hpp>
#include <sporos/models/networks/network_data.hpp>
#include <sporos/models/networks/network_expect.hpp>
#include <sporos/models/networks/network_resources.hpp>
#include <sporos/models/networks/network_roles.hpp>

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

// Runs `check` and prefixes its error message with the path of the member.
template <class Check>
void with_path(const std::string& member, const Check& check) {
  try {
    check();
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(member + ": " + error.what());
  }
}

void check_part(const std::string& member, const NetworkDuration& duration);

void check_mixture(const std::string& member, const NetworkDuration& duration) {
  double sum = duration.probability;
  expect(duration.mixed.size() < max_mixture_parts, member,
         fmt::format("is a mixture of {} distributions, expected at most {}", duration.mixed.size() + 1,
                     max_mixture_parts));
  for (const NetworkDuration& component : duration.mixed) {
    sum += component.probability;
    check_part(member, component);
  }
  expect(std::abs(sum - 1) <= 1e-9, member,
         fmt::format("is a mixture whose probabilities have the sum {}, expected 1", io::shortest_text(sum)));
}

void check_part(const std::string& member, const NetworkDuration& duration) {
  with_path(member, [&] { duration.distribution.check(); });
  expect(duration.probability > 0 && duration.probability <= 1, member,
         fmt::format("is a mixture with the probability {}, expected numbers in (0, 1]",
                     io::shortest_text(duration.probability)));
  if (!duration.mixed.empty()) check_mixture(member, duration);
  const double mean = duration.unit * duration.distribution.mean(),
               least = duration.unit * duration.distribution.least();
  expect(least >= 0, member, fmt::format("can be as low as {}, expected at least 0", io::shortest_text(least)));
  expect(std::isfinite(mean) && mean > 0, member,
         fmt::format("has mean {}, expected a positive finite mean", io::shortest_text(mean)));
}

// Checks a duration and all parts of a sum.
void check_duration(const std::string& member, const NetworkDuration& duration) {
  const std::size_t parts = 1 + duration.more.size();
  expect(parts <= max_summands, member, fmt::format("is a sum of {} parts, expected at most {}", parts, max_summands));
  check_part(parts > 1 ? member + "[0]" : member, duration);
  for (std::size_t i = 1; i < parts; ++i) check_part(fmt::format("{}[{}]", member, i), duration.more[i - 1]);
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
  explicit NetworkChecker(const NetworkDescription& network)
      : m_network(network), m_reneging(reneging_visits(network)) {}

  void run() {
    check_counts();
    check_run();
    check_roles(m_network);
    for (const NetworkClass& of : m_network.classes) check_class(of);
    for (const NetworkStation& station : m_network.stations) check_station(station);
    for (const NetworkArea& area : m_network.areas) check_area(area);
    check_timers();
    check_ways();
    check_blocking();
    check_resources(m_network);
    check_end();
    check_until();
  }

 private:
  static std::string path(const NetworkClass& of) { return "classes." + of.name; }
  static std::string path(const NetworkStation& station) { return "stations." + station.name; }
  static std::string path(const NetworkArea& area) { return "areas." + area.name; }

  void check_counts() const {
    const auto count = [](const std::string& member, std::size_t number) {
      expect(number >= 1 && number <= static_cast<std::size_t>(max_stations), member,
             fmt::format("has {} members, expected 1 to {}", number, max_stations));
    };
    count("classes", m_network.classes.size());
    count("stations", m_network.stations.size());
  }

  void check_run() const {
    const double horizon = m_network.horizon, warm_up = m_network.warm_up;
    const std::int64_t customers = m_network.customers;
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
    check_most_customers("most_customers", m_network.most_customers);
    check_limits("wait_limits", m_network.wait_limits);
    check_limits("time_limits", m_network.time_limits);
    check_quantiles("wait_quantiles", m_network.wait_quantiles);
    check_quantiles("time_quantiles", m_network.time_quantiles);
    const std::vector<int>& limits = m_network.number_limits;
    for (std::size_t i = 0; i < limits.size(); ++i) {
      expect(limits[i] >= 0 && (i == 0 || limits[i] > limits[i - 1]), fmt::format("number_limits[{}]", i),
             fmt::format("is {}, expected increasing whole numbers of at least 0", limits[i]));
    }
    check_periods();
  }

  static void check_quantiles(const std::string& member, const std::vector<double>& quantiles) {
    for (std::size_t i = 0; i < quantiles.size(); ++i) {
      expect(quantiles[i] > (i == 0 ? 0 : quantiles[i - 1]) && quantiles[i] < 1, fmt::format("{}[{}]", member, i),
             fmt::format("is {}, expected increasing numbers between 0 and 1", io::shortest_text(quantiles[i])));
    }
  }

  // Every period must have an observed part, and every response of periods a station that has it.
  void check_periods() const {
    const auto& [ends, cycle, quantities, stations] = m_network.periods;
    if (ends.empty()) return;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const double last = i == 0 ? 0 : ends[i - 1];
      expect(ends[i] > last, "periods",
             fmt::format("have a period from {} to {}, expected increasing times", io::shortest_text(last),
                         io::shortest_text(ends[i])));
    }
    expect(m_network.until.kind == NetworkUntil::Kind::none, "periods",
           "are given with until, which may end a replication before them, expected one of them");
    const bool repeats = std::isfinite(cycle);
    expect(!repeats || cycle <= m_network.horizon, "periods.cycle",
           fmt::format("is {}, expected at most the horizon, {}", io::shortest_text(cycle),
                       io::shortest_text(m_network.horizon)));
    expect(!repeats || ends.back() == cycle, "periods.cycle",
           fmt::format("is {}, expected the end of the last period, {}", io::shortest_text(cycle),
                       io::shortest_text(ends.back())));
    const double first = repeats ? m_network.warm_up + cycle : m_network.warm_up;
    expect(repeats ? m_network.horizon >= first : ends.front() > first, "periods",
           repeats ? fmt::format("repeat after {}, expected a warm_up of at least that before the horizon",
                                 io::shortest_text(cycle))
                   : fmt::format("begin with one that ends at {}, before the warm_up of {}, expected a later end",
                                 io::shortest_text(ends.front()), io::shortest_text(m_network.warm_up)));
    const auto responses = network_responses(m_network);
    const bool has_any = std::ranges::any_of(responses, is_of_period);
    expect(has_any, "periods", "have no responses, expected quantities that the stations have");
  }

  static void check_limits(const std::string& member, const std::vector<double>& limits) {
    for (std::size_t i = 0; i < limits.size(); ++i) {
      expect(std::isfinite(limits[i]) && limits[i] >= 0 && (i == 0 || limits[i] > limits[i - 1]),
             fmt::format("{}[{}]", member, i),
             fmt::format("is {}, expected increasing numbers of at least 0", io::shortest_text(limits[i])));
    }
  }

  void check_class(const NetworkClass& of) const {
    const std::string member = path(of);
    const bool arrives = of.has_arrivals();
    expect(!(of.interarrival && !of.rates.steps.empty()), member, "has interarrival and rates, expected one of them");
    check_appointments(of);
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
    if (std::isfinite(m_network.horizon) && of.appointments.times.empty() && arrives) {
      const double mean = of.interarrival ? 1 / of.interarrival->mean() : max_rate(of);
      check_expected_steps(member + ": expected number of arrivals", mean * of.arrival_speed * m_network.horizon);
    }
  }

  void check_appointments(const NetworkClass& of) const {
    const auto& [times, cycle, lateness, no_shows] = of.appointments;
    const std::string member = path(of);
    if (times.empty()) {
      expect(!lateness, member + ".lateness", "is given without arrivals, expected both");
      expect(no_shows == 0, member + ".no_shows", "is given without arrivals, expected both");
      return;
    }
    expect(!of.interarrival && of.rates.steps.empty(), member,
           "has arrivals and interarrival or rates, expected one of them");
    expect(of.arrival_speed == 1, member + ".arrival_speed", "is given for a list of arrivals, expected other times");
    for (std::size_t i = 0; i < times.size(); ++i) {
      expect(std::isfinite(times[i]) && times[i] >= (i == 0 ? 0 : times[i - 1]),
             fmt::format("{}.arrivals[{}]", member, i),
             fmt::format("is {}, expected times that do not decrease", io::shortest_text(times[i])));
    }
    expect(cycle > times.back(), member + ".cycle",
           fmt::format("is {}, expected more than the last time of arrivals, {}", io::shortest_text(cycle),
                       io::shortest_text(times.back())));
    expect(no_shows >= 0 && no_shows < 1, member + ".no_shows",
           fmt::format("is {}, expected a number of at least 0 and less than 1", io::shortest_text(no_shows)));
    const double count = static_cast<double>(times.size()) * of.appointments.repetitions(m_network.horizon);
    if (std::isfinite(count)) check_expected_steps(member + ": number of arrivals", count);
    if (!lateness) return;
    with_path(member + ".lateness", [&] { of.appointments.lateness->distribution.check(); });
    expect(std::isfinite(lateness->mean()), member + ".lateness", "has no finite mean, expected one");
    expect(lateness->more.empty(), member + ".lateness", "is a sum, expected one distribution");
    expect(std::isfinite(count), member + ".lateness",
           "is given for arrivals that repeat without end, expected a horizon or no cycle");
    expect(count <= max_late_appointments, member + ".lateness",
           fmt::format("is given for {} arrivals before the horizon, expected at most {}", io::shortest_text(count),
                       max_late_appointments));
  }

  // Checks the numbers of servers and of late appointments, which have a timer each.
  void check_timers() const {
    double servers = 0, appointments = 0;
    for (const NetworkStation& station : m_network.stations) servers += station.tracks_servers() ? station.servers : 0;
    for (const NetworkClass& of : m_network.classes) {
      const NetworkAppointments& list = of.appointments;
      if (list.lateness) appointments += static_cast<double>(list.times.size()) * list.repetitions(m_network.horizon);
    }
    expect(servers <= max_tracked_servers, "stations",
           fmt::format("have {} servers that break down or have speeds, expected at most {}",
                       io::shortest_text(servers), max_tracked_servers));
    expect(appointments <= max_late_appointments, "classes",
           fmt::format("have {} arrivals with lateness, expected at most {}", io::shortest_text(appointments),
                       max_late_appointments));
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
    check_speeds(station);
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
    expect(station.shift_end == ShiftEnd::complete || has_shifts, member + ".shift_end",
           "is given without shifts, expected both");
    if (station.group) check_group(station);
    if (station.breakdowns) {
      expect(!has_shifts, member, "has shifts and breakdowns, expected one of them");
      expect(station.servers < unlimited, member + ".servers", "is unlimited, expected a number with breakdowns");
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
      check_impatience(station, i);
    }
    check_waiting(station);
  }

  void check_impatience(const NetworkStation& station, std::size_t c) const {
    const NetworkVisit& visit = station.visits[c];
    const auto member = [&](const char* name) {
      return fmt::format("{}.{} ({})", path(station), name, m_network.classes[c].name);
    };
    for (std::size_t i = 0; i < visit.balking.size(); ++i) {
      expect(visit.balking[i] >= 0 && visit.balking[i] <= 1, fmt::format("{}[{}]", member("balking"), i),
             fmt::format("is {}, expected a number from 0 to 1", io::shortest_text(visit.balking[i])));
    }
    check_route(member("reneging"), visit.reneging);
    if (visit.balking_wait) check_duration(member("balking_wait"), *visit.balking_wait);
    if (!visit.change) return;
    check_duration(member("changes"), visit.change->after);
    expect(visit.change->becomes != static_cast<int>(c), member("changes"), "becomes its own class, expected another");
  }

  // Checks the members that need waiting customers.
  void check_waiting(const NetworkStation& station) const {
    const auto any = [&](auto is_given) { return std::ranges::any_of(station.visits, is_given); };
    const bool waits = station.has_queue();
    const auto expect_waits = [&](bool is_given, const char* name) {
      expect(!is_given || waits, path(station) + name,
             "is given for shared or unlimited servers, where nobody waits, expected other servers");
    };
    expect_waits(any(&NetworkVisit::has_balking_wait), ".balking_wait");
    expect_waits(any([](const auto& visit) { return visit.change.has_value(); }), ".changes");
    expect_waits(!station.jockeying.to.empty(), ".jockeying");
    expect(!station.group || !any(&NetworkVisit::has_balking_wait), path(station) + ".balking_wait",
           "is given for group, where the expected wait is unknown, expected only one of them");
    const auto index = static_cast<std::size_t>(&station - m_network.stations.data());
    const auto first = m_reneging.begin() + static_cast<std::ptrdiff_t>(index * m_network.classes.size());
    const bool may_renege = std::any_of(first, first + static_cast<std::ptrdiff_t>(m_network.classes.size()),
                                        [](bool reneges) { return reneges; });
    expect(may_renege || !any([](const auto& visit) { return !visit.reneging.empty(); }), path(station) + ".reneging",
           "is given without patience, expected both");
    check_jockeying(station);
  }

  void check_jockeying(const NetworkStation& station) const {
    const auto& [targets, difference] = station.jockeying;
    if (targets.empty()) return;
    const std::string member = path(station) + ".jockeying";
    expect(difference >= 2, member + ".difference", fmt::format("is {}, expected at least 2", difference));
    expect(!station.group, member, "is given for group, expected only one of them");
    for (const int to : targets) {
      const NetworkStation& target = m_network.stations[static_cast<std::size_t>(to)];
      expect(&target != &station, member, "leads to the station itself, expected other stations");
      expect(target.discipline != Discipline::processor_sharing && !target.group, member,
             fmt::format("leads to {}, which shares its servers or serves groups, expected other stations",
                         io::in_quotes(target.name)));
      expect(!target.has_roles(), member,
             fmt::format("leads to {}, which has roles, expected other stations", io::in_quotes(target.name)));
      expect(!target.seizes(), member,
             fmt::format("leads to {}, where customers seize resources, expected other stations",
                         io::in_quotes(target.name)));
    }
  }

  static void check_speeds(const NetworkStation& station) {
    if (station.speeds.empty()) return;
    const std::string member = path(station);
    for (std::size_t i = 0; i < station.speeds.size(); ++i) {
      expect(std::isfinite(station.speeds[i]) && station.speeds[i] > 0, fmt::format("{}.speeds[{}]", member, i),
             fmt::format("is {}, expected a positive finite number", io::shortest_text(station.speeds[i])));
    }
    expect(station.speeds.size() == static_cast<std::size_t>(station.servers), member + ".speeds",
           fmt::format("has {} numbers for {} servers, expected one for each", station.speeds.size(), station.servers));
    expect(station.shifts.steps.empty(), member, "has shifts and speeds, expected one of them");
    expect(station.discipline != Discipline::processor_sharing, member + ".speeds",
           "is given for shared servers, expected another discipline");
  }

  void check_group(const NetworkStation& station) const {
    const auto& [most, least, after, every] = *station.group;
    const std::string member = path(station) + ".group";
    expect(most >= 1 && most <= max_customers, member + ".most",
           fmt::format("is {}, expected a whole number from 1 to {}", most, max_customers));
    expect(least >= 1 && least <= most, member + ".least",
           fmt::format("is {}, expected a whole number from 1 to most, {}", least, most));
    expect(after >= 0, member + ".after",
           fmt::format("is {}, expected a time of at least 0", io::shortest_text(after)));
    expect(every > 0, member + ".every", fmt::format("is {}, expected more than 0", io::shortest_text(every)));
    if (std::isfinite(m_network.horizon) && std::isfinite(every))
      check_expected_steps(member + ": number of departures", m_network.horizon / every);
    expect(least <= station.room || std::isfinite(after) || std::isfinite(every), member + ".least",
           fmt::format("is {}, but the station has room for {}, expected at most that, or after or every", least,
                       station.room));
    expect(station.discipline != Discipline::processor_sharing && !preempts(station.discipline), member,
           "is given for a station that shares its servers or interrupts services, expected another discipline");
    expect(!station.breakdowns, member, "is given for servers that break down, expected only one of them");
    expect(station.shift_end == ShiftEnd::complete, member,
           "is given for services that the end of a shift interrupts, expected shift_end complete");
  }

  // Checks that every station has a service time for each class of customers who can reach it.
  void check_ways() {
    for (std::size_t i = 0; i < m_network.classes.size(); ++i)
      follow(m_network.classes[i].enters, static_cast<int>(i), path(m_network.classes[i]) + ".enters");
    for (std::size_t next = 0; next < m_visited.size(); ++next) {
      const auto [station, of] = m_visited[next];
      const NetworkStation& at = m_network.stations[static_cast<std::size_t>(station)];
      const NetworkVisit& visit = at.visits[static_cast<std::size_t>(of)];
      const std::string& name = m_network.classes[static_cast<std::size_t>(of)].name;
      follow(visit.next, of, fmt::format("{}.next ({})", path(at), name));
      m_leaves = m_leaves || visit.may_balk();
      if (m_reneging[static_cast<std::size_t>(station) * m_network.classes.size() + static_cast<std::size_t>(of)])
        follow(visit.reneging, of, fmt::format("{}.reneging ({})", path(at), name));
      const std::string jockeying = path(at) + ".jockeying", changes = fmt::format("{}.changes ({})", path(at), name);
      if (!at.jockeying.to.empty()) follow({{.to = at.jockeying.to}}, of, jockeying);
      if (visit.change) follow({{.to = {station}, .becomes = visit.change->becomes}}, of, changes);
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

  void check_area(const NetworkArea& area) const {
    const std::string member = path(area);
    const auto has_name = [&](const NetworkStation& station) { return station.name == area.name; };
    expect(area.name != "network" && std::ranges::none_of(m_network.stations, has_name), member,
           "has the name of the network or of a station, expected another one");
    expect(!area.stations.empty(), member + ".stations", "is empty, expected at least one station");
    expect(std::set<int>(area.stations.begin(), area.stations.end()).size() == area.stations.size(),
           member + ".stations", "names a station twice, expected each at most once");
    expect(area.room >= 1 && area.room <= max_customers, member + ".room",
           fmt::format("is {}, expected a whole number from 1 to {}", area.room, max_customers));
  }

  // A station or an area that can be full.
  struct Limit {
    std::string path, name;
    WhenFull when_full;
  };

  // The limits that a customer meets on the way from station `at` to station `to`.
  std::vector<Limit> limits_between(int at, int to) const {
    std::vector<Limit> limits;
    const NetworkStation& target = m_network.stations[static_cast<std::size_t>(to)];
    if (target.has_limit()) limits.push_back({path(target), target.name, target.when_full});
    for (const NetworkArea& area : m_network.areas) {
      if (area.contains(to) && !area.contains(at)) limits.push_back({path(area), area.name, area.when_full});
    }
    return limits;
  }

  // A choice among full stations of which some block and others lose customers has no defined outcome.
  void check_choice(int at, const NetworkBranch& branch) const {
    std::vector<Limit> all;
    for (const int to : branch.to) {
      const auto limits = limits_between(at, to);
      if (limits.empty()) return;
      all.insert(all.end(), limits.begin(), limits.end());
    }
    for (std::size_t i = 1; branch.to.size() > 1 && i < all.size(); ++i) {
      expect(all[i].when_full == all[0].when_full, all[i].path + ".full",
             fmt::format("differs from that of {}, expected the same, because customers of {} choose between them",
                         io::in_quotes(all[0].name),
                         io::in_quotes(m_network.stations[static_cast<std::size_t>(at)].name)));
    }
  }

  // Stations with shared servers and groups cannot hold blocked customers.
  void check_blocking() const {
    for (const auto& [at, of] : m_visited) {
      const NetworkStation& station = m_network.stations[static_cast<std::size_t>(at)];
      for (const NetworkBranch& branch : station.visits[static_cast<std::size_t>(of)].next) {
        check_choice(at, branch);
        for (const int to : branch.to) {
          for (const Limit& limit : limits_between(at, to)) {
            if (limit.when_full != WhenFull::block) continue;
            expect(station.discipline != Discipline::processor_sharing, limit.path + ".full",
                   fmt::format("is block for customers from {}, which shares its servers, expected lose",
                               io::in_quotes(station.name)));
            expect(!station.has_roles(), limit.path + ".full",
                   fmt::format("is block for customers from {}, where people with roles serve, expected lose",
                               io::in_quotes(station.name)));
            expect(!station.group, limit.path + ".full",
                   fmt::format("is block for customers from {}, which serves them in groups, expected lose",
                               io::in_quotes(station.name)));
          }
        }
      }
    }
  }

  // Checks that enough customers leave to end a replication.
  void check_end() const {
    if (m_network.customers == 0) return;
    double most = 0;
    for (const NetworkClass& of : m_network.classes) most += of.population + of.most_arrivals();
    expect(m_leaves || m_network.has_limits(), "customers",
           "end a replication, but no customer leaves the network, expected a horizon");
    expect(static_cast<double>(m_network.customers) <= most, "customers",
           fmt::format("is {}, expected at most the number of customers that ever arrive, {}", m_network.customers,
                       io::shortest_text(most)));
  }

  void check_until() const {
    using Kind = NetworkUntil::Kind;
    const auto& [kind, count, station, time] = m_network.until;
    if (kind == Kind::none) return;
    expect(std::isfinite(m_network.horizon), "until", "is given without horizon, expected both");
    expect(m_network.warm_up == 0, "warm_up",
           fmt::format("is {}, expected 0 with until, which observes the time from 0",
                       io::shortest_text(m_network.warm_up)));
    expect(kind != Kind::number || (count >= 1 && count <= max_customers), "until.number",
           fmt::format("is {}, expected a whole number from 1 to {}", count, max_customers));
    expect(kind != Kind::empty_after || time < m_network.horizon, "until.empty_after",
           fmt::format("is {}, expected less than horizon, {}", io::shortest_text(time),
                       io::shortest_text(m_network.horizon)));
    expect(kind != Kind::lost || count >= 1, "until.lost", fmt::format("is {}, expected at least 1", count));
    expect(kind != Kind::lost || m_network.has_limits(), "until.lost",
           "is given for a network that loses no customers, expected a station with room or waiting, or an area");
    expect(
        kind != Kind::deadlock || m_network.can_deadlock(), "until.deadlock",
        "is given for a network that cannot deadlock, expected stations that block each other in a cycle, or customers "
        "who wait for resources while they hold others");
  }

  const NetworkDescription& m_network;
  std::vector<bool> m_reneging;                // see reneging_visits
  std::vector<std::pair<int, int>> m_visited;  // pairs of station and class that customers can reach
  std::set<std::pair<int, int>> m_known;       // same pairs as a set, for lookup
  bool m_leaves = false;                       // whether a route leads out of the network
};

}  // namespace

void NetworkDescription::check() const { NetworkChecker(*this).run(); }

void check_most_customers(const std::string& member, std::int64_t number) {
  expect(number >= 0 && number <= max_customers, member,
         fmt::format("is {}, expected a whole number from 1 to {}, or 0 for a default", number, max_customers));
}

}  // namespace sporos::models
