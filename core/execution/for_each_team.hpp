// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/for_each_index.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace sporos {

/// Teams of a kernel.
struct Teams {
  std::int64_t count;       ///< number of teams
  int threads;              ///< threads of a team on a device; on a host a team has one, since barriers are slow there
  std::size_t scratch = 0;  ///< bytes of level-0 scratch memory of a team
};

/// Runs `body(team)` for each team in a TeamPolicy kernel named `name`. `nanoseconds` is the estimated time of a team
/// on a host. If threads would save less than the launch costs, the calling thread runs all teams. The call does not
/// wait for a device.
template <class ExecutionSpace, class Body>
void for_each_team(const std::string& name, const ExecutionSpace& space, const Teams& teams, double nanoseconds,
                   const Body& body) {
  const auto launch = [&](const auto& on) {
    using Chosen = std::decay_t<decltype(on)>;
    Kokkos::parallel_for(
        name,
        Kokkos::TeamPolicy<Chosen>(on, static_cast<int>(teams.count), runs_on_host<Chosen> ? 1 : teams.threads)
            .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(teams.scratch))),
        body);
  };
  if constexpr (impl::has_small_work_space<ExecutionSpace>) {
    if (impl::is_small_work(space, teams.count, nanoseconds * static_cast<double>(teams.count))) {
      return launch(impl::small_work_space(space));
    }
  }
  launch(space);
}

}  // namespace sporos
