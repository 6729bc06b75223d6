// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/networks/network_files.hpp>

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/json_text.hpp>
#include <sporos/core/io/text_file.hpp>
#include <sporos/models/networks/network_case_member.hpp>
#include <sporos/models/networks/network_case_unit.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

namespace sporos::models {

namespace {

using io::Json;

constexpr std::string_view leave = "leave";  // reserved station name: the customer leaves the network

// Reads a case: first its unit of time and the names of its classes and stations, then everything that refers to them.
class CaseReader {
 public:
  // `path` is that of the case, to whose folder other files are relative.
  CaseReader(const Json& json, const std::string& path)
      : m_case(json, ""), m_folder(std::filesystem::path(path).parent_path()) {}

  NetworkDescription read() {
    m_case.check_members({"time_unit",      "horizon",       "customers",   "warm_up",        "most_customers",
                          "cool_down",      "most_people",   "wait_limits", "wait_quantiles", "time_limits",
                          "time_quantiles", "number_limits", "maxima",      "periods",        "until",
                          "classes",        "stations",      "areas",       "staff",          "resources"});
    m_unit = CaseUnit(m_case.at("time_unit"));
    m_network.time_unit = m_case.at("time_unit").text();
    read_run();
    const CaseMember classes = m_case.at("classes"), stations = m_case.at("stations");
    read_names(classes, m_classes);
    read_names(stations, m_stations);
    if (const auto member = m_case.find("staff")) read_names(*member, m_roles);
    if (const auto member = m_case.find("resources")) read_resources(*member);
    read_periods();
    if (const auto member = m_case.find("until")) read_until(*member);
    if (const auto member = m_case.find("areas")) read_areas(*member);
    for (const auto& [name, member] : classes.all()) read_class(name, member);
    for (const auto& [name, member] : stations.all()) read_station(name, member);
    if (const auto member = m_case.find("staff")) {
      for (const auto& [name, role] : member->all()) read_role(name, role);
    }
    return std::move(m_network);
  }

 private:
  void read_run() {
    m_network.horizon = std::numeric_limits<double>::infinity();
    if (const auto member = m_case.find("horizon")) m_network.horizon = m_unit.time(*member);
    if (const auto member = m_case.find("customers")) m_network.customers = member->whole(1, 2e9);
    if (const auto member = m_case.find("warm_up")) m_network.warm_up = m_unit.time(*member);
    if (const auto member = m_case.find("cool_down")) m_network.cool_down = m_unit.time(*member);
    if (const auto member = m_case.find("most_people")) m_network.most_people = member->whole(1, max_people);
    if (const auto member = m_case.find("most_customers")) m_network.most_customers = member->whole(1, max_customers);
    read_limits("wait_limits", m_network.wait_limits);
    read_limits("time_limits", m_network.time_limits);
    read_quantiles("wait_quantiles", m_network.wait_quantiles);
    read_quantiles("time_quantiles", m_network.time_quantiles);
    if (const auto member = m_case.find("number_limits")) {
      if (!member->is_list()) member->refuse("a list of whole numbers");
      for (const auto& [name, limit] : member->all()) m_network.number_limits.push_back(limit.whole(0, max_customers));
    }
    if (const auto member = m_case.find("maxima")) m_network.has_maxima = member->truth();
  }

  void read_quantiles(const std::string& name, std::vector<double>& quantiles) const {
    const auto member = m_case.find(name);
    if (!member) return;
    if (!member->is_list()) member->refuse("a list of numbers between 0 and 1");
    for (const auto& [index, quantile] : member->all()) quantiles.push_back(quantile.number());
  }

