// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../harness/outcome.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Alternative sources of uniforms on one host thread: Boost's engines and low-discrepancy sequences, and samples in
/// shuffled arrays. None of the timed code belongs to Sporos, except for the array of a refined descriptive sample,
/// which serves as a reference.
namespace sporos::bench::peers {

/// A source of uniforms with 53 bits.
struct UniformPeer {
  std::string name;
  std::string engine_or_sampling;  ///< our counterpart, by its name in the report
  /// Averages `draws` uniforms, a multiple of 8. Returns the average, the standard error that it has for independent
  /// uniforms, and the seconds.
  std::function<Outcome(std::int64_t draws)> draw;
};

/// Returns all peers.
std::vector<UniformPeer> uniform_peers();

}  // namespace sporos::bench::peers
