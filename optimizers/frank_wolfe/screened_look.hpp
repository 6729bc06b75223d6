// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/optimizers/frank_wolfe/candidate_lanes.hpp>
#include <sporos/optimizers/frank_wolfe/screened_blocks.hpp>
#include <sporos/optimizers/frank_wolfe/screening.hpp>
#include <sporos/optimizers/frank_wolfe/screening_data.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::impl {

/// A look at all coordinates that the oracle may select in a window, distributed over threads.
template <class ExecutionSpace, class Screen>
class ScreenedLook {
 public:
  /// Whether coordinates shrink during the look, in one launch, so that no thread waits for all of them.
  static constexpr bool shrinks = !Screen::sums_holdings && !runs_on_host<ExecutionSpace>;

  /// Prepares the look for the repetition's current window.
  KOKKOS_FUNCTION ScreenedLook(const Screen& screen, const ScreeningData& data, const WindowStart& start,
                               const LookNotes& notes)
      : m_screen(screen),
        m_data(data),
        m_start(start),
        m_notes(notes),
        m_x(data.x + start.repetition * data.dimension) {
    const RepetitionState& state = data.states[start.repetition];
    m_guess = state.guess;
    m_shrinkage = state.shrinkage;
    m_looked_at = state.looked_at;
    m_lists = state.has_guess != 0;
  }

  /// Looks at the share of thread number `thread` out of `threads`.
  KOKKOS_FUNCTION void run(std::int64_t thread, std::int64_t threads) const {
    // A host looks at several pairs at once in vector registers.
    if constexpr (runs_on_host<ExecutionSpace>) {
      BlockLook<Screen>(m_screen, m_data, m_start).run(thread, threads);
    } else {
      std::int64_t first = 0;
      if constexpr (HasStepwisePartials<Screen>) {
        first = buffered_pairs();
        look_at_places<true>(0, 2 * first, thread, threads);
        // With many pairs per thread each lane takes one coordinate and repeats its neighbour's draws; with few a
        // thread takes a pair.
        if (m_screen.draws_by_lanes((m_looked_at - first + threads - 1) / threads, m_start.sample.size)) {
          look_at_places<false>(2 * first, 2 * m_looked_at, thread, threads);
          first = m_looked_at;
        }
      }
      for (std::int64_t q = first + thread; q < m_looked_at; q += threads) {
        if constexpr (shrinks) shrink(2 * q, 2 * q + 2, 0, 1);
        look_at_pair(q);
      }
      if constexpr (shrinks) shrink(2 * m_looked_at, 2 * m_data.pair_count, thread, threads);
    }
  }

  /// Looks at all coordinates except those that a window has taken; all samples for it must be pre-generated.
  KOKKOS_FUNCTION void run_buffered(std::int64_t thread,
                                    std::int64_t threads) const requires HasStepwisePartials<Screen> {
    look_at_places<true>(0, 2 * m_looked_at, thread, threads);
    shrink(2 * m_looked_at, 2 * m_data.pair_count, thread, threads);
  }

