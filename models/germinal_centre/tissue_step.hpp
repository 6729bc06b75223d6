// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/models/germinal_centre/agent_actions.hpp>
#include <sporos/models/germinal_centre/agent_order.hpp>
#include <sporos/models/germinal_centre/agents.hpp>
#include <sporos/models/germinal_centre/block_sums.hpp>
#include <sporos/models/germinal_centre/cell_tallies.hpp>
#include <sporos/models/germinal_centre/chemokine_field.hpp>
#include <sporos/models/germinal_centre/element_team.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::models::impl {

/// Data that the teams of a launch leave for the next launch: the number of agents that each element will have, and the
/// agents that come from pools. A launch reads the ledger of the one before, writes its own, and clears that of the
/// next.
template <class Memory>
struct Ledger {
  Kokkos::View<std::int64_t*, Memory> counts;         // BlockSums, then the number of the launch that wrote them
  Kokkos::View<std::int32_t*, Memory> first_arrival;  // first arrival of each element; -1 if there is none

  Ledger() = default;
  template <class ExecutionSpace>
  Ledger(const ExecutionSpace& space, const BlockSums& sums, std::size_t elements)
      : counts(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::germinal_centre::counts"),
               static_cast<std::size_t>(sums.size()) + 1),
        first_arrival(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::germinal_centre::first_arrival"),
                      elements) {
    empty(space);
  }

  /// Resets the ledger to its initial state. Does not block.
  template <class ExecutionSpace>
  void empty(const ExecutionSpace& space) const {
    Kokkos::deep_copy(space, counts, std::int64_t{-1});
    Kokkos::deep_copy(space, Kokkos::subview(counts, std::pair(std::size_t{0}, counts.extent(0) - 1)), std::int64_t{0});
    Kokkos::deep_copy(space, first_arrival, std::int32_t{-1});
  }
};

/// Decides whether a launch goes ahead. A launch whose agents do not fit does nothing, and neither do the following
/// ones. The data then stay unchanged, so that the host can make room and continue from there.
template <class Memory>
struct LaunchGate {
  bool is_open;         // whether it goes ahead regardless of earlier launches
  std::int64_t launch;  // number of this launch
  std::int64_t room;    // capacity for agents
  BlockSums sums;
  Kokkos::View<std::int64_t*, Memory> counts;  // counts of the previous launch

  /// Data that a lane has read for an element.
  struct Part {
    bool is_next;
    BlockSums::Sums agents;
    std::int64_t here;
  };

  /// Starts the reads for element `e`. Their results are first used in `pass`.
  KOKKOS_INLINE_FUNCTION Part read(int e) const {
    if (is_open) return {true, {0, 0}, 0};
    return {is_next(), sums.parts(counts, e), counts(e)};
  }

  /// Whether the launch goes ahead, the numbers of agents before an element and in all, and the number in the element.
  struct Passed {
    bool goes_on;
    BlockSums::Sums agents;
    int here;
  };

  /// Combines what the lanes have read. All lanes of a warp must call it together.
  KOKKOS_INLINE_FUNCTION Passed pass(const Part& part) const {
    const auto agents = BlockSums::sums_of(part.agents);
    return {part.is_next && agents.all <= room, agents, static_cast<int>(part.here)};
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_next() const { return counts(sums.size()) == launch - 1; }
};

/// Performs one substep of the chemokines in one element, in a separate launch.
template <class Memory>
struct FieldSubstepper {
  LaunchGate<Memory> gate;
  FieldStepper<Memory> field;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t e) const {
    if (gate.is_open || (gate.is_next() && gate.sums.all(gate.counts) <= gate.room)) field(e);
  }
};

/// One launch. It has one team per element, after some teams for the fields. Agents move to where the last step has
/// sent them, and act in the next step. Meanwhile the fields advance to the state that the following step needs. The
/// first launch gathers no agents, and in the last one no agent acts.
template <class ExecutionSpace>
struct TissueStepper {
  using Memory = typename ExecutionSpace::memory_space;
  using Team = ElementTeam<ExecutionSpace>;
  using Member = typename Team::Team;

