// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/entity_pool.hpp>
#include <sporos/core/execution/replication_storage.hpp>
#include <sporos/models/networks/network_data.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::models {

/// State of the resources in a replication of a network. The arrays are empty without resources.
struct NetworkResourceMemory {
  /// A resource.
  struct Resource {
    std::int32_t units = 0;    ///< number of units
    std::int32_t in_use = 0;   ///< units that customers hold
    std::int32_t largest = 0;  ///< largest number of units in use for some observed time
    std::int32_t waits = 0;    ///< waits that have ended with a seizure of units
    std::int32_t stuck = 0;    ///< units of customers who may wait for ever; see NetworkRun::is_locked_by_resources
    double since = 0;          ///< time of the last change of `area`
    double area = 0;           ///< ∫ units in use dt
    double wait = 0;           ///< sum of the waits
  };

  /// Takes the memory for a replication of `network` from `storage`, a ReplicationStorage or StorageParts.
  template <class Storage>
  KOKKOS_FUNCTION NetworkResourceMemory(const NetworkData& network, Storage& storage)
      : all(storage.template take<Resource>(network.resource_count)),
        held(storage.template take<std::int32_t>(std::int64_t{network.most_customers} * network.resource_count)),
        lines(storage.template take<Line>(line_count(network))),
        stuck(storage.template take<std::int32_t>(network.has_resources && network.can_deadlock ? network.most_customers
                                                                                                : 0)) {}

  /// Number of lines: two for each class at each station.
  KOKKOS_FORCEINLINE_FUNCTION static int line_count(const NetworkData& network) {
    return network.has_resources ? 2 * network.station_count * network.class_count : 0;
  }

  /// Sets the state at time 0.
  KOKKOS_FUNCTION void clear(const NetworkData& network) const {
    for (int r = 0; r < network.resource_count; ++r) {
      all[r] = Resource();
      all[r].units = network.resource_units[r];
    }
    for (int i = 0; i < network.most_customers * network.resource_count; ++i) held[i] = 0;
    for (int i = 0; i < line_count(network); ++i) lines[i] = Line();
  }

  /// Clears the sums of a time slot of a long run.
  KOKKOS_FUNCTION void clear_statistics(const NetworkData& network) const {
    for (int r = 0; r < network.resource_count; ++r) {
      all[r].area = all[r].wait = 0;
      all[r].waits = 0;
    }
  }

  StoredArray<Resource> all;       ///< resources
  StoredArray<std::int32_t> held;  ///< units of resource r that customer n holds have index n · resources + r
  /// Waiting customers of visit v: at 2 v those who hold nothing of what they need, at 2 v + 1 the others.
  StoredArray<Line> lines;
  StoredArray<std::int32_t> stuck;  ///< whether each customer may wait for ever; if the case can deadlock
};

}  // namespace sporos::models
