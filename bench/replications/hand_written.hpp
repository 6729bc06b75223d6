// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../harness/outcome.hpp"

#include <cstdint>

/// The peers: the same models as one writes them by hand for one core, as plain loops over Boost.Random and the
/// standard library. Nothing here knows Sporos or Kokkos; the file is compiled with the same options as the rest.
namespace sporos::bench::hand_written {

/// Where a replication's random numbers start.
enum class Spacing {
  none,   ///< where those of the replication before have ended: one engine goes through all of them
  random  ///< each replication has its own state, whose words are drawn (random spacing)
};

/// A run of each model in `replications`, timed; statistics of its first response.
Outcome pi(std::int64_t replications, std::int64_t draws, Spacing spacing = Spacing::none);
Outcome mm1(std::int64_t replications, double arrival_rate, double service_rate, std::int64_t customers,
            Spacing spacing = Spacing::none);
Outcome mmck(std::int64_t replications, double arrival_rate, double service_rate, std::int64_t servers,
             std::int64_t capacity, std::int64_t customers);
Outcome random_walk(std::int64_t replications, std::int64_t steps, std::int64_t chunk_side,
                    Spacing spacing = Spacing::none);
Outcome pert(std::int64_t replications);

/// Variates drawn by Boost's engines: their average, its standard error as if they were independent, and the seconds.
/// `exponential_by_log` takes −ln of a uniform, the others Boost's own distributions.
enum class Variate { uniform, exponential_by_log, exponential, normal };
Outcome taus88(Variate variate, std::int64_t draws);
Outcome mt19937_64(Variate variate, std::int64_t draws);

}  // namespace sporos::bench::hand_written
