// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/memory.hpp>
#include <sporos/models/germinal_centre/tissue_mesh.hpp>

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

/// What becomes of an agent in a step, until it is put in place again.
struct AgentFate {
  /// What it does: a number below direction_count is the direction in which it walks.
  enum Deed : std::uint32_t { stays = direction_count, is_gone, is_undecided };

  std::uint32_t word;  ///< the deed in the lowest 4 bits; above them 0, or 1 more than the change that made it a parent

  /// What it does.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t deed() const { return word & 0xfu; }
  /// Whether it has offspring.
  KOKKOS_FORCEINLINE_FUNCTION bool is_parent() const { return word >> 4 != 0; }
  /// The number of the change that gave it offspring.
  KOKKOS_FORCEINLINE_FUNCTION int change() const { return static_cast<int>(word >> 4) - 1; }
  /// The same with offspring, by a change.
  KOKKOS_FORCEINLINE_FUNCTION AgentFate as_parent(int change) const {
    return {word | static_cast<std::uint32_t>(change + 1) << 4};
  }
};

/// Agents of an element.
struct AgentList {
  std::uint64_t* identity;  ///< names its random numbers
  AgentState* state;        ///< what it is
  AgentFate* fate;          ///< what becomes of it
  std::uint32_t* moving;    ///< in any order: who walks or has offspring

  /// Writes an agent.
  KOKKOS_FORCEINLINE_FUNCTION void set(int i, std::uint64_t its_identity, const AgentState& its_state) const {
    identity[i] = its_identity;
    state[i] = its_state;
  }
};

/// Agents as a structure of arrays, those of an element next to each other and in the order of their identities.
template <class Memory>
struct AgentArrays {
  Kokkos::View<std::uint64_t*, Memory> identity;  ///< names its random numbers
  Kokkos::View<AgentState*, Memory> state;        ///< what it is
  Kokkos::View<AgentFate*, Memory> fate;          ///< what becomes of it
  Kokkos::View<std::uint32_t*, Memory> moving;    ///< of an element in any order: who walks or has offspring

  /// bytes of an agent.
  static constexpr double bytes_of_agent = 24;

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
    fate = Kokkos::View<AgentFate*, Memory>(plain("sporos::germinal_centre::fate"), size);
    moving = Kokkos::View<std::uint32_t*, Memory>(plain("sporos::germinal_centre::moving"), size);
  }

  /// Those of an element, from number `begin` on.
  KOKKOS_FORCEINLINE_FUNCTION AgentList from(std::int64_t begin) const {
    return {identity.data() + begin, state.data() + begin, fate.data() + begin, moving.data() + begin};
  }
};

/// Where the agents of an element are, and what the other elements have to know of them.
struct ElementAgents {
  std::int64_t begin = 0;    ///< the first of them
  std::int32_t count = 0;    ///< how many there are
  std::int32_t staying = 0;  ///< of these stay
  std::int32_t moving = 0;   ///< of these walk or have offspring
  std::int32_t parents = 0;  ///< of these have offspring
};

}  // namespace sporos::models
