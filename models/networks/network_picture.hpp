// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/networks/network_case.hpp>

#include <span>
#include <string>
#include <vector>

/// Pictures of networks as scripts for io::PictureFile.
namespace sporos::models {

/// Returns a picture of the network. Each station is a box, filled by the utilization of its servers and labelled with
/// its queue; arrows show routes. `means` are the means of network_responses.
std::string network_picture(const NetworkDescription& network, std::span<const double> means);

/// Number of customers at a station from `time` on.
struct NumberStep {
  double time;  ///< time in the case's units
  int station;  ///< index of the station
  int number;   ///< number of customers at the station
};

/// Returns a picture of the numbers of customers at the stations over one replication, from empty stations to time
/// `end`. `steps` are in order of time.
std::string numbers_picture(const NetworkDescription& network, std::span<const NumberStep> steps, double end);

}  // namespace sporos::models
