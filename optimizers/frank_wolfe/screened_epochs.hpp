// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/team_policy.hpp>
#include <sporos/core/linear_algebra/select.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/optimizers/frank_wolfe/regions/budget.hpp>
#include <sporos/optimizers/frank_wolfe/screened_epochs_kernels.hpp>
#include <sporos/optimizers/frank_wolfe/screening.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace sporos {

/// Runs epochs of Frank–Wolfe with known steps over a budget for one or several repetitions.
template <ProblemScreen Screen>
class ScreenedEpochs {
 public:
  using execution_space = typename Screen::execution_space;     ///< where it runs
  using memory_space = typename execution_space::memory_space;  ///< where the iterates lie

  /// For iterates that `x` holds, each repetition under a seed of its own.
  ScreenedEpochs(const execution_space& space, Screen screen, const Budget<execution_space>& region,
                 const Iterates<execution_space>& x, const Kokkos::View<std::uint64_t*, memory_space>& seeds);

  /// Takes `iterations` steps 2 / (first + i + 2) on this sample. `first` counts over all epochs, or starts anew in
  /// each.
  void run(const SampleRange& sample, std::int64_t first, std::int64_t iterations);

  /// Iterations that the next look at all coordinates will be for: part of the state of a run.
  std::int64_t window() const { return m_window; }
  /// Goes on with a window, as the one before left it.
  void set_window(std::int64_t iterations) { m_window = iterations; }

 private:
  std::int64_t repetitions() const { return static_cast<std::int64_t>(m_x.extent(0)); }
  std::int64_t dimension() const { return static_cast<std::int64_t>(m_x.extent(1)); }
  Kokkos::RangePolicy<execution_space, Kokkos::IndexType<std::int64_t>> range(std::int64_t size) const {
    return {m_space, 0, size};
  }

 public:
  /// The launches of a window, one after the other; public only because nvcc wants it of what holds kernels.
  void find_thresholds(const ScreeningWindow& window);
  /// The second.
  void select_candidates();
  /// The third.
  void iterate(const ScreeningWindow& window);

 private:
  void adapt_window(std::int64_t iterations_left_after);

  static constexpr std::int64_t most_groups = 1024;

  execution_space m_space;
  Screen m_screen;
  AxisVertices<execution_space> m_vertices;
  Iterates<execution_space> m_x;
  Kokkos::View<std::uint64_t*, memory_space> m_seeds;
  Iterates<execution_space> m_bounds;
  Vector<execution_space> m_thresholds;
  Candidates<execution_space> m_candidates;
  std::int64_t m_window = 1;
};

template <ProblemScreen Screen>
ScreenedEpochs<Screen>::ScreenedEpochs(const execution_space& space, Screen screen,
                                       const Budget<execution_space>& region, const Iterates<execution_space>& x,
                                       const Kokkos::View<std::uint64_t*, memory_space>& seeds)
    : m_space(space),
      m_screen(std::move(screen)),
      m_vertices{region.limit(), region.costs(), !region.must_be_met()},
      m_x(x),
      m_seeds(seeds) {
  m_bounds =
      Iterates<execution_space>("sporos::frank_wolfe::group_bounds", repetitions(), std::min(dimension(), most_groups));
  m_thresholds = Vector<execution_space>("sporos::frank_wolfe::thresholds", repetitions());
  const auto coordinates = static_cast<std::size_t>(repetitions() * dimension());
  m_candidates.places = decltype(m_candidates.places)("sporos::frank_wolfe::candidate_places", coordinates);
  m_candidates.offsets = decltype(m_candidates.offsets)("sporos::frank_wolfe::candidate_offsets", repetitions() + 1);
}