  void read_periods() {
    const auto member = m_case.find("periods");
    if (!member) return;
    NetworkPeriods& periods = m_network.periods;
    for (const auto& [quantity, value] : ChoiceNames<PeriodQuantity>::values) periods.quantities.push_back(value);
    if (!member->is_object()) return read_period_ends(*member, m_network.horizon);
    member->check_members({"every", "starts", "cycle", "responses", "stations"});
    const auto every = member->find("every"), starts = member->find("starts");
    if (every.has_value() == starts.has_value())
      member->fail(member->path() + " has both or neither of every and starts, expected one of them");
    if (const auto cycle = member->find("cycle")) periods.cycle = m_unit.time(*cycle);
    if (every && every->is_list()) every->refuse("a time");
    if (starts && !starts->is_list()) starts->refuse("a list of times");
    read_period_ends(every ? *every : *starts, std::min(periods.cycle, m_network.horizon));
    if (const auto responses = member->find("responses")) {
      periods.quantities.clear();
      if (!responses->is_list()) responses->refuse("a list of the responses of periods");
      for (const auto& [name, of] : responses->all()) periods.quantities.push_back(choice<PeriodQuantity>(of));
      check_distinct(*responses, periods.quantities);
    }
    if (const auto stations = member->find("stations")) {
      if (!stations->is_list() || stations->all().empty()) stations->refuse("a list of stations");
      for (const auto& [name, at] : stations->all()) periods.stations.push_back(number_of(m_stations, at, "station"));
      check_distinct(*stations, periods.stations);
    }
  }

  template <class Value>
  static void check_distinct(const CaseMember& member, std::vector<Value> values) {
    std::ranges::sort(values);
    if (std::ranges::adjacent_find(values) != values.end()) member.refuse("distinct values");
  }

  // Reads the length of the periods, or the times at which they start. The last one ends at `end`.
  void read_period_ends(const CaseMember& member, double end) {
    std::vector<double>& ends = m_network.periods.ends;
    if (!std::isfinite(end)) member.fail("periods are given without horizon and cycle, expected one of them");
    if (member.is_list()) {
      for (const auto& [index, start] : member.all()) {
        if (ends.empty() && m_unit.time(start) != 0) start.refuse("0 as the first start");
        if (m_unit.time(start) >= end) start.refuse(fmt::format("a time before {}", io::shortest_text(end)));
        ends.push_back(m_unit.time(start));
      }
      if (ends.empty()) member.refuse("at least one time");
      ends.erase(ends.begin());
    } else {
      const double every = m_unit.time(member);
      if (!(every > 0) || end / every > max_periods)
        member.refuse(fmt::format("a length of which at most {} fit into {}", max_periods, io::shortest_text(end)));
      // A last period that is shorter only by rounding is none.
      for (int i = 1; i * every < end * (1 - 1e-12); ++i) ends.push_back(i * every);
    }
    ends.push_back(end);
    if (ends.size() > max_periods) member.refuse(fmt::format("at most {} periods", max_periods));
  }

  void read_until(const CaseMember& member) {
    using Kind = NetworkUntil::Kind;
    member.check_members({"number", "at", "empty_after", "lost", "deadlock"});
    NetworkUntil& until = m_network.until;
    const auto number = member.find("number"), at = member.find("at"), empty_after = member.find("empty_after"),
               lost = member.find("lost"), deadlock = member.find("deadlock");
    if (number.has_value() + empty_after.has_value() + lost.has_value() + deadlock.has_value() != 1)
      member.refuse("one of the members number, empty_after, lost and deadlock");
    if (at && !number) at->fail("until.at is given without number, expected both");
    if (number) until = {Kind::number, number->whole(1, max_customers), -1, 0};
    if (at) until.station = number_of(m_stations, *at, "station");
    if (empty_after) until = {Kind::empty_after, 0, -1, m_unit.time(*empty_after)};
    if (lost) until = {Kind::lost, lost->whole(1, 2e9), -1, 0};
    if (deadlock && !deadlock->truth()) deadlock->refuse("true");
    if (deadlock) until.kind = Kind::deadlock;
  }

  void read_areas(const CaseMember& members) {
    std::map<std::string, int> names;
    read_names(members, names);
    for (const auto& [name, member] : members.all()) {
      member.check_members({"stations", "room", "full"});
      NetworkArea& area = m_network.areas.emplace_back();
      area.name = name;
      area.room = member.at("room").whole(1, max_customers);
      if (const auto found = member.find("full")) area.when_full = choice<WhenFull>(*found);
      const auto stations = member.find("stations");
      for (int s = 0; !stations && s < static_cast<int>(m_stations.size()); ++s) area.stations.push_back(s);
      if (!stations) continue;
      if (!stations->is_list()) stations->refuse("a list of stations");
      for (const auto& [index, at] : stations->all()) area.stations.push_back(number_of(m_stations, at, "station"));
    }
  }

