// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/germinal_centre/agent_draws.hpp>
#include <sporos/models/germinal_centre/agents.hpp>
#include <sporos/models/germinal_centre/cell_tallies.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

/// Agents are put together by element again after they have acted: a counting sort by element, then each element puts
/// its own in the order of their identities. So the order in which they came does not show.
namespace sporos::models {

/// An agent that comes into the tissue: of a pool, or at the beginning.
struct NewAgent {
  std::uint64_t identity;  ///< names its random numbers
  std::int32_t element;    ///< among those of the process
  std::int32_t kind;       ///< its number
};

namespace impl {

/// Where the agents of each element begin, from how many it has: an exclusive sum, its total at the end. The beginnings
/// become the places for the first to come, too.
template <class Memory>
struct OffsetScanner {
  Kokkos::View<std::int64_t*, Memory> counts, offsets, places;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t e, std::int64_t& sum, bool is_final) const {
    const std::int64_t count = counts(e);
    if (is_final) {
      offsets(e) = sum;
      places(e) = sum;
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
    agents.set(Kokkos::atomic_fetch_add(&places(arrival.element), std::int64_t{1}), arrival.identity, step,
               AgentState{static_cast<std::uint32_t>(arrival.kind)});
  }
};

/// Brings the agents of an element, and their offspring, to where they belong.
template <class Memory>
struct AgentMover {
  std::uint64_t seed;
  std::int32_t step;
  Kokkos::View<std::int64_t*, Memory> offsets;  // before
  AgentArrays<Memory> from, to;
  AgentFates<Memory> fates;
  Kokkos::View<std::int64_t*, Memory> places;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t e) const {
    for (std::int64_t i = offsets(e); i < offsets(e + 1); ++i) {
      const std::int32_t there = fates.destination(i);
      if (there != gone) {
        to.set(Kokkos::atomic_fetch_add(&places(there), std::int64_t{1}), from.identity(i), from.since(i),
               from.state(i));
      }
      if (fates.offspring(i) != 0) place_offspring(e, i);
    }
  }

  KOKKOS_INLINE_FUNCTION void place_offspring(std::int64_t e, std::int64_t parent) const {
    const std::uint32_t count = fates.offspring(parent) >> 8, kind = fates.offspring(parent) & 0xffu;
    const std::uint64_t first = (from.state(parent).children() - count) & 0xffffffu;
    const std::int64_t begin = Kokkos::atomic_fetch_add(&places(e), static_cast<std::int64_t>(count));
    for (std::uint32_t child = 0; child < count; ++child) {
      to.set(begin + child, child_identity(seed, from.identity(parent), first + child), step, AgentState{kind});
    }
  }
};

/// Puts the agents of an element in order, by Shell's sort with Knuth's gaps, which is fast where most already are.
template <class Memory>
struct ElementSorter {
  Kokkos::View<std::int64_t*, Memory> offsets;
  AgentArrays<Memory> agents;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t e) const {
    const std::int64_t begin = offsets(e), count = offsets(e + 1) - begin;
    std::int64_t gap = 1;
    while (gap < count / 9) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
      for (std::int64_t i = gap; i < count; ++i) {
        for (std::int64_t j = i; j >= gap && agents.is_before(begin + j, begin + j - gap); j -= gap) {
          agents.swap(begin + j, begin + j - gap);
        }
      }
    }
  }
};

}  // namespace impl

}  // namespace sporos::models
