// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "comparison.hpp"

#include <cstdint>
#include <vector>

namespace sporos::bench {

/// How much is measured. `full` is for a GPU: long replications, and no sweep on the host.
struct Sizes {
  Effort effort;        ///< of one comparison
  Effort sweep_effort;  ///< of one point of a sweep
  Effort draws_effort;  ///< of one engine or sampling, whose best time counts: many short rounds
  bool sweeps_host;     ///< whether host backends take part in the sweep

  std::int64_t pi_draws, mm1_customers, mmck_customers, walk_steps;  ///< in a replication of the sweep
  std::vector<std::int64_t> sweep_replications;
  std::vector<std::int64_t> device_replications;  ///< beside them, on devices alone
  std::int64_t most_by_hand;                      ///< most replications in the sweep for the loop written by hand

  std::int64_t peer_replications;     ///< against the loop written by hand
  std::int64_t speedup_replications;  ///< one backend against another
  std::int64_t draws_of_a_thread;     ///< random numbers, a multiple of 4
};

/// pi and M/M/c/k: Serial against the loop written by hand.
void register_hand_written(const Sizes& sizes);

/// pi and M/M/c/k: every other backend against Serial.
void register_speedup(const Sizes& sizes);

/// One replication of pi with one draw: what a call of `simulate` costs, beside an empty kernel.
void register_launch(const Sizes& sizes);

/// Time against replications for four models on every backend: thread, warp, automatic and written by hand.
void register_sweep(const Sizes& sizes);

/// Variates per second in a loop that adds them up: Sporos' inputs against Boost's engines and Kokkos' pools.
void register_random_numbers(const Sizes& sizes);

/// Uniforms per second of every engine and sampling under either mapping, against philox and against peers on the host.
void register_samplings(const Sizes& sizes);

}  // namespace sporos::bench
