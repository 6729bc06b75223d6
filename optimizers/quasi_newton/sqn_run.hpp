// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/optimizers/quasi_newton/options.hpp>
#include <sporos/optimizers/quasi_newton/result.hpp>
#include <sporos/optimizers/quasi_newton/sqn_pairs.hpp>
#include <sporos/optimizers/quasi_newton/sqn_samples.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sporos::impl {

/// One run of sqn, whose arguments it takes, checked.
template <class Problem>
class SqnRun {
 public:
  /// Draws nothing yet.
  SqnRun(Problem& problem, const QuasiNewtonState& state, const SqnOptions& options,
         const QuasiNewtonCallback& callback);

  /// All of it.
  QuasiNewtonResult run();

 private:
  using Space = typename Problem::execution_space;
  using Stop = std::optional<StoppedBy>;

  // A point that was seen to be good, to which a run goes back from one that is not.
  struct Good {
    Vector<Space> x;
    std::int64_t iteration;
    double step;
    QuasiNewtonCounts counts;
    bool is_watched;
  };

  const Space& space() const { return m_problem.execution(); }
  std::int64_t next_iteration() const { return m_state.iteration + 1; }
  bool is_first_phase() const {
    return next_iteration() <= (m_pairs.by_differences() ? 1 : 2) * m_options.pair_interval;
  }
  bool is_pair_due() const { return m_state.iteration % m_options.pair_interval == 0; }
  bool is_recorded() const {
    return !m_result.trajectory.empty() && m_result.trajectory.back().iteration == m_state.iteration;
  }
  bool is_due() const { return m_options.record_interval > 0 && m_state.iteration % m_options.record_interval == 0; }

  Stop record();
  Stop iterate();
  Stop end_interval();
  void ensure_drawn();
  void compute_gradient();
  ConstVector<Space> direction();
  double step_along(const ConstVector<Space>& d);
  double limited(double step, const ConstVector<Space>& d);
  Stop search_line(const ConstVector<Space>& d, double& step);
  void keep();
  void take_back();
  QuasiNewtonCounts counts() const { return added(m_state.counts, m_pairs.matrix().counts()); }
  QuasiNewtonResult finish(StoppedBy reason);

  Problem& m_problem;
  QuasiNewtonState m_state;  // its vectors only at the start and at the end
  const SqnOptions& m_options;
  const QuasiNewtonCallback& m_callback;

  SqnPairs<Problem> m_pairs;
  Vector<Space> m_x, m_gradient;  // the latter over the next iteration's sample, where it is current
  Vector<Space> m_direction;      // H g, without its sign
  Vector<Space> m_product;        // ∇²f̂ d, or what stands for it: a difference of gradients
  Vector<Space> m_trial;          // where a step might lead
  bool m_is_drawn = false;        // whether the problem's sample is that of the next iteration
  bool m_has_gradient = false;    // whether m_gradient is current
  Good m_good;
  QuasiNewtonResult m_result;
  Kokkos::Timer m_timer;
};

template <class Problem>
SqnRun<Problem>::SqnRun(Problem& problem, const QuasiNewtonState& state, const SqnOptions& options,
                        const QuasiNewtonCallback& callback)
    : m_problem(problem),
      m_state(state),
      m_options(options),
      m_callback(callback),
      m_pairs(problem, state, options),
      m_x(to_device<Space>(state.solution)),
      m_gradient("sporos::quasi_newton::gradient", m_x.extent(0)),
      m_direction("sporos::quasi_newton::direction", m_x.extent(0)),
      m_product("sporos::quasi_newton::product", m_x.extent(0)),
      m_trial("sporos::quasi_newton::trial", m_x.extent(0)) {
  m_good.x = Vector<Space>("sporos::quasi_newton::good_x", m_x.extent(0));
  keep();
}

template <class Problem>
QuasiNewtonResult SqnRun<Problem>::run() {
  while (m_state.iteration < m_options.iterations) {
    if (is_due()) {
      if (const Stop stop = record()) return finish(*stop);
    }
    if (std::isfinite(m_options.time_limit) && m_timer.seconds() >= m_options.time_limit) {
      return finish(StoppedBy::time);
    }
    if (const Stop stop = iterate()) return finish(*stop);
  }
  return finish(StoppedBy::iterations);
}

template <class Problem>
std::optional<StoppedBy> SqnRun<Problem>::record() {
  Vector<Space> gradient = m_gradient;
  if (m_options.evaluation_size > 0) {
    m_problem.draw(evaluation_sample(m_options));
    m_is_drawn = false;
    gradient = m_has_gradient ? m_product : m_gradient;
    m_problem.gradient(m_x, gradient);
  } else {
    compute_gradient();
  }
  const double objective = m_problem.objective(m_x), length = norm<Space>(space(), gradient);
  if (!std::isfinite(objective) || !std::isfinite(length)) return StoppedBy::not_finite;
  keep();
  m_result.trajectory.push_back({m_state.iteration, objective, length, m_state.step, m_timer.seconds(), counts()});
  if (m_callback && m_callback(m_result.trajectory.back()) == Continuation::stop) return StoppedBy::callback;
  if (m_options.gradient_tolerance > 0 && length <= m_options.gradient_tolerance) return StoppedBy::gradient;
  return {};
}

