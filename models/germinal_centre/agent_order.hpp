// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/germinal_centre/agent_draws.hpp>
#include <sporos/models/germinal_centre/agent_rules.hpp>
#include <sporos/models/germinal_centre/agents.hpp>
#include <sporos/models/germinal_centre/element_team.hpp>
#include <sporos/models/germinal_centre/tissue_mesh.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Gathers agents by element after they have acted, sorted by identity. Each element fetches the agents that come from
/// its neighbours, its parents and the pools. Agents that stay are already sorted. New agents are collected in any
/// order and sorted; then both lists are merged. The result does not depend on the order in which agents came.
namespace sporos::models {

/// An agent that enters the tissue, from a pool or at the beginning.
struct NewAgent {
  std::uint64_t identity;  ///< names its random number stream
  std::int32_t element;    ///< element number in this process
  std::int32_t kind;       ///< number of its kind
};

namespace impl {

/// Agents that are new in an element.
struct NewAgentList {
  std::uint64_t* identity;
  AgentState* state;

  KOKKOS_FORCEINLINE_FUNCTION void set(int i, std::uint64_t its_identity, const AgentState& its_state) const {
    identity[i] = its_identity;
    state[i] = its_state;
  }

  /// Whether agent `i` comes before `j` in an element. Agents with equal identity and state may have any order, since
  /// they cannot be distinguished.
  KOKKOS_FORCEINLINE_FUNCTION bool is_before(int i, int j) const {
    return identity[i] != identity[j] ? identity[i] < identity[j] : is_before(state[i], state[j]);
  }
  KOKKOS_FORCEINLINE_FUNCTION static bool is_before(const AgentState& one, const AgentState& other) {
    return one.since != other.since ? one.since < other.since : one.word < other.word;
  }

  /// Swaps two agents.
  KOKKOS_FORCEINLINE_FUNCTION void swap(int i, int j) const {
    const std::uint64_t its_identity = identity[i];
    const AgentState its_state = state[i];
    set(i, identity[j], state[j]);
    set(j, its_identity, its_state);
  }

  /// Sorts `count` agents.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void sort(const Team& team, int count) const {
    if (Team::is_single || count > Team::size) {
      sort_many(team, count);
    } else if (count > 1) {
      sort_few(team, count);
    }
  }

  /// Sorts no more agents than there are threads: each thread counts how many come before its agent.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void sort_few(const Team& team, int count) const {
    const int mine = team.rank();
    int place = 0;
    std::uint64_t its_identity = 0;
    AgentState its_state{};
    if (mine < count) {
      its_identity = identity[mine];
      its_state = state[mine];
      for (int i = 0; i < count; ++i) {
        const std::uint64_t other = identity[i];
        if (other < its_identity) ++place;
        if (other != its_identity || i == mine) continue;
        if (is_before(state[i], its_state) || (i < mine && !is_before(its_state, state[i]))) ++place;
      }
    }
    team.barrier();
    if (mine < count) set(place, its_identity, its_state);
    team.barrier();
  }

  /// Sorts by Batcher's merge exchange (Knuth, The Art of Computer Programming 3, algorithm 5.2.2 M): no two
  /// comparisons of a round involve the same agent.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void sort_many(const Team& team, int count) const {
    int top = 1;
    while (top < count - top) top *= 2;
    for (int part = top; part > 0 && count > 1; part /= 2) {
      int remainder = 0, distance = part;
      for (int reach = top;; reach /= 2) {
        for (int i = team.rank(); i < count - distance; i += Team::size) {
          if ((i & part) == remainder && is_before(i + distance, i)) swap(i, i + distance);
        }
        team.barrier();
        if (reach == part) break;
        distance = reach - part;
        remainder = part;
      }
    }
  }
};

/// The agents of the last step, and those that arrive from pools.
template <class Memory>
struct AgentsBefore {
  AgentArrays<Memory> agents;
  Kokkos::View<ElementAgents*, Memory> elements;
  Kokkos::View<NewAgent*, Memory> arrivals;
  Kokkos::View<std::int32_t*, Memory> next_arrival;   // next in the same element; -1 after the last
  Kokkos::View<std::int32_t*, Memory> first_arrival;  // first one of each element
};

/// Moves agents to their elements after a step. A team works on an element.
template <class ExecutionSpace>
struct ElementGatherer {
  using Memory = typename ExecutionSpace::memory_space;
  using Team = ElementTeam<ExecutionSpace>;

