// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../harness/outcome.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// What one would otherwise draw uniforms with, on one host thread: Boost's engines and low-discrepancy sequences, and
/// samples that lie shuffled in arrays. Nothing that is timed here is Sporos', but for the array of a refined
/// descriptive sample, which is there as a reference.
namespace sporos::bench::peers {

/// A source of uniforms of 53 bits.
struct UniformPeer {
  std::string name;
  std::string engine_or_sampling;  ///< that it stands beside, by its name in the report
  /// Adds up so many uniforms, a multiple of 8: their average, its standard error as if they were independent, seconds.
  std::function<Outcome(std::int64_t draws)> draw;
};

/// All of them.
std::vector<UniformPeer> uniform_peers();

}  // namespace sporos::bench::peers
