// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/exp.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/models/germinal_centre/agent_draws.hpp>
#include <sporos/models/germinal_centre/agent_rules.hpp>
#include <sporos/models/germinal_centre/agent_walk.hpp>
#include <sporos/models/germinal_centre/agents.hpp>
#include <sporos/models/germinal_centre/block_sums.hpp>
#include <sporos/models/germinal_centre/cell_tallies.hpp>
#include <sporos/models/germinal_centre/element_team.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::models::impl {

/// Bits that mark an element.
inline constexpr std::uint32_t is_drain = 1, is_surface = 2;

/// Actions of the agents of one element in one step, in the order of their identities. Meetings come first; then each
/// agent that has not met another changes, leaves, walks or stays. A team works on an element and writes nothing that
/// another element's team uses, except integer sums.
template <class ExecutionSpace>
struct ElementActor {
  using Memory = typename ExecutionSpace::memory_space;
  using Team = ElementTeam<ExecutionSpace>;

  std::uint64_t seed;
  std::int32_t step;
  int elements;  // elements per centre
  ElementGrid grid;
  AgentRules<Memory> rules;
  Attractions<Memory> attractions;
  Kokkos::View<std::uint32_t*, Memory> marks;  // marks of each element of a centre
  Kokkos::View<ElementAgents*, Memory> of_elements;
  BlockSums sums;
  Kokkos::View<std::int64_t*, Memory> counts;  // agents of each element after the step, and their sums
  CellTallies<Memory> tallies;

  /// State of an element while its agents act.
  struct Here {
    int element, centre, count;  // `count` is the number of agents
    std::uint32_t marks;
    Kokkos::Array<int, 3> place;
    AgentList agents, held;  // in global memory; in the memory that the team reads
    const KindRules* kinds;
    const ChangeRule* changes;
    const MeetingRule* meetings;
  };

  KOKKOS_FORCEINLINE_FUNCTION int kind_count() const { return static_cast<int>(rules.kinds.extent(0)); }

  /// State of an element; the number of agents is set later. Call this first; the team must pass a barrier before
  /// `act`.
  KOKKOS_INLINE_FUNCTION Here begin(const Team& team, int e) const {
    auto& memory = team.memory();
    const int in_centre = e % elements;
    Here here{e,
              e / elements,
              0,
              marks(in_centre),
              grid.place(in_centre),
              {},
              {},
              rules.kinds.data(),
              rules.changes.data(),
              rules.meetings.data()};
    for (int kind = team.rank(); kind < static_cast<int>(max_cell_kinds); kind += Team::size) memory.present[kind] = 0;
    for (int direction = team.rank(); direction < direction_count; direction += Team::size)
      memory.leaving[direction] = 0;
    if (team.rank() == 0) memory.staying = memory.born = memory.moving = memory.parents = 0;
    if constexpr (!Team::is_single) hold_rules(team, here);
    return here;
  }

  /// Copies the rules into the team's memory.
  KOKKOS_INLINE_FUNCTION void hold_rules(const Team& team, Here& here) const {
    auto& memory = team.memory();
    const int changes = static_cast<int>(rules.changes.extent(0)),
              meetings = static_cast<int>(rules.meetings.extent(0));
    team.copy(memory.kinds, here.kinds, kind_count());
    here.kinds = memory.kinds;
    if (changes <= max_held_changes) {
      team.copy(memory.changes, here.changes, changes);
      here.changes = memory.changes;
    }
    if (meetings <= max_held_meetings) {
      team.copy(memory.meetings, here.meetings, meetings);
      here.meetings = memory.meetings;
    }
  }

