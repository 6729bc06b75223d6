// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/core/linear_algebra/least.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/optimizers/frank_wolfe/screening.hpp>
#include <sporos/optimizers/frank_wolfe/screening_data.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>

namespace sporos::impl {

/// Whether each derivative depends on its own coordinate alone, and lanes find it at many places at once: see
/// ProblemScreen.
template <class Screen>
concept HasOwnPartials = requires(const Screen& screen, const Candidate& candidate, const SampleRange& sample,
                                  double& x) {
  { screen.is_certain(candidate, sample, x, x) } -> std::same_as<bool>;
  { screen.partial_at(candidate, sample, x) } -> std::same_as<double>;
};

/// The iterations of a window where each derivative depends on its own coordinate alone. Until a step goes towards a
/// candidate, its coordinate is known ahead, and so are its keys: lane i of a thread finds that of iteration i.
template <class Screen>
class CandidateKeys {
 public:
  /// Of `count` candidates, with columns in scratch memory and the keys behind them.
  KOKKOS_FUNCTION CandidateKeys(const Screen& screen, const ScreeningData& data, const WindowStart& start,
                                const WindowScratch& scratch, std::int64_t count)
      : m_screen(screen),
        m_data(data),
        m_start(start),
        m_scratch(scratch),
        m_window(data.window_of(start)),
        m_rows(data.rows_ahead),
        m_count(static_cast<int>(count)),
        m_keys(reinterpret_cast<std::uint64_t*>(scratch.columns + m_rows * m_count)),
        m_iterations(static_cast<int>(start.iterations)),
        m_terms_of_lane(m_window.terms(lane_index())),
        m_inverse_terms(1 / m_terms_of_lane) {}

  /// Loads candidate c and finds its keys, by a thread.
  KOKKOS_FUNCTION void load(int c) const {
    const std::int64_t j = m_scratch.coordinates[c];
    const double x = m_start.x[j];
    m_screen.load_ahead(m_start, Candidate{j, x, m_scratch.columns + c * m_rows, 1});
    if (lane_index() == 0) {
      m_scratch.x[c] = x;
      m_scratch.amounts[c] = m_data.vertices.amount(j);
    }
    sync_warp();
    find_keys(c, x, 0, left_after(0));
  }

  /// Takes the iterations, by one thread, once all candidates are loaded.
  KOKKOS_FUNCTION void iterate() const {
    const int lane = lane_index();
    const bool is_one = lane < m_count;
    const double amount = is_one ? m_scratch.amounts[lane] : 0, step_of_lane = m_window.step(lane);
    double x = is_one ? m_scratch.x[lane] : 0;
    SPOROS_NOT_UNROLLED
    for (int i = 0; i < m_iterations; ++i) {
      const double gamma = shuffle(step_of_lane, i), left = left_after(i + 1);
      const double shrunk = (1 - gamma) * x, moved = shrunk + gamma * amount;
      std::uint32_t key = 0;
      const int winner = first_in(i, key);
      const bool to_origin = winner < 0 || (m_data.vertices.has_origin && key >= upper_half_of_zero);
      double there = 0;
      x = shrunk;
      if (!to_origin) {
        there = winner < lane_count() ? shuffle(moved, winner) : moved_towards(winner, gamma);
        if (key <= upper_half_of_none) there = math::impl::quiet_nan;
        if (lane == winner) x = there;
        find_keys(winner, there, i + 1, left);
      }
      SPOROS_NOT_UNROLLED
      for (int c = lane + lane_count(); c < m_count; c += lane_count()) {
        m_scratch.x[c] = !to_origin && c == winner ? there : (1 - gamma) * m_scratch.x[c];
      }
      sync_warp();
    }
    if (is_one) m_scratch.x[lane] = x;
  }

 private:
  // Upper halves of the keys of +0, and of a derivative that is no number, which comes first for all to see.
  static constexpr auto upper_half_of_zero = static_cast<std::uint32_t>(math::impl::ordered_bits(0.0) >> 32);
  static constexpr auto upper_half_of_none =
      static_cast<std::uint32_t>(math::impl::ordered_bits(-Located{}.value) >> 32);

  // What is left of a coordinate of iteration i in the iteration of each lane.
  KOKKOS_FORCEINLINE_FUNCTION double left_after(int i) const {
    const double terms = shuffle(m_terms_of_lane, i < lane_count() ? i : 0);
    return lane_index() <= i ? 1 : terms * m_inverse_terms;
  }

  KOKKOS_FORCEINLINE_FUNCTION double moved_towards(int c, double gamma) const {
    return (1 - gamma) * m_scratch.x[c] + gamma * m_scratch.amounts[c];
  }

  // Those of candidate c in iteration i and later ones, where its coordinate is x in iteration i.
  KOKKOS_FORCEINLINE_FUNCTION void find_keys(int c, double x, int i, double left) const {
    const Candidate of{m_scratch.coordinates[c], x, m_scratch.columns + c * m_rows, 1};
    const int lane = lane_index();
    const double amount = m_scratch.amounts[c];
    double partial = 0;
    const bool is_wanted = lane >= i && lane < m_iterations;
    const bool is_certain = m_screen.is_certain(of, m_start.sample, x * left, partial) || !is_wanted;
    if (!is_certain) {  // by the coordinate itself, step after step
      double there = x;
      for (int k = i; k < lane; ++k) there = (1 - m_window.step(k)) * there;
      partial = m_screen.partial_at(of, m_start.sample, there);
    }
    const double key = amount * partial;
    if (is_wanted) m_keys[lane * m_count + c] = key_of(key == key ? key : -Located{}.value);
  }

  // The candidate with the least key in iteration i, and that key's upper half; −1 where there is none.
  KOKKOS_FORCEINLINE_FUNCTION int first_in(int i, std::uint32_t& upper_half) const {
    int c = lane_index();
    const bool is_one = c < m_count;
    std::uint64_t key = is_one ? m_keys[i * m_count + c] : ~std::uint64_t{0};
    SPOROS_NOT_UNROLLED
    for (int d = c + lane_count(); d < m_count; d += lane_count()) {
      const std::uint64_t other = m_keys[i * m_count + d];
      if (other > key || (other == key && m_scratch.coordinates[c] < m_scratch.coordinates[d])) continue;
      key = other;
      c = d;
    }
    const int lane = lane_of_least(key, is_one ? m_scratch.coordinates[c] : Located{}.index, upper_half);
    if (m_count <= lane_count()) return m_count > 0 ? lane : -1;
    return shuffle(c, lane);
  }

  const Screen& m_screen;
  const ScreeningData& m_data;
  const WindowStart& m_start;
  const WindowScratch& m_scratch;
  ScreeningWindow m_window;
  int m_rows, m_count;
  std::uint64_t* m_keys;
  int m_iterations;
  double m_terms_of_lane, m_inverse_terms;
};

}  // namespace sporos::impl
