// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/germinal_centre/agent_draws.hpp>
#include <sporos/models/germinal_centre/agent_rules.hpp>
#include <sporos/models/germinal_centre/agents.hpp>
#include <sporos/models/germinal_centre/element_team.hpp>
#include <sporos/models/germinal_centre/tissue_mesh.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

/// Agents are put together by element again after they have acted, in the order of their identities: each element
/// fetches those that come, from its neighbours, its parents and the pools. Those that stay are in order already; those
/// that are new there come as it happens, and are sorted; then the two are merged. So the order in which agents came
/// does not show.
namespace sporos::models {

/// An agent that comes into the tissue: of a pool, or at the beginning.
struct NewAgent {
  std::uint64_t identity;  ///< names its random numbers
  std::int32_t element;    ///< among those of the process
  std::int32_t kind;       ///< its number
};

namespace impl {

/// Agents in memory of a team, or of a device.
struct AgentList {
  std::uint64_t* identity;
  AgentState* state;

  KOKKOS_FORCEINLINE_FUNCTION void set(std::int64_t i, std::uint64_t its_identity, const AgentState& its_state) const {
    identity[i] = its_identity;
    state[i] = its_state;
  }

  /// Whether agent `i` comes before `j` among those of an element. What is the same in both can be in any order, for
  /// nobody could tell.
  KOKKOS_FORCEINLINE_FUNCTION bool is_before(std::int64_t i, std::int64_t j) const {
    if (identity[i] != identity[j]) return identity[i] < identity[j];
    if (state[i].since != state[j].since) return state[i].since < state[j].since;
    return state[i].word < state[j].word;
  }

  /// Lets two agents change places.
  KOKKOS_FORCEINLINE_FUNCTION void swap(std::int64_t i, std::int64_t j) const {
    const std::uint64_t its_identity = identity[i];
    const AgentState its_state = state[i];
    set(i, identity[j], state[j]);
    set(j, its_identity, its_state);
  }

  /// Puts `count` agents in order.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void sort(const Team& team, std::int64_t count) const {
    if (Team::is_alone || count > Team::size) {
      sort_many(team, count);
    } else if (count > 1) {
      sort_few(team, count);
    }
  }

  /// No more than there are threads: each counts how many come before its one.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void sort_few(const Team& team, std::int64_t count) const {
    const std::int64_t mine = team.rank();
    std::int64_t place = 0;
    std::uint64_t its_identity = 0;
    AgentState its_state{};
    if (mine < count) {
      its_identity = identity[mine];
      its_state = state[mine];
      for (std::int64_t i = 0; i < count; ++i) place += is_before(i, mine) || (i < mine && !is_before(mine, i)) ? 1 : 0;
    }
    team.barrier();
    if (mine < count) set(place, its_identity, its_state);
    team.barrier();
  }