  /// Lets the agents of an element act. They must have been counted by kind.
  KOKKOS_INLINE_FUNCTION void act(const Team& team, const Here& here) const {
    auto& memory = team.memory();
    find_meetings(team, here);
    find_steps(team, here);
    team.barrier();
    for (int kind = team.rank(); kind < kind_count(); kind += Team::size) sum_steps(team, kind);
    const bool any_met = any_can_meet(team) && let_meet(team, here);
    team.barrier();
    int staying = 0;
    for (int i = team.rank(); i < here.count; i += Team::size) {
      AgentFate fate{AgentFate::is_undecided};
      if (any_met) fate = here.agents.fate[i];
      if (fate.deed() == AgentFate::is_undecided) {
        fate = decide(team, here, i);
        here.agents.fate[i] = fate;
      }
      if (fate.deed() == AgentFate::stays) ++staying;
      if (fate.deed() < AgentFate::stays || fate.is_parent()) {
        here.agents.moving[team.fetch_add(memory.moving, 1)] = static_cast<std::uint32_t>(i);
      }
    }
    staying = sporos::impl::warp_sum(staying);
    if (team.rank() % Team::lanes == 0) team.fetch_add(memory.staying, staying);
    team.barrier();
    tell(team, here);
  }

  /// Counts the agents of an element by kind, unless the gathering has done so.
  KOKKOS_INLINE_FUNCTION void count_kinds(const Team& team, const Here& here) const {
    for (int i = team.rank(); i < here.count; i += Team::size) {
      const AgentState state = here.agents.state[i];
      if (!Team::is_single && here.held.identity != here.agents.identity) {
        here.held.set(i, here.agents.identity[i], state);
      }
      team.fetch_add(team.memory().present[state.kind()], 1);
    }
    team.barrier();
  }

  KOKKOS_INLINE_FUNCTION void count(const Here& here, int kind, CellTally tally, std::int64_t number = 1) const {
    Kokkos::atomic_add(&tallies(here.centre, kind, tally), number);
  }

  KOKKOS_INLINE_FUNCTION static int partners(const Team& team, int kind, int second) {
    return team.memory().present[second] - (second == kind ? 1 : 0);
  }

  /// Sum of the hazards of all meetings of an agent of a kind.
  KOKKOS_INLINE_FUNCTION static double hazard_of(const Team& team, const Here& here, int kind) {
    const KindRules& of_kind = here.kinds[kind];
    double hazard = 0;
    for (int r = of_kind.meeting_begin; r < of_kind.meeting_end; ++r) {
      hazard += here.meetings[r].hazard * partners(team, kind, here.meetings[r].second);
    }
    return hazard;
  }

  /// Computes for each kind the probability that an agent meets one of the agents that are still undecided.
  KOKKOS_INLINE_FUNCTION void find_meetings(const Team& team, const Here& here) const {
    auto& memory = team.memory();
    for (int kind = team.rank(); kind < kind_count(); kind += Team::size) {
      const double hazard = memory.present[kind] > 0 ? hazard_of(team, here, kind) : 0.0;
      memory.meets[kind] = hazard > 0.0 ? -math::expm1(-hazard) : 0.0;
    }
  }

  KOKKOS_INLINE_FUNCTION bool any_can_meet(const Team& team) const {
    for (int kind = 0; kind < kind_count(); ++kind) {
      if (team.memory().meets[kind] > 0.0) return true;
    }
    return false;
  }

  /// Computes for each kind that is present and each direction the probability of a step.
  KOKKOS_INLINE_FUNCTION void find_steps(const Team& team, const Here& here) const {
    auto& memory = team.memory();
    for (int i = team.rank(); i < kind_count() * direction_count; i += Team::size) {
      const int kind = i / direction_count, direction = i % direction_count;
      if (memory.present[kind] == 0) continue;
      const int there = grid.to_neighbour(here.place, direction);
      const KindRules& of_kind = here.kinds[kind];
      memory.steps[kind][direction] =
          there == 0 ? 0.0 : of_kind.stride * odds(of_kind, attractions, here.element, kind, there);
    }
  }

  KOKKOS_INLINE_FUNCTION static void sum_steps(const Team& team, int kind) {
    auto& memory = team.memory();
    if (memory.present[kind] == 0) return;
    double sum = 0;
    for (int direction = 0; direction < direction_count; ++direction) {
      sum += memory.steps[kind][direction];
      memory.walks[kind][direction] = bound_of(sum);
    }
  }

