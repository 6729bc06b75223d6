// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/persistent_teams.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Numbers that teams exchange in tests, and a check of their sums.
namespace sporos::test {

/// Number `c` of team `team` in round `round`. Signs and magnitudes differ, so that a sum in another order, from
/// another round or without one of the teams has other bits.
KOKKOS_INLINE_FUNCTION double exchanged_number(std::int64_t team, std::uint32_t round, std::int64_t c) {
  std::uint64_t bits = static_cast<std::uint64_t>(team) * 0x9e3779b97f4a7c15u + round;
  bits = (bits ^ static_cast<std::uint64_t>(c) * 0xbf58476d1ce4e5b9u) * 0x94d049bb133111ebu;
  bits ^= bits >> 29;
  return (static_cast<double>(bits >> 11) - 0x1p52) * (1 + static_cast<double>(bits % 7));
}

/// Count of the numbers that are exchanged in round `round`: from 1 to `most`, and `most` in every third round.
KOKKOS_INLINE_FUNCTION std::int64_t exchanged_count(std::uint32_t round, std::int64_t most) {
  return round % 3 == 0 ? most : 1 + round * 7919 % most;
}

/// Exchanges `rounds` times, or until the team times out. Returns how many sums have wrong bits in this thread.
template <class Team>
KOKKOS_FUNCTION std::int64_t wrong_sums(Team& team, std::int64_t teams, std::uint32_t rounds, std::int64_t most) {
  std::int64_t wrong = 0;
  for (std::uint32_t r = 0; r < rounds; ++r) {
    const std::uint32_t round = team.round() + 1;
    const std::int64_t count = exchanged_count(round, most), own = team.member().league_rank();
    team.for_each(count, [&](std::int64_t c) { team.numbers()[c] = exchanged_number(own, round, c); });
    team.all_reduce(count);
    if (team.has_timed_out()) return wrong;
    team.for_each(count, [&](std::int64_t c) {
      double sum = 0;
      for (std::int64_t of = 0; of < teams; ++of) sum += exchanged_number(of, round, c);
      wrong += team.numbers()[c] != sum;
    });
  }
  return wrong;
}

}  // namespace sporos::test
