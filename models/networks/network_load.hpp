// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/networks/network_case.hpp>

#include <span>
#include <string>
#include <vector>

namespace sporos::models {

/// Long-run load of a station.
struct StationLoad {
  double needed;   ///< average number of servers that its customers keep busy, if there are enough
  double servers;  ///< average number of servers, less those broken down; infinite if unlimited
  bool is_stable;  ///< whether `needed` is below `servers`, or the number of places limits the queue
};

/// Returns the loads of all stations from the traffic equations of a network whose stations pass on at most what their
/// servers can serve (Goodman and Massey 1984). A station that is not stable has no steady state.
///
/// The loads are lower bounds if flows depend on the state. They omit customers who can be lost or renege, who choose
/// among stations, who stop after `max_arrivals`, or who belong to a population. They also omit rates that change
/// without a cycle, and such shifts count as unlimited servers. They omit work that interruptions destroy, and assume
/// that groups are full. At a station whose servers have speeds, servers are those of speed 1.
std::vector<StationLoad> station_loads(const NetworkDescription& network);

/// Returns the loads of all resources, whose servers are their units: the units in use if nobody held any outside of
/// services. They are lower bounds, as for station_loads.
std::vector<StationLoad> resource_loads(const NetworkDescription& network);

/// Returns the number of customers at a time for whom a replication of `network` has memory: most_customers of the case
/// or, if that is 0, a default. The default is four times a rough mean, at least 1024, and at most the number of
/// customers who can enter. The mean is that of a network whose arrival rates are always the largest; it counts as many
/// waiting customers as M/M/1 queues with the same idle servers have.
int most_customers_of(const NetworkDescription& network);

/// Returns a rough number of visits of customers to stations per unit of time.
double visit_rate(const NetworkDescription& network);

/// Returns a rough mean number of customers in the network, as for most_customers_of.
double rough_customers(const NetworkDescription& network);

/// Returns a sentence for each station and resource that is not stable if the members of the network have `values` (see
/// with_members). The sentence names the values that differ from the case and affect loads.
std::vector<std::string> instability_notes(const NetworkDescription& network, std::span<const double> values = {});

}  // namespace sporos::models
