// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/networks/network_grid.hpp>

#include <cstddef>
#include <vector>

/// Demand in a network in which nobody ever waits.
namespace sporos::models::impl {

/// Customers of a class at a station with roles.
struct StaffStream {
  std::size_t station, of_class;
  std::vector<std::size_t> roles;
  double service;                      ///< mean service time
  std::vector<double> arrivals, load;  ///< rate of arrivals and offered load in each interval
};

/// Returns the streams of all classes at all stations with roles.
std::vector<StaffStream> staff_streams(const NetworkDescription& network, const NetworkGrid& grid);

}  // namespace sporos::models::impl