  /// Looks at the coordinates that a window had taken, after it, at these positions in the coordinate order. Their
  /// floors are at most the guess, because it is at least the threshold that made them candidates. So their samples are
  /// pre-generated.
  KOKKOS_FUNCTION void run_at(const std::int64_t* coordinates, const std::int64_t* places, std::int64_t count,
                              std::int64_t thread, std::int64_t threads) const requires HasStepwisePartials<Screen> {
    for (std::int64_t i = thread * lane_count(); i < count; i += threads * lane_count()) {
      const std::int64_t c = i + lane_index() < count ? i + lane_index() : i;
      look_at_place<true>(places[c], coordinates[c], c == i + lane_index());
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t buffered_pairs() const {
    return m_screen.buffered_pairs() < m_looked_at ? m_screen.buffered_pairs() : m_looked_at;
  }

  // Looks at positions from `first`, which is even, to `end`; each lane takes its own.
  template <bool is_buffered>
  KOKKOS_FUNCTION void look_at_places(std::int64_t first, std::int64_t end, std::int64_t thread,
                                      std::int64_t threads) const {
    SPOROS_NOT_UNROLLED
    for (std::int64_t i = first + thread * lane_count(); i < end; i += threads * lane_count()) {
      const std::int64_t place = i + lane_index();
      const std::int64_t within = place < end ? place : end - 1;
      look_at_place<is_buffered>(within, 2 * m_data.pairs[within / 2] + within % 2, place < end);
    }
  }

  // Looks at coordinate j; each lane works for itself.
  template <bool is_buffered>
  KOKKOS_FUNCTION void look_at_place(std::int64_t place, std::int64_t j, bool is_one) const {
    is_one = is_one && j < m_data.dimension;
    if (j >= m_data.dimension) j = m_data.dimension - 1;
    const double before = m_x[j], floor = m_data.floors[j], cost = m_data.vertices.cost(j);
    const auto terms = m_screen.template terms_of<is_buffered>(j);
    sync_warp();  // loads everything at once, needed or not, before x changes
    is_one = is_one && before != ScreeningData::taken;
    const double moved = shrunk(before, m_shrinkage), amount = m_data.vertices.limit / cost;
    DerivativeBounds bounds;
    if constexpr (is_buffered) {
      m_screen.bracket_buffered(m_start, place, j, terms, moved, bounds);
    } else {
      m_screen.bracket_by_lanes(m_start, j, terms, moved, bounds);
    }
    if (is_one && before != 0) m_x[j] = moved;
    if (is_one && !(floor > m_guess)) note(place, j, amount, bounds);
  }

  KOKKOS_FUNCTION void look_at_pair(std::int64_t q) const {
    const std::int64_t pair = m_data.pairs[q];
    Kokkos::Array<bool, 2> wanted;
    for (int k = 0; k < 2; ++k) {
      const std::int64_t j = 2 * pair + k;
      wanted[k] = j < m_data.dimension && !(m_data.floors[j] > m_guess);
    }
    Kokkos::Array<DerivativeBounds, 2> bounds;
    m_screen.bracket(m_start, pair, wanted, bounds);
    // Each lane notes one coordinate, because atomic operations are slow.
    for (int k = lane_index(); k < 2; k += lane_count()) {
      const std::int64_t j = 2 * pair + k;
      if (!(k == 0 ? wanted[0] : wanted[1])) continue;
      note(2 * q + k, j, m_data.vertices.amount(j), k == 0 ? bounds[0] : bounds[1]);
    }
  }

  // Shrinks the coordinates of pairs `first` to `end` in their order, as the previous window requires.
  KOKKOS_FUNCTION void shrink(std::int64_t first, std::int64_t end, std::int64_t thread, std::int64_t threads) const {
    const std::int64_t step = threads * lane_count();
    for (std::int64_t i = first + thread * lane_count() + lane_index(); i < end; i += step) {
      const std::int64_t j = 2 * m_data.pairs[i / 2] + i % 2;
      if (j < m_data.dimension && m_x[j] != 0 && m_x[j] != ScreeningData::taken) m_x[j] = shrunk(m_x[j], m_shrinkage);
    }
    sync_warp();
  }

  // Notes the bounds of the coordinate at `place` in the coordinate order.
  KOKKOS_FUNCTION void note(std::int64_t place, std::int64_t j, double amount, const DerivativeBounds& bounds) const {
    const double upper = amount * bounds.upper, lower = amount * bounds.lower;
    if (upper == upper) lower_atomically(m_notes.bounds[place & (m_notes.groups - 1)], bound_key_of(upper));
    if (!m_lists || lower > m_guess) return;  // NaN is listed, too
    m_notes.list[Kokkos::atomic_fetch_add(m_notes.listed, 1)] = {lower, j, place, math::impl::quiet_nan};
  }

  const Screen& m_screen;
  const ScreeningData& m_data;
  const WindowStart& m_start;
  LookNotes m_notes;
  double* m_x;
  double m_guess, m_shrinkage;
  std::int64_t m_looked_at;
  bool m_lists;
};

}  // namespace sporos::impl
