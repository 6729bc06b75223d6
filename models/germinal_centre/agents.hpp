// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/memory.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace sporos::models {

/// Of an agent: its kind, how many children it has had, and since when it is what it is.
struct AgentState {
  std::uint32_t word;      ///< kind in the lowest 8 bits, children above
  std::int32_t since = 0;  ///< step in which it became what it is

  /// The number of its kind.
  KOKKOS_FORCEINLINE_FUNCTION int kind() const { return static_cast<int>(word & 0xffu); }
  /// How many children it has had, modulo 2^24.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t children() const { return word >> 8; }
  /// The same as another kind, from step `step` on.
  KOKKOS_FORCEINLINE_FUNCTION AgentState as(int kind, std::int32_t step) const {
    return {(word & ~std::uint32_t{0xff}) | static_cast<std::uint32_t>(kind), step};
  }
  /// The same after `count` children more.
  KOKKOS_FORCEINLINE_FUNCTION AgentState after_births(std::uint32_t count) const {
    return {word + (count << 8), since};
  }
};

/// Agents as a structure of arrays, those of an element next to each other and in the order of their identities.
template <class Memory>
struct AgentArrays {
  Kokkos::View<std::uint64_t*, Memory> identity;  ///< names its random numbers
  Kokkos::View<AgentState*, Memory> state;        ///< what it is

  /// bytes of an agent.
  static constexpr double bytes_of_agent = 16;

  /// Room for so many agents.
  std::int64_t capacity() const { return static_cast<std::int64_t>(identity.extent(0)); }

  /// Makes room for `count` agents and forgets those that are there. Throws OutOfMemory where they would not fit.
  void reserve(std::int64_t count) {
    if (count <= capacity()) return;
    const std::int64_t room = count + count / 4;
    check_memory<Memory>({"agents", room, "agents", bytes_of_agent});
    *this = {};  // the old ones first
    const auto size = static_cast<std::size_t>(room);
    const auto plain = [](const std::string& label) { return Kokkos::view_alloc(label, Kokkos::WithoutInitializing); };
    identity = Kokkos::View<std::uint64_t*, Memory>(plain("sporos::germinal_centre::identity"), size);
    state = Kokkos::View<AgentState*, Memory>(plain("sporos::germinal_centre::state"), size);
  }

  /// Writes an agent.
  KOKKOS_FORCEINLINE_FUNCTION void set(std::int64_t i, std::uint64_t its_identity, const AgentState& its_state) const {
    identity(i) = its_identity;
    state(i) = its_state;
  }

  /// Whether agent `i` comes before `j` among those of an element. What is the same in both can be in any order, for
  /// nobody could tell.
  KOKKOS_FORCEINLINE_FUNCTION bool is_before(std::int64_t i, std::int64_t j) const {
    if (identity(i) != identity(j)) return identity(i) < identity(j);
    if (state(i).since != state(j).since) return state(i).since < state(j).since;
    return state(i).word < state(j).word;
  }

  /// Lets two agents change places.
  KOKKOS_FORCEINLINE_FUNCTION void swap(std::int64_t i, std::int64_t j) const {
    const std::uint64_t its_identity = identity(i);
    const AgentState its_state = state(i);
    set(i, identity(j), state(j));
    set(j, its_identity, its_state);
  }
};

/// What becomes of an agent in a step, before it is put in place again.
struct AgentFate {
  std::int32_t destination;     ///< element where it goes; impl::gone where it goes nowhere
  std::uint32_t offspring = 0;  ///< how many it leaves, times 256, and their kind
};

namespace impl {

/// Destinations that are no elements.
inline constexpr std::int32_t gone = -1, undecided = -2;

}  // namespace impl

}  // namespace sporos::models
