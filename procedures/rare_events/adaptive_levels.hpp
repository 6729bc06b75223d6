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
inline constexpr double usual_kept_share = 0.9;

namespace impl {

/// A chain to be run.
struct ChainBranch {
  std::int64_t row;           ///< index among the chains of this process's runs
  std::int64_t parent;        ///< index of the chain from which it branches off; −1 if it begins at the start
  double level;               ///< its parent's state is taken where the parent first exceeded this level
  std::uint64_t seed;         ///< seed of the run
  std::uint64_t replication;  ///< replication whose random numbers it draws
};

/// Ends of the chains of all runs of this process.
struct ChainEnds {
  std::span<const double> peaks;        ///< largest levels of the chains
  std::span<const std::int64_t> steps;  ///< steps of the chains run last; −1 for a chain that did not end
};

/// Function that runs some chains and returns the ends of all. If runs begin, their chains are all there are.
using BranchRun = std::function<ChainEnds(std::vector<ChainBranch>& branches)>;

/// Returns the estimate from the runs of all processes. Each process makes at least `least_runs` of its runs at a time
/// by calling `run`. Throws std::runtime_error if a level is NaN or a chain did not end, and LaunchStopped as
/// adaptive_split does. Collective.
SplittingResult adaptive_splitting_result(const BranchRun& run, std::int64_t least_runs, double target,
                                          const SplittingOptions& options, Processes& processes);

}  // namespace impl

}  // namespace sporos
