// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/distribution_choice.hpp>
#include <sporos/core/io/named_rows.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sporos::models {

/// An activity of a project.
struct Activity {
  std::string name;             ///< name of the activity
  std::string from;             ///< event at which it begins, when all activities that lead there have ended
  std::string to;               ///< event that waits for it
  DistributionChoice duration;  ///< duration, at least 0
};

/// Maximum number of activities of a network.
inline constexpr int max_activities = 512;

/// A project as an acyclic network of activities on arcs between events, with one first and one last event.
class ProjectNetwork {
 public:
  /// Takes the activities of a project. Throws std::invalid_argument, naming activities and events, if
  /// - there is no activity, or there are more than `max_activities`,
  /// - two activities have the same name,
  /// - a duration can be negative,
  /// - activities form a cycle, or
  /// - there is more than one first or last event.
  explicit ProjectNetwork(std::vector<Activity> activities);

  /// Position of an activity in the network.
  struct Arc {
    int activity;  ///< index in `activities()`
    int from;      ///< index of the event at which it begins
    int to;        ///< index of the event that waits for it
  };

  /// Activities in the order given.
  const std::vector<Activity>& activities() const { return m_activities; }
  /// All activities, ordered by the event to which they lead. Events are numbered so that activities lead to larger
  /// numbers.
  const std::vector<Arc>& arcs() const { return m_arcs; }
  /// Number of events. The first event has index 0, the last one event_count() − 1.
  int event_count() const { return static_cast<int>(m_events.size()); }

 private:
  void number_events();
  void check_activities() const;
  void order_events();
  void check_ends() const;
  [[noreturn]] void refuse_cycle(const std::vector<int>& arcs_left) const;

  std::vector<Activity> m_activities;
  std::vector<std::string> m_events;  // event names, by index
  std::vector<Arc> m_arcs;
};

/// Example project with eight activities between five events. Each activity lasts 1 to 5 units of time with equal
/// probability.
///
/// Aloui and Ourbih-Tari (2011), The use of refined descriptive sampling and applications in parallel Monte Carlo
/// simulation, section 7.2, simulate such a project. Its mean is 10.13 and its standard deviation 2.24 to 2.30, but the
/// figure of the network is lost. This network is ours: among all networks without parallel activities its mean,
/// 10.1966, is the closest; its standard deviation is 2.0931.
///
///     a: 1 -> 2   b: 1 -> 3   c: 1 -> 4   d: 1 -> 5   e: 2 -> 4   f: 2 -> 5   g: 3 -> 4   h: 4 -> 5
inline ProjectNetwork eight_activities() {
  constexpr std::array<std::array<std::string_view, 3>, 8> arcs = {{{"a", "1", "2"},
                                                                    {"b", "1", "3"},
                                                                    {"c", "1", "4"},
                                                                    {"d", "1", "5"},
                                                                    {"e", "2", "4"},
                                                                    {"f", "2", "5"},
                                                                    {"g", "3", "4"},
                                                                    {"h", "4", "5"}}};
  std::vector<Activity> activities;
  for (const auto& [name, from, to] : arcs) {
    activities.push_back(
        {std::string(name), std::string(from), std::string(to), {DistributionKind::uniform_integer, {1, 5}, {}, {}}});
  }
  return ProjectNetwork(std::move(activities));
}

/// Reads a network from a CSV file with the columns `activity`, `from`, `to` and `distribution` (see
/// parse_distribution) in any order. Appends to `notes` how the file deviates from plain CSV. Throws
/// std::invalid_argument, naming the file, the line and the expected content, or the reason why the activities are not
/// a network.
inline ProjectNetwork read_network(const std::string& path, std::vector<std::string>& notes) {
  io::NamedRows rows(path, {"column", "activity"});
  constexpr std::array<std::string_view, 4> names = {"activity", "from", "to", "distribution"};
  std::array<std::size_t, 4> columns{};
  for (std::size_t i = 0; i < names.size(); ++i) {
    columns[i] = rows.find(names[i]).value_or(names.size());
    if (columns[i] < names.size() && rows.names().size() == names.size()) continue;
    throw std::invalid_argument(fmt::format("{}, line 1: the columns are {}, expected {}", path,
                                            io::in_quotes(fmt::format("{}", fmt::join(rows.names(), ", "))),
                                            fmt::join(names, ", ")));
  }
  std::vector<Activity> activities;
  while (rows.next()) {
    const auto field = [&](std::size_t i) { return std::string(rows.field(columns[i])); };
    const std::string place = fmt::format("{}, line {}: ", path, rows.line());
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (field(i).empty()) throw std::invalid_argument(fmt::format("{}{} is empty", place, names[i]));
    }
    try {
      activities.push_back({field(0), field(1), field(2), parse_distribution(field(3))});
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("{}{}: {}", place, io::in_quotes(field(3)), error.what()));
    }
  }
  rows.add_note(notes);
  try {
    return ProjectNetwork(std::move(activities));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(path + ": " + error.what());
  }
}

inline ProjectNetwork::ProjectNetwork(std::vector<Activity> activities) : m_activities(std::move(activities)) {
  check_activities();
  number_events();
  order_events();
  check_ends();
}

