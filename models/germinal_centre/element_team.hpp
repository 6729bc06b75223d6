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

#include <cstdint>
#include <type_traits>

namespace sporos::models::impl {

/// Threads of a team on a device. On an H200, 64 are faster than 128 for one to 32 centres.
inline constexpr int element_threads = 64;

/// Number of teams that a multiprocessor should hold. On an H200, 16 are faster than 12 for one to 32 centres.
#ifdef KOKKOS_ENABLE_HIP
inline constexpr int resident_elements = 1;  // not measured
#else
inline constexpr int resident_elements = 16;
#endif

/// Capacity of the team's own memory, which saves reads of device memory: agents of an element, agents that are new
/// there, changes and meetings.
inline constexpr int max_held_agents = 320, max_held_arrivals = 128, max_held_changes = 24, max_held_meetings = 12;

/// Memory that the threads of a team share while they work on an element.
template <int threads>
struct ElementMemory {
  std::uint64_t new_identity[max_held_arrivals];  // values of agents that are new in the element
  AgentState new_state[max_held_arrivals];        // values of agents that are new in the element
  std::int64_t begin[direction_count];            // index of the first agent of each neighbour
  double meets[max_cell_kinds];                   // probability that an agent meets another, by kind
  double steps[max_cell_kinds][direction_count];  // probability of a walk in each direction, by kind
  // For each direction, the upper bound of the 32 random bits that select it or one before.
  std::uint32_t walks[max_cell_kinds][direction_count];
  int present[max_cell_kinds];         // undecided agents, by kind
  int coming[direction_count];         // number of moving agents of each neighbour
  int leaving[direction_count];        // number of agents that walk in each direction
  int staying, born, moving, parents;  // numbers of agents
  int next;                            // first agent that meets another
  int found;                           // partner of a meeting; number of new agents collected so far
  int before[threads];                 // for staying agents, number of new agents before them
  std::uint32_t flags[2][(threads + sporos::impl::warp_lanes - 1) / sporos::impl::warp_lanes];  // one bit per thread
};

/// ElementMemory with copies of agents and rules, for a device, whose team memory is faster.
template <int threads>
struct HeldElementMemory : ElementMemory<threads> {
  std::uint64_t identity[max_held_agents];
  AgentState state[max_held_agents];
  KindRules kinds[max_cell_kinds];
  ChangeRule changes[max_held_changes];
  MeetingRule meetings[max_held_meetings];
};

/// The threads of a team that work on an element. A device uses two warps. A host uses one thread, since a team's
/// barriers would cost more than they save.
template <class ExecutionSpace>
class ElementTeam {
 public:
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;

  static constexpr bool is_single = runs_on_host<ExecutionSpace>;  ///< whether there is only one thread
  static constexpr int size = is_single ? 1 : element_threads;     ///< number of threads
  static constexpr int lanes = is_single ? 1 : sporos::impl::warp_lanes;

  using Memory = std::conditional_t<is_single, ElementMemory<size>, HeldElementMemory<size>>;

  KOKKOS_INLINE_FUNCTION explicit ElementTeam(const Team& team)
      : m_team(team),
        m_memory(*static_cast<Memory*>(team.team_scratch(0).get_shmem_aligned(sizeof(Memory), alignof(Memory)))),
        m_rank(team.team_rank() * lanes + sporos::impl::lane_index()) {}

  /// Rank of the calling thread.
  KOKKOS_FORCEINLINE_FUNCTION int rank() const { return m_rank; }
  /// Memory that the team shares.
  KOKKOS_FORCEINLINE_FUNCTION Memory& memory() const { return m_memory; }

  /// Waits for the other threads of the team.
  KOKKOS_FORCEINLINE_FUNCTION void barrier() const {
    if constexpr (!is_single) m_team.team_barrier();
  }

  /// Adds `more` to a shared number, and returns its old value.
  KOKKOS_FORCEINLINE_FUNCTION int fetch_add(int& number, int more) const {
    if constexpr (!is_single) return Kokkos::atomic_fetch_add(&number, more);
    const int before = number;
    number += more;
    return before;
  }

  /// Copies a small array of numbers, rules or agents with all threads.
  template <class Thing>
  KOKKOS_INLINE_FUNCTION void copy(Thing* to, const Thing* from, int count) const {
    static_assert(sizeof(Thing) % sizeof(std::uint32_t) == 0);
    const auto words = static_cast<int>(sizeof(Thing) / sizeof(std::uint32_t)) * count;
    for (int i = m_rank; i < words; i += size) {
      reinterpret_cast<std::uint32_t*>(to)[i] = reinterpret_cast<const std::uint32_t*>(from)[i];
    }
  }

  /// Number of threads that raise a flag.
  struct Raised {
    int before, all;  // those of lower rank; all
  };

  /// Counts raised flags. All threads call it together, with alternating values of `odd`. It acts as a barrier.
  KOKKOS_INLINE_FUNCTION Raised raised(bool flag, int odd) const {
    if constexpr (is_single) {
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
