// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/random/engine.hpp>
#include <sporos/models/radiation/photon_rules.hpp>
#include <sporos/models/radiation/photon_tallies.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace sporos::models {

/// Photons to trace, and their random numbers.
struct PhotonPlan {
  std::int64_t photons = 1'000'000;    ///< number of photons, starting with photon 0
  std::uint64_t seed = 1;              ///< seed of the random numbers
  Engine engine = Engine::philox4x32;  ///< random number engine
  PhotonRules rules = {};              ///< rules by which photons are traced
  int batches = 32;                    ///< number of batches of photons for statistical errors
};

/// Throws std::invalid_argument, naming the member, its value and the expected range, if a plan is invalid.
inline void check_photon_plan(const PhotonPlan& plan) {
  sporos::impl::check_parameter(plan.batches >= 2 && plan.batches <= 65536, "number of batches",
                                static_cast<double>(plan.batches), "a number from 2 to 65536");
  const std::int64_t most = max_photons_of_batch * plan.batches;
  if (plan.photons < plan.batches || plan.photons > most) {
    sporos::impl::refuse_parameter(
        "number of photons", std::to_string(plan.photons),
        "at least one for each of " + std::to_string(plan.batches) + " batches, and at most " + std::to_string(most));
  }
  sporos::impl::check_parameter(plan.rules.points >= 1 && plan.rules.points <= 1'000'000, "number of points",
                                static_cast<double>(plan.rules.points), "a number from 1 to 1000000");
}

/// Progress of a plan over all processes.
struct PhotonProgress {
  std::int64_t photons = 0;  ///< photons traced, including those of the start
  std::int64_t of = 0;       ///< photons of the plan
  double seconds = 0;        ///< time since the call
};

/// Callback after each chunk of photons, which takes some tenths of a second. If it returns false on any process, the
/// trace ends after this chunk.
using PhotonWatcher = std::function<bool(const PhotonProgress&)>;

/// Options for tracing photons in chunks.
struct PhotonRun {
  PhotonWatcher watcher = {};  ///< callback; without it there is a single chunk
  PhotonCounts start = {};     ///< counts of photons 0 to start.photons() − 1, traced before; optional
};

}  // namespace sporos::models
