// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/memory.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/summary.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace sporos::impl {

/// Largest number of outputs of one launch. It bounds the memory of an experiment for any number of replications. On a
/// device it is larger, because a last launch that does not fill the device takes as long as a full one: an emergency
/// department with 163 responses takes 1.2 times as long on an H200 if 65 536 replications take two launches.
template <class ExecutionSpace>
inline constexpr std::int64_t max_outputs = std::int64_t{runs_on_host<ExecutionSpace> ? 8 : 32} << 20;

/// Bytes of memory that an output takes, together with the larger one of its copy and its share of the summaries of a
/// block or run. The summaries include those of `pairs` pairs per response.
inline double bytes_of_output(std::int64_t run_length, double pairs = 0) {
  const auto in_block = static_cast<double>(run_length > 1 ? run_length : block_observations);
  const double summaries = static_cast<double>(sizeof(BlockSummary)) + pairs * static_cast<double>(sizeof(CoMoments));
  return sizeof(double) + std::max<double>(sizeof(double), summaries / in_block);
}

/// Largest number of outputs of one launch for which the memory of `ExecutionSpace` has room, in an experiment with
/// `points` design points of `responses` responses each. Throws OutOfMemory if one run of each design point does not
/// fit.
template <class ExecutionSpace>
std::int64_t affordable_outputs(const Plan& plan, std::size_t points, std::size_t responses) {
  using MemorySpace = typename ExecutionSpace::memory_space;
  constexpr double worth_a_look = 1 << 20;  // in outputs: querying the memory takes as long as a small experiment
  const double outputs_of_replication = static_cast<double>(points * responses);
  constexpr std::int64_t most = max_outputs<ExecutionSpace>;
  if (static_cast<double>(plan.replications) * outputs_of_replication < worth_a_look) return most;

  const std::int64_t run_length = plan.source.replications_of_run();
  const double pairs = plan.covariances ? 0.5 * static_cast<double>(responses - 1) : 0;
  const double bytes = bytes_of_output(run_length, pairs), row = static_cast<double>(responses) * bytes;
  if (points > 1) {
    const double rows = static_cast<double>(run_length) * row;
    check_memory<MemorySpace>({"responses", static_cast<std::int64_t>(points), "design points", rows});
  } else {
    check_memory<MemorySpace>({"responses", run_length, "replications in a run", row});
  }
  const double half = 0.5 * static_cast<double>(memory_of<MemorySpace>().free);
  return static_cast<std::int64_t>(std::min<double>(most, half / bytes));
}

}  // namespace sporos::impl
