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

#include <cstddef>
#include <cstdint>

namespace sporos::models::impl {

/// Bits that mark an element.
inline constexpr std::uint32_t is_drain = 1, is_surface = 2;

/// The agents of one element in one step, in the order of their identities: first those act that meet another, then
/// each that has met none does something by itself, or walks. A team works on an element; no element touches what
/// another one does, but for sums of whole numbers.
template <class ExecutionSpace>
struct ElementActor {
  using Memory = typename ExecutionSpace::memory_space;
  using Team = ElementTeam<ExecutionSpace>;

  std::uint64_t seed;
  std::int32_t step;
  int elements;  // of a centre
  ElementGrid grid;
  AgentRules<Memory> rules;
  Attractions<Memory> attractions;
  Kokkos::View<std::uint32_t*, Memory> marks;  // of an element in its centre
  AgentArrays<Memory> agents;
  Kokkos::View<ElementAgents*, Memory> of_elements;
  BlockSums sums;
  Kokkos::View<std::int64_t*, Memory> counts;  // agents of each element after the step, and their sums
  CellTallies<Memory> tallies;

  /// What is known of an element while its agents act.
  struct Here {
    std::int64_t element, begin, end;
    int centre;
    std::uint32_t marks;
    Kokkos::Array<int, 3> place;
  };

  /// The agents of element `e` are those from `begin` to `end`, and counted by kind.
  KOKKOS_INLINE_FUNCTION void act(const Team& team, std::int64_t e, std::int64_t begin, std::int64_t end) const {
    const int in_centre = static_cast<int>(e % elements);
    const Here here{e, begin, end, static_cast<int>(e / elements), marks(in_centre), grid.place(in_centre)};
    auto& memory = team.memory();
    const int kinds = static_cast<int>(rules.kinds.extent(0));
    find_meetings(team);
    for (int i = team.rank(); i < kinds * direction_count; i += Team::size) {
      const int kind = i / direction_count, direction = i % direction_count;
      if (memory.present[kind] > 0) memory.steps[kind][direction] = probability_of_step(here, kind, direction);
    }
    team.barrier();
    for (int kind = team.rank(); kind < kinds; kind += Team::size) sum_steps(team, kind);
    const bool any_met = any_can_meet(team) && let_meet(team, here);
    team.barrier();
    std::int64_t staying = 0;
    for (std::int64_t i = begin + team.rank(); i < end; i += Team::size) {
      if (!any_met || agents.fate(i).deed() == AgentFate::is_undecided) decide(team, here, i);
      if (agents.fate(i).deed() == AgentFate::stays) ++staying;
    }
    staying = sporos::impl::warp_sum(staying);
    if (team.rank() % Team::lanes == 0) team.fetch_add(memory.staying, staying);
    team.barrier();
    tell(team, here);
  }

  /// Agents may be counted.
  KOKKOS_INLINE_FUNCTION static void begin(const Team& team) {
    auto& memory = team.memory();
    for (int k = team.rank(); k < static_cast<int>(most_cell_kinds); k += Team::size) memory.present[k] = 0;
    for (int d = team.rank(); d < direction_count; d += Team::size) memory.leaving[d] = 0;
    if (team.rank() == 0) memory.staying = memory.born = 0;
  }

  /// Counts the agents of an element by kind.
  KOKKOS_INLINE_FUNCTION void count_kinds(const Team& team, std::int64_t begin, std::int64_t end) const {
    for (std::int64_t i = begin + team.rank(); i < end; i += Team::size) {
      team.fetch_add(team.memory().present[agents.state(i).kind()], 1);
    }
    team.barrier();
  }

  KOKKOS_INLINE_FUNCTION void count(const Here& here, int kind, CellTally tally, std::int64_t number = 1) const {
    Kokkos::atomic_add(&tallies(here.centre, kind, tally), number);
  }

  KOKKOS_INLINE_FUNCTION static int partners(const Team& team, int kind, int second) {
    return team.memory().present[second] - (second == kind ? 1 : 0);
  }

  /// Σ of the hazards of all meetings of an agent of a kind.
  KOKKOS_INLINE_FUNCTION double hazard_of(const Team& team, int kind) const {
    const KindRules& of_kind = rules.kinds(kind);
    double hazard = 0;
    for (int r = of_kind.meeting_begin; r < of_kind.meeting_end; ++r) {
      hazard += rules.meetings(r).hazard * partners(team, kind, rules.meetings(r).second);
    }
    return hazard;
  }

  /// For each kind the probability of a meeting, with those that are undecided now.
  KOKKOS_INLINE_FUNCTION void find_meetings(const Team& team) const {
    auto& memory = team.memory();
    const int kinds = static_cast<int>(rules.kinds.extent(0));
    for (int kind = team.rank(); kind < kinds; kind += Team::size) {
      const double hazard = memory.present[kind] > 0 ? hazard_of(team, kind) : 0.0;
      memory.meets[kind] = hazard > 0.0 ? -math::expm1(-hazard) : 0.0;
    }
  }

