// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// Policy with `teams` teams, for jobs that are each too small for a whole machine. A team has one thread on a host,
/// where team barriers cost more than they save, and as many as Kokkos chooses on a device.
template <class ExecutionSpace>
Kokkos::TeamPolicy<ExecutionSpace> team_policy(const ExecutionSpace& space, std::int64_t teams) {
  const auto league = static_cast<int>(teams);
  if constexpr (runs_on_host<ExecutionSpace>) {
    return {space, league, 1};
  } else {
    return {space, league, Kokkos::AUTO};
  }
}

}  // namespace sporos