  void read_resources(const CaseMember& members) {
    read_names(members, m_resources);
    for (const auto& [name, units] : members.all()) m_network.resources.push_back({name, units.whole(1, max_units)});
  }

  void read_limits(const std::string& name, std::vector<double>& limits) const {
    const auto member = m_case.find(name);
    if (!member) return;
    if (!member->is_list()) member->refuse("a list of times");
    for (const auto& [index, limit] : member->all()) limits.push_back(m_unit.time(limit));
  }

  static void read_names(const CaseMember& members, std::map<std::string, int>& names) {
    if (!members.is_object()) members.refuse("an object with one member for each");
    for (const auto& [name, member] : members.all()) {
      const auto is_good = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
      };
      const bool is_name = !name.empty() && name.size() <= 40 && std::ranges::all_of(name, is_good) && name != leave;
      if (!is_name) {
        member.fail(fmt::format("{} has an invalid name, expected up to 40 letters, digits, '_' and '-', but not '{}'",
                                member.path(), leave));
      }
      names.emplace(name, static_cast<int>(names.size()));
    }
  }

  static int number_of(const std::map<std::string, int>& names, const CaseMember& member, const std::string& what) {
    const auto found = names.find(member.text());
    if (found == names.end()) {
      std::vector<std::string> known;
      for (const auto& [name, number] : names) known.push_back(name);
      member.refuse(fmt::format("a {}: {}", what, fmt::join(known, ", ")));
    }
    return found->second;
  }

  NetworkRoute route(const CaseMember& member) const {
    if (member.is_text()) return {branch_to(member)};
    if (!member.is_list()) member.refuse("the name of a station, or a list of branches");
    NetworkRoute route;
    for (const auto& [name, element] : member.all()) {
      element.check_members({"to", "choice", "probability", "becomes"});
      NetworkBranch branch;
      const CaseMember to = element.at("to");
      if (to.is_list()) {
        for (const auto& [unnamed, target] : to.all()) branch.to.push_back(number_of(m_stations, target, "station"));
        if (branch.to.empty()) to.refuse("at least one station");
      } else {
        branch = branch_to(to);
      }
      if (const auto found = element.find("choice")) branch.choice = choice<Choice>(*found);
      if (const auto probability = element.find("probability")) branch.probability = probability->number();
      if (const auto becomes = element.find("becomes")) branch.becomes = number_of(m_classes, *becomes, "class");
      route.push_back(std::move(branch));
    }
    if (route.empty()) member.refuse("at least one branch");
    return route;
  }

  NetworkBranch branch_to(const CaseMember& member) const {
    if (member.text() == leave) return {};
    return {1, {number_of(m_stations, member, "station or 'leave'")}, {}};
  }

  NetworkSchedule schedule(const CaseMember& member, std::string_view name, const CaseMember& owner) const {
    if (!member.is_list() || member.all().empty())
      member.refuse(fmt::format("a list of objects with from and {}", name));
    NetworkSchedule schedule;
    for (const auto& [unnamed, step] : member.all()) {
      step.check_members({"from", name});
      const CaseMember value = step.at(name);
      schedule.steps.push_back(
          {m_unit.time(step.at("from")), name == "rate" ? m_unit.rate(value) : value.whole(0, 1e6)});
    }
    if (const auto cycle = owner.find("cycle")) schedule.cycle = m_unit.time(*cycle);
    return schedule;
  }

