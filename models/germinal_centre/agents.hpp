// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/memory.hpp>
#include <sporos/models/germinal_centre/tissue_mesh.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace sporos::models {

/// State of an agent: its kind, its number of children, and when it became this kind.
struct AgentState {
  std::uint32_t word;      ///< kind in the lowest 8 bits, children above
  std::int32_t since = 0;  ///< step in which it became this kind

  /// Number of its kind.
  KOKKOS_FORCEINLINE_FUNCTION int kind() const { return static_cast<int>(word & 0xffu); }
  /// Number of its children so far, modulo 2^24.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t children() const { return word >> 8; }
  /// State after it becomes another kind in step `step`.
  KOKKOS_FORCEINLINE_FUNCTION AgentState as(int kind, std::int32_t step) const {
    return {(word & ~std::uint32_t{0xff}) | static_cast<std::uint32_t>(kind), step};
  }
  /// State after `count` further births.
  KOKKOS_FORCEINLINE_FUNCTION AgentState after_births(std::uint32_t count) const {
    return {word + (count << 8), since};
  }
};

/// Fate of an agent in a step; it is valid until agents are gathered again.
struct AgentFate {
  /// The agent's action: a number below direction_count is the direction in which it walks.
  enum Deed : std::uint32_t { stays = direction_count, is_gone, is_undecided };

  /// The deed in the lowest 4 bits; above them 0, or 1 plus the number of the change that made it a parent.
  std::uint32_t word;

  /// The agent's action.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t deed() const { return word & 0xfu; }
  /// Whether the agent has offspring.
  KOKKOS_FORCEINLINE_FUNCTION bool is_parent() const { return word >> 4 != 0; }
  /// Number of the change that gave it offspring.
  KOKKOS_FORCEINLINE_FUNCTION int change() const { return static_cast<int>(word >> 4) - 1; }
  /// Fate with offspring from a change.
  KOKKOS_FORCEINLINE_FUNCTION AgentFate as_parent(int change) const {
    return {word | static_cast<std::uint32_t>(change + 1) << 4};
  }
};

/// Agents of an element.
struct AgentList {
  std::uint64_t* identity;  ///< names the random number stream of each
  AgentState* state;        ///< state of each
  AgentFate* fate;          ///< fate of each
  std::uint32_t* moving;    ///< indices of agents that walk or have offspring, in any order

  /// Writes an agent.
  KOKKOS_FORCEINLINE_FUNCTION void set(int i, std::uint64_t its_identity, const AgentState& its_state) const {
    identity[i] = its_identity;
    state[i] = its_state;
  }
};

/// Agents as a structure of arrays. Those of an element are contiguous and sorted by identity.
template <class Memory>
struct AgentArrays {
  Kokkos::View<std::uint64_t*, Memory> identity;  ///< names the random number stream of each
  Kokkos::View<AgentState*, Memory> state;        ///< state of each
  Kokkos::View<AgentFate*, Memory> fate;          ///< fate of each
  /// For each element, indices of agents that walk or have offspring, in any order.
  Kokkos::View<std::uint32_t*, Memory> moving;

  /// Bytes per agent.
  static constexpr double bytes_of_agent = 24;

  /// Number of agents that fit.
  std::int64_t capacity() const { return static_cast<std::int64_t>(identity.extent(0)); }

  /// Makes room for `count` agents and discards the present ones if it must grow. Throws OutOfMemory if they do not
  /// fit.
  void reserve(std::int64_t count) {
    if (count <= capacity()) return;
    const std::int64_t room = count + count / 4;
    check_memory<Memory>({"agents", room, "agents", bytes_of_agent});
    *this = {};  // frees the old arrays first
    const auto size = static_cast<std::size_t>(room);
    const auto plain = [](const std::string& label) { return Kokkos::view_alloc(label, Kokkos::WithoutInitializing); };
    identity = Kokkos::View<std::uint64_t*, Memory>(plain("sporos::germinal_centre::identity"), size);
    state = Kokkos::View<AgentState*, Memory>(plain("sporos::germinal_centre::state"), size);
    fate = Kokkos::View<AgentFate*, Memory>(plain("sporos::germinal_centre::fate"), size);
    moving = Kokkos::View<std::uint32_t*, Memory>(plain("sporos::germinal_centre::moving"), size);
  }

  /// Agents of an element whose first agent has number `begin`.
  KOKKOS_FORCEINLINE_FUNCTION AgentList from(std::int64_t begin) const {
    return {identity.data() + begin, state.data() + begin, fate.data() + begin, moving.data() + begin};
  }
};

/// Location of the agents of an element, and what other elements need for gathering.
struct ElementAgents {
  std::int64_t begin = 0;    ///< index of the first agent
  std::int32_t count = 0;    ///< number of agents
  std::int32_t staying = 0;  ///< number of agents that stay
  std::int32_t moving = 0;   ///< number of agents that walk or have offspring
  std::int32_t parents = 0;  ///< number of agents that have offspring
};

}  // namespace sporos::models
