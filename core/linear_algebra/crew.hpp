// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/lane.hpp>
#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/core/math/bits.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace sporos {

/// How the coordinates of a vector are shared out among the teams of a crew: `share` each, in order.
struct CrewPlan {
  std::int64_t dimension = 0;  ///< number of coordinates
  std::int64_t share = 0;      ///< of one team, a multiple of 64
  std::int64_t teams = 0;      ///< number of teams

  static constexpr std::int64_t gathered = 1536;  ///< numbers of all teams that one has in scratch at once

  /// By the dimension alone, so that no bit of a sum depends on the machine. A host has one team, of one thread.
  template <class ExecutionSpace>
  static CrewPlan of(std::int64_t dimension) {
    constexpr std::int64_t least_share = 64, most_teams = runs_on_host<ExecutionSpace> ? 1 : 64;
    const std::int64_t share = std::max(least_share, ((dimension + most_teams - 1) / most_teams + 63) / 64 * 64);
    return {dimension, share, (dimension + share - 1) / share};
  }
};

/// Where the teams of a crew show each other numbers: device memory, zeros at first.
struct CrewBoard {
  std::uint64_t* words = nullptr;  ///< size(plan, most) of them
  std::int64_t most = 0;           ///< numbers that a team shows at once

  /// How many words it takes; a crew of one shows nothing.
  static std::int64_t size(const CrewPlan& plan, std::int64_t most) {
    return plan.teams > 1 ? 4 * plan.teams * most : 1;
  }
  /// Numbers of scratch that a team takes for an exchange.
  KOKKOS_FUNCTION std::int64_t scratch() const { return most + CrewPlan::gathered; }
};

/// Most threads of a crew's team on a device.
inline constexpr int crew_team_threads = 512;

/// How a crew is launched, with so many bytes of scratch for each team; none where the machine cannot hold all of its
/// teams, or that much scratch, at once.
template <class ExecutionSpace>
auto crew_policy(const ExecutionSpace& space, const CrewPlan& plan, std::int64_t scratch_bytes) {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::LaunchBounds<crew_team_threads, 1>>;
  constexpr int lanes = runs_on_host<ExecutionSpace> ? 1 : impl::warp_lanes;
  constexpr int threads = runs_on_host<ExecutionSpace> ? 1 : crew_team_threads / lanes;
  const auto teams = static_cast<int>(plan.teams), bytes = static_cast<int>(scratch_bytes);
  std::optional<Policy> policy;
  const bool fits = scratch_bytes <= Policy::scratch_size_max(0) - 1024 &&
                    (runs_on_host<ExecutionSpace> || 2 * teams * crew_team_threads <= space.concurrency());
  if (fits) policy = Policy(space, teams, threads, lanes).set_scratch_size(0, Kokkos::PerTeam(bytes));
  return policy;
}

/// Teams that do one thing together within one kernel: each owns some coordinates of all vectors, and all they exchange
/// are sums. Every team of the league is in the crew; all of them have to be on the machine at once, since they wait
/// for each other: one team on each of at most 64 processors.
///
/// A number goes from team to team in two words, each with half of its bits and the number of the exchange: who reads
/// them knows by that when they have come. That takes one trip to memory; to count all teams in, wait for the count and
/// then read would take three.
template <class Member>
class Crew {
 public:
  /// This team's place in it. `numbers` are board.scratch() of the team's scratch; `round` is what round() was at
  /// the end of the last kernel with this board, 0 at first.
  KOKKOS_FUNCTION Crew(const Member& team, const CrewPlan& plan, const CrewBoard& board, double* numbers,
                       std::uint32_t round)
      : m_team(team), m_plan(plan), m_board(board), m_numbers(numbers), m_round(round) {
    const std::int32_t fitting = CrewPlan::gathered / static_cast<std::int32_t>(plan.share);
    m_parts = fitting < most_parts ? fitting : most_parts;
  }

