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
/// each that has met none does something by itself, or walks. No element touches what another one does, but for sums
/// of whole numbers.
template <class Memory>
struct ElementActor {
  std::uint64_t seed;
  std::int32_t step;
  int elements;  // of a centre
  ElementGrid grid;
  AgentRules<Memory> rules;
  WalkTable<Memory> walks;
  Kokkos::View<std::uint32_t*, Memory> marks;  // of an element in its centre
  AgentArrays<Memory> agents;
  AgentFates<Memory> fates;
  Kokkos::View<std::int64_t*, Memory> offsets;  // of elements
  Kokkos::View<std::int64_t*, Memory> counts;   // agents of each element after the step
  CellTallies<Memory> tallies;

  /// What is known of an element while its agents act.
  struct Here {
    std::int64_t element, begin, end;
    int centre;
    std::uint32_t marks;
    std::int64_t staying = 0;      // agents that will be here
    int present[most_cell_kinds];  // undecided ones, by kind
  };

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t e) const {
    Here here{e, offsets(e), offsets(e + 1), static_cast<int>(e / elements), marks(e % elements), 0, {}};
    for (std::int64_t i = here.begin; i < here.end; ++i) {
      fates.destination(i) = undecided;
      fates.offspring(i) = 0;
      ++here.present[agents.state(i).kind()];
    }
    if (rules.meetings.extent(0) > 0) {
      for (std::int64_t i = here.begin; i < here.end; ++i) {
        if (fates.destination(i) == undecided) meet(here, i);
      }
    }
    for (std::int64_t i = here.begin; i < here.end; ++i) {
      if (fates.destination(i) == undecided) decide(here, i);
    }
    if (here.staying > 0) Kokkos::atomic_add(&counts(e), here.staying);
  }

  KOKKOS_INLINE_FUNCTION void count(const Here& here, int kind, CellTally tally, std::int64_t number = 1) const {
    Kokkos::atomic_add(&tallies(here.centre, kind, tally), number);
  }

  /// An agent becomes another kind, or none, and stays.
  KOKKOS_INLINE_FUNCTION void become(Here& here, std::int64_t i, int to) const {
    const AgentState state = agents.state(i);
    const int from = state.kind();
    --here.present[from];
    if (to < 0) {
      count(here, from, died);
      fates.destination(i) = gone;
      return;
    }
    fates.destination(i) = static_cast<std::int32_t>(here.element);
    ++here.staying;
    if (to == from) return;
    agents.state(i) = state.as(to);
    agents.since(i) = step;
    count(here, from, ceased);
    count(here, to, became);
  }

  KOKKOS_INLINE_FUNCTION int partners(const Here& here, int kind, int second) const {
    return here.present[second] - (second == kind ? 1 : 0);
  }

  KOKKOS_INLINE_FUNCTION void meet(Here& here, std::int64_t i) const {
    const int kind = agents.state(i).kind();
    const KindRules& of_kind = rules.kinds(kind);
    double hazard = 0;
    for (int r = of_kind.meeting_begin; r < of_kind.meeting_end; ++r) {
      hazard += rules.meetings(r).hazard * partners(here, kind, rules.meetings(r).second);
    }
    if (!(hazard > 0.0)) return;
    const auto draws = drawn(seed, agents.identity(i), DrawPurpose::meeting, static_cast<std::uint64_t>(step));
    const double probability = -math::expm1(-hazard), u = open_uniform(draws[0]);
    if (u >= probability) return;
    // Given that there is a meeting, u / probability is uniform again.
    double rest = u / probability * hazard;
    int chosen = -1;
    for (int r = of_kind.meeting_begin; r < of_kind.meeting_end && rest >= 0.0; ++r) {
      const int count_of_second = partners(here, kind, rules.meetings(r).second);
      if (count_of_second == 0) continue;
      chosen = r;
      rest -= rules.meetings(r).hazard * count_of_second;
    }
    const MeetingRule& rule = rules.meetings(chosen);
    const std::int64_t partner = partner_of(here, i, rule.second, draws[1]);
    become(here, i, rule.first_becomes);
    become(here, partner, rule.second_becomes);
  }

  /// The one of the undecided agents of a kind that 64 random bits name, without `i`.
  KOKKOS_INLINE_FUNCTION std::int64_t partner_of(const Here& here, std::int64_t i, int kind, std::uint64_t bits) const {
    const auto among = static_cast<std::uint64_t>(partners(here, agents.state(i).kind(), kind));
    auto before = static_cast<std::int64_t>((bits >> 32) * among >> 32);
    for (std::int64_t j = here.begin;; ++j) {
      if (j == i || fates.destination(j) != undecided || agents.state(j).kind() != kind) continue;
      if (before-- == 0) return j;
    }
  }

  /// What an agent does that has met none.
  KOKKOS_INLINE_FUNCTION void decide(Here& here, std::int64_t i) const {
    const auto draws = drawn(seed, agents.identity(i), DrawPurpose::fate, static_cast<std::uint64_t>(step));
    const double u = open_uniform(draws[0]);
    const int kind = agents.state(i).kind();
    const KindRules& of_kind = rules.kinds(kind);
    const std::int32_t age = step - agents.since(i);
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

  KOKKOS_INLINE_FUNCTION void change(Here& here, std::int64_t i, const ChangeRule& rule) const {
    if (rule.offspring_count > 0) {
      fates.offspring(i) =
          static_cast<std::uint32_t>(rule.offspring_count) << 8 | static_cast<std::uint32_t>(rule.offspring);
      agents.state(i) = agents.state(i).after_births(static_cast<std::uint32_t>(rule.offspring_count));
      here.staying += rule.offspring_count;
      count(here, rule.offspring, born, rule.offspring_count);
    }
    become(here, i, rule.to);
  }

  KOKKOS_INLINE_FUNCTION void leave(const Here& here, std::int64_t i, int kind, CellTally where) const {
    count(here, kind, where);
    fates.destination(i) = gone;
  }

  KOKKOS_INLINE_FUNCTION void walk(Here& here, std::int64_t i, int kind, std::uint32_t bits) const {
    for (int direction = 0; direction < direction_count; ++direction) {
      if (bits >= walks(here.element, kind, direction)) continue;
      const auto place = grid.place(static_cast<int>(here.element % elements));
      const std::int64_t there = here.element + grid.to_neighbour(place, direction);
      fates.destination(i) = static_cast<std::int32_t>(there);
      Kokkos::atomic_add(&counts(there), std::int64_t{1});
      return;
    }
    fates.destination(i) = static_cast<std::int32_t>(here.element);
    ++here.staying;
  }
};

}  // namespace sporos::models::impl