  /// Batcher's merge exchange (Knuth, The Art of Computer Programming 3, algorithm 5.2.2 M): the comparisons of a round
  /// touch no agent twice.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void sort_many(const Team& team, std::int64_t count) const {
    std::int64_t top = 1;
    while (2 * top < count) top *= 2;
    for (std::int64_t part = top; part > 0 && count > 1; part /= 2) {
      std::int64_t remainder = 0, distance = part;
      for (std::int64_t reach = top;; reach /= 2) {
        for (std::int64_t i = team.rank(); i < count - distance; i += Team::size) {
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

/// Where agents of the last step are, and who comes from pools.
template <class Memory>
struct AgentsBefore {
  AgentArrays<Memory> agents;
  Kokkos::View<ElementAgents*, Memory> elements;
  Kokkos::View<NewAgent*, Memory> arrivals;
  Kokkos::View<std::int32_t*, Memory> next_arrival;   // in the same element, -1 behind the last
  Kokkos::View<std::int32_t*, Memory> first_arrival;  // of each element
};

/// Brings the agents of an element to where they belong, after a step. A team works on an element.
template <class ExecutionSpace>
struct ElementGatherer {
  using Memory = typename ExecutionSpace::memory_space;
  using Team = ElementTeam<ExecutionSpace>;

  std::uint64_t seed;
  std::int32_t step;  // in which they have acted
  ElementGrid grid;
  int elements;  // of a centre
  Kokkos::View<ChangeRule*, Memory> changes;
  AgentsBefore<Memory> from;
  AgentArrays<Memory> to;

  /// The agents of element `e` will be those from `begin` to `end`. They are counted by kind.
  KOKKOS_INLINE_FUNCTION void gather(const Team& team, std::int64_t e, std::int64_t begin, std::int64_t end) const {
    const ElementAgents before = from.elements(e);
    const std::int64_t middle = begin + before.staying, count = end - middle;
    const bool are_few = count <= most_held_agents;
    const AgentList list = are_few ? AgentList{team.memory().identity, team.memory().state}
                                   : AgentList{to.identity.data() + middle, to.state.data() + middle};
    if (count > 0) {
      collect(team, e, before, list);
      list.sort(team, count);
    }
    merge(team, before, list, begin, count);
  }

  /// Puts those that come into a list, as it happens.
  KOKKOS_INLINE_FUNCTION void collect(const Team& team, std::int64_t e, const ElementAgents& before,
                                      const AgentList& list) const {
    auto& memory = team.memory();
    const auto place = grid.place(static_cast<int>(e % elements));
    for (int direction = team.rank(); direction < direction_count; direction += Team::size) {
      const int there = grid.to_neighbour(place, direction);
      const ElementAgents neighbour = from.elements(e + there);
      const bool come = there != 0 && (neighbour.ways >> opposite(direction) & 1u) != 0;
      memory.begin[direction] = neighbour.begin;
      memory.count[direction] = come ? neighbour.end - neighbour.begin : 0;
    }
    const std::int64_t children =
        (before.ways & ElementAgents::has_parents) != 0 ? collect_offspring(team, before, list) : 0;
    if (team.rank() == 0) memory.found = children;
    team.barrier();
    collect_walkers(team, list);
    if (team.rank() == Team::size - 1) collect_arrivals(team, e, list);
    team.barrier();
  }

  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t opposite(int direction) {
    return static_cast<std::uint32_t>(direction) ^ 1u;
  }

  /// Those that walk here from neighbours. Each thread looks at several agents at once, to wait for memory but once.
  KOKKOS_INLINE_FUNCTION void collect_walkers(const Team& team, const AgentList& list) const {
    const auto& memory = team.memory();
    if constexpr (Team::is_alone) {
      for (int direction = 0; direction < direction_count; ++direction) {
        const std::int64_t begin = memory.begin[direction], end = begin + memory.count[direction];
        for (std::int64_t i = begin; i < end; ++i) {
          if (from.agents.fate(i).deed() == opposite(direction)) add(team, list, i);
        }
      }
    } else {
      constexpr int together = 4;
      std::int64_t i = team.rank();
      for (int direction = 0; direction < direction_count;) {
        std::int64_t agents[together];
        bool come[together];
        for (int k = 0; k < together; ++k, i += Team::size) {
          while (direction < direction_count && i >= memory.count[direction]) i -= memory.count[direction++];
          const bool is_one = direction < direction_count;
          agents[k] = is_one ? memory.begin[direction] + i : 0;
          come[k] = is_one && from.agents.fate(agents[k]).deed() == opposite(direction);
        }
        for (int k = 0; k < together; ++k) {
          if (come[k]) add(team, list, agents[k]);
        }
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void add(const Team& team, const AgentList& list, std::int64_t i) const {
    list.set(team.fetch_add(team.memory().found, std::int64_t{1}), from.agents.identity(i), from.agents.state(i));
  }

  /// Those that come from pools.
  KOKKOS_INLINE_FUNCTION void collect_arrivals(const Team& team, std::int64_t e, const AgentList& list) const {
    for (std::int32_t i = from.first_arrival(e); i >= 0; i = from.next_arrival(i)) {
      const NewAgent arrival = from.arrivals(i);
      list.set(team.fetch_add(team.memory().found, std::int64_t{1}), arrival.identity,
               {static_cast<std::uint32_t>(arrival.kind), step});
    }
  }

  /// Offspring of those that were here. Returns how many.
  KOKKOS_INLINE_FUNCTION std::int64_t collect_offspring(const Team& team, const ElementAgents& before,
                                                        const AgentList& list) const {
    const auto& memory = team.memory();
    std::int64_t children = 0;
    int odd = 0;
    for (std::int64_t first = before.begin; first < before.end; first += Team::size, odd ^= 1) {
      const std::int64_t mine = first + team.rank();
      const bool is_parent = mine < before.end && from.agents.fate(mine).is_parent();
      if constexpr (Team::is_alone) {
        if (is_parent) children += place_offspring(team, mine, list, children);
      } else {
        if (team.raised(is_parent, odd).all == 0) continue;
        for (int warp = 0; warp < Team::size / Team::lanes; ++warp) {
          for (std::uint32_t bits = memory.flags[odd][warp]; bits != 0; bits &= bits - 1) {
            const int rank = warp * Team::lanes + sporos::impl::first_bit(bits);
            children += place_offspring(team, first + rank, list, children);
          }
        }
      }
    }
    return children;
  }

  /// That of one parent, from place `begin` of the list on.
  KOKKOS_INLINE_FUNCTION std::int64_t place_offspring(const Team& team, std::int64_t parent, const AgentList& list,
                                                      std::int64_t begin) const {
    const ChangeRule& rule = changes(from.agents.fate(parent).change());
    const auto count = static_cast<std::uint32_t>(rule.offspring_count);
    const std::uint64_t first = (from.agents.state(parent).children() - count) & 0xffffffu;
    for (auto child = static_cast<std::uint32_t>(team.rank()); child < count; child += Team::size) {
      list.set(begin + child, child_identity(seed, from.agents.identity(parent), first + child),
               {static_cast<std::uint32_t>(rule.offspring), step});
    }
    return count;
  }

  /// Merges those that stay with the `count` sorted new ones, and counts all by kind. The threads look at as many
  /// agents at a time as they are, in order. New ones may lie behind the place of those that stay: each is read before
  /// another agent comes there.
  KOKKOS_INLINE_FUNCTION void merge(const Team& team, const ElementAgents& before, const AgentList& list,
                                    std::int64_t begin, std::int64_t count) const {
    auto& memory = team.memory();
    std::int64_t stayed = 0, taken = 0;
    int odd = 0;
    for (std::int64_t first = before.begin; first < before.end || taken < count; first += Team::size, odd ^= 1) {
      const std::int64_t mine = first + team.rank();
      const bool stays = mine < before.end && from.agents.fate(mine).deed() == AgentFate::stays;
      std::uint64_t identity = 0;
      AgentState state{};
      std::int64_t smaller = 0;
      if (stays) {
        identity = from.agents.identity(mine);
        state = from.agents.state(mine);
        smaller = new_before(list, identity, taken, count);
      }
      const auto raised = team.raised(stays, odd);
      if (stays) memory.before[raised.before] = smaller;
      team.barrier();
      const bool is_last = first + Team::size >= before.end;
      const std::int64_t end = is_last ? count : (raised.all > 0 ? memory.before[raised.all - 1] : taken);
      for (std::int64_t some = taken; some < end; some += Team::size) {
        const std::int64_t i = some + team.rank();
        const std::uint64_t its_identity = i < end ? list.identity[i] : 0;
        const AgentState its_state = i < end ? list.state[i] : AgentState{};
        team.barrier();
        if (i < end)
          put(team, begin + i + stayed + staying_before(memory.before, raised.all, i), its_identity, its_state);
      }
      if (stays) put(team, begin + stayed + raised.before + smaller, identity, state);
      stayed += raised.all;
      taken = end;
    }
    team.barrier();
  }

  KOKKOS_FORCEINLINE_FUNCTION void put(const Team& team, std::int64_t place, std::uint64_t identity,
                                       const AgentState& state) const {
    to.set(place, identity, state);
    team.fetch_add(team.memory().present[state.kind()], 1);
  }

  /// How many of the sorted new ones come before an identity, where `first` do.
  KOKKOS_INLINE_FUNCTION static std::int64_t new_before(const AgentList& list, std::uint64_t identity,
                                                        std::int64_t first, std::int64_t end) {
    while (first < end) {
      const std::int64_t middle = first + (end - first) / 2;
      if (list.identity[middle] < identity) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    return first;
  }

  /// How many of some that stay come before new one `i`: those that have at most `i` before them.
  KOKKOS_INLINE_FUNCTION static int staying_before(const std::int64_t* before, int count, std::int64_t i) {
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
