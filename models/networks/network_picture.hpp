// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/networks/network_case.hpp>

#include <span>
#include <string>

/// Pictures of networks with their results.
namespace sporos::models {

/// Returns a picture of the network. Each station is a box, filled by the utilization of its servers and labelled with
/// its queue; arrows show routes. `means` are the means of network_responses. The picture is a script for
/// io::PictureFile.
std::string network_picture(const NetworkDescription& network, std::span<const double> means);

/// Returns a picture of the values of the network's periods over time, with a panel for each quantity at a place.
/// `means` and `half_widths` are those of network_responses. The picture is a script for io::PictureFile.
std::string network_period_picture(const NetworkDescription& network, std::span<const double> means,
                                   std::span<const double> half_widths);

}  // namespace sporos::models
