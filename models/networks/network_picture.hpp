// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/networks/network_case.hpp>

#include <span>
#include <string>
#include <vector>

/// Pictures of networks: scripts for io::PictureFile. Compiled once.
namespace sporos::models {

/// The network: a box for each station, as full as its servers are utilized, with what waits there, and an arrow for
/// each way. `means` are those of network_responses.
std::string network_picture(const NetworkDescription& network, std::span<const double> means);

/// From `time` on a station has so many customers.
struct NumberStep {
  double time;  ///< in units of the case
  int station;  ///< number of the station
  int number;   ///< of customers there
};

/// The numbers at each station over the time of one replication: `steps` in order of their times, from empty stations
/// on, until `end`.
std::string numbers_picture(const NetworkDescription& network, std::span<const NumberStep> steps, double end);

}  // namespace sporos::models
