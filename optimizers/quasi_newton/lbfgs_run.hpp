// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/tool_region.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/linear_algebra/vector_operations.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/optimizers/quasi_newton/correction_pairs.hpp>
#include <sporos/optimizers/quasi_newton/line_search.hpp>
#include <sporos/optimizers/quasi_newton/options.hpp>
#include <sporos/optimizers/quasi_newton/result.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>
#include <sporos/optimizers/stopping.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace sporos::impl {

/// One run of lbfgs; it takes the checked arguments of that function.
template <class Problem>
class LbfgsRun {
 public:
  /// Stores the arguments; draws no random numbers.
  LbfgsRun(Problem& problem, const QuasiNewtonState& state, const LbfgsOptions& options,
           const QuasiNewtonCallback& callback);

  /// Runs to the end and returns the result.
  QuasiNewtonResult run();

 private:
  using Space = typename Problem::execution_space;
  using Stop = std::optional<StoppedBy>;

  const Space& space() const { return m_problem.execution(); }
  bool is_recorded() const {
    return !m_result.trajectory.empty() && m_result.trajectory.back().iteration == m_state.iteration;
  }
  bool has_time_limit() const { return std::isfinite(m_options.time_limit); }
  bool is_due() const { return m_options.record_interval > 0 && m_state.iteration % m_options.record_interval == 0; }

  Stop begin();
  Stop record();
  Stop look();
  Stop iterate();
  bool search_line();
  void accept(const LinePoint& found);
  QuasiNewtonCounts counts() const { return added(m_state.counts, m_pairs.counts()); }
  QuasiNewtonResult finish(StoppedBy reason);

  Problem& m_problem;
  QuasiNewtonState m_state;  // its vectors are current only at the start and at the end
  const LbfgsOptions& m_options;
  const QuasiNewtonCallback& m_callback;

  CorrectionPairs<Space> m_pairs;
  Vector<Space> m_x, m_gradient;                // current point
  Vector<Space> m_trial, m_trial_gradient;      // trial point of the line search
  Vector<Space> m_direction;                    // H g; the move is along its negative
  Vector<Space> m_s, m_y;                       // correction pair
  double m_objective = 0, m_gradient_norm = 0;  // at x
  bool m_saw_not_finite = false;                // whether the last trial was not finite
  QuasiNewtonResult m_result;
  Kokkos::Timer m_timer;
};

template <class Problem>
LbfgsRun<Problem>::LbfgsRun(Problem& problem, const QuasiNewtonState& state, const LbfgsOptions& options,
                            const QuasiNewtonCallback& callback)
    : m_problem(problem),
      m_state(state),
      m_options(options),
      m_callback(callback),
      m_pairs(problem.dimension(), options.pairs),
      m_x(to_device<Space>(space(), state.solution)),
      m_gradient(Kokkos::view_alloc(space(), "sporos::quasi_newton::gradient"), m_x.extent(0)),
      m_trial(Kokkos::view_alloc(space(), "sporos::quasi_newton::trial"), m_x.extent(0)),
      m_trial_gradient(Kokkos::view_alloc(space(), "sporos::quasi_newton::trial_gradient"), m_x.extent(0)),
      m_direction(Kokkos::view_alloc(space(), "sporos::quasi_newton::direction"), m_x.extent(0)),
      m_s(Kokkos::view_alloc(space(), "sporos::quasi_newton::s"), m_x.extent(0)),
      m_y(Kokkos::view_alloc(space(), "sporos::quasi_newton::y"), m_x.extent(0)) {
  m_pairs.restore(space(), state.pairs);
}

template <class Problem>
QuasiNewtonResult LbfgsRun<Problem>::run() {
  if (const Stop stop = begin()) return finish(*stop);
  while (true) {
    if (const Stop stop = look()) return finish(*stop);
    if (const Stop stop = iterate()) return finish(*stop);
  }
}

