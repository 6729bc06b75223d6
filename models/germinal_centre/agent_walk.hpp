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

/// For each element and kind e^(χ f): how attractive it is.
template <class Memory>
using Attractions = Kokkos::View<double**, Kokkos::LayoutRight, Memory>;

namespace impl {

/// A probability as a bound for 32 random bits.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t bound_of(double probability) {
  return probability < 1.0 ? static_cast<std::uint32_t>(probability * 0x1p32) : 0xffffffffu;
}

/// Of an element and a kind: e^(χ f), f being the share of the receptors that are occupied.
template <class Memory>
struct AttractionFinder {
  Kokkos::View<KindRules*, Memory> kinds;
  Kokkos::View<FieldRules*, Memory> fields;
  FieldAmounts<Memory> amounts;
  Attractions<Memory> attractions;

  KOKKOS_INLINE_FUNCTION void operator()(int e, int kind) const {
    const KindRules& rules = kinds(kind);
    if (rules.sensitivity == 0.0) return;
    const auto amount = static_cast<double>(amounts(rules.chemokine, e));
    attractions(e, kind) = math::exp(rules.sensitivity * (amount / (amount + fields(rules.chemokine).half_occupancy)));
  }
};

/// The row of an element and a kind: a step to a neighbour has the probability p0 · 2 / (1 + e^(−χ Δ)), where Δ is by
/// how much more the receptors are occupied there; without chemokine p0 = D Δt / h². What would lead out of the tissue
/// does not happen.
template <class Memory>
struct WalkPlanner {
  ElementGrid grid;
  int elements;  // of a centre
  Kokkos::View<KindRules*, Memory> kinds;
  Attractions<Memory> attractions;
  WalkTable<Memory> table;

  KOKKOS_INLINE_FUNCTION void operator()(int e, int kind) const {
    const auto place = grid.place(e % elements);
    double sum = 0;
    for (int direction = 0; direction < direction_count; ++direction) {
      const int to = grid.to_neighbour(place, direction);
      if (to != 0) sum += kinds(kind).stride * odds(kind, e, e + to);
      table(e, kind, direction) = bound_of(sum);
    }
  }

  KOKKOS_INLINE_FUNCTION double odds(int kind, int here, int there) const {
    if (kinds(kind).sensitivity == 0.0) return 1.0;
    return 2.0 * attractions(there, kind) / (attractions(there, kind) + attractions(here, kind));
  }
};

}  // namespace impl

/// Fills the table for a step, by way of `attractions`. Asynchronous.
template <class ExecutionSpace, class Memory>
void plan_walks(const ExecutionSpace& space, const TissueMesh& mesh, const AgentRules<Memory>& rules,
                const ChemokineFields<ExecutionSpace>& fields, const Attractions<Memory>& attractions,
                const WalkTable<Memory>& table) {
  const Kokkos::MDRangePolicy<ExecutionSpace, Kokkos::Rank<2, Kokkos::Iterate::Right, Kokkos::Iterate::Right>,
                              Kokkos::IndexType<int>>
      elements_and_kinds(space, {0, 0}, {static_cast<int>(table.extent(0)), static_cast<int>(table.extent(1))});
  Kokkos::parallel_for("sporos::germinal_centre::attractions", elements_and_kinds,
                       impl::AttractionFinder<Memory>{rules.kinds, fields.rules(), fields.amounts(), attractions});
  Kokkos::parallel_for("sporos::germinal_centre::plan_walks", elements_and_kinds,
                       impl::WalkPlanner<Memory>{ElementGrid::of(mesh), mesh.count(), rules.kinds, attractions, table});
}

}  // namespace sporos::models