  std::uint64_t seed;
  std::int32_t step;  // step in which the agents have acted
  ElementGrid grid;
  int elements;  // elements per centre
  Kokkos::View<ChangeRule*, Memory> changes;
  AgentsBefore<Memory> from;

  /// An agent before it is moved.
  struct Agent {
    std::uint64_t identity;
    AgentState state;
    bool stays;
  };
  KOKKOS_FORCEINLINE_FUNCTION static Agent agent_of(const AgentList& list, int i, int count) {
    if (i >= count) return {0, {}, false};
    return {list.identity[i], list.state[i], list.fate[i].deed() == AgentFate::stays};
  }

  /// Call this first. Reads where the agents of the neighbours of element `e` are, and returns where those of `e`
  /// itself are.
  KOKKOS_INLINE_FUNCTION ElementAgents begin(const Team& team, int e) const {
    auto& memory = team.memory();
    const ElementAgents before = from.elements(e);
    const auto place = grid.place(e % elements);
    for (int direction = team.rank(); direction < direction_count; direction += Team::size) {
      const int there = grid.to_neighbour(place, direction);
      const ElementAgents neighbour = from.elements(e + there);
      memory.begin[direction] = neighbour.begin;
      memory.coming[direction] = there != 0 ? neighbour.moving : 0;
    }
    return before;
  }

  /// Gathers the `count` agents that belong to element `e` after the step, of which `before` were there. Writes them to
  /// `to` and, unless they are too many, to the team's copy `held`. Counts them by kind.
  KOKKOS_INLINE_FUNCTION void gather(const Team& team, int e, const ElementAgents& before, const AgentList& to,
                                     const AgentList& held, int count) const {
    // The load overlaps with the work below.
    const Agent first = agent_of(from.agents.from(before.begin), team.rank(), before.count);
    const int new_ones = count - before.staying;
    const NewAgentList list = new_ones <= max_held_arrivals
                                  ? NewAgentList{team.memory().new_identity, team.memory().new_state}
                                  : NewAgentList{to.identity + before.staying, to.state + before.staying};
    if (new_ones > 0) {
      collect(team, e, before, list);
      list.sort(team, new_ones);
    }
    merge(team, before, first, list, new_ones, to, held);
  }

  /// Collects new agents in a list, in any order.
  KOKKOS_INLINE_FUNCTION void collect(const Team& team, int e, const ElementAgents& before,
                                      const NewAgentList& list) const {
    const int children = before.parents > 0 ? collect_offspring(team, before, list) : 0;
    if (team.rank() == 0) team.memory().found = children;
    team.barrier();
    collect_walkers(team, list);
    if (team.rank() == Team::size - 1) collect_arrivals(team, e, list);
    team.barrier();
  }