template <class Problem>
std::optional<StoppedBy> SqnRun<Problem>::iterate() {
  compute_gradient();
  const ConstVector<Space> d = direction();
  if (m_options.step_rule == SqnStepRule::line_search) {
    if (const Stop stop = search_line(d, m_state.step)) return stop;
  } else {
    m_state.step = step_along(d);
  }
  m_pairs.move(m_x, m_state.step, d);
  ++m_state.counts.gradients;
  ++m_state.iteration;
  const Stop stop = is_pair_due() ? end_interval() : Stop();
  m_is_drawn = m_has_gradient = false;
  return stop;
}

template <class Problem>
std::optional<StoppedBy> SqnRun<Problem>::end_interval() {
  if (!std::isfinite(norm<Space>(space(), m_x))) return StoppedBy::not_finite;
  if (m_pairs.end_interval(m_state.iteration, m_x, m_gradient, m_state.counts)) m_state.is_watched = true;
  keep();
  return {};
}

// Evaluations and pairs look at samples of their own.
template <class Problem>
void SqnRun<Problem>::ensure_drawn() {
  if (!m_is_drawn) m_problem.draw(gradient_sample(m_options, next_iteration()));
  m_is_drawn = true;
}

template <class Problem>
void SqnRun<Problem>::compute_gradient() {
  if (m_has_gradient) return;
  ensure_drawn();
  m_problem.gradient(m_x, m_gradient);
  m_has_gradient = true;
}

template <class Problem>
ConstVector<typename Problem::execution_space> SqnRun<Problem>::direction() {
  if (is_first_phase() || m_pairs.matrix().size() == 0) return m_gradient;
  m_pairs.matrix().multiply(space(), m_gradient, m_direction);
  return m_direction;
}

template <class Problem>
double SqnRun<Problem>::step_along(const ConstVector<Space>& d) {
  const double by_rule = step_length(m_options, next_iteration());
  double step = by_rule;
  if (m_options.limit_steps && (is_first_phase() || m_state.is_watched)) {
    step = limited(step, d);
    m_state.is_watched = step < by_rule;
  }
  if (std::isfinite(m_options.longest_move)) {
    const double length = norm<Space>(space(), d);
    if (step * length > m_options.longest_move) step = m_options.longest_move / length;
  }
  m_state.counts.limited_steps += step < by_rule;
  return step;
}

template <class Problem>
double SqnRun<Problem>::limited(double step, const ConstVector<Space>& d) {
  ensure_drawn();
  if (m_pairs.by_differences()) {
    set_moved<Space>(space(), m_trial, m_x, -step, d);
    set_gradient_difference<Problem>(m_problem, m_trial, m_gradient, -step, m_product, m_state.counts);
  } else {
    set_hessian_product<Problem>(m_problem, m_x, d, m_product, m_state.counts);
  }
  const double slope = dot<Space>(space(), m_gradient, d), curvature = dot<Space>(space(), d, m_product);
  return curvature * step > slope ? slope / curvature : step;
}

template <class Problem>
std::optional<StoppedBy> SqnRun<Problem>::search_line(const ConstVector<Space>& d, double& step) {
  constexpr double share = 0.1;      // of what the slope promises
  constexpr int most_halvings = 60;  // more lead to x itself
  ensure_drawn();
  const double here = m_problem.objective(m_x), slope = dot<Space>(space(), m_gradient, d);
  if (!std::isfinite(here) || !std::isfinite(slope)) return StoppedBy::not_finite;
  step = step > 0 ? std::min(m_options.step, 2 * step) : m_options.step;
  for (int halving = 0; halving < most_halvings; ++halving, step /= 2) {
    set_moved<Space>(space(), m_trial, m_x, -step, d);
    if (m_problem.objective(m_trial) <= here - share * step * slope) break;
  }
  return {};
}

template <class Problem>
void SqnRun<Problem>::keep() {
  Kokkos::deep_copy(space(), m_good.x, m_x);
  m_pairs.keep();
  m_good.iteration = m_state.iteration;
  m_good.step = m_state.step;
  m_good.counts = m_state.counts;
  m_good.is_watched = m_state.is_watched;
}

template <class Problem>
void SqnRun<Problem>::take_back() {
  std::swap(m_x, m_good.x);
  m_pairs.take_back();
  m_state.iteration = m_good.iteration;
  m_state.step = m_good.step;
  m_state.counts = m_good.counts;
  m_state.is_watched = m_good.is_watched;
}

template <class Problem>
QuasiNewtonResult SqnRun<Problem>::finish(StoppedBy reason) {
  m_result.stopped_by = reason;
  if (reason != StoppedBy::not_finite && !is_recorded() && m_options.record_interval > 0) {
    if (record() == StoppedBy::not_finite) m_result.stopped_by = StoppedBy::not_finite;
  }
  if (!std::isfinite(norm<Space>(space(), m_x))) m_result.stopped_by = StoppedBy::not_finite;
  if (m_result.stopped_by == StoppedBy::not_finite) take_back();
  m_state.counts = counts();
  m_state.solution = to_host<Space>(m_x);
  m_pairs.save(m_state);
  return ended(std::move(m_result), std::move(m_state));
}

}  // namespace sporos::impl