  KOKKOS_INLINE_FUNCTION Kokkos::Array<std::uint64_t, 2> draws_of(const Here& here, int i, DrawPurpose purpose) const {
    return drawn(seed, here.held.identity[i], purpose, static_cast<std::uint64_t>(step));
  }

  /// Lets agents meet one after the other, each with an agent that is undecided at that time. Returns whether any has
  /// met.
  KOKKOS_INLINE_FUNCTION bool let_meet(const Team& team, const Here& here) const {
    if (team.rank() == 0) team.memory().next = here.count;
    team.barrier();
    int next = first_meeting(team, here, 0, false);
    if (next == here.count) return false;
    for (int i = team.rank(); i < here.count; i += Team::size) here.agents.fate[i] = {AgentFate::is_undecided};
    team.barrier();
    do {
      meet(team, here, next);
      next = first_meeting(team, here, next + 1, true);
    } while (next < here.count);
    return true;
  }

  /// Returns the first agent at or after `first` that meets another, or here.count if there is none. Agents before it
  /// need no second test, since the number of undecided agents never grows.
  KOKKOS_INLINE_FUNCTION int first_meeting(const Team& team, const Here& here, int first, bool any_met) const {
    auto& memory = team.memory();
    for (int i = first + team.rank(); i < here.count; i += Team::size) {
      const double probability = memory.meets[here.held.state[i].kind()];
      if (!(probability > 0.0) || (any_met && here.agents.fate[i].deed() != AgentFate::is_undecided)) continue;
      if (open_uniform(draws_of(here, i, DrawPurpose::meeting)[0]) >= probability) continue;
      if constexpr (Team::is_single) {
        memory.next = i;
      } else {
        Kokkos::atomic_fetch_min(&memory.next, i);
      }
      break;
    }
    team.barrier();
    return memory.next;
  }

  /// Lets agent `i` meet another.
  KOKKOS_INLINE_FUNCTION void meet(const Team& team, const Here& here, int i) const {
    auto& memory = team.memory();
    const int kind = here.held.state[i].kind();
    const KindRules& of_kind = here.kinds[kind];
    const auto draws = draws_of(here, i, DrawPurpose::meeting);
    const double hazard = hazard_of(team, here, kind);
    // Given that there is a meeting, u / probability is uniform in (0, 1).
    double rest = open_uniform(draws[0]) / -math::expm1(-hazard) * hazard;
    int chosen = -1;
    for (int r = of_kind.meeting_begin; r < of_kind.meeting_end && rest >= 0.0; ++r) {
      const int count_of_second = partners(team, kind, here.meetings[r].second);
      if (count_of_second == 0) continue;
      chosen = r;
      rest -= here.meetings[r].hazard * count_of_second;
    }
    const MeetingRule& rule = here.meetings[chosen];
    const int partner = partner_of(team, here, i, kind, rule.second, draws[1]);
    if (team.rank() == 0) {
      --memory.present[kind];
      --memory.present[rule.second];
      here.agents.fate[i] = become(here, i, here.held.state[i], rule.first_becomes);
      here.agents.fate[partner] = become(here, partner, here.held.state[partner], rule.second_becomes);
      memory.next = here.count;
    }
    team.barrier();
    find_meetings(team, here);
    team.barrier();
  }

  /// Chooses one of the undecided agents of kind `second` by 64 random bits. Agent `i`, of kind `kind`, is excluded.
  KOKKOS_INLINE_FUNCTION static int partner_of(const Team& team, const Here& here, int i, int kind, int second,
                                               std::uint64_t bits) {
    auto& memory = team.memory();
    const auto among = static_cast<std::uint64_t>(partners(team, kind, second));
    const auto wanted = static_cast<int>((bits >> 32) * among >> 32);
    int before = 0, odd = 0;
    for (int first = 0; before <= wanted; first += Team::size, odd ^= 1) {
      const int mine = first + team.rank();
      const bool may_be = mine < here.count && mine != i && here.agents.fate[mine].deed() == AgentFate::is_undecided &&
                          here.held.state[mine].kind() == second;
      const auto raised = team.raised(may_be, odd);
      if (may_be && before + raised.before == wanted) memory.found = mine;
      before += raised.all;
    }
    team.barrier();
    return memory.found;
  }

