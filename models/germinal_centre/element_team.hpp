// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/lane.hpp>
#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/models/germinal_centre/agents.hpp>
#include <sporos/models/germinal_centre/germinal_centre_case.hpp>
#include <sporos/models/germinal_centre/tissue_mesh.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::models::impl {

/// Threads of a team on a device: of 32, 64, 128 and 256 the best for both one and eight centres, on an H200.
inline constexpr int element_threads = 64;

/// New agents of an element that a team can hold in its own memory.
inline constexpr int most_held_agents = 128;

/// What the threads of a team share while they work on an element.
template <int threads>
struct ElementMemory {
  std::int64_t next;                               // the first agent that meets another
  std::int64_t found;                              // an agent looked for; how many new ones have come
  std::int64_t leaving[direction_count];           // how many walk in each direction
  std::int64_t staying, born;                      // how many stay, and are born
  std::int64_t begin[direction_count];             // where the agents of neighbours begin
  std::int64_t count[direction_count];             // how many they are, where one of them walks here
  std::int64_t before[threads];                    // for each agent of a few that stay how many new ones come before it
  double meets[most_cell_kinds];                   // probability that an agent meets another, by kind
  double steps[most_cell_kinds][direction_count];  // of a walk in each direction
  std::uint64_t identity[most_held_agents];        // of new agents
  AgentState state[most_held_agents];              // the same
  std::uint32_t walks[most_cell_kinds]
                     [direction_count];  // for each direction the probability of it or one before, times 2^32
  int present[most_cell_kinds];          // undecided agents, by kind
  std::uint32_t flags[2][(threads + sporos::impl::warp_lanes - 1) / sporos::impl::warp_lanes];  // bits of threads
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

  using Memory = ElementMemory<size>;

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
  template <class Number>
  KOKKOS_FORCEINLINE_FUNCTION Number fetch_add(Number& number, Number more) const {
    if constexpr (!is_alone) return Kokkos::atomic_fetch_add(&number, more);
    const Number before = number;
    number += more;
    return before;
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
      Raised number{sporos::impl::popcount(bits & ((1u << lane) - 1u)), 0};
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
