// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace sporos {

/// How far an experiment has come, as a watcher sees it after each launch; of several processes, with their last round.
struct Progress {
  std::int64_t replications = 0;  ///< replications done, over all design points
  std::int64_t at_most = 0;       ///< replications there can be at most
  double seconds = 0;             ///< since the start
};

/// Called after each launch; returning false stops the experiment, whose replications so far (whole rounds) are kept.
using Watcher = std::function<bool(const Progress&)>;

/// Called with every observation of an experiment: its design point, its response, its value. Those of one design point
/// and response come in order.
using Observer = std::function<void(std::size_t point, std::size_t response, double observation)>;

}  // namespace sporos
