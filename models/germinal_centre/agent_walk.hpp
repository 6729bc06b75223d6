// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/germinal_centre/agent_rules.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::models {

/// Attractiveness e^(χ f) of each element for each kind.
template <class Memory>
using Attractions = Kokkos::View<double**, Kokkos::LayoutRight, Memory>;

namespace impl {

/// A probability as a bound for 32 random bits.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t bound_of(double probability) {
  return probability < 1.0 ? static_cast<std::uint32_t>(probability * 0x1p32) : 0xffffffffu;
}

/// Factor by which chemokine changes the probability D Δt / h² of a step to a neighbour, whose number differs by
/// `there`: 2 / (1 + e^(−χ Δ)), where Δ is by how much more the receptors are occupied there. All agents of a kind in
/// an element share it, so exponentials are computed per element and not per agent.
template <class Memory>
KOKKOS_INLINE_FUNCTION double odds(const KindRules& rules, const Attractions<Memory>& attractions, std::int64_t e,
                                   int kind, int there) {
  if (rules.sensitivity == 0.0) return 1.0;
  return 2.0 * attractions(e + there, kind) / (attractions(e + there, kind) + attractions(e, kind));
}

}  // namespace impl

}  // namespace sporos::models
