// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/lane.hpp>
#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/models/germinal_centre/agent_rules.hpp>
#include <sporos/models/germinal_centre/agents.hpp>
#include <sporos/models/germinal_centre/germinal_centre_case.hpp>
#include <sporos/models/germinal_centre/tissue_mesh.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sporos::models::impl {

/// Threads of a team on a device: for one to 32 centres better than 128, on an H200.
inline constexpr int element_threads = 64;

/// How many teams a multiprocessor is to hold: for the same better than 12.
#ifdef KOKKOS_ENABLE_HIP
inline constexpr int resident_elements = 1;  // not measured
#else
inline constexpr int resident_elements = 16;
#endif

/// How much a team holds in its own memory, of what it would else read from the device's: agents of an element, agents
/// that are new there, changes and meetings.
inline constexpr int most_held_agents = 320, most_held_arrivals = 128, most_held_changes = 24, most_held_meetings = 12;

/// What the threads of a team share while they work on an element.
template <int threads>
struct ElementMemory {
  std::uint64_t new_identity[most_held_arrivals];         // of agents that are new here
  AgentState new_state[most_held_arrivals];               // the same
  std::int64_t begin[direction_count];                    // where the agents of neighbours begin
  double meets[most_cell_kinds];                          // probability that an agent meets another, by kind
  double steps[most_cell_kinds][direction_count];         // of a walk in each direction
  std::uint32_t walks[most_cell_kinds][direction_count];  // bounds of 32 random bits for each direction or one before
  int present[most_cell_kinds];                           // undecided agents, by kind
  int coming[direction_count];                            // how many agents of a neighbour move
  int leaving[direction_count];                           // how many agents walk in each direction
  int staying, born, moving, parents;                     // agents
  int next;                                               // the first agent that meets another
  int found;                                              // an agent looked for; how many new ones have come
  int before[threads];                                    // of each of some that stay: new ones that come before it
  std::uint32_t flags[2][(threads + sporos::impl::warp_lanes - 1) / sporos::impl::warp_lanes];  // bits of threads
};

/// The same with agents and rules, for a device, where the team's memory is closer.
template <int threads>
struct HeldElementMemory : ElementMemory<threads> {
  std::uint64_t identity[most_held_agents];
  AgentState state[most_held_agents];
  KindRules kinds[most_cell_kinds];
  ChangeRule changes[most_held_changes];
  MeetingRule meetings[most_held_meetings];
};

/// The threads of a team that work on an element: two warps on a device, one thread on a host, where a team's barriers
/// would cost more than they save.
template <class ExecutionSpace>
class ElementTeam {
 public:
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;

  static constexpr bool is_alone = runs_on_host<ExecutionSpace>;  ///< whether there is one thread
  static constexpr int size = is_alone ? 1 : element_threads;     ///< threads
  static constexpr int lanes = is_alone ? 1 : sporos::impl::warp_lanes;

  using Memory = std::conditional_t<is_alone, ElementMemory<size>, HeldElementMemory<size>>;

  KOKKOS_INLINE_FUNCTION explicit ElementTeam(const Team& team)
      : m_team(team),
        m_memory(*static_cast<Memory*>(team.team_scratch(0).get_shmem_aligned(sizeof(Memory), alignof(Memory)))),
        m_rank(team.team_rank() * lanes + sporos::impl::lane_index()) {}

  /// Of a thread.
  KOKKOS_FORCEINLINE_FUNCTION int rank() const { return m_rank; }
  /// What they share.
  KOKKOS_FORCEINLINE_FUNCTION Memory& memory() const { return m_memory; }

  /// Waits for the others.
  KOKKOS_FORCEINLINE_FUNCTION void barrier() const {
    if constexpr (!is_alone) m_team.team_barrier();
  }

  /// Adds to a number that they share, and returns what it was.
  KOKKOS_FORCEINLINE_FUNCTION int fetch_add(int& number, int more) const {
    if constexpr (!is_alone) return Kokkos::atomic_fetch_add(&number, more);
    const int before = number;
    number += more;
    return before;
  }

  /// Copies a few numbers, rules or agents.
  template <class Thing>
  KOKKOS_INLINE_FUNCTION void copy(Thing* to, const Thing* from, int count) const {
    static_assert(sizeof(Thing) % sizeof(std::uint32_t) == 0);
    const auto words = static_cast<int>(sizeof(Thing) / sizeof(std::uint32_t)) * count;
    for (int i = m_rank; i < words; i += size) {
      reinterpret_cast<std::uint32_t*>(to)[i] = reinterpret_cast<const std::uint32_t*>(from)[i];
    }
  }

  /// How many threads raise a flag.
  struct Raised {
    int before, all;  // those of lower rank, and all
  };

  /// All threads call it together; `odd` differs from the call before. It is a barrier.
  KOKKOS_INLINE_FUNCTION Raised raised(bool flag, int odd) const {
    if constexpr (is_alone) {
      return {0, flag ? 1 : 0};
    } else {
      const std::uint32_t bits = sporos::impl::ballot(flag);
      const int warp = m_rank / lanes, lane = m_rank % lanes;
      if (lane == 0) m_memory.flags[odd][warp] = bits;
      barrier();
      Raised number{sporos::impl::popcount_below(bits, lane), 0};
      for (int i = 0; i < size / lanes; ++i) {
        const int of_warp = sporos::impl::popcount(m_memory.flags[odd][i]);
        if (i < warp) number.before += of_warp;
        number.all += of_warp;
      }
      return number;
    }
  }

 private:
  const Team& m_team;
  Memory& m_memory;
  int m_rank;
};

}  // namespace sporos::models::impl
