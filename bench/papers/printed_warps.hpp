// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../harness/outcome.hpp"

#include <cstdint>
#include <vector>

/// Replications on a GPU as paper 003 prints them: plain CUDA with the three-component Tausworthe generator of
/// Thrust.Random, a random seed for each replication. Nothing here knows Sporos or Kokkos, and nothing is compiled with
/// their options.
namespace sporos::bench::printed {

/// What runs a replication.
enum class Unit {
  thread,  ///< each thread of a warp its own (TLP)
  warp     ///< the first thread of a warp, the other 31 do nothing (WLP)
};

/// `count` replications in blocks of `block` threads.
struct Launch {
  Unit unit;
  std::int64_t count;
  unsigned block;
};

/// The three models of section 5.1, the same as hand_written's. Timed are the launch, the kernel, and the copy and mean
/// of what it found.
Outcome pi(const Launch& launch, std::int64_t draws);
Outcome mm1(const Launch& launch, double arrival_rate, double service_rate, std::int64_t customers);  ///< mean wait
Outcome random_walk(const Launch& launch, std::int64_t steps, std::int64_t chunk_side);  ///< share that ends in chunk 1

}  // namespace sporos::bench::printed
