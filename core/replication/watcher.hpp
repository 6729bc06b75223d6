// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace sporos {

/// Progress of an experiment, as passed to a watcher after each launch. With several processes, it is the state after
/// their last round.
struct Progress {
  std::int64_t replications = 0;  ///< completed replications over all design points
  std::int64_t at_most = 0;       ///< largest possible number of replications over all design points
  double seconds = 0;             ///< seconds since the start
};

/// Function that is called after each launch. If it returns false, the experiment stops and keeps the replications of
/// completed rounds.
using Watcher = std::function<bool(const Progress&)>;

/// Function that is called with every observation of an experiment: design point, response and value. The observations
/// of one design point and response are passed in order.
using Observer = std::function<void(std::size_t point, std::size_t response, double observation)>;

}  // namespace sporos