inline void ProjectNetwork::check_activities() const {
  if (m_activities.empty()) throw std::invalid_argument("there is no activity, expected at least 1");
  if (m_activities.size() > static_cast<std::size_t>(max_activities)) {
    throw std::invalid_argument(
        fmt::format("there are {} activities, expected at most {}", m_activities.size(), max_activities));
  }
  std::set<std::string> names;
  for (const auto& activity : m_activities) {
    if (!names.insert(activity.name).second) {
      throw std::invalid_argument(
          fmt::format("two activities are called {}, expected different names", io::in_quotes(activity.name)));
    }
    activity.duration.check();
    if (activity.duration.least() < 0) {
      throw std::invalid_argument(fmt::format("activity {}: its duration can be as low as {}, expected at least 0",
                                              io::in_quotes(activity.name), activity.duration.least()));
    }
  }
}

// Numbers the events in the order in which the activities name them.
inline void ProjectNetwork::number_events() {
  std::map<std::string, int> numbers;
  const auto number_of = [&](const std::string& event) {
    const auto [place, is_new] = numbers.try_emplace(event, static_cast<int>(m_events.size()));
    if (is_new) m_events.push_back(event);
    return place->second;
  };
  for (std::size_t i = 0; i < m_activities.size(); ++i) {
    const int from = number_of(m_activities[i].from);
    m_arcs.push_back({static_cast<int>(i), from, number_of(m_activities[i].to)});
  }
}

// Renumbers the events topologically: an event comes after all events from which activities lead to it.
inline void ProjectNetwork::order_events() {
  const std::size_t count = m_events.size();
  std::vector<int> leading_to(count, 0), order;
  for (const Arc& arc : m_arcs) ++leading_to[static_cast<std::size_t>(arc.to)];
  for (std::size_t event = 0; event < count; ++event) {
    if (leading_to[event] == 0) order.push_back(static_cast<int>(event));
  }
  for (std::size_t next = 0; next < order.size(); ++next) {
    for (const Arc& arc : m_arcs) {
      if (arc.from == order[next] && --leading_to[static_cast<std::size_t>(arc.to)] == 0) order.push_back(arc.to);
    }
  }
  if (order.size() < count) refuse_cycle(leading_to);

  std::vector<int> number(count);
  std::vector<std::string> events;
  for (const int event : order) {
    number[static_cast<std::size_t>(event)] = static_cast<int>(events.size());
    events.push_back(m_events[static_cast<std::size_t>(event)]);
  }
  m_events = std::move(events);
  for (Arc& arc : m_arcs) {
    arc.from = number[static_cast<std::size_t>(arc.from)];
    arc.to = number[static_cast<std::size_t>(arc.to)];
  }
  std::stable_sort(m_arcs.begin(), m_arcs.end(), [](const Arc& a, const Arc& b) { return a.to < b.to; });
}

// Each event that could not be ordered is the end of an activity that starts at another such event. Going back along
// these activities must therefore reach some event a second time, which closes a cycle.
inline void ProjectNetwork::refuse_cycle(const std::vector<int>& leading_to) const {
  const auto is_left = [&](int event) { return leading_to[static_cast<std::size_t>(event)] > 0; };
  std::vector<int> events;
  std::vector<std::string> names;
  int event = m_arcs[static_cast<std::size_t>(
                         std::find_if(m_arcs.begin(), m_arcs.end(), [&](const Arc& arc) { return is_left(arc.to); }) -
                         m_arcs.begin())]
                  .to;
  while (std::find(events.begin(), events.end(), event) == events.end()) {
    events.push_back(event);
    const auto back = std::find_if(m_arcs.begin(), m_arcs.end(),
                                   [&](const Arc& arc) { return arc.to == event && is_left(arc.from); });
    names.push_back(m_activities[static_cast<std::size_t>(back->activity)].name);
    event = back->from;
  }
  const auto begin = std::find(events.begin(), events.end(), event) - events.begin();
  names.erase(names.begin(), names.begin() + begin);
  std::reverse(names.begin(), names.end());
  constexpr std::size_t max_named = 10;
  const std::string rest = names.size() > max_named ? fmt::format(" and {} more", names.size() - max_named) : "";
  names.resize(std::min(names.size(), max_named));
  throw std::invalid_argument(fmt::format("the activities {}{} form a cycle, through event {}", fmt::join(names, ", "),
                                          rest, io::in_quotes(m_events[static_cast<std::size_t>(event)])));
}

inline void ProjectNetwork::check_ends() const {
  std::vector<const Activity*> out(m_events.size(), nullptr), in(m_events.size(), nullptr);
  for (const Arc& arc : m_arcs) {
    const Activity& activity = m_activities[static_cast<std::size_t>(arc.activity)];
    if (out[static_cast<std::size_t>(arc.from)] == nullptr) out[static_cast<std::size_t>(arc.from)] = &activity;
    if (in[static_cast<std::size_t>(arc.to)] == nullptr) in[static_cast<std::size_t>(arc.to)] = &activity;
  }
  std::vector<std::string> first, last;
  for (std::size_t event = 0; event < m_events.size(); ++event) {
    const auto described = [&](const Activity* activity) {
      return fmt::format("{} (activity {})", io::in_quotes(m_events[event]), io::in_quotes(activity->name));
    };
    if (in[event] == nullptr) first.push_back(described(out[event]));
    if (out[event] == nullptr) last.push_back(described(in[event]));
  }
  if (first.size() > 1) {
    throw std::invalid_argument(
        fmt::format("no activity ends at the events {} and {}, expected a single first event", first[0], first[1]));
  }
  if (last.size() > 1) {
    throw std::invalid_argument(
        fmt::format("no activity starts at the events {} and {}, expected a single last event", last[0], last[1]));
  }
}

}  // namespace sporos::models
