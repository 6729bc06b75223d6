// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/networks/network_grid.hpp>

#include <cstddef>
#include <utility>
#include <vector>

/// Shifts of the people of a network.
namespace sporos::models::impl {

/// Work and pay of a person who starts in a slot of a role.
struct StartingPerson {
  /// Beginning of a break or end of a shift, at which a service may go on.
  struct Pause {
    std::size_t interval;
    double per_day, cost;  ///< number per day, and cost of overtime
  };
  std::size_t role;
  std::vector<std::pair<std::size_t, double>> presence;  ///< intervals and shares of them
  std::vector<Pause> pauses;
  double cost = 0;  ///< cost of the shifts per day
};

/// Returns a person for each slot of each role.
std::vector<StartingPerson> starting_persons(const NetworkDescription& network, const NetworkGrid& grid);

}  // namespace sporos::models::impl
