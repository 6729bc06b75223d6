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

/// Which photons are followed, and with which random numbers.
struct PhotonPlan {
  std::int64_t photons = 1'000'000;    ///< from photon 0 on
  std::uint64_t seed = 1;              ///< names the random numbers, with the engine
  Engine engine = Engine::philox4x32;  ///< where the bits come from
  PhotonRules rules = {};              ///< how photons are followed
  int batches = 32;                    ///< photons are dealt out to, for statistical errors
};

/// Throws std::invalid_argument, naming member, value and what was expected, where a plan cannot be carried out.
inline void check_photon_plan(const PhotonPlan& plan) {
  sporos::impl::check_parameter(plan.batches >= 2 && plan.batches <= 65536, "number of batches",
                                static_cast<double>(plan.batches), "a number from 2 to 65536");
  const std::int64_t most = most_photons_of_batch * plan.batches;
  if (plan.photons < plan.batches || plan.photons > most) {
    sporos::impl::refuse_parameter(
        "number of photons", std::to_string(plan.photons),
        "at least one for each of " + std::to_string(plan.batches) + " batches, and at most " + std::to_string(most));
  }
  sporos::impl::check_parameter(plan.rules.points >= 1 && plan.rules.points <= 1'000'000, "number of points",
                                static_cast<double>(plan.rules.points), "a number from 1 to 1000000");
}

/// How far the photons of a plan have been followed, by all processes together.
struct PhotonProgress {
  std::int64_t photons = 0;  ///< followed, with those that it went on from
  std::int64_t of = 0;       ///< that the plan has
  double seconds = 0;        ///< since the call
};

/// Called after each piece of the photons, some tenths of a second long. Where it returns false on a process, that is
/// the last piece of all.
using PhotonWatcher = std::function<bool(const PhotonProgress&)>;

/// Photons that are followed piece by piece.
struct PhotonRun {
  PhotonWatcher watcher = {};  ///< or none: then there is one piece
  PhotonCounts start = {};     ///< of photons 0 to start.photons() − 1, which have been followed; or none
};

}  // namespace sporos::models