template <ProblemScreen Screen>
void ScreenedEpochs<Screen>::run(const SampleRange& sample, std::int64_t first, std::int64_t iterations) {
  for (std::int64_t done = 0; done < iterations;) {
    const ScreeningWindow window{first + done, std::min(m_window, iterations - done)};
    m_screen.bracket(m_x, m_seeds, sample, window, m_vertices);
    find_thresholds(window);
    select_candidates();
    m_screen.load(m_seeds, sample, m_candidates);
    iterate(window);
    done += window.iterations;
    adapt_window(iterations);
  }
}

template <ProblemScreen Screen>
void ScreenedEpochs<Screen>::find_thresholds(const ScreeningWindow& window) {
  const auto screen = m_screen.on_device();
  const std::int64_t witnesses = m_screen.witnesses(window.iterations);
  // Of 4 w random groups' least bounds the w-th is hardly above the w-th of all bounds. A device wants more threads.
  const std::int64_t wanted = runs_on_host<execution_space> ? 4 * witnesses : most_groups;
  const std::int64_t groups = std::min({dimension(), wanted, most_groups});
  Kokkos::parallel_for(
      "sporos::frank_wolfe::group_bounds", range(repetitions() * groups),
      impl::GroupBounder<execution_space, decltype(screen)>{screen, m_vertices, m_bounds, dimension(), groups});
  Kokkos::parallel_for(
      "sporos::frank_wolfe::thresholds", team_policy(m_space, repetitions()),
      impl::ThresholdFinder<execution_space>{m_bounds, m_thresholds, groups, witnesses, m_vertices.has_origin});
}

template <ProblemScreen Screen>
void ScreenedEpochs<Screen>::select_candidates() {
  const auto screen = m_screen.on_device();
  auto& [places, offsets, x, amounts, count] = m_candidates;
  count = select_indices(
      m_space, repetitions() * dimension(),
      impl::CandidateTest<execution_space, decltype(screen)>{screen, m_vertices, m_thresholds, dimension()}, places);
  Kokkos::parallel_for("sporos::frank_wolfe::candidate_offsets", range(repetitions() + 1),
                       impl::RowCutter<decltype(m_candidates.places), decltype(m_candidates.offsets)>{
                           m_candidates.places, m_candidates.offsets, count, dimension()});
  if (static_cast<std::int64_t>(x.extent(0)) < count) {
    for (Vector<execution_space>* of : {&x, &amounts}) {
      *of = Vector<execution_space>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::frank_wolfe::candidates"),
                                    static_cast<std::size_t>(2 * count));
    }
  }
}

template <ProblemScreen Screen>
void ScreenedEpochs<Screen>::iterate(const ScreeningWindow& window) {
  const auto screen = m_screen.on_device();
  Kokkos::parallel_for("sporos::frank_wolfe::take_candidates", range(m_candidates.count),
                       impl::CandidateTaker<execution_space>{m_x, m_vertices, m_candidates});
  Kokkos::parallel_for("sporos::frank_wolfe::iterate", team_policy(m_space, repetitions()),
                       impl::WindowRunner<execution_space, std::remove_cv_t<decltype(screen)>>{screen, m_vertices,
                                                                                               m_candidates, window});
  Kokkos::parallel_for("sporos::frank_wolfe::shrink", range(repetitions() * dimension()),
                       impl::Shrinker<execution_space>{m_x, window.shrinkage(window.iterations)});
  Kokkos::parallel_for("sporos::frank_wolfe::put_candidates", range(m_candidates.count),
                       impl::CandidateReturner<execution_space>{m_x, m_candidates});
}

// In candidates in an iteration, a look at all coordinates costs about 2 for each, and its launches 1000 (2 of 2.6 GHz
// cores, 25 replications).
template <ProblemScreen Screen>
void ScreenedEpochs<Screen>::adapt_window(std::int64_t most) {
  const std::int64_t look = 2 * repetitions() * dimension() + 1000, work = m_candidates.count * m_window;
  if (work > look) m_window = std::max<std::int64_t>(m_window / 2, 1);
  if (4 * work < look) m_window = std::min(2 * m_window, most);
}

}  // namespace sporos