  /// This team.
  KOKKOS_FUNCTION const Member& team() const { return m_team; }
  /// The first coordinate that this team owns.
  KOKKOS_FUNCTION std::int64_t begin() const { return m_team.league_rank() * m_plan.share; }
  /// The number of coordinates that it owns.
  KOKKOS_FUNCTION std::int64_t count() const {
    const std::int64_t left = m_plan.dimension - begin();
    return left < m_plan.share ? left : m_plan.share;
  }
  /// Whether this team speaks for the crew.
  KOKKOS_FUNCTION bool is_first() const { return m_team.league_rank() == 0; }
  /// Exchanges so far.
  KOKKOS_FUNCTION std::uint32_t round() const { return m_round; }
  /// What is exchanged, in the team's scratch.
  KOKKOS_FUNCTION double* numbers() const { return m_numbers; }

  /// do(i) for i = 0, …, `count` − 1 by the threads of this team, which then waits for them.
  template <class Do>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(std::int64_t count, const Do& one) const {
    const auto end = static_cast<std::int32_t>(count);
    const std::int32_t lanes = impl::lane_count(), threads = m_team.team_size() * lanes;
    SPOROS_NOT_UNROLLED
    for (std::int32_t i = m_team.team_rank() * lanes + impl::lane_index(); i < end; i += threads) one(i);
    m_team.team_barrier();
  }

  /// numbers()[c] = Σ_j term(c, j) over the own coordinates j, c = 0, …, `count` − 1; the team then waits.
  template <class Term>
  KOKKOS_FORCEINLINE_FUNCTION void sum_own(std::int64_t count, const Term& term) const {
    constexpr std::int32_t width = 4;  // sums of some lanes that do not wait for each other
    const auto all = static_cast<std::int32_t>(count), size = static_cast<std::int32_t>(this->count());
    const std::int32_t groups = (all + width - 1) / width;
    const std::int64_t first = begin();
    SPOROS_NOT_UNROLLED
    for (std::int32_t group = m_team.team_rank(); group < groups; group += m_team.team_size()) {
      const std::int32_t at = group * width;
      double sums[width] = {};
      SPOROS_NOT_UNROLLED
      for (std::int32_t j = impl::lane_index(); j < size; j += impl::lane_count()) {
        for (std::int32_t k = 0; k < width; ++k) sums[k] += term(at + k < all ? at + k : at, first + j);
      }
      impl::warp_sums<width>(sums);
      for (std::int32_t k = 0; k < width; ++k) {
        if (impl::lane_index() == 0 && at + k < all) m_numbers[at + k] = sums[k];
      }
    }
    m_team.team_barrier();
  }

  /// finish(j, Σ_i term(i, j)), i = 0, …, `terms` − 1, for each own coordinate j, the terms in parts between which no
  /// thread waits; the team then waits.
  template <class Term, class Finish>
  KOKKOS_FORCEINLINE_FUNCTION void sum_terms(std::int64_t terms, const Term& term, const Finish& finish) const {
    const std::int64_t first = begin(), size = count();
    const std::int32_t parts = m_parts;
    if (parts < 2) {
      return for_each(size, [&](std::int64_t k) { finish(first + k, sum_of(0, terms, 1, first + k, term)); });
    }
    double* const found = m_numbers + m_board.most;
    for_each(size * parts, [&](std::int64_t item) {
      const auto wide = static_cast<std::uint32_t>(size), part = static_cast<std::uint32_t>(item) / wide;
      found[item] = sum_of(part, terms, parts, first + static_cast<std::uint32_t>(item) % wide, term);
    });
    for_each(size, [&](std::int64_t k) {
      double sum = 0;
      for (std::int64_t part = 0; part < parts; ++part) sum += found[part * size + k];
      finish(first + k, sum);
    });
  }