  /// Makes an agent another kind, or removes it if `to` is negative. It does not walk in this step. The team's copy of
  /// its state is not read again.
  KOKKOS_INLINE_FUNCTION AgentFate become(const Here& here, int i, const AgentState& state, int to) const {
    const int from = state.kind();
    if (to < 0) {
      count(here, from, died);
      return {AgentFate::is_gone};
    }
    if (to != from) {
      here.agents.state[i] = state.as(to, step);
      count(here, from, ceased);
      count(here, to, became);
    }
    return {AgentFate::stays};
  }

  /// Decides what an agent does that has not met another.
  KOKKOS_INLINE_FUNCTION AgentFate decide(const Team& team, const Here& here, int i) const {
    const auto draws = draws_of(here, i, DrawPurpose::fate);
    const double u = open_uniform(draws[0]);
    const AgentState state = here.held.state[i];
    const int kind = state.kind();
    const KindRules& of_kind = here.kinds[kind];
    const std::int32_t age = step - state.since;
    double sum = 0;
    for (int r = of_kind.change_begin; r < of_kind.change_end; ++r) {
      const ChangeRule& rule = here.changes[r];
      if (age < rule.from_age) continue;
      sum += rule.probability;
      if (u < sum) return change(team, here, i, state, r);
    }
    if ((here.marks & is_drain) != 0 && u < (sum += of_kind.drainage)) return leave(here, kind, drained);
    if ((here.marks & is_surface) != 0 && u < (sum += of_kind.shedding)) return leave(here, kind, shed);
    return {way_of(team, kind, static_cast<std::uint32_t>(draws[1] >> 32))};
  }

  KOKKOS_INLINE_FUNCTION AgentFate change(const Team& team, const Here& here, int i, AgentState state, int r) const {
    const ChangeRule& rule = here.changes[r];
    if (rule.offspring_count == 0) return become(here, i, state, rule.to);
    state = state.after_births(static_cast<std::uint32_t>(rule.offspring_count));
    here.agents.state[i] = state;
    team.fetch_add(team.memory().born, rule.offspring_count);
    team.fetch_add(team.memory().parents, 1);
    count(here, rule.offspring, born, rule.offspring_count);
    return become(here, i, state, rule.to).as_parent(r);
  }

  KOKKOS_INLINE_FUNCTION AgentFate leave(const Here& here, int kind, CellTally where) const {
    count(here, kind, where);
    return {AgentFate::is_gone};
  }

  /// Direction in which an agent walks, or AgentFate::stays, by 32 random bits.
  KOKKOS_INLINE_FUNCTION static std::uint32_t way_of(const Team& team, int kind, std::uint32_t bits) {
    auto& memory = team.memory();
    if (bits >= memory.walks[kind][direction_count - 1]) return AgentFate::stays;
    int direction = 0;
    while (bits >= memory.walks[kind][direction]) ++direction;
    team.fetch_add(memory.leaving[direction], 1);
    return static_cast<std::uint32_t>(direction);
  }

  /// Adds the numbers of agents to the ledger, and stores the element's data for the next gathering.
  KOKKOS_INLINE_FUNCTION void tell(const Team& team, const Here& here) const {
    const auto& memory = team.memory();
    for (int direction = team.rank(); direction <= direction_count; direction += Team::size) {
      const bool is_here = direction == direction_count;
      const int number = is_here ? memory.staying + memory.born : memory.leaving[direction];
      if (number > 0) {
        sums.add(counts, here.element + (is_here ? 0 : grid.to_neighbour(here.place, direction)), number);
      }
      if (is_here) {
        of_elements(here.element).count = here.count;
        of_elements(here.element).staying = memory.staying;
        of_elements(here.element).moving = memory.moving;
        of_elements(here.element).parents = memory.parents;
      }
    }
  }
};

}  // namespace sporos::models::impl
