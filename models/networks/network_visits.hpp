// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/trace.hpp>
#include <sporos/models/networks/network_case.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Visits of customers to stations in one replication of a network.
namespace sporos::models {

/// Times at which a customer seizes and returns units of a resource during a visit; empty if it does not.
struct ResourceTimes {
  std::optional<double> seized = {};    ///< when it seizes units
  std::optional<double> released = {};  ///< when it last returns units
};

/// A visit of a customer to a station. Times are those of the events of a trace.
struct NetworkVisitRecord {
  std::int64_t customer = 0;                 ///< number of the customer in the order of arrivals, from 0
  int of_class = 0;                          ///< index of its class when its wait ends
  int visit = 1;                             ///< number of the visit to any station, from 1
  int station = 0;                           ///< index of the station
  double arrival = 0;                        ///< arrival at the station
  std::optional<double> service_begin = {};  ///< beginning of the first service; empty if there was none
  std::optional<double> service_end = {};    ///< end of the service
  std::optional<double> departure = {};      ///< departure from the station; empty if the customer is still there
  std::string_view outcome = "present";      ///< `served`, `lost`, `balked`, `reneged`, `jockeyed` or `present`
  /// Resources of which the customer seizes or returns units during the visit, numbered after the stations.
  std::map<std::int64_t, ResourceTimes> resources = {};

  /// Time from the arrival to the first service, or to the departure without a service. Empty if the customer was
  /// waiting at the end.
  std::optional<double> wait() const;
};

/// Returns the visits that the traced events of a replication describe, ordered by customer and visit.
std::vector<NetworkVisitRecord> network_visits(std::span<const TracedEvent> events);

/// Returns visits as CSV with a row for each, after a header. Times have the unit of the case. Each resource has two
/// columns, with the times of its ResourceTimes.
std::string visits_as_csv(const NetworkDescription& network, std::int64_t replication,
                          std::span<const NetworkVisitRecord> visits);

}  // namespace sporos::models
