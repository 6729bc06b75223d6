// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/networks/network_case.hpp>

#include <span>
#include <string>
#include <vector>

namespace sporos::models {

/// The load of a station in the long run.
struct StationLoad {
  double needed;   ///< servers that its customers keep busy on average, if there are enough
  double servers;  ///< servers on average, breakdowns deducted; infinite where they are unlimited
  bool is_stable;  ///< whether `needed` is below `servers`, or its queue is limited in another way
};

/// The loads of all stations, by the traffic equations of a network whose stations pass on at most what their servers
/// can serve (Goodman and Massey 1984). Where flows depend on the numbers at stations, these are lower bounds:
/// customers who may be lost or renege, who choose among stations, who end after `most_arrivals` or belong to a
/// population count as none; so do rates that change without a cycle, and such shifts count as unlimited servers. A
/// station that is not stable has no steady state.
std::vector<StationLoad> station_loads(const NetworkDescription& network);

/// A sentence for each station that is not stable where the members of the network have these values (see
/// with_members); it names those that differ from the case and change loads.
std::vector<std::string> instability_notes(const NetworkDescription& network, std::span<const double> values = {});

}  // namespace sporos::models
