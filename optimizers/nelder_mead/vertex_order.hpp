// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/optimizers/nelder_mead/simplices.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::impl {

/// The vertices of one simplex, by their positions from the best to the worst. What writes is for one thread of a team,
/// but for settle_last.
template <class ExecutionSpace>
struct VertexOrder {
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;

  SimplexPlace at;
  std::int64_t* value_evaluations;  // of each vertex

  KOKKOS_FUNCTION std::int32_t& vertex(std::int32_t position) const { return at.order[position]; }
  KOKKOS_FUNCTION double& value_at(std::int32_t position) const { return at.values[vertex(position)]; }
  KOKKOS_FUNCTION double& coordinate_at(std::int32_t position, std::int32_t i) const {
    return at.vertices[vertex(position) * at.stride + i];
  }

  KOKKOS_FUNCTION void set_value(std::int32_t position, double value) const {
    value_at(position) = value;
    value_evaluations[vertex(position)] = 1;
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

  /// Gives a value to the vertex at position `last`, all before it being in order, and settles it: as `settle` does, by
  /// all threads of a team at once, since on a device each exchange would wait for memory.
  KOKKOS_FUNCTION void settle_last(const Team& team, std::int32_t last, double value) const {
    const std::int32_t settled = vertex(last);
    // From the worst on, so that what a position is given is not what another thread has still to read.
    SPOROS_NOT_UNROLLED
    for (std::int32_t end = last; end > 0; end -= team.team_size()) {
      const std::int32_t p = end - 1 - team.team_rank(), own = p >= 0 ? vertex(p) : 0;
      const bool is_worse = p >= 0 && value < at.values[own];
      const bool is_first = is_worse && !(p > 0 && value < value_at(p - 1));
      team.team_barrier();
      if (is_worse) vertex(p + 1) = own;
      if (is_first) vertex(p) = settled;
      if (!is_worse && team.team_size() == 1) break;
    }
    if (team.team_rank() == 0) {
      at.values[settled] = value;
      value_evaluations[settled] = 1;
    }
    team.team_barrier();
  }
};

}  // namespace sporos::impl