  void read_role(const std::string& name, const CaseMember& member) {
    member.check_members({"starts", "cycle", "shift", "breaks", "cost", "cost_factors", "overtime_factor", "takes"});
    NetworkRole& role = m_network.roles.emplace_back();
    role.name = name;
    const CaseMember starts = member.at("starts");
    if (!starts.is_list()) starts.refuse("a list with the number of people who start in each slot of the cycle");
    for (const auto& [unnamed, people] : starts.all()) role.starts.push_back(people.whole(0, max_people));
    role.cycle = day_of(m_network);
    if (const auto found = member.find("cycle")) role.cycle = m_unit.time(*found);
    role.shift = m_unit.time(member.at("shift"));
    if (const auto found = member.find("breaks")) {
      if (!found->is_list()) found->refuse("a list of objects with after and length");
      for (const auto& [unnamed, pause] : found->all()) {
        pause.check_members({"after", "length"});
        role.breaks.push_back({m_unit.time(pause.at("after")), m_unit.time(pause.at("length"))});
      }
    }
    if (const auto found = member.find("cost")) role.cost = m_unit.rate(*found);
    if (const auto found = member.find("cost_factors")) {
      if (!found->is_list() || found->all().empty()) found->refuse("a list of objects with from and factor");
      for (const auto& [unnamed, step] : found->all()) {
        step.check_members({"from", "factor"});
        role.cost_factors.push_back({m_unit.time(step.at("from")), step.at("factor").number()});
      }
    }
    if (const auto found = member.find("overtime_factor")) role.overtime_factor = found->number();
    if (const auto found = member.find("takes")) {
      if (!found->is_list()) found->refuse("a list such as ['urgent at triage', 'triage']");
      for (const auto& [unnamed, of] : found->all()) role.takes.push_back(work(of));
    }
  }

  // Parses the name of a station, or "CLASS at STATION".
  NetworkWork work(const CaseMember& member) const {
    const std::string text = member.text();
    const auto at = text.find(" at ");
    const std::string of_class = at == std::string::npos ? "" : text.substr(0, at);
    const auto station = m_stations.find(at == std::string::npos ? text : text.substr(at + 4));
    const auto found = m_classes.find(of_class);
    if (station == m_stations.end() || (at != std::string::npos && found == m_classes.end()))
      member.refuse("a station, or a class and a station such as 'urgent at triage'");
    return {station->second, at == std::string::npos ? -1 : found->second};
  }

  std::vector<int> roles(const CaseMember& member) const {
    if (!member.is_list() || member.all().empty()) member.refuse("a list of roles of staff, the preferred first");
    std::vector<int> roles;
    for (const auto& [unnamed, role] : member.all()) roles.push_back(number_of(m_roles, role, "role"));
    return roles;
  }

  void read_class(const std::string& name, const CaseMember& member) {
    member.check_members({"interarrival", "rates", "cycle", "batch", "max_arrivals", "population", "priority",
                          "arrival_speed", "arrivals", "lateness", "no_shows", "enters"});
    NetworkClass& of = m_network.classes.emplace_back();
    of.name = name;
    if (const auto found = member.find("interarrival")) of.interarrival = m_unit.sum(*found);
    if (const auto found = member.find("rates")) of.rates = schedule(*found, "rate", member);
    if (const auto found = member.find("arrivals")) read_arrivals(*found, member, of);
    if (!member.find("arrivals")) refuse_cycle_only(member, "rates");
    if (const auto found = member.find("lateness")) of.appointments.lateness = m_unit.duration(*found);
    if (const auto found = member.find("no_shows")) of.appointments.no_shows = found->number();
    if (const auto found = member.find("batch")) of.batch = m_unit.duration(*found);
    if (const auto found = member.find("max_arrivals")) of.max_arrivals = found->whole(1, 2e9);
    if (const auto found = member.find("population")) of.population = found->whole(0, max_customers);
    if (const auto found = member.find("priority")) of.priority = found->whole(0, 1000);
    if (const auto found = member.find("arrival_speed")) of.arrival_speed = found->number();
    if (const auto found = member.find("enters")) of.enters = route(*found);
  }

