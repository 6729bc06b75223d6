// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/octave_histogram.hpp>
#include <sporos/core/execution/replication_storage.hpp>
#include <sporos/models/networks/network_data.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::models {

/// Measures of a replication that a case observes only on request: quantiles of times, largest values, fractions of
/// time with many customers, and values of periods. The arrays are empty unless the case needs them.
struct NetworkMeasures {
  /// Numbers at a station, or in the network, since their last change. The servers of a resource are its units.
  struct Level {
    double since = 0;                  ///< time up to which the numbers are integrated
    std::int32_t number = 0;           ///< customers
    std::int32_t waiting = 0;          ///< waiting customers
    std::int32_t busy = 0;             ///< servers that serve
    std::int32_t servers = 0;          ///< scheduled servers, or busy and blocked ones if there are more
    std::int32_t blocked = 0;          ///< blocked customers on its servers; always up to date
    std::int32_t period = 0;           ///< period that contains `since`
    std::int32_t cycles = 0;           ///< completed cycles of the periods
    std::int32_t largest_number = 0;   ///< largest number of customers
    std::int32_t largest_waiting = 0;  ///< largest number of waiting customers
    double longest = 0;                ///< longest wait at a station, or longest time in the network
  };

  /// Sums over a period.
  struct Period {
    double length = 0;        ///< observed time
    double number = 0;        ///< ∫ customers dt
    double waiting = 0;       ///< ∫ waiting customers dt
    double busy = 0;          ///< ∫ servers that serve dt
    double servers = 0;       ///< ∫ servers that are scheduled or busy dt
    double wait = 0;          ///< sum of the waits
    std::int32_t waits = 0;   ///< waits that have ended
    std::int32_t served = 0;  ///< customers served
  };

  /// Histogram of times in the network, from 1/256 to 65536 units of time.
  using Times = OctaveHistogram<-8, 24>;

  /// Takes the memory for a replication of `network` from `storage`, a ReplicationStorage or StorageParts.
  template <class Storage>
  KOKKOS_FUNCTION NetworkMeasures(const NetworkData& network, Storage& storage)
      : levels(storage.template take<Level>(level_count(network))),
        over(storage.template take<double>(level_count(network) * network.number_limit_count)),
        periods(storage.template take<Period>(level_count(network) * network.period_count)),
        times(storage.template take<Times>(times_count(network))) {}

  /// Number of levels: one for each station, one for the network, one for each role, and one for each resource.
  KOKKOS_FORCEINLINE_FUNCTION static int level_count(const NetworkData& network) {
    return network.has_levels ? network.station_count + 1 + network.role_count + network.resource_count : 0;
  }
  /// Number of histograms: one for each class, and one for all if there are several.
  KOKKOS_FORCEINLINE_FUNCTION static int times_count(const NetworkData& network) {
    if (network.time_quantile_count == 0) return 0;
    return network.class_count > 1 ? network.class_count + 1 : 1;
  }

  /// Sets the state at time 0.
  KOKKOS_FUNCTION void clear(const NetworkData& network) const {
    for (int i = 0; i < level_count(network); ++i) levels[i] = Level();
    for (int i = 0; i < level_count(network) * network.number_limit_count; ++i) over[i] = 0;
    for (int i = 0; i < level_count(network) * network.period_count; ++i) periods[i] = Period();
    for (int i = 0; i < times_count(network); ++i) times[i].clear();
  }

  StoredArray<Level> levels;    ///< level of each station, then of the network, of each role and of each resource
  StoredArray<double> over;     ///< time at level i with more customers than limit k has index i · limits + k
  StoredArray<Period> periods;  ///< period k of level i has index i · periods + k; the network's have the lengths
  StoredArray<Times> times;     ///< times in the network of each class, then of all
};

}  // namespace sporos::models
