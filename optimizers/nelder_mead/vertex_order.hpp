// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/optimizers/nelder_mead/simplices.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::impl {

/// Vertices of one simplex by position, from the best to the worst. Functions that write, except settle_last, are for
/// one thread of a team.
template <class ExecutionSpace>
struct VertexOrder {
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;

  SimplexPlace at;
  std::int64_t* value_evaluations;  // number of evaluations of each vertex

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
  /// Moves the vertex at `position` before all worse ones, after equal ones. Those before it must be in order.
  KOKKOS_FUNCTION void settle(std::int32_t position) const {
    for (std::int32_t p = position; p > 0 && value_at(p) < value_at(p - 1); --p) exchange(p, p - 1);
  }

  /// Sets the value of the vertex at position `last` and moves it as `settle` does. The vertices before it must be in
  /// order. All threads of a team work at once, because on a device each exchange would wait for memory.
  KOKKOS_FUNCTION void settle_last(const Team& team, std::int32_t last, double value) const {
    const std::int32_t settled = vertex(last);
    // From the worst on, so that no thread overwrites a position that another has yet to read.
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