  // Reads times of arrivals: a list of them, or an object with a CSV file.
  void read_arrivals(const CaseMember& member, const CaseMember& owner, NetworkClass& of) const {
    std::vector<double>& times = of.appointments.times;
    if (member.is_list()) {
      for (const auto& [index, arrival] : member.all()) times.push_back(m_unit.time(arrival));
    } else {
      if (!member.is_object()) member.refuse("a list of times, or an object with the member file");
      member.check_members({"file"});
      const CaseMember file = member.at("file");
      const std::filesystem::path path = m_folder / file.text();
      try {
        times = read_times(path.string());
      } catch (const std::invalid_argument& error) {
        file.fail(fmt::format("{}: {}", file.path(), error.what()));
      }
    }
    if (times.empty()) member.refuse("at least one time");
    if (const auto cycle = owner.find("cycle")) of.appointments.cycle = m_unit.time(*cycle);
  }

  // Reads the column of a CSV file of times.
  std::vector<double> read_times(const std::string& path) const {
    const std::string text = io::read_text_file(path);
    io::CsvRows rows(path, text, {.column = "column", .row = "arrival"});
    if (rows.names().size() != 1) {
      throw std::invalid_argument(
          fmt::format("{} has {} columns, expected one with the times of arrivals", path, rows.names().size()));
    }
    if (m_unit.time_of(rows.names()[0])) {
      throw std::invalid_argument(
          fmt::format("{} begins with the time {}, expected a name of the column, such as 'time'", path,
                      io::in_quotes(rows.names()[0])));
    }
    std::vector<double> times;
    while (!rows.at_end()) {
      rows.next();
      const auto time = m_unit.time_of(rows.number_text(0));
      const double last = times.empty() ? 0 : times.back();
      if (!time || !std::isfinite(*time) || *time < last) {
        throw std::invalid_argument(
            fmt::format("{}, line {}: {}, expected a time of at least {}, such as 90 or '1.5 h'", path, rows.line(),
                        io::in_quotes(rows.fields()[0]), io::shortest_text(last)));
      }
      times.push_back(*time);
    }
    rows.check_marks();
    return times;
  }

  static void refuse_cycle_only(const CaseMember& member, std::string_view of) {
    if (member.find("cycle") && !member.find(of))
      member.at("cycle").fail(fmt::format("{}.cycle is given without {}, expected both", member.path(), of));
  }

  void read_station(const std::string& name, const CaseMember& member) {
    member.check_members({"servers", "roles",        "discipline", "service",   "speed",    "speeds",
                          "group",   "room",         "waiting",    "full",      "patience", "reneging",
                          "balking", "balking_wait", "changes",    "jockeying", "shifts",   "shift_end",
                          "cycle",   "breakdowns",   "next",       "seize",     "release"});
    NetworkStation& station = m_network.stations.emplace_back();
    station.name = name;
    station.visits.resize(m_classes.size());
    if (const auto found = member.find("servers")) station.servers = servers(*found);
    if (const auto found = member.find("discipline")) station.discipline = choice<Discipline>(*found);
    if (const auto found = member.find("speed")) station.speed = found->number();
    if (const auto found = member.find("speeds")) read_speeds(*found, member, station);
    if (const auto found = member.find("group")) station.group = group(*found);
    if (const auto found = member.find("room")) station.room = found->whole(1, 1e6);
    if (const auto found = member.find("waiting")) station.waiting = found->whole(0, 1e6);
    if (const auto found = member.find("full")) station.when_full = choice<WhenFull>(*found);
    if (const auto found = member.find("shifts")) {
      if (member.find("servers")) {
        member.fail(member.path() + " has servers and shifts, expected one of them");
      }
      station.shifts = schedule(*found, "servers", member);
    }
    refuse_cycle_only(member, "shifts");
    if (const auto found = member.find("roles")) read_roles(*found, member, station);
    if (const auto found = member.find("shift_end")) station.shift_end = choice<ShiftEnd>(*found);
    if (const auto found = member.find("breakdowns")) {
      found->check_members({"up", "down"});
      station.breakdowns = {m_unit.sum(found->at("up")), m_unit.sum(found->at("down"))};
    }
    by_class(member.at("service"), [&](const CaseMember& of, NetworkVisit& visit) { visit.service = m_unit.sum(of); });
    if (const auto found = member.find("patience"))
      by_class(*found, [&](const CaseMember& of, NetworkVisit& visit) { visit.patience = m_unit.sum(of); });
    if (const auto found = member.find("next"))
      by_class(*found, [&](const CaseMember& of, NetworkVisit& visit) { visit.next = route(of); });
    read_impatience(member, station);
    read_units(member, station);
  }

