// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/germinal_centre/agent_draws.hpp>
#include <sporos/models/germinal_centre/agents.hpp>
#include <sporos/models/germinal_centre/cell_tallies.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

/// Agents are put together by element again after they have acted, in the order of their identities. Those that stay
/// are in order already; behind them come those that are new there, as it happens, and are sorted; then the two are
/// merged. So the order in which agents came does not show.
namespace sporos::models {

/// An agent that comes into the tissue: of a pool, or at the beginning.
struct NewAgent {
  std::uint64_t identity;  ///< names its random numbers
  std::int32_t element;    ///< among those of the process
  std::int32_t kind;       ///< its number
};

namespace impl {

/// Where the agents of each element begin, from how many it has: an exclusive sum, its total at the end. The first to
/// come has its place behind those that stay.
template <class Memory>
struct OffsetScanner {
  Kokkos::View<std::int64_t*, Memory> counts, staying, offsets, places;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t e, std::int64_t& sum, bool is_final) const {
    const std::int64_t count = counts(e);
    if (is_final) {
      offsets(e) = sum;
      places(e) = sum + staying(e);
      counts(e) = 0;
    }
    sum += count;
    if (is_final) offsets(e + 1) = sum;
  }
};

/// Counts agents that come.
template <class Memory>
struct ArrivalCounter {
  Kokkos::View<NewAgent*, Memory> arrivals;
  Kokkos::View<std::int64_t*, Memory> counts;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    Kokkos::atomic_add(&counts(arrivals(i).element), std::int64_t{1});
  }
};

/// Gives them a place.
template <class Memory>
struct ArrivalPlacer {
  std::int32_t step;
  int elements;   // of a centre
  bool are_told;  // whether they count as arrived
  Kokkos::View<NewAgent*, Memory> arrivals;
  AgentArrays<Memory> agents;
  Kokkos::View<std::int64_t*, Memory> places;
  CellTallies<Memory> tallies;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const NewAgent& arrival = arrivals(i);
    if (are_told) Kokkos::atomic_add(&tallies(arrival.element / elements, arrival.kind, arrived), std::int64_t{1});
    agents.set(Kokkos::atomic_fetch_add(&places(arrival.element), std::int64_t{1}), arrival.identity,
               {static_cast<std::uint32_t>(arrival.kind), step});
  }
};

/// Brings the agents of an element, and their offspring, to where they belong. A team works on an element.
template <class ExecutionSpace>
struct AgentMover {
  using Memory = typename ExecutionSpace::memory_space;
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;

  std::uint64_t seed;
  std::int32_t step;
  Kokkos::View<std::int64_t*, Memory> before, after;  // where the agents of each element begin
  AgentArrays<Memory> from, to;
  Kokkos::View<AgentFate*, Memory> fates;
  Kokkos::View<std::int64_t*, Memory> places;

  KOKKOS_INLINE_FUNCTION void operator()(const Team& team) const {
    const std::int64_t e = team.league_rank();
    Kokkos::parallel_scan(
        Kokkos::TeamThreadRange(team, before(e), before(e + 1)),
        [&](const std::int64_t i, std::int64_t& staying, const bool is_final) {
          const std::int32_t there = fates(i).destination;
          if (is_final && there != gone) {
            copy(i, there == e ? after(e) + staying : Kokkos::atomic_fetch_add(&places(there), std::int64_t{1}));
          }
          if (is_final && fates(i).offspring != 0) place_offspring(e, i);
          if (there == e) ++staying;
        });
  }

  KOKKOS_INLINE_FUNCTION void copy(std::int64_t i, std::int64_t place) const {
    to.set(place, from.identity(i), from.state(i));
  }

  KOKKOS_INLINE_FUNCTION void place_offspring(std::int64_t e, std::int64_t parent) const {
    const std::uint32_t count = fates(parent).offspring >> 8, kind = fates(parent).offspring & 0xffu;
    const std::uint64_t first = (from.state(parent).children() - count) & 0xffffffu;
    const std::int64_t begin = Kokkos::atomic_fetch_add(&places(e), static_cast<std::int64_t>(count));
    for (std::uint32_t child = 0; child < count; ++child) {
      to.set(begin + child, child_identity(seed, from.identity(parent), first + child), {kind, step});
    }
  }
};

/// Puts the agents of an element in order: sorts the new ones behind those that stay, and merges them. A team works on
/// an element.
template <class ExecutionSpace>
struct ElementMerger {
  using Memory = typename ExecutionSpace::memory_space;
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;

  Kokkos::View<std::int64_t*, Memory> offsets, staying;
  AgentArrays<Memory> from, to;

  KOKKOS_INLINE_FUNCTION void operator()(const Team& team) const {
    const std::int64_t e = team.league_rank(), begin = offsets(e), end = offsets(e + 1), middle = begin + staying(e);
    sort(team, middle, end - middle);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, begin, end), [&](const std::int64_t i) {
      const bool is_new = i >= middle;
      const std::int64_t place =
          is_new ? i - (middle - begin) + before(i, begin, middle, true) : i + before(i, middle, end, false);
      to.set(place, from.identity(i), from.state(i));
    });
  }

  /// Batcher's merge exchange (Knuth, The Art of Computer Programming 3, algorithm 5.2.2 M): the comparisons of a round
  /// touch no agent twice.
  KOKKOS_INLINE_FUNCTION void sort(const Team& team, std::int64_t begin, std::int64_t count) const {
    std::int64_t top = 1;
    while (2 * top < count) top *= 2;
    for (std::int64_t part = top; part > 0 && count > 1; part /= 2) {
      std::int64_t remainder = 0, distance = part;
      for (std::int64_t reach = top;; reach /= 2) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count - distance), [&](const std::int64_t i) {
          if ((i & part) != remainder || !from.is_before(begin + i + distance, begin + i)) return;
          from.swap(begin + i, begin + i + distance);
        });
        team.team_barrier();
        if (reach == part) break;
        distance = reach - part;
        remainder = part;
      }
    }
  }

  /// How many of the sorted agents from `first` to `end` come before `i`; with `equal` those that are the same, too.
  KOKKOS_INLINE_FUNCTION std::int64_t before(std::int64_t i, std::int64_t first, std::int64_t end, bool equal) const {
    const std::int64_t begin = first;
    while (first < end) {
      const std::int64_t middle = first + (end - first) / 2;
      if (equal ? !from.is_before(i, middle) : from.is_before(middle, i)) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    return first - begin;
  }
};

}  // namespace impl

}  // namespace sporos::models
