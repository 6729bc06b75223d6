// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../harness/outcome.hpp"

#include <cstdint>

/// Handwritten peers of the models for one core: plain loops over Boost.Random and the standard library. This code uses
/// neither Sporos nor Kokkos and is compiled with the same options as the rest.
namespace sporos::bench::hand_written {

/// Where the random numbers of a replication start.
enum class Spacing {
  none,   ///< after those of the previous replication: one engine runs through all replications
  random  ///< at a separate state for each replication, whose words are drawn (random spacing)
};

/// Each function runs `replications` of a model, measures the time and returns statistics of the first response.
Outcome pi(std::int64_t replications, std::int64_t draws, Spacing spacing = Spacing::none);
Outcome mm1(std::int64_t replications, double arrival_rate, double service_rate, std::int64_t customers,
            Spacing spacing = Spacing::none);
Outcome mmck(std::int64_t replications, double arrival_rate, double service_rate, std::int64_t servers,
             std::int64_t capacity, std::int64_t customers);
Outcome random_walk(std::int64_t replications, std::int64_t steps, std::int64_t chunk_side,
                    Spacing spacing = Spacing::none);
Outcome pert(std::int64_t replications);

/// Averages variates from Boost's engines. Returns the average, the standard error that it has for independent
/// variates, and the seconds. `exponential_by_log` takes −ln of a uniform, the others use Boost's distributions.
enum class Variate { uniform, exponential_by_log, exponential, normal };
Outcome taus88(Variate variate, std::int64_t draws);
Outcome mt19937_64(Variate variate, std::int64_t draws);

}  // namespace sporos::bench::hand_written