template <class Problem>
std::optional<StoppedBy> LbfgsRun<Problem>::begin() {
  m_problem.draw(SampleRange{m_options.seed, 0, m_options.sample_size});
  m_objective = objective_and_gradient(m_problem, ConstVector<Space>(m_x), m_gradient);
  m_gradient_norm = norm<Space>(space(), m_gradient);
  if (!std::isfinite(m_objective) || !std::isfinite(m_gradient_norm)) return StoppedBy::not_finite;
  return {};
}

template <class Problem>
std::optional<StoppedBy> LbfgsRun<Problem>::record() {
  m_result.trajectory.push_back(
      {m_state.iteration, m_objective, m_gradient_norm, m_state.step, m_timer.seconds(), counts()});
  const auto wanted = m_callback ? m_callback(m_result.trajectory.back()) : Continuation::go_on;
  if (agreed(processes_of(m_problem), wanted) != Continuation::go_on) return StoppedBy::callback;
  return {};
}

// Records the point x, if due, and checks the stopping criteria before an iteration.
template <class Problem>
std::optional<StoppedBy> LbfgsRun<Problem>::look() {
  if (is_due()) {
    if (const Stop stop = record()) return stop;
  }
  if (m_gradient_norm <= m_options.gradient_tolerance) return StoppedBy::gradient;
  if (m_state.iteration >= m_options.iterations) return StoppedBy::iterations;
  if (has_time_limit() && greatest(processes_of(m_problem), m_timer.seconds()) >= m_options.time_limit) {
    return StoppedBy::time_limit;
  }
  return {};
}

// Runs one iteration. If the line search fails along −H g, all pairs are dropped and it searches along −g.
template <class Problem>
std::optional<StoppedBy> LbfgsRun<Problem>::iterate() {
  const ToolRegion region("sporos::lbfgs::iteration");
  if (search_line()) return {};
  if (m_pairs.size() > 0) {
    m_pairs.clear();
    if (search_line()) return {};
  }
  return m_saw_not_finite ? StoppedBy::not_finite : StoppedBy::line_search;
}

template <class Problem>
bool LbfgsRun<Problem>::search_line() {
  m_pairs.multiply(space(), m_gradient, m_direction);
  const LinePoint start{0, m_objective, -dot<Space>(space(), m_gradient, m_direction)};
  if (!(start.slope < 0)) return false;
  auto line = [this](double step) {
    set_moved<Space>(space(), m_trial, m_x, -step, m_direction);
    LinePoint point{step, objective_and_gradient(m_problem, ConstVector<Space>(m_trial), m_trial_gradient), 0};
    point.slope = -dot<Space>(space(), m_trial_gradient, m_direction);
    m_saw_not_finite = !std::isfinite(point.objective) || !std::isfinite(point.slope);
    return point;
  };
  WolfeSearch search(line, start, m_options.line_search);
  const double first = m_pairs.size() > 0 ? 1.0 : 1 / m_gradient_norm;
  const std::optional<LinePoint> found = search(first);
  m_state.counts.gradients += search.evaluations();
  if (found) accept(*found);
  return found.has_value();
}

template <class Problem>
void LbfgsRun<Problem>::accept(const LinePoint& found) {
  set_moved<Space>(space(), m_s, m_trial, -1, m_x);
  set_moved<Space>(space(), m_y, m_trial_gradient, -1, m_gradient);
  m_pairs.add(space(), m_s, m_y);
  std::swap(m_x, m_trial);
  std::swap(m_gradient, m_trial_gradient);
  m_objective = found.objective;
  m_gradient_norm = norm<Space>(space(), m_gradient);
  m_state.step = found.step;
  ++m_state.iteration;
}

template <class Problem>
QuasiNewtonResult LbfgsRun<Problem>::finish(StoppedBy reason) {
  m_result.stopped_by = reason;
  if (std::isfinite(m_objective) && !is_recorded() && m_options.record_interval > 0) record();
  m_state.counts = counts();
  m_state.solution = to_host<Space>(space(), m_x);
  m_state.pairs = m_pairs.to_host();
  return ended(std::move(m_result), std::move(m_state));
}

}  // namespace sporos::impl
