// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>
#include <sporos/procedures/rare_events/splitting_result.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace sporos {

/// Of chains that adaptive splitting keeps each time.
inline constexpr double usual_kept_share = 0.9;

namespace impl {

/// A chain that is to be run.
struct ChainBranch {
  std::int64_t row;           ///< its place among the chains of this process' runs
  std::int64_t parent;        ///< the place of the one that it branches off from; −1 where it begins at the start
  double level;               ///< above which its parent has then come
  std::uint64_t seed;         ///< of the run
  std::uint64_t replication;  ///< whose random numbers it draws
};

/// How the chains of all runs of this process have ended.
struct ChainEnds {
  std::span<const double> peaks;        ///< their greatest levels
  std::span<const std::int64_t> steps;  ///< of those that were run just now; −1 of one that did not end
};

/// Runs some chains, and says how all have ended. Where runs begin, their chains are all that there are.
using BranchRun = std::function<ChainEnds(std::vector<ChainBranch>& branches)>;

/// The estimate by `run`, of the runs of all processes, of which each makes `least_runs` or more at a time. Throws
/// std::runtime_error where a level is NaN or a chain did not end, LaunchStopped as adaptive_split does. Collective.
SplittingResult adaptive_splitting_result(const BranchRun& run, std::int64_t least_runs, double target,
                                          const SplittingOptions& options, Processes& processes);

}  // namespace impl

}  // namespace sporos
