// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/exp.hpp>
#include <sporos/models/germinal_centre/agent_rules.hpp>
#include <sporos/models/germinal_centre/chemokine_field.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace sporos::models {

/// For each element, kind and direction the probability of walking there or in a direction before, times 2^32. All
/// agents of a kind in an element have the same, so that exponentials are formed for elements and not for agents.
template <class Memory>
using WalkTable = Kokkos::View<std::uint32_t** [direction_count], Kokkos::LayoutRight, Memory>;

namespace impl {

/// A probability as a bound for 32 random bits.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t bound_of(double probability) {
  return probability < 1.0 ? static_cast<std::uint32_t>(probability * 0x1p32) : 0xffffffffu;
}

/// Share of the receptors that an amount occupies.
KOKKOS_FORCEINLINE_FUNCTION double occupancy(std::int64_t amount, double half) {
  return static_cast<double>(amount) / (static_cast<double>(amount) + half);
}

/// The row of an element and a kind: a step to a neighbour has the probability p0 · 2 / (1 + e^(−χ Δ)), where Δ is by
/// how much more the receptors are occupied there; without chemokine p0 = D Δt / h². What would lead out of the tissue
/// does not happen.
template <class Memory>
struct WalkPlanner {
  ElementGrid grid;
  int elements;  // of a centre
  Kokkos::View<KindRules*, Memory> kinds;
  Kokkos::View<FieldRules*, Memory> fields;
  FieldAmounts<Memory> amounts;
  WalkTable<Memory> table;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const auto count = static_cast<std::int64_t>(kinds.extent(0));
    const std::int64_t e = i / count, kind = i % count;
    const int here = static_cast<int>(e % elements);
    double sum = 0;
    for (int direction = 0; direction < direction_count; ++direction) {
      const int there = grid.neighbour(here, direction);
      if (there >= 0) sum += kinds(kind).stride * odds(kinds(kind), e, e - here + there);
      table(e, kind, direction) = bound_of(sum);
    }
  }

  KOKKOS_INLINE_FUNCTION double odds(const KindRules& rules, std::int64_t here, std::int64_t there) const {
    if (rules.sensitivity == 0.0) return 1.0;
    const double half = fields(rules.chemokine).half_occupancy;
    const double rise =
        occupancy(amounts(rules.chemokine, there), half) - occupancy(amounts(rules.chemokine, here), half);
    return 2.0 / (1.0 + math::exp(-rules.sensitivity * rise));
  }
};

}  // namespace impl

/// Fills the table for a step. Asynchronous.
template <class ExecutionSpace, class Memory>
void plan_walks(const ExecutionSpace& space, const TissueMesh& mesh, const AgentRules<Memory>& rules,
                const ChemokineFields<ExecutionSpace>& fields, const WalkTable<Memory>& table) {
  const auto rows = static_cast<std::int64_t>(table.extent(0) * table.extent(1));
  Kokkos::parallel_for("sporos::germinal_centre::plan_walks",
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, rows),
                       impl::WalkPlanner<Memory>{ElementGrid::of(mesh), mesh.count(), rules.kinds, fields.rules(),
                                                 fields.amounts(), table});
}

}  // namespace sporos::models
