// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/exp.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/models/germinal_centre/agent_draws.hpp>
#include <sporos/models/germinal_centre/agent_rules.hpp>
#include <sporos/models/germinal_centre/agent_walk.hpp>
#include <sporos/models/germinal_centre/agents.hpp>
#include <sporos/models/germinal_centre/cell_tallies.hpp>

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
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;

  std::uint64_t seed;
  std::int32_t step;
  int elements;  // of a centre
  ElementGrid grid;
  AgentRules<Memory> rules;
  WalkTable<Memory> walks;
  Kokkos::View<std::uint32_t*, Memory> marks;  // of an element in its centre
  AgentArrays<Memory> agents;
  Kokkos::View<AgentFate*, Memory> fates;
  Kokkos::View<std::int64_t*, Memory> offsets;  // of elements
  Kokkos::View<std::int64_t*, Memory> counts;   // agents of each element after the step
  Kokkos::View<std::int64_t*, Memory> staying;  // those of them that were there before
  CellTallies<Memory> tallies;

  /// What is known of an element while its agents act.
  struct Here {
    std::int64_t element, begin, end;
    int centre;
    std::uint32_t marks;
    int* present;  // undecided agents by kind, and behind them the place of a partner; shared by the team
  };

  /// Bytes that a team shares.
  KOKKOS_FUNCTION static constexpr int team_bytes() { return (most_cell_kinds + 1) * static_cast<int>(sizeof(int)); }

  KOKKOS_INLINE_FUNCTION void operator()(const Team& team) const {
    const std::int64_t e = team.league_rank();
    const Here here{e,
                    offsets(e),
                    offsets(e + 1),
                    static_cast<int>(e / elements),
                    marks(e % elements),
                    static_cast<int*>(team.team_scratch(0).get_shmem(team_bytes()))};
    begin(team, here);
    if (any_can_meet(here)) let_meet(team, here);
    std::int64_t stay = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, here.begin, here.end),
        [&](const std::int64_t i, std::int64_t& sum) {
          if (fates(i).destination == undecided) decide(here, i);
          if (fates(i).destination == here.element) ++sum;
        },
        stay);
    Kokkos::single(Kokkos::PerTeam(team), [&]() {
      staying(e) = stay;
      if (stay > 0) Kokkos::atomic_add(&counts(e), stay);
    });
  }

  /// All are undecided, and counted.
  KOKKOS_INLINE_FUNCTION void begin(const Team& team, const Here& here) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, most_cell_kinds), [&](const int k) { here.present[k] = 0; });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, here.begin, here.end), [&](const std::int64_t i) {
      fates(i) = {undecided};
      Kokkos::atomic_add(&here.present[agents.state(i).kind()], 1);
    });
    team.team_barrier();
  }

  KOKKOS_INLINE_FUNCTION void count(const Here& here, int kind, CellTally tally, std::int64_t number = 1) const {
    Kokkos::atomic_add(&tallies(here.centre, kind, tally), number);
  }

  KOKKOS_INLINE_FUNCTION int partners(const Here& here, int kind, int second) const {
    return here.present[second] - (second == kind ? 1 : 0);
  }

  /// Σ of the hazards of all meetings of an agent of a kind.
  KOKKOS_INLINE_FUNCTION double hazard_of(const Here& here, int kind) const {
    const KindRules& of_kind = rules.kinds(kind);
    double hazard = 0;
    for (int r = of_kind.meeting_begin; r < of_kind.meeting_end; ++r) {
      hazard += rules.meetings(r).hazard * partners(here, kind, rules.meetings(r).second);
    }
    return hazard;
  }

  KOKKOS_INLINE_FUNCTION bool any_can_meet(const Here& here) const {
    const int kinds = static_cast<int>(rules.kinds.extent(0));
    for (int kind = 0; kind < kinds; ++kind) {
      if (here.present[kind] > 0 && hazard_of(here, kind) > 0.0) return true;
    }
    return false;
  }

  KOKKOS_INLINE_FUNCTION Kokkos::Array<std::uint64_t, 2> draws_of(std::int64_t i, DrawPurpose purpose) const {
    return drawn(seed, agents.identity(i), purpose, static_cast<std::uint64_t>(step));
  }

  /// One after the other. Each thread of the team looks at one agent, with what is present now; of those that meet
  /// another only the first is sure to, and the others look again after it.
  KOKKOS_INLINE_FUNCTION void let_meet(const Team& team, const Here& here) const {
    for (std::int64_t first = here.begin; first < here.end; first += team.team_size()) {
      const std::int64_t mine = first + team.team_rank();
      const int kind = mine < here.end ? agents.state(mine).kind() : 0;
      // An agent that has nobody to meet will have nobody later, for there are never more undecided ones.
      bool may_meet = mine < here.end && hazard_of(here, kind) > 0.0;
      const double u = may_meet ? open_uniform(draws_of(mine, DrawPurpose::meeting)[0]) : 1.0;
      for (;;) {
        const bool meets = may_meet && fates(mine).destination == undecided && u < -math::expm1(-hazard_of(here, kind));
        std::int64_t next = meets ? mine : here.end;
        team.team_reduce(Kokkos::Min<std::int64_t>(next));
        if (next == here.end) break;
        meet(team, here, next);
        may_meet = may_meet && mine > next;
      }
    }
  }

  /// Agent `i` meets another.
  KOKKOS_INLINE_FUNCTION void meet(const Team& team, const Here& here, std::int64_t i) const {
    const int kind = agents.state(i).kind();
    const KindRules& of_kind = rules.kinds(kind);
    const auto draws = draws_of(i, DrawPurpose::meeting);
    const double hazard = hazard_of(here, kind);
    // Given that there is a meeting, u / probability is uniform again.
    double rest = open_uniform(draws[0]) / -math::expm1(-hazard) * hazard;
    int chosen = -1;
    for (int r = of_kind.meeting_begin; r < of_kind.meeting_end && rest >= 0.0; ++r) {
      const int count_of_second = partners(here, kind, rules.meetings(r).second);
      if (count_of_second == 0) continue;
      chosen = r;
      rest -= rules.meetings(r).hazard * count_of_second;
    }
    const MeetingRule& rule = rules.meetings(chosen);
    const std::int64_t partner = partner_of(team, here, i, rule.second, draws[1]);
    Kokkos::single(Kokkos::PerTeam(team), [&]() {
      --here.present[kind];
      --here.present[rule.second];
      become(here, i, rule.first_becomes);
      become(here, partner, rule.second_becomes);
    });
    team.team_barrier();
  }

  /// The one of the undecided agents of a kind that 64 random bits name, without `i`.
  KOKKOS_INLINE_FUNCTION std::int64_t partner_of(const Team& team, const Here& here, std::int64_t i, int kind,
                                                 std::uint64_t bits) const {
    const auto among = static_cast<std::uint64_t>(partners(here, agents.state(i).kind(), kind));
    const auto wanted = static_cast<std::int64_t>((bits >> 32) * among >> 32);
    int& found = here.present[most_cell_kinds];
    Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, here.begin, here.end),
                          [&](const std::int64_t j, std::int64_t& before, const bool is_final) {
                            if (j == i || fates(j).destination != undecided || agents.state(j).kind() != kind) return;
                            if (is_final && before == wanted) found = static_cast<int>(j - here.begin);
                            ++before;
                          });
    team.team_barrier();
    return here.begin + found;
  }

  /// An agent becomes another kind, or none, and stays.
  KOKKOS_INLINE_FUNCTION void become(const Here& here, std::int64_t i, int to) const {
    const AgentState state = agents.state(i);
    const int from = state.kind();
    if (to < 0) {
      count(here, from, died);
      fates(i).destination = gone;
      return;
    }
    fates(i).destination = static_cast<std::int32_t>(here.element);
    if (to == from) return;
    agents.state(i) = state.as(to, step);
    count(here, from, ceased);
    count(here, to, became);
  }

  /// What an agent does that has met none.
  KOKKOS_INLINE_FUNCTION void decide(const Here& here, std::int64_t i) const {
    const auto draws = draws_of(i, DrawPurpose::fate);
    const double u = open_uniform(draws[0]);
    const int kind = agents.state(i).kind();
    const KindRules& of_kind = rules.kinds(kind);
    const std::int32_t age = step - agents.state(i).since;
    double sum = 0;
    for (int r = of_kind.change_begin; r < of_kind.change_end; ++r) {
      const ChangeRule& rule = rules.changes(r);
      if (age < rule.from_age) continue;
      sum += rule.probability;
      if (u < sum) return change(here, i, rule);
    }
    if ((here.marks & is_drain) != 0 && u < (sum += of_kind.drainage)) return leave(here, i, kind, drained);
    if ((here.marks & is_surface) != 0 && u < (sum += of_kind.shedding)) return leave(here, i, kind, shed);
    walk(here, i, kind, static_cast<std::uint32_t>(draws[1] >> 32));
  }

  KOKKOS_INLINE_FUNCTION void change(const Here& here, std::int64_t i, const ChangeRule& rule) const {
    if (rule.offspring_count > 0) {
      fates(i).offspring =
          static_cast<std::uint32_t>(rule.offspring_count) << 8 | static_cast<std::uint32_t>(rule.offspring);
      agents.state(i) = agents.state(i).after_births(static_cast<std::uint32_t>(rule.offspring_count));
      Kokkos::atomic_add(&counts(here.element), static_cast<std::int64_t>(rule.offspring_count));
      count(here, rule.offspring, born, rule.offspring_count);
    }
    become(here, i, rule.to);
  }

  KOKKOS_INLINE_FUNCTION void leave(const Here& here, std::int64_t i, int kind, CellTally where) const {
    count(here, kind, where);
    fates(i).destination = gone;
  }

  KOKKOS_INLINE_FUNCTION void walk(const Here& here, std::int64_t i, int kind, std::uint32_t bits) const {
    for (int direction = 0; direction < direction_count; ++direction) {
      if (bits >= walks(here.element, kind, direction)) continue;
      const auto place = grid.place(static_cast<int>(here.element % elements));
      const std::int64_t there = here.element + grid.to_neighbour(place, direction);
      fates(i).destination = static_cast<std::int32_t>(there);
      Kokkos::atomic_add(&counts(there), std::int64_t{1});
      return;
    }
    fates(i).destination = static_cast<std::int32_t>(here.element);
  }
};

}  // namespace sporos::models::impl
