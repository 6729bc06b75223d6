// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// Whether this is the last of `teams` teams of a kernel to come here: it then sees all that the others had written,
/// and can go on with it without another launch. `finished` counts in the memory of the device; it begins at 0, where
/// the last team leaves it. To be called by all threads of a team, once.
template <class Team>
KOKKOS_FUNCTION bool is_last_team(const Team& team, std::int32_t& finished, std::int32_t teams) {
  team.team_barrier();  // the one that counts speaks for all of its team
  std::int32_t is_last = 0;
  Kokkos::single(
      Kokkos::PerTeam(team),
      [&](std::int32_t& found) {
        Kokkos::memory_fence();
        found = Kokkos::atomic_fetch_add(&finished, 1) == teams - 1 ? 1 : 0;
        if (found != 0) finished = 0;
        Kokkos::memory_fence();
      },
      is_last);
  team.team_barrier();
  return is_last != 0;
}

}  // namespace sporos
