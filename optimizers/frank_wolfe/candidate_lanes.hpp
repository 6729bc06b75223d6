// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/core/linear_algebra/least.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/optimizers/frank_wolfe/screening.hpp>
#include <sporos/optimizers/frank_wolfe/screening_data.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::impl {

/// Whether each derivative is a step function of its own coordinate (see ProblemScreen).
template <class Screen>
concept HasStepwisePartials = requires(const Screen& screen, double* column, double x, int surely) {
  screen.reached(column, x);
  screen.reached(column, x, surely);
  screen.partial_of(column, surely);
};

/// Runs the iterations of a window if each derivative is a step function of its own coordinate. Each lane of a thread
/// stores the keys of one or two candidates, and how far their coordinates may shrink before these keys change.
template <class Screen>
class CandidateLanes {
 public:
  static constexpr int max_of_lane = 2;  ///< Maximum number of candidates per lane.

  /// Takes `count` candidates with columns in scratch memory.
  KOKKOS_FUNCTION CandidateLanes(const Screen& screen, const ScreeningData& data, const WindowStart& start,
                                 const WindowScratch& scratch, std::int64_t count)
      : m_screen(screen),
        m_data(data),
        m_start(start),
        m_scratch(scratch),
        m_rows(data.buffered_rows),
        m_count(static_cast<int>(count)),
        m_reached(reinterpret_cast<int*>(scratch.columns + m_rows * m_count)) {}

  /// Loads all candidates; each thread loads some of them.
  KOKKOS_FUNCTION void load(int thread, int threads) const {
    SPOROS_NOT_UNROLLED
    for (int c = thread; c < m_count; c += threads) m_screen.draw(m_start, candidate(c));
    // Load two at a time to hide memory latency.
    SPOROS_NOT_UNROLLED
    for (int c = thread; c < m_count; c += 2 * threads) load_two(c, c + threads < m_count ? c + threads : c);
  }

  /// Runs the iterations on one thread, after all candidates are loaded.
  KOKKOS_FUNCTION void iterate() const {
    if (m_count <= lane_count()) return iterate_with<1>();
    iterate_with<max_of_lane>();
  }

 private:
  static constexpr std::int32_t always = 0x7fffffff;  // above the place of every coordinate

  // State of one of a lane's candidates.
  struct Own {
    int c;
    std::int64_t coordinate;
    double x, amount;
    std::uint64_t key;
    int surely;          // jumps of the derivative that x certainly reaches
    std::int32_t until;  // place of x down to which the key holds

    // Whether its key is lower or, with equal keys, its coordinate.
    KOKKOS_FORCEINLINE_FUNCTION bool comes_before(const Own& other) const {
      return key < other.key || (key == other.key && coordinate < other.coordinate);
    }
  };

  KOKKOS_FORCEINLINE_FUNCTION double* column_of(int c) const { return m_scratch.columns + c * m_rows; }

  KOKKOS_FORCEINLINE_FUNCTION Candidate candidate(int c) const {
    const std::int64_t j = m_scratch.coordinates[c];
    return {j, x_of_all()[j], column_of(c), 1, m_scratch.places[c]};
  }

  KOKKOS_FORCEINLINE_FUNCTION void load_two(int first, int second) const {
    const Candidate a = candidate(first), b = candidate(second);
    const double cost_a = m_data.vertices.cost(a.coordinate), cost_b = m_data.vertices.cost(b.coordinate);
    m_screen.load_buffered(m_start, a, b);
    take(first, a, cost_a);
    take(second, b, cost_b);
  }

  KOKKOS_FORCEINLINE_FUNCTION void take(int c, const Candidate& of, double cost) const {
    const int surely = m_screen.reached(of.column, of.x).surely;
    if (lane_index() != 0) return;
    m_scratch.x[c] = of.x;
    m_scratch.amounts[c] = m_data.vertices.limit / cost;
    m_reached[c] = surely;
    x_of_all()[of.coordinate] = ScreeningData::taken;
  }

  KOKKOS_FORCEINLINE_FUNCTION double* x_of_all() const { return m_data.x + m_start.repetition * m_data.dimension; }

  KOKKOS_FORCEINLINE_FUNCTION Own own(int c) const {
    constexpr std::uint64_t none = ~std::uint64_t{0};
    if (c < m_count)
      return {c, m_scratch.coordinates[c], m_scratch.x[c], m_scratch.amounts[c], none, m_reached[c], always};
    return {c, Located{}.index, 0, 0, none, 0, -always};
  }

