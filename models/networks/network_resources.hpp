// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/networks/network_case.hpp>

#include <map>
#include <set>
#include <vector>

namespace sporos::models {

/// Throws std::invalid_argument, naming the offending member by its path, if the resources of a case are inconsistent.
/// Requires valid routes.
void check_resources(const NetworkDescription& network);

/// Throws std::invalid_argument if customers need more units of a resource than there are.
void check_units(const NetworkDescription& network);

/// Returns the number of units of each resource in a list with one element for each unit.
std::map<int, int> units_of(const std::vector<int>& resources);

/// Customers of a class who come to a station and hold resources.
struct HoldingVisit {
  int station;            ///< index of the station
  int of_class;           ///< index of the class
  std::vector<int> held;  ///< units of each resource that they hold when they come
};

/// Returns all visits that customers can make, with all combinations of units that they can hold. Throws
/// std::invalid_argument if there are too many.
std::vector<HoldingVisit> holding_visits(const NetworkDescription& network);

/// Returns the smallest number of units of resource `r` that customers hold in each service, at index s · classes + c;
/// 0 for visits that customers cannot make.
std::vector<int> least_held(const NetworkDescription& network, const std::vector<HoldingVisit>& visits, int r);

/// Returns a graph of what customers may wait for: a cycle in it may become a deadlock. `awaited` has the stations for
/// whose places customers who have been served at each station may wait.
std::vector<std::set<int>> waits_for_resources(const NetworkDescription& network,
                                               const std::vector<std::set<int>>& awaited);

}  // namespace sporos::models