  // Reads the resources that customers seize and release. They limit the customers in service instead of servers,
  // unless both are given.
  void read_units(const CaseMember& member, NetworkStation& station) {
    if (const auto found = member.find("release"))
      by_class(*found, [&](const CaseMember& of, NetworkVisit& visit) { visit.release = units(of); });
    const auto found = member.find("seize");
    if (!found) return;
    by_class(*found, [&](const CaseMember& of, NetworkVisit& visit) { visit.seize = units(of); });
    if (!member.find("servers") && !member.find("shifts") && !member.find("speeds")) station.servers = unlimited;
  }

  std::vector<int> units(const CaseMember& member) const {
    if (m_resources.empty()) member.fail(member.path() + " is given for a case without resources, expected both");
    if (!member.is_list() || member.all().empty()) member.refuse("a list of resources, or such lists by class");
    std::vector<int> units;
    for (const auto& [unnamed, resource] : member.all()) units.push_back(number_of(m_resources, resource, "resource"));
    return units;
  }

  void read_roles(const CaseMember& member, const CaseMember& owner, NetworkStation& station) {
    for (const char* other : {"servers", "speeds", "shifts"}) {
      if (owner.find(other)) owner.fail(fmt::format("{} has {} and roles, expected one of them", owner.path(), other));
    }
    if (m_roles.empty()) member.fail(member.path() + " is given for a case without staff, expected both");
    station.servers = unlimited;
    by_class(member, [&](const CaseMember& of, NetworkVisit& visit) { visit.roles = roles(of); });
  }

  void read_impatience(const CaseMember& member, NetworkStation& station) {
    if (const auto found = member.find("reneging"))
      by_class(*found, [&](const CaseMember& of, NetworkVisit& visit) { visit.reneging = route(of); });
    if (const auto found = member.find("balking"))
      by_class(*found, [&](const CaseMember& of, NetworkVisit& visit) { visit.balking = probabilities(of); });
    if (const auto found = member.find("balking_wait"))
      by_class(*found, [&](const CaseMember& of, NetworkVisit& visit) { visit.balking_wait = m_unit.duration(of); });
    if (const auto found = member.find("changes")) {
      if (!found->is_object()) found->refuse("an object with a member for each class that changes");
      by_class(*found, [&](const CaseMember& of, NetworkVisit& visit) {
        of.check_members({"after", "becomes"});
        visit.change = {m_unit.duration(of.at("after")), number_of(m_classes, of.at("becomes"), "class")};
      });
    }
    if (const auto found = member.find("jockeying")) {
      if (!found->is_list()) found->check_members({"to", "difference"});
      const CaseMember to = found->is_list() ? *found : found->at("to");
      if (!to.is_list() || to.all().empty()) to.refuse("a list of at least one station");
      for (const auto& [unnamed, target] : to.all())
        station.jockeying.to.push_back(number_of(m_stations, target, "station"));
      if (const auto difference = found->find("difference")) station.jockeying.difference = difference->whole(2, 1e6);
    }
  }

  static std::vector<double> probabilities(const CaseMember& member) {
    if (!member.is_list() || member.all().empty()) member.refuse("a list of probabilities");
    std::vector<double> numbers;
    for (const auto& [unnamed, element] : member.all()) numbers.push_back(element.number());
    return numbers;
  }

  static void read_speeds(const CaseMember& member, const CaseMember& owner, NetworkStation& station) {
    if (owner.find("servers")) owner.fail(owner.path() + " has servers and speeds, expected one of them");
    const auto speeds = member.all();
    if (!member.is_list() || speeds.empty() || speeds.size() > 1'000'000)
      member.refuse("a list with a number for each server");
    for (const auto& [unnamed, speed] : speeds) station.speeds.push_back(speed.number());
    station.servers = static_cast<int>(speeds.size());
  }

