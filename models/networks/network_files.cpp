// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/networks/network_files.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/json_text.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/text_file.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

namespace sporos::models {

namespace {

using io::Json;

struct TimeUnit {
  std::string_view name;
  double seconds;
};
constexpr std::array<TimeUnit, 5> time_units{{{"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}}};

constexpr std::string_view leave = "leave";  // reserved station name: the customer leaves the network

std::string names_of_units() {
  std::string names;
  for (const TimeUnit& unit : time_units) names += (names.empty() ? "" : ", ") + std::string(unit.name);
  return names;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// A value in a case together with its path, such as stations.triage.servers.
class Member {
 public:
  Member(const Json& json, std::string path) : m_json(&json), m_path(std::move(path)) {}

  [[noreturn]] void refuse(const std::string& expected) const {
    fail(fmt::format("{} is {}, expected {}", m_path.empty() ? "the case" : m_path, io::in_quotes(m_json->dump()),
                     expected));
  }
  // Throws an error with `message`, a full sentence.
  [[noreturn]] void fail(const std::string& message) const { throw io::JsonError(*m_json, message); }

  const std::string& path() const { return m_path; }
  bool is_object() const { return m_json->is_object(); }
  bool is_list() const { return m_json->is_array(); }
  bool is_text() const { return m_json->is_string(); }
  bool is_number() const { return m_json->is_number(); }

  // Refuses any value but an object with no other members than `names`.
  void check_members(std::initializer_list<std::string_view> names) const {
    if (!is_object()) refuse(fmt::format("an object with the members {}", fmt::join(names, ", ")));
    for (const auto& [name, value] : m_json->items()) {
      if (std::ranges::find(names, name) != names.end()) continue;
      throw io::JsonError(value, fmt::format("{} is unknown, expected only {}{}", path_of(name),
                                             m_path.empty() ? "" : m_path + " with ", fmt::join(names, ", ")));
    }
  }
  std::optional<Member> find(std::string_view name) const {
    const auto found = m_json->find(name);
    if (found == m_json->end()) return std::nullopt;
    return Member(*found, path_of(name));
  }
  Member at(std::string_view name) const {
    if (const auto member = find(name)) return *member;
    fail(path_of(name) + " is missing");
  }
  // Returns the members of an object or the elements of a list.
  std::vector<std::pair<std::string, Member>> all() const {
    std::vector<std::pair<std::string, Member>> members;
    if (is_object()) {
      for (const auto& [name, value] : m_json->items()) members.emplace_back(name, Member(value, path_of(name)));
    } else if (is_list()) {
      for (std::size_t i = 0; i < m_json->size(); ++i)
        members.emplace_back("", Member((*m_json)[i], fmt::format("{}[{}]", m_path, i)));
    }
    return members;
  }

  std::string text() const {
    if (!is_text()) refuse("a string");
    return m_json->get<std::string>();
  }
  double number() const {
    if (!is_number()) refuse("a number");
    return m_json->get<double>();
  }
  int whole(double least, double most) const {
    const double number = is_number() ? m_json->get<double>() : std::nan("");
    if (!(number >= least && number <= most && number == std::floor(number)))
      refuse(fmt::format("a whole number from {} to {}", least, most));
    return static_cast<int>(number);
  }

 private:
  std::string path_of(std::string_view name) const {
    std::string shown = io::in_quotes(name);
    shown = shown.substr(1, shown.size() - 2);
    return m_path.empty() ? shown : m_path + "." + shown;
  }

  const Json* m_json;
  std::string m_path;
};

// Reads a case: first its unit of time and the names of its classes and stations, then everything that refers to them.
class CaseReader {
 public:
  explicit CaseReader(const Json& json) : m_case(json, "") {}

  NetworkDescription read() {
    m_case.check_members({"time_unit", "horizon", "customers", "warm_up", "wait_limits", "wait_quantiles",
                          "time_limits", "classes", "stations"});
    m_network.time_unit = m_case.at("time_unit").text();
    m_unit = seconds_of(m_case.at("time_unit"), m_network.time_unit);
    read_run();
    const Member classes = m_case.at("classes"), stations = m_case.at("stations");
    read_names(classes, m_classes);
    read_names(stations, m_stations);
    for (const auto& [name, member] : classes.all()) read_class(name, member);
    for (const auto& [name, member] : stations.all()) read_station(name, member);
    return std::move(m_network);
  }

 private:
  static double seconds_of(const Member& member, std::string_view unit) {
    const auto found = std::ranges::find(time_units, unit, &TimeUnit::name);
    if (found == time_units.end()) member.refuse("one of the units " + names_of_units());
    return found->seconds;
  }
  // Returns how many of the case's units of time `unit` is.
  double units_of(const Member& member, std::string_view unit) const { return seconds_of(member, unit) / m_unit; }

  void read_run() {
    m_network.horizon = std::numeric_limits<double>::infinity();
    if (const auto member = m_case.find("horizon")) m_network.horizon = time(*member);
    if (const auto member = m_case.find("customers")) m_network.customers = member->whole(1, 2e9);
    if (const auto member = m_case.find("warm_up")) m_network.warm_up = time(*member);
    read_limits("wait_limits", m_network.wait_limits);
    read_limits("time_limits", m_network.time_limits);
    if (const auto member = m_case.find("wait_quantiles")) {
      if (!member->is_list()) member->refuse("a list of numbers between 0 and 1");
      for (const auto& [name, quantile] : member->all()) m_network.wait_quantiles.push_back(quantile.number());
    }
  }

  void read_limits(const std::string& name, std::vector<double>& limits) const {
    const auto member = m_case.find(name);
    if (!member) return;
    if (!member->is_list()) member->refuse("a list of times");
    for (const auto& [index, limit] : member->all()) limits.push_back(time(limit));
  }

  static void read_names(const Member& members, std::map<std::string, int>& names) {
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

  static int number_of(const std::map<std::string, int>& names, const Member& member, const std::string& what) {
    const auto found = names.find(member.text());
    if (found == names.end()) {
      std::vector<std::string> known;
      for (const auto& [name, number] : names) known.push_back(name);
      member.refuse(fmt::format("a {}: {}", what, fmt::join(known, ", ")));
    }
    return found->second;
  }

  // Parses a number in the case's unit, or a string with a unit: "8 h".
  double time(const Member& member) const {
    if (member.is_number()) return checked(member, member.number());
    const std::string text = member.text();
    const auto blank = std::min(text.find_first_not_of("+-.0123456789eE"), text.size());
    const auto number = io::number_of<double>(trimmed(std::string_view(text).substr(0, blank)));
    const std::string_view unit = trimmed(std::string_view(text).substr(blank));
    if (!number || unit.empty()) member.refuse("a number, or a string such as '8 h'");
    return checked(member, *number * units_of(member, unit));
  }
  static double checked(const Member& member, double time) {
    if (!std::isfinite(time) || time < 0) member.refuse("a finite time of at least 0");
    return time;
  }

  // Parses a number in the reciprocal unit, or a string with a unit: "12 / h".
  double rate(const Member& member) const {
    if (member.is_number()) return member.number();
    const std::string text = member.text();
    const auto slash = text.find('/');
    const auto number = io::number_of<double>(trimmed(std::string_view(text).substr(0, slash)));
    if (!number || slash == std::string::npos) member.refuse("a number, or a string such as '12 / h'");
    return *number / units_of(member, trimmed(std::string_view(text).substr(slash + 1)));
  }

  // Parses a constant, or a string in the format of parse_distribution, optionally followed by a unit.
  NetworkDuration duration(const Member& member) const {
    NetworkDuration duration;
    if (member.is_number()) {
      duration.distribution.parameters = {member.number()};
      return duration;
    }
    if (!member.is_text()) member.refuse("a number, or a distribution such as 'exponential(0.5)'");
    const std::string text = member.text();
    const auto end = std::min(text.rfind(')'), text.size() - 1) + 1;
    const std::string_view unit = trimmed(std::string_view(text).substr(std::min(end, text.size())));
    if (!unit.empty()) duration.unit = units_of(member, unit);
    try {
      duration.distribution = parse_distribution(std::string_view(text).substr(0, end));
    } catch (const std::invalid_argument& error) {
      member.fail(fmt::format("{} is {}: {}", member.path(), io::in_quotes(text), error.what()));
    }
    return duration;
  }

  NetworkRoute route(const Member& member) const {
    if (member.is_text()) return {branch_to(member)};
    if (!member.is_list()) member.refuse("the name of a station, or a list of branches");
    NetworkRoute route;
    for (const auto& [name, element] : member.all()) {
      element.check_members({"to", "choice", "probability", "becomes"});
      NetworkBranch branch;
      const Member to = element.at("to");
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

  NetworkBranch branch_to(const Member& member) const {
    if (member.text() == leave) return {};
    return {1, {number_of(m_stations, member, "station or 'leave'")}, {}};
  }

  NetworkSchedule schedule(const Member& member, std::string_view name, const Member& owner) const {
    if (!member.is_list() || member.all().empty())
      member.refuse(fmt::format("a list of objects with from and {}", name));
    NetworkSchedule schedule;
    for (const auto& [unnamed, step] : member.all()) {
      step.check_members({"from", name});
      const Member value = step.at(name);
      schedule.steps.push_back({time(step.at("from")), name == "rate" ? rate(value) : value.whole(0, 1e6)});
    }
    if (const auto cycle = owner.find("cycle")) schedule.cycle = time(*cycle);
    return schedule;
  }

  void read_class(const std::string& name, const Member& member) {
    member.check_members({"interarrival", "rates", "cycle", "batch", "max_arrivals", "population", "priority",
                          "arrival_speed", "enters"});
    NetworkClass& of = m_network.classes.emplace_back();
    of.name = name;
    if (const auto found = member.find("interarrival")) of.interarrival = duration(*found);
    if (const auto found = member.find("rates")) of.rates = schedule(*found, "rate", member);
    refuse_cycle_only(member, "rates");
    if (const auto found = member.find("batch")) of.batch = duration(*found);
    if (const auto found = member.find("max_arrivals")) of.max_arrivals = found->whole(1, 2e9);
    if (const auto found = member.find("population")) of.population = found->whole(0, max_customers);
    if (const auto found = member.find("priority")) of.priority = found->whole(0, 1000);
    if (const auto found = member.find("arrival_speed")) of.arrival_speed = found->number();
    if (const auto found = member.find("enters")) of.enters = route(*found);
  }

  static void refuse_cycle_only(const Member& member, std::string_view of) {
    if (member.find("cycle") && !member.find(of))
      member.at("cycle").fail(fmt::format("{}.cycle is given without {}, expected both", member.path(), of));
  }

  void read_station(const std::string& name, const Member& member) {
    member.check_members({"servers", "discipline", "service", "speed", "room", "waiting", "full", "patience", "shifts",
                          "cycle", "breakdowns", "next"});
    NetworkStation& station = m_network.stations.emplace_back();
    station.name = name;
    station.visits.resize(m_classes.size());
    if (const auto found = member.find("servers")) station.servers = servers(*found);
    if (const auto found = member.find("discipline")) station.discipline = choice<Discipline>(*found);
    if (const auto found = member.find("speed")) station.speed = found->number();
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
    if (const auto found = member.find("breakdowns")) {
      found->check_members({"up", "down"});
      station.breakdowns = {duration(found->at("up")), duration(found->at("down"))};
    }
    by_class(member.at("service"), [&](const Member& of, NetworkVisit& visit) { visit.service = duration(of); });
    if (const auto found = member.find("patience"))
      by_class(*found, [&](const Member& of, NetworkVisit& visit) { visit.patience = duration(of); });
    if (const auto found = member.find("next"))
      by_class(*found, [&](const Member& of, NetworkVisit& visit) { visit.next = route(of); });
  }

  static int servers(const Member& member) {
    if (!member.is_text()) return member.whole(1, 1e6);
    if (member.text() != "unlimited") member.refuse("a whole number from 1 to 1000000, or 'unlimited'");
    return unlimited;
  }

  template <class Named>
  static Named choice(const Member& member) {
    if (const auto found = find_choice<Named>(member.text())) return *found;
    member.refuse("one of " + names_of<Named>());
  }

  // Reads a member that is either one value for all classes or an object with values for some classes.
  template <class Read>
  void by_class(const Member& member, const Read& read) {
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

  Member m_case;
  double m_unit = 1;  // the case's unit of time in seconds
  std::map<std::string, int> m_classes, m_stations;
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
  NetworkDescription network = CaseReader(json).read();
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