  /// Collects agents of the neighbours that walk to this element.
  KOKKOS_INLINE_FUNCTION void collect_walkers(const Team& team, const NewAgentList& list) const {
    auto& memory = team.memory();
    int i = team.rank();
    for (int direction = 0;; i += Team::size) {
      while (direction < direction_count && i >= memory.coming[direction]) i -= memory.coming[direction++];
      if (direction == direction_count) return;
      const AgentList there = from.agents.from(memory.begin[direction]);
      const auto agent = there.moving[i];
      // The three loads are issued together, so that the thread waits for memory only once.
      const std::uint64_t identity = there.identity[agent];
      const AgentState state = there.state[agent];
      const AgentFate fate = there.fate[agent];
      if (fate.deed() != opposite(direction)) continue;
      list.set(team.fetch_add(memory.found, 1), identity, state);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t opposite(int direction) {
    return static_cast<std::uint32_t>(direction) ^ 1u;
  }

  /// Collects agents that come from pools.
  KOKKOS_INLINE_FUNCTION void collect_arrivals(const Team& team, int e, const NewAgentList& list) const {
    for (std::int32_t i = from.first_arrival(e); i >= 0; i = from.next_arrival(i)) {
      const NewAgent arrival = from.arrivals(i);
      list.set(team.fetch_add(team.memory().found, 1), arrival.identity,
               {static_cast<std::uint32_t>(arrival.kind), step});
    }
  }

  /// Collects the offspring of the agents of this element. Returns their number.
  KOKKOS_INLINE_FUNCTION int collect_offspring(const Team& team, const ElementAgents& before,
                                               const NewAgentList& list) const {
    const AgentList here = from.agents.from(before.begin);
    int children = 0, odd = 0;
    for (int first = 0; first < before.moving; first += Team::size, odd ^= 1) {
      const int mine = first + team.rank();
      const bool is_parent = mine < before.moving && here.fate[here.moving[mine]].is_parent();
      if constexpr (Team::is_single) {
        if (is_parent) children += place_offspring(team, here, here.moving[mine], list, children);
      } else {
        if (team.raised(is_parent, odd).all == 0) continue;
        for (int warp = 0; warp < Team::size / Team::lanes; ++warp) {
          for (std::uint32_t bits = team.memory().flags[odd][warp]; bits != 0; bits &= bits - 1) {
            const int parent = first + warp * Team::lanes + sporos::impl::first_bit(bits);
            children += place_offspring(team, here, here.moving[parent], list, children);
          }
        }
      }
    }
    return children;
  }

  /// Collects the offspring of one parent, from position `begin` of the list on. Returns its size.
  KOKKOS_INLINE_FUNCTION int place_offspring(const Team& team, const AgentList& here, std::uint32_t parent,
                                             const NewAgentList& list, int begin) const {
    const ChangeRule& rule = changes(here.fate[parent].change());
    const int count = rule.offspring_count;
    const std::uint64_t first = (here.state[parent].children() - static_cast<std::uint32_t>(count)) & 0xffffffu;
    for (int child = team.rank(); child < count; child += Team::size) {
      list.set(begin + child, child_identity(seed, here.identity[parent], first + static_cast<std::uint64_t>(child)),
               {static_cast<std::uint32_t>(rule.offspring), step});
    }
    return count;
  }

  /// Merges the agents that stay with the sorted new ones, and counts all by kind. In each round, every thread handles
  /// one staying agent, in order. The list of new agents may overlap the output: each agent is read before its place is
  /// overwritten.
  KOKKOS_INLINE_FUNCTION void merge(const Team& team, const ElementAgents& before, Agent next, const NewAgentList& list,
                                    int new_ones, const AgentList& to, const AgentList& held) const {
    auto& memory = team.memory();
    const AgentList here = from.agents.from(before.begin);
    int stayed = 0, taken = 0, odd = 0;
    for (int first = 0; first < before.count || taken < new_ones; first += Team::size, odd ^= 1) {
      const Agent agent = next;
      // The load overlaps with placing this agent.
      next = agent_of(here, first + Team::size + team.rank(), before.count);
      const int smaller = agent.stays ? new_before(list, agent.identity, taken, new_ones) : 0;
      const auto raised = team.raised(agent.stays, odd);
      if (agent.stays) memory.before[raised.before] = smaller;
      team.barrier();
      const bool is_last = first + Team::size >= before.count;
      const int end = is_last ? new_ones : (raised.all > 0 ? memory.before[raised.all - 1] : taken);
      for (int some = taken; some < end; some += Team::size) {
        const int i = some + team.rank();
        const std::uint64_t identity = i < end ? list.identity[i] : 0;
        const AgentState state = i < end ? list.state[i] : AgentState{};
        team.barrier();
        if (i < end) put(team, to, held, i + stayed + staying_before(memory.before, raised.all, i), identity, state);
      }
      if (agent.stays) put(team, to, held, stayed + raised.before + smaller, agent.identity, agent.state);
      stayed += raised.all;
      taken = end;
    }
    team.barrier();
  }

  KOKKOS_FORCEINLINE_FUNCTION static void put(const Team& team, const AgentList& to, const AgentList& held, int place,
                                              std::uint64_t identity, const AgentState& state) {
    to.set(place, identity, state);
    if (!Team::is_single && held.identity != to.identity) held.set(place, identity, state);
    team.fetch_add(team.memory().present[state.kind()], 1);
  }

  /// Number of sorted new agents that come before an identity; it is at least `first`.
  KOKKOS_INLINE_FUNCTION static int new_before(const NewAgentList& list, std::uint64_t identity, int first, int end) {
    while (first < end) {
      const int middle = first + (end - first) / 2;
      if (list.identity[middle] < identity) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    return first;
  }

  /// Number of staying agents that come before new agent `i`: those with at most `i` new agents before them.
  KOKKOS_INLINE_FUNCTION static int staying_before(const int* before, int count, int i) {
    int first = 0;
    while (first < count) {
      const int middle = (first + count) / 2;
      if (before[middle] <= i) {
        first = middle + 1;
      } else {
        count = middle;
      }
    }
    return first;
  }
};

}  // namespace impl

}  // namespace sporos::models