  /// Σ_j term(c, j) over all coordinates j, c = 0, …, `size` − 1. All teams call it, with their threads together.
  template <int size, class Term>
  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<double, size> total(const Term& term) {
    sum_own(size, term);
    add_up(size);
    Kokkos::Array<double, size> found;
    for (int c = 0; c < size; ++c) found[c] = m_numbers[c];
    m_team.team_barrier();
    return found;
  }

  /// Each of the first `count` numbers() becomes the sum of what it is in all teams, in their order. All teams call it,
  /// with their threads together.
  KOKKOS_FUNCTION void add_up(std::int64_t count) {
    if (m_plan.teams == 1) return;
    ++m_round;
    std::uint64_t* const shown = m_board.words + (m_round % 2) * 2 * m_plan.teams * m_board.most;
    show(shown + 2 * m_board.most * m_team.league_rank(), count);
    const std::int32_t at_once = CrewPlan::gathered / static_cast<std::int32_t>(m_plan.teams);
    for (std::int64_t first = 0; first < count; first += at_once) {
      read(shown + 2 * first, first, count - first < at_once ? count - first : at_once);
    }
  }

 private:
  static constexpr std::int32_t most_parts = 16;
  static constexpr std::uint32_t ahead = 2;  // words that a thread asks for before it looks at the first

  template <class Term>
  KOKKOS_FORCEINLINE_FUNCTION static double sum_of(std::int64_t i, std::int64_t terms, std::int64_t step,
                                                   std::int64_t j, const Term& term) {
    double sum = 0;
    SPOROS_NOT_UNROLLED
    for (auto k = static_cast<std::int32_t>(i); k < terms; k += static_cast<std::int32_t>(step)) sum += term(k, j);
    return sum;
  }

  KOKKOS_FUNCTION void show(volatile std::uint64_t* words, std::int64_t count) const {
    const std::uint64_t tag = m_round;
    for_each(count, [&](const std::int64_t c) {
      const std::uint64_t bits = math::impl::to_bits(m_numbers[c]);
      words[2 * c] = (bits & 0xffffffff00000000u) | tag;
      words[2 * c + 1] = (bits << 32) | tag;
    });
  }

  // The numbers from `first` on, by way of the scratch behind all of them.
  KOKKOS_FUNCTION void read(const volatile std::uint64_t* words, std::int64_t first, std::int64_t count) const {
    double* const found = m_numbers + m_board.most;
    const auto wide = static_cast<std::uint32_t>(count), all = wide * static_cast<std::uint32_t>(m_plan.teams);
    const std::uint32_t stride = (all + ahead - 1) / ahead, tag = m_round;
    const auto place_of = [&](std::uint32_t item) {
      return words + item / wide * (2 * m_board.most) + 2 * (item % wide);
    };
    for_each(stride, [&](const std::int64_t i) {
      std::uint32_t items[ahead];
      std::uint64_t high[ahead], low[ahead];
      for (std::uint32_t k = 0; k < ahead; ++k) {
        const std::uint32_t item = static_cast<std::uint32_t>(i) + k * stride;
        items[k] = item < all ? item : static_cast<std::uint32_t>(i);
        high[k] = place_of(items[k])[0];
        low[k] = place_of(items[k])[1];
      }
      for (std::uint32_t k = 0; k < ahead; ++k) {
        while (static_cast<std::uint32_t>(high[k]) != tag) high[k] = place_of(items[k])[0];
        while (static_cast<std::uint32_t>(low[k]) != tag) low[k] = place_of(items[k])[1];
        found[items[k]] = math::impl::from_bits((high[k] & 0xffffffff00000000u) | (low[k] >> 32));
      }
    });
    for_each(count, [&](const std::int64_t c) {
      double sum = 0;
      for (std::int64_t of = 0; of < m_plan.teams; ++of) sum += found[of * count + c];
      m_numbers[first + c] = sum;
    });
  }

  const Member& m_team;
  CrewPlan m_plan;
  CrewBoard m_board;
  double* m_numbers;
  std::uint32_t m_round;
  std::int32_t m_parts;  // of a sum of terms
};

}  // namespace sporos