  KOKKOS_INLINE_FUNCTION bool any_can_meet(const Team& team) const {
    const int kinds = static_cast<int>(rules.kinds.extent(0));
    for (int kind = 0; kind < kinds; ++kind) {
      if (team.memory().meets[kind] > 0.0) return true;
    }
    return false;
  }

  KOKKOS_INLINE_FUNCTION double probability_of_step(const Here& here, int kind, int direction) const {
    const int there = grid.to_neighbour(here.place, direction);
    const KindRules& of_kind = rules.kinds(kind);
    return there == 0 ? 0.0 : of_kind.stride * odds(of_kind, attractions, here.element, kind, there);
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

  KOKKOS_INLINE_FUNCTION Kokkos::Array<std::uint64_t, 2> draws_of(std::int64_t i, DrawPurpose purpose) const {
    return drawn(seed, agents.identity(i), purpose, static_cast<std::uint64_t>(step));
  }

  /// One after the other, each with those that are undecided then. Returns whether there was any.
  KOKKOS_INLINE_FUNCTION bool let_meet(const Team& team, const Here& here) const {
    if (team.rank() == 0) team.memory().next = here.end;
    team.barrier();
    std::int64_t next = first_meeting(team, here, here.begin, false);
    if (next == here.end) return false;
    for (std::int64_t i = here.begin + team.rank(); i < here.end; i += Team::size) {
      agents.fate(i) = {AgentFate::is_undecided};
    }
    team.barrier();
    do {
      meet(team, here, next);
      next = first_meeting(team, here, next + 1, true);
    } while (next < here.end);
    return true;
  }

  /// The first agent from `first` on that meets another, or the end. Of those that cannot now none can later, for there
  /// are never more undecided ones.
  KOKKOS_INLINE_FUNCTION std::int64_t first_meeting(const Team& team, const Here& here, std::int64_t first,
                                                    bool any_met) const {
    auto& memory = team.memory();
    for (std::int64_t i = first + team.rank(); i < here.end; i += Team::size) {
      const double probability = memory.meets[agents.state(i).kind()];
      if (!(probability > 0.0) || (any_met && agents.fate(i).deed() != AgentFate::is_undecided)) continue;
      if (open_uniform(draws_of(i, DrawPurpose::meeting)[0]) >= probability) continue;
      if constexpr (Team::is_alone) {
        memory.next = i;
      } else {
        Kokkos::atomic_fetch_min(&memory.next, i);
      }
      break;
    }
    team.barrier();
    return memory.next;
  }

  /// Agent `i` meets another.
  KOKKOS_INLINE_FUNCTION void meet(const Team& team, const Here& here, std::int64_t i) const {
    auto& memory = team.memory();
    const int kind = agents.state(i).kind();
    const KindRules& of_kind = rules.kinds(kind);
    const auto draws = draws_of(i, DrawPurpose::meeting);
    const double hazard = hazard_of(team, kind);
    // Given that there is a meeting, u / probability is uniform again.
    double rest = open_uniform(draws[0]) / -math::expm1(-hazard) * hazard;
    int chosen = -1;
    for (int r = of_kind.meeting_begin; r < of_kind.meeting_end && rest >= 0.0; ++r) {
      const int count_of_second = partners(team, kind, rules.meetings(r).second);
      if (count_of_second == 0) continue;
      chosen = r;
      rest -= rules.meetings(r).hazard * count_of_second;
    }
    const MeetingRule& rule = rules.meetings(chosen);
    const std::int64_t partner = partner_of(team, here, i, kind, rule.second, draws[1]);
    if (team.rank() == 0) {
      --memory.present[kind];
      --memory.present[rule.second];
      become(here, i, rule.first_becomes);
      become(here, partner, rule.second_becomes);
      memory.next = here.end;
    }
    team.barrier();
    find_meetings(team);
    team.barrier();
  }

  /// The one of the undecided agents of a kind that 64 random bits name, without `i`, which is of `kind`.
  KOKKOS_INLINE_FUNCTION std::int64_t partner_of(const Team& team, const Here& here, std::int64_t i, int kind,
                                                 int second, std::uint64_t bits) const {
    auto& memory = team.memory();
    const auto among = static_cast<std::uint64_t>(partners(team, kind, second));
    const auto wanted = static_cast<std::int64_t>((bits >> 32) * among >> 32);
    std::int64_t before = 0;
    int odd = 0;
    for (std::int64_t first = here.begin; before <= wanted; first += Team::size, odd ^= 1) {
      const std::int64_t mine = first + team.rank();
      const bool may_be = mine < here.end && mine != i && agents.state(mine).kind() == second &&
                          agents.fate(mine).deed() == AgentFate::is_undecided;
      const auto raised = team.raised(may_be, odd);
      if (may_be && before + raised.before == wanted) memory.found = mine;
      before += raised.all;
    }
    team.barrier();
    return memory.found;
  }

  /// An agent becomes another kind, or none, and stays.
  KOKKOS_INLINE_FUNCTION void become(const Here& here, std::int64_t i, int to) const {
    const AgentState state = agents.state(i);
    agents.fate(i) = {becomes(here, i, state, to)};
  }

  /// The same; returns what it does.
  KOKKOS_INLINE_FUNCTION std::uint32_t becomes(const Here& here, std::int64_t i, const AgentState& state,
                                               int to) const {
    const int from = state.kind();
    if (to < 0) {
      count(here, from, died);
      return AgentFate::is_gone;
    }
    if (to != from) {
      agents.state(i) = state.as(to, step);
      count(here, from, ceased);
      count(here, to, became);
    }
    return AgentFate::stays;
  }

  /// What an agent does that has met none.
  KOKKOS_INLINE_FUNCTION void decide(const Team& team, const Here& here, std::int64_t i) const {
    const auto draws = draws_of(i, DrawPurpose::fate);
    const double u = open_uniform(draws[0]);
    const AgentState state = agents.state(i);
    const int kind = state.kind();
    const KindRules& of_kind = rules.kinds(kind);
    const std::int32_t age = step - state.since;
    double sum = 0;
    for (int r = of_kind.change_begin; r < of_kind.change_end; ++r) {
      const ChangeRule& rule = rules.changes(r);
      if (age < rule.from_age) continue;
      sum += rule.probability;
      if (u < sum) return change(team, here, i, state, r);
    }
    if ((here.marks & is_drain) != 0 && u < (sum += of_kind.drainage)) return leave(here, i, kind, drained);
    if ((here.marks & is_surface) != 0 && u < (sum += of_kind.shedding)) return leave(here, i, kind, shed);
    agents.fate(i) = {way_of(team, kind, static_cast<std::uint32_t>(draws[1] >> 32))};
  }

  KOKKOS_INLINE_FUNCTION void change(const Team& team, const Here& here, std::int64_t i, AgentState state,
                                     int r) const {
    const ChangeRule& rule = rules.changes(r);
    if (rule.offspring_count == 0) return become(here, i, rule.to);
    state = state.after_births(static_cast<std::uint32_t>(rule.offspring_count));
    agents.state(i) = state;
    team.fetch_add(team.memory().born, static_cast<std::int64_t>(rule.offspring_count));
    count(here, rule.offspring, born, rule.offspring_count);
    agents.fate(i) = AgentFate{becomes(here, i, state, rule.to)}.as_parent(r);
  }

  KOKKOS_INLINE_FUNCTION void leave(const Here& here, std::int64_t i, int kind, CellTally where) const {
    count(here, kind, where);
    agents.fate(i) = {AgentFate::is_gone};
  }

  /// Where 32 random bits make an agent walk.
  KOKKOS_INLINE_FUNCTION static std::uint32_t way_of(const Team& team, int kind, std::uint32_t bits) {
    auto& memory = team.memory();
    if (bits >= memory.walks[kind][direction_count - 1]) return AgentFate::stays;
    int direction = 0;
    while (bits >= memory.walks[kind][direction]) ++direction;
    team.fetch_add(memory.leaving[direction], std::int64_t{1});
    return static_cast<std::uint32_t>(direction);
  }

  /// Tells who have to know how many there are and where.
  KOKKOS_INLINE_FUNCTION void tell(const Team& team, const Here& here) const {
    const auto& memory = team.memory();
    const std::int64_t e = here.element;
    for (int direction = team.rank(); direction < direction_count; direction += Team::size) {
      const std::int64_t number = memory.leaving[direction], there = e + grid.to_neighbour(here.place, direction);
      if (number == 0) continue;
      sums.add_to_block(counts, 0, there, number);
      for (int level = 1; level < sums.levels; ++level) {
        if (!BlockSums::same_block(level, e, there)) sums.add_to_block(counts, level, there, number);
      }
    }
    if (team.rank() != Team::size - 1) return;
    const std::int64_t kept = memory.staying + memory.born;
    if (kept > 0) sums.add_to_block(counts, 0, e, kept);
    for (int level = 1; level < sums.levels; ++level) {
      std::int64_t in_block = kept;
      for (int direction = 0; direction < direction_count; ++direction) {
        const std::int64_t there = e + grid.to_neighbour(here.place, direction);
        if (BlockSums::same_block(level, e, there)) in_block += memory.leaving[direction];
      }
      if (in_block > 0) sums.add_to_block(counts, level, e, in_block);
    }
    std::uint32_t ways = memory.born > 0 ? ElementAgents::has_parents : 0;
    for (int direction = 0; direction < direction_count; ++direction) {
      if (memory.leaving[direction] > 0) ways |= 1u << direction;
    }
    of_elements(e) = {here.begin, here.end, memory.staying, ways};
  }
};

}  // namespace sporos::models::impl