  NetworkGroup group(const CaseMember& member) const {
    member.check_members({"most", "least", "after", "every"});
    NetworkGroup group;
    group.least = group.most = member.at("most").whole(1, max_customers);
    if (const auto found = member.find("least")) group.least = found->whole(1, max_customers);
    if (const auto found = member.find("after")) group.after = m_unit.time(*found);
    if (const auto found = member.find("every")) group.every = m_unit.time(*found);
    return group;
  }

  static int servers(const CaseMember& member) {
    if (!member.is_text()) return member.whole(1, 1e6);
    if (member.text() != "unlimited") member.refuse("a whole number from 1 to 1000000, or 'unlimited'");
    return unlimited;
  }

  template <class Named>
  static Named choice(const CaseMember& member) {
    if (const auto found = find_choice<Named>(member.text())) return *found;
    member.refuse("one of " + names_of<Named>());
  }

  // Reads a member that is either one value for all classes or an object with values for some classes.
  template <class Read>
  void by_class(const CaseMember& member, const Read& read) {
    auto& visits = m_network.stations.back().visits;
    if (!member.is_object()) {
      for (NetworkVisit& visit : visits) read(member, visit);
      return;
    }
    for (const auto& [name, of] : member.all()) {
      const auto found = m_classes.find(name);
      if (found == m_classes.end()) of.fail(of.path() + " is not a class of the case");
      read(of, visits[static_cast<std::size_t>(found->second)]);
    }
  }

  CaseMember m_case;
  std::filesystem::path m_folder;
  CaseUnit m_unit;
  std::map<std::string, int> m_classes, m_stations, m_roles, m_resources;
  NetworkDescription m_network;
};

// Returns the JSON value whose path starts `message`, or `json` if there is none.
const Json& value_named_by(const Json& json, std::string_view message) {
  for (std::size_t i = 0; json.is_array() && i < json.size(); ++i) {
    const std::string place = fmt::format("[{}]", i);
    if (message.starts_with(place)) return value_named_by(json[i], message.substr(place.size()));
  }
  if (!json.is_object()) return json;
  for (const auto& [name, value] : json.items()) {
    const std::string_view rest = message.starts_with(name) ? message.substr(name.size()) : std::string_view();
    if (rest.starts_with('.')) return value_named_by(value, rest.substr(1));
    if (rest.starts_with('[') || rest.starts_with(' ')) return value_named_by(value, rest);
  }
  return json;
}

NetworkDescription network_of_json(const Json& json, const std::string& path) {
  NetworkDescription network = CaseReader(json, path).read();
  try {
    network.check();
  } catch (const std::invalid_argument& error) {
    const Json& value = value_named_by(json, error.what());
    if (&value != &json) throw io::JsonError(value, error.what());
    throw std::invalid_argument(fmt::format("{}: {}", path, error.what()));
  }
  return network;
}

}  // namespace

double day_of(const NetworkDescription& network) {
  return CaseUnit::seconds_of("d").value() / CaseUnit::seconds_of(network.time_unit).value();
}

NetworkDescription network_case_of_json(const std::string& path, std::string_view text) {
  return io::JsonText(path, std::string(text)).read(network_of_json);
}

NetworkDescription read_network_case(const std::string& path) {
  return network_case_of_json(path, io::read_text_file(path));
}

NetworkDescription walk_in_clinic() {
  return network_case_of_json("the walk-in clinic", R"json({
    "time_unit": "min", "horizon": "8 h", "wait_limits": ["15 min"],
    "classes": {"patient": {"interarrival": "exponential(0.2)", "enters": "triage"}},
    "stations": {
      "triage": {"servers": 2, "service": "uniform(4, 10)",
                 "next": [{"to": "doctor", "probability": 0.7}, {"to": "leave", "probability": 0.3}]},
      "doctor": {"servers": 3, "service": "lognormal(2.5, 0.5)"}
    }
  })json");
}

}  // namespace sporos::models
