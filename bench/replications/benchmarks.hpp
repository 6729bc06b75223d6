// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "comparison.hpp"

#include <cstdint>
#include <vector>

namespace sporos::bench {

/// Sizes of the measurements. `full` is for a GPU: long replications, and no sweep on the host.
struct Sizes {
  Effort effort;        ///< effort of one comparison
  Effort sweep_effort;  ///< effort of one point of a sweep
  Effort draws_effort;  ///< effort of one engine or sampling: many short rounds, of which the best time counts
  bool sweeps_host;     ///< whether host backends take part in the sweep

  std::int64_t pi_draws, mm1_customers, mmck_customers, walk_steps;  ///< work of a replication in the sweep
  std::vector<std::int64_t> sweep_replications;
  std::vector<std::int64_t> device_replications;  ///< additional numbers of replications on devices
  std::int64_t max_by_hand;                       ///< most replications of the handwritten loop in the sweep

  std::int64_t peer_replications;     ///< replications for the comparison with the handwritten loop
  std::int64_t speedup_replications;  ///< replications for the comparison of two backends
  std::int64_t draws_of_a_thread;     ///< draws of a stream, a multiple of 4
};

/// Registers π, M/M/c/k and the PERT network on Serial against the handwritten loop.
void register_hand_written(const Sizes& sizes);

/// Registers π, M/M/c/k and the PERT network on every other backend against Serial.
void register_speedup(const Sizes& sizes);

/// Registers one replication of π with one draw, that is, the cost of a call of `simulate`, against an empty kernel.
void register_launch(const Sizes& sizes);

/// Registers time against replications for four models on every backend: thread, warp, automatic and handwritten.
void register_sweep(const Sizes& sizes);

/// Registers variates per second in a loop that adds them up: Sporos' inputs against Boost's engines and Kokkos' pools.
void register_random_numbers(const Sizes& sizes);

/// Registers uniforms per second of every engine and sampling under both mappings, against Philox and against peers on
/// the host.
void register_samplings(const Sizes& sizes);

}  // namespace sporos::bench
