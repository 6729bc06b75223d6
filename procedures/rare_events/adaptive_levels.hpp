// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>
#include <sporos/procedures/rare_events/splitting_result.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace sporos {

/// Default share of the chains that adaptive splitting keeps in each round.
inline constexpr double default_kept_share = 0.9;

namespace impl {

/// A chain to be run.
struct ChainBranch {
  std::int64_t row;           ///< index among the chains of this process's runs
  std::int64_t parent;        ///< index of the chain from which it branches off; −1 if it begins at the start
  double level;               ///< the chain starts in the state in which its parent first exceeded this level
  std::uint64_t seed;         ///< seed of the run
  std::uint64_t replication;  ///< replication whose random numbers it draws
};

/// Results of all chains of the runs in progress in this process, by row.
struct ChainEnds {
  std::span<const double> peaks;        ///< largest level that each chain has reached
  std::span<const std::int64_t> steps;  ///< number of steps in the chain's latest run; −1 if the chain did not end
};

/// Function that runs the chains in `branches` and returns the results of all chains. When new runs start, `branches`
/// contains every chain of these runs, and the results of earlier runs are no longer needed.
using BranchRun = std::function<ChainEnds(std::vector<ChainBranch>& branches)>;

/// Returns the estimate from the runs of all processes. Each process executes its runs in groups of at least
/// `min_runs` and calls `run` once for each round of a group. Throws std::runtime_error if a level is NaN or a chain
/// did not end. Throws LaunchStopped if fewer than 2 runs are done when a launch stop is requested. Collective.
SplittingResult adaptive_splitting_result(const BranchRun& run, std::int64_t min_runs, double target,
                                          const SplittingOptions& options, Processes& processes);

}  // namespace impl

}  // namespace sporos
