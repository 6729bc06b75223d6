// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/least.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/optimizers/frank_wolfe/screening.hpp>
#include <sporos/optimizers/frank_wolfe/screening_data.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace sporos::impl {

/// The look of one host thread at its share of the coordinates that the oracle may select, in blocks of pairs. It is
/// vector code if the screen brackets several pairs at once. Threads share nothing until a block, or the whole share,
/// is done.
template <class Screen>
class BlockLook {
 public:
  /// Prepares the look for the window that begins at `start`.
  KOKKOS_FUNCTION BlockLook(const Screen& screen, const ScreeningData& data, const WindowStart& start)
      : m_screen(screen), m_data(data), m_start(start), m_guess(data.states[start.repetition].guess) {
    for (double& least : m_min) least = Located{}.value;
  }

  /// Looks at the share of thread number `thread` out of `threads`.
  KOKKOS_FUNCTION void run(std::int64_t thread, std::int64_t threads) {
    const std::int64_t end = m_data.states[m_start.repetition].looked_at;
    for (std::int64_t q = thread * width; q < end; q += threads * width) {
      look_at(q, end - q < width ? end - q : width);
    }
    BoundKey* const bounds = m_data.bounds_of(m_start.repetition);
    for (std::int64_t g = 0; g < ScreeningData::few_groups; ++g) {
      const BoundKey least = bound_key_of(m_min[g]);
      if (!(least < bounds[g])) continue;
      if (threads == 1) {
        bounds[g] = least;
      } else {
        lower_atomically(bounds[g], least);
      }
    }
  }

 private:
  static constexpr std::int64_t width = Screen::pairs_at_once;
  static constexpr std::size_t size = 2 * width;
  static constexpr std::int64_t groups = ScreeningData::few_groups;
  static_assert(groups % size == 0);

  // Looks at pairs q … q + count − 1 in the order of their floors.
  KOKKOS_FUNCTION void look_at(std::int64_t q, std::int64_t count) {
    Kokkos::Array<std::int64_t, Screen::pairs_at_once> pairs;
    for (std::int64_t p = 0; p < width; ++p) pairs[p] = m_data.pairs[q + (p < count ? p : 0)];
    std::int64_t coordinates[size];
    Kokkos::Array<bool, size> wanted;
    for (std::size_t i = 0; i < size; ++i) {
      const std::int64_t j = 2 * pairs[i / 2] + static_cast<std::int64_t>(i % 2);
      const bool is_there = static_cast<std::int64_t>(i) < 2 * count && j < m_data.dimension;
      coordinates[i] = is_there ? j : 0;
      wanted[i] = is_there && !(m_data.floors[coordinates[i]] > m_guess);
    }
    Kokkos::Array<DerivativeBounds, size> bounds;
    if constexpr (width == 1) {
      m_screen.bracket(m_start, pairs[0], wanted, bounds);
    } else {
      m_screen.bracket(m_start, pairs, 2 * q, bounds);
    }
    double* const least = m_min + 2 * q % groups;
    ListedCoordinate listed[size];
    std::int64_t found = 0;
    for (std::size_t i = 0; i < size; ++i) {
      if (!wanted[i]) continue;
      const double amount = m_data.vertices.amount(coordinates[i]);
      const double upper = amount * bounds[i].upper, lower = amount * bounds[i].lower;
      least[i] = upper < least[i] ? upper : least[i];
      const double partial = bounds[i].lower == bounds[i].upper ? bounds[i].lower : math::impl::quiet_nan;
      listed[found] = {lower, coordinates[i], 2 * q + static_cast<std::int64_t>(i), partial};
      found += lower > m_guess ? 0 : 1;  // NaN is listed, too
    }
    list(listed, found);
  }

  KOKKOS_FUNCTION void list(const ListedCoordinate* listed, std::int64_t count) const {
    if (count == 0) return;
    const std::int32_t at =
        Kokkos::atomic_fetch_add(&m_data.states[m_start.repetition].listed, static_cast<std::int32_t>(count));
    ListedCoordinate* const all = m_data.listed_of(m_start.repetition);
    for (std::int64_t i = 0; i < count; ++i) all[at + i] = listed[i];
  }

  const Screen& m_screen;
  const ScreeningData& m_data;
  const WindowStart& m_start;
  double m_guess;
  double m_min[groups];  // least upper bound per group of coordinates
};

}  // namespace sporos::impl