  static constexpr int elements_of_field_team = 64;

  bool gathers, acts;
  int elements, field_teams;
  LaunchGate<Memory> gate;
  ElementGatherer<ExecutionSpace> gatherer;
  ElementActor<ExecutionSpace> actor;
  AgentArrays<Memory> agents;
  FieldStepper<Memory> field;
  Ledger<Memory> ledger, next_ledger;
  std::int64_t first_arrival, end_arrival;  // arrivals of this step
  Kokkos::View<NewAgent*, Memory> arrivals;
  Kokkos::View<std::int32_t*, Memory> next_arrival;
  // progress(0) is the last launch that went ahead; progress(1) is the number of agents that it has placed, or that did
  // not fit in the next one.
  Kokkos::View<std::int64_t*, Memory> progress;

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const int e = member.league_rank() - field_teams;
    const Team team(member);
    if (e < 0) {
      if (gate.pass(gate.read(0)).goes_on) advance_field(team, member.league_rank());
      return;
    }
    // The first reads do not depend on each other, so all are in flight together.
    const auto part = gate.read(e);
    ElementAgents before;
    if (gathers) before = gatherer.begin(team, e);
    auto here = actor.begin(team, e);
    const auto passed = gate.pass(part);
    if (e == 0 && team.rank() == 0) report(passed);
    if (!passed.goes_on) return;
    if (acts) {
      enter_arrivals(team, e);
      if (team.rank() == 0) clear(e);
    }
    const std::int64_t begin = gathers ? passed.agents.before : actor.of_elements(e).begin;
    here.count = gathers ? passed.here : actor.of_elements(e).count;
    here.agents = here.held = agents.from(begin);
    if constexpr (!Team::is_single) {
      if (here.count <= max_held_agents) {
        here.held.identity = team.memory().identity;
        here.held.state = team.memory().state;
      }
    }
    if (gathers) {
      if (team.rank() == 0) actor.of_elements(e) = {begin, here.count};
      gatherer.gather(team, e, before, here.agents, here.held, here.count);
    } else {
      team.barrier();
      actor.count_kinds(team, here);
    }
    if (acts) actor.act(team, here);
  }

  KOKKOS_INLINE_FUNCTION void report(const typename LaunchGate<Memory>::Passed& passed) const {
    if (gathers && gate.is_next()) progress(1) = passed.agents.all;
    if (!passed.goes_on) return;
    progress(0) = gate.launch;
    ledger.counts(gate.sums.size()) = gate.launch;
  }

  KOKKOS_INLINE_FUNCTION void advance_field(const Team& team, int part) const {
    const int first = part * elements_of_field_team;
    for (int i = team.rank(); i < elements_of_field_team && first + i < elements; i += Team::size) field(first + i);
  }

  /// Counts the agents that arrive in this step, and adds them to the lists of their elements.
  KOKKOS_INLINE_FUNCTION void enter_arrivals(const Team& team, int e) const {
    for (std::int64_t i = first_arrival + e + std::int64_t{team.rank()} * elements; i < end_arrival;
         i += std::int64_t{Team::size} * elements) {
      const NewAgent& arrival = arrivals(i);
      next_arrival(i) = Kokkos::atomic_exchange(&ledger.first_arrival(arrival.element), static_cast<std::int32_t>(i));
      gate.sums.add(ledger.counts, arrival.element, 1);
      Kokkos::atomic_add(&actor.tallies(arrival.element / actor.elements, arrival.kind, arrived), std::int64_t{1});
    }
  }

  KOKKOS_INLINE_FUNCTION void clear(int e) const {
    gate.sums.clear(next_ledger.counts, e);
    next_ledger.first_arrival(e) = -1;
  }
};

}  // namespace sporos::models::impl
