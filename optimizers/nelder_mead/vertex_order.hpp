// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/optimizers/nelder_mead/simplices.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::impl {

/// The vertices of one simplex, by their positions from the best to the worst. What writes is for one thread of a team,
/// but for settle_last.
template <class ExecutionSpace>
struct VertexOrder {
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;

  const Simplices<ExecutionSpace>& all;
  std::int32_t simplex;

  KOKKOS_FUNCTION std::int32_t& vertex(std::int32_t position) const { return all.order(simplex, position); }
  KOKKOS_FUNCTION double& value_at(std::int32_t position) const { return all.values(simplex, vertex(position)); }
  KOKKOS_FUNCTION double& coordinate_at(std::int32_t position, std::int32_t i) const {
    return all.vertices(simplex, vertex(position), i);
  }

  KOKKOS_FUNCTION void set_value(std::int32_t position, double value) const {
    value_at(position) = value;
    all.value_evaluations(simplex, vertex(position)) = 1;
  }
  KOKKOS_FUNCTION void exchange(std::int32_t a, std::int32_t b) const {
    const std::int32_t kept = vertex(a);
    vertex(a) = vertex(b);
    vertex(b) = kept;
  }
  /// Moves the vertex at `position` before all that are worse, those before it being in order; of equal ones it becomes
  /// the last.
  KOKKOS_FUNCTION void settle(std::int32_t position) const {
    for (std::int32_t p = position; p > 0 && value_at(p) < value_at(p - 1); --p) exchange(p, p - 1);
  }

  /// Gives a value to the vertex at position `last`, all before it being in order, and settles it: on a host by one
  /// thread, on a device by all of a team at once, since each exchange waits for memory.
  KOKKOS_FUNCTION void settle_last(const Team& team, std::int32_t last, double value) const {
    std::int32_t place = 0;
    if constexpr (!runs_on_host<ExecutionSpace>) {
      const std::int32_t moved = vertex(last), threads = team.team_size();
      Kokkos::parallel_reduce(
          Kokkos::TeamThreadRange(team, last),
          [&](std::int32_t p, std::int32_t& count) { count += value < value_at(p) ? 0 : 1; }, place);
      for (std::int32_t end = last; end > place; end -= threads) {
        const std::int32_t p = end - team.team_rank(), kept = p > place ? vertex(p - 1) : 0;
        team.team_barrier();
        if (p > place) vertex(p) = kept;
      }
      team.team_barrier();
      if (team.team_rank() == 0) vertex(place) = moved;
    }
    team.team_barrier();
    Kokkos::single(Kokkos::PerTeam(team), [&]() {
      set_value(runs_on_host<ExecutionSpace> ? last : place, value);
      if (runs_on_host<ExecutionSpace>) settle(last);
    });
    team.team_barrier();
  }
};

}  // namespace sporos::impl
