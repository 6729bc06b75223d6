// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/optimizers/frank_wolfe/options.hpp>
#include <sporos/optimizers/frank_wolfe/regions/budget.hpp>
#include <sporos/optimizers/frank_wolfe/result.hpp>
#include <sporos/optimizers/frank_wolfe/screened_epochs.hpp>
#include <sporos/optimizers/frank_wolfe/screening.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace sporos::impl {

/// Whether a run with these options moves towards vertices by steps known in advance and evaluates nothing on the way.
inline bool has_known_steps(const FrankWolfeOptions& options) {
  const bool is_known = options.step_rule == StepRule::open_loop || options.step_rule == StepRule::restarting;
  const bool looks_at_gaps = options.gap_tolerance > 0 && options.gap.batches == 0;
  return options.variant == FrankWolfeVariant::vanilla && is_known && !options.momentum && !looks_at_gaps;
}

/// Runs the epochs of a run by screening if that is possible; otherwise it converts to false and does nothing.
template <class Problem, class Region>
class ScreenedRun {
 public:
  template <class X>
  ScreenedRun(const Problem&, const Region&, const X&, const FrankWolfeState& state, const FrankWolfeOptions&)
      : m_window(state.window) {}

  explicit operator bool() const { return false; }
  void run(const std::vector<SampleIterations>&) {}
  template <class X>
  void keep(const X&, const FrankWolfeState&) {}
  template <class X>
  void take_back(const X&, FrankWolfeState&) {}
  std::int64_t window() const { return m_window; }

 private:
  std::int64_t m_window;
};

template <ScreenableProblem Problem>
class ScreenedRun<Problem, Budget<typename Problem::execution_space>> {
  using Space = typename Problem::execution_space;
  using Screen = std::remove_cvref_t<decltype(*std::declval<const Problem&>().screen(1))>;

 public:
  /// Works on `x` in place.
  ScreenedRun(const Problem& problem, const Budget<Space>& region, const Vector<Space>& x, const FrankWolfeState& state,
              const FrankWolfeOptions& options)
      : m_space(problem.execution()), m_window(state.window) {
    if (!options.screening || !has_known_steps(options)) return;
    if (auto screen = problem.screen(1)) {
      const Kokkos::View<std::uint64_t*, typename Space::memory_space> seeds(
          Kokkos::view_alloc(m_space, "sporos::frank_wolfe::seed"), 1);
      Kokkos::deep_copy(m_space, seeds, options.seed);
      m_epochs.emplace(m_space, std::move(*screen), region, Iterates<Space>(x.data(), 1, x.extent(0)), seeds);
      m_epochs->set_window(m_window);
      m_good = Vector<Space>(Kokkos::view_alloc(m_space, "sporos::frank_wolfe::good"), x.extent(0));
      keep(x, state);
    }
  }

  explicit operator bool() const { return m_epochs.has_value(); }

  void run(const std::vector<SampleIterations>& parts) {
    m_epochs->run(parts);
    m_window = m_epochs->window();
  }

  /// Stores the point and state, at which everything was finite.
  void keep(const Vector<Space>& x, const FrankWolfeState& state) {
    if (!m_epochs) return;
    copy_elements(m_space, m_good, x);
    m_good_place = {state.epoch, state.iteration, state.replications, m_window};
  }

  /// Restores the last stored point and state, at which everything was finite.
  void take_back(const Vector<Space>& x, FrankWolfeState& state) {
    if (!m_epochs) return;
    copy_elements(m_space, x, m_good);
    state.epoch = m_good_place.epoch;
    state.iteration = m_good_place.iteration;
    state.replications = m_good_place.replications;
    m_window = m_good_place.window;
  }

  std::int64_t window() const { return m_window; }

 private:
  struct Place {
    std::int64_t epoch, iteration;
    std::uint64_t replications;
    std::int64_t window;
  };

  Space m_space;
  std::int64_t m_window;
  std::optional<ScreenedEpochs<Screen>> m_epochs;
  Vector<Space> m_good;
  Place m_good_place{};
};

}  // namespace sporos::impl
