// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/germinal_centre/agent_rules.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace sporos::models {

/// For each element and kind e^(χ f): how attractive it is.
template <class Memory>
using Attractions = Kokkos::View<double**, Kokkos::LayoutRight, Memory>;

namespace impl {

/// A probability as a bound for 32 random bits.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t bound_of(double probability) {
  return probability < 1.0 ? static_cast<std::uint32_t>(probability * 0x1p32) : 0xffffffffu;
}

/// By how much likelier than without chemokine a step of an agent to a neighbour is, whose number differs by `there`:
/// 2 / (1 + e^(−χ Δ)), where Δ is by how much more the receptors are occupied there; without chemokine its probability
/// is D Δt / h². All agents of a kind in an element have the same, so that exponentials are formed for elements and not
/// for agents.
template <class Memory>
KOKKOS_INLINE_FUNCTION double odds(const KindRules& rules, const Attractions<Memory>& attractions, std::int64_t e,
                                   int kind, int there) {
  if (rules.sensitivity == 0.0) return 1.0;
  return 2.0 * attractions(e + there, kind) / (attractions(e + there, kind) + attractions(e, kind));
}

}  // namespace impl

}  // namespace sporos::models