  // Runs the iterations with `of_lane` candidates per lane.
  template <int of_lane>
  KOKKOS_FORCEINLINE_FUNCTION void iterate_with() const {
    static_assert(Screen::longest_window <= warp_lanes);
    const int lane = lane_index(), iterations = static_cast<int>(m_start.iterations);
    const double step_of_lane = m_data.window_of(m_start).step(lane);
    const std::uint32_t to_origin = m_data.vertices.has_origin ? upper_half_of_zero : ~std::uint32_t{0};
    Own owns[of_lane];
    for (int k = 0; k < of_lane; ++k) owns[k] = own(k * lane_count() + lane);
    double gamma = shuffle(step_of_lane, 0);
    SPOROS_NOT_UNROLLED
    for (int i = 0; i < iterations; ++i) {
      double moved[of_lane];
      int first = 0;
      for (int k = 0; k < of_lane; ++k) {
        if (m_screen.place_of(owns[k].x) < owns[k].until) settle(owns[k]);
        if (owns[k].comes_before(owns[first])) first = k;
      }
      std::uint32_t least = 0;
      const int lane_of_winner = lane_of_smallest(owns[first].key, owns[first].coordinate, least);
      for (int k = 0; k < of_lane; ++k) {
        const double shrunk = (1 - gamma) * owns[k].x;
        moved[k] = shrunk + gamma * owns[k].amount;
        owns[k].x = shrunk;
      }
      gamma = shuffle(step_of_lane, i + 1 < iterations ? i + 1 : 0);  // the result is not needed in this iteration
      if (least >= to_origin) continue;
      double x = moved[0];
      if constexpr (of_lane > 1) {
        first = shuffle(first, lane_of_winner);
        x = first == 0 ? moved[0] : moved[1];
      }
      x = shuffle(x, lane_of_winner);
      if (least <= upper_half_of_none) x = math::impl::quiet_nan;
      const Own winner = moved_to(x, first * lane_count() + lane_of_winner);
      for (int k = 0; k < of_lane; ++k) {
        const bool is_winner = lane == lane_of_winner && k == first;
        owns[k].x = is_winner ? x : owns[k].x;
        owns[k].key = is_winner ? winner.key : owns[k].key;
        owns[k].surely = is_winner ? winner.surely : owns[k].surely;
        owns[k].until = is_winner ? winner.until : owns[k].until;
      }
    }
    for (const Own& own : owns) {
      if (own.c < m_count) m_scratch.x[own.c] = own.x;
    }
  }

  // Recomputes the key at the coordinate, which has shrunk; each lane works for itself. If the coordinate is too close
  // to a jump, counts the jumps exactly in this and all later iterations.
  KOKKOS_FORCEINLINE_FUNCTION void settle(Own& own) const {
    const auto [surely, until, is_certain] = m_screen.reached(column_of(own.c), own.x, own.surely);
    own.surely = surely;
    own.until = is_certain ? until : always;
    own.key = key_at(own, is_certain ? surely : m_screen.count_reached(m_start.sample, own.coordinate, own.x));
  }

  // Returns the state of candidate c after a step towards it. All lanes work together.
  KOKKOS_FORCEINLINE_FUNCTION Own moved_to(double x, int c) const {
    const auto [surely, until, is_certain] = m_screen.reached(column_of(c), x);
    Own own{c, 0, x, m_scratch.amounts[c], 0, surely, is_certain ? until : always};
    own.key = key_at(own, surely);
    return own;
  }

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t key_at(const Own& own, int count) const {
    const double key = own.amount * m_screen.partial_of(column_of(own.c), count);
    return key_of(key == key ? key : -Located{}.value);
  }

  // Upper halves of the keys of +0 and of a NaN derivative. The latter comes first, so that the NaN propagates.
  static constexpr BoundKey upper_half_of_zero = bound_key_of(0.0);
  static constexpr BoundKey upper_half_of_none = bound_key_of(-Located{}.value);

  const Screen& m_screen;
  const ScreeningData& m_data;
  const WindowStart& m_start;
  const WindowScratch& m_scratch;
  int m_rows, m_count;
  int* m_reached;  // jumps reached, by candidate
};

}  // namespace sporos::impl
