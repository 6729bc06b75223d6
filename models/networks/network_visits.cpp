// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/networks/network_visits.hpp>

#include <sporos/models/networks/network_run.hpp>

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <cstddef>

namespace sporos::models {

namespace {

// Collects the visits of all customers from the events of a trace.
class VisitCollector {
 public:
  void add(const TracedEvent& event) {
    switch (static_cast<NetworkHappening>(event.kind)) {
      case NetworkHappening::arrival:
        return begin(event, 1);
      case NetworkHappening::comes: {
        const NetworkVisitRecord& last = current(event);
        if (!last.departure) end(event, "served");
        return begin(event, last.visit + 1);
      }
      case NetworkHappening::service_begins:
        current(event).of_class = event.of_class;
        if (!current(event).service_begin) current(event).service_begin = event.time;
        return;
      case NetworkHappening::service_ends:
        current(event).service_end = event.time;
        return;
      case NetworkHappening::changes_class:
        current(event).of_class = event.of_class;
        return;
      case NetworkHappening::leaves:
        return end(event, "served");
      case NetworkHappening::is_lost:
        return end(event, "lost");
      case NetworkHappening::balks:
        return end(event, "balked");
      case NetworkHappening::reneges:
        return end(event, "reneged");
      case NetworkHappening::jockeys:
        return end(event, "jockeyed");
      case NetworkHappening::seizes:
        current(event).resources[event.station].seized = event.time;
        return;
      case NetworkHappening::releases:
        current(event).resources[event.station].released = event.time;
        return;
      default:  // of a server, or an interruption during the visit
        return;
    }
  }

  std::vector<NetworkVisitRecord> take() {
    std::ranges::stable_sort(m_visits, {}, &NetworkVisitRecord::customer);
    return std::move(m_visits);
  }

 private:
  NetworkVisitRecord& current(const TracedEvent& event) {
    return m_visits[m_current[static_cast<std::size_t>(event.entity)]];
  }

  void begin(const TracedEvent& event, int visit) {
    const auto customer = static_cast<std::size_t>(event.entity);
    if (customer >= m_current.size()) m_current.resize(customer + 1);
    m_current[customer] = m_visits.size();
    m_visits.push_back({.customer = event.entity,
                        .of_class = event.of_class,
                        .visit = visit,
                        .station = static_cast<int>(event.station),
                        .arrival = event.time});
  }

  void end(const TracedEvent& event, std::string_view outcome) {
    NetworkVisitRecord& visit = current(event);
    visit.departure = event.time;
    visit.outcome = outcome;
  }

  std::vector<NetworkVisitRecord> m_visits;
  std::vector<std::size_t> m_current;  // index of each customer's last visit
};

std::string text_of(const std::optional<double>& time) { return time ? io::shortest_text(*time) : ""; }

}  // namespace

std::optional<double> NetworkVisitRecord::wait() const {
  const std::optional<double>& end = service_begin ? service_begin : departure;
  return end ? std::optional(*end - arrival) : std::nullopt;
}

std::vector<NetworkVisitRecord> network_visits(std::span<const TracedEvent> events) {
  VisitCollector collector;
  for (const TracedEvent& event : events) collector.add(event);
  return collector.take();
}

std::string visits_as_csv(const NetworkDescription& network, std::int64_t replication,
                          std::span<const NetworkVisitRecord> visits) {
  std::vector<std::string> row = {"replication", "customer",      "class",       "visit",     "station", "arrival",
                                  "wait",        "service_begin", "service_end", "departure", "outcome"};
  for (const NetworkResource& resource : network.resources) {
    row.push_back("seized_" + resource.name);
    row.push_back("released_" + resource.name);
  }
  std::string text;
  io::append_csv_row(text, row);
  for (const NetworkVisitRecord& visit : visits) {
    row = {std::to_string(replication),
           std::to_string(visit.customer),
           network.classes[static_cast<std::size_t>(visit.of_class)].name,
           std::to_string(visit.visit),
           network.stations[static_cast<std::size_t>(visit.station)].name,
           io::shortest_text(visit.arrival),
           text_of(visit.wait()),
           text_of(visit.service_begin),
           text_of(visit.service_end),
           text_of(visit.departure),
           std::string(visit.outcome)};
    const ResourceTimes none;
    for (std::size_t r = 0; r < network.resources.size(); ++r) {
      const auto found = visit.resources.find(static_cast<std::int64_t>(network.stations.size() + r));
      const ResourceTimes& times = found == visit.resources.end() ? none : found->second;
      row.push_back(text_of(times.seized));
      row.push_back(text_of(times.released));
    }
    io::append_csv_row(text, row);
  }
  return text;
}

}  // namespace sporos::models
