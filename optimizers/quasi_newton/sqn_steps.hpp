// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/host_team.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/linear_algebra/vector_operations.hpp>
#include <sporos/optimizers/quasi_newton/options.hpp>
#include <sporos/optimizers/quasi_newton/result.hpp>
#include <sporos/optimizers/quasi_newton/sqn_pairs.hpp>
#include <sporos/optimizers/quasi_newton/sqn_samples.hpp>
#include <sporos/optimizers/quasi_newton/sqn_standing.hpp>
#include <sporos/optimizers/quasi_newton/threaded_iterations.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace sporos::impl {

/// Iterations of sqn, kernel by kernel, for any problem. On a host, the iterations between two pairs run in one kernel
/// if the problem permits it (see HostTeamProblem), with the same bits.
template <class SomeProblem>
class SqnSteps {
 public:
  using Problem = SomeProblem;                      ///< Type of the problem being solved.
  using Space = typename Problem::execution_space;  ///< Execution space of the vectors.

  /// Resumes a run from `state`.
  SqnSteps(Problem& problem, const QuasiNewtonState& state, const SqnOptions& options);

  /// Runs one iteration, or several until `last`. Returns whether x is finite, as far as it was checked.
  bool advance(std::int64_t last);

  /// Progress of the run.
  const SqnStanding& standing() const { return m_now; }
  /// Current point.
  const Vector<Space>& x() const { return m_x; }
  /// Counts of the work done.
  QuasiNewtonCounts counts() const { return added(m_now.counts, m_pairs.matrix().counts()); }

  /// Returns ∇f̂(x) over the sample on which a trajectory is evaluated; the problem has drawn that sample afterwards.
  Vector<Space> gradient();
  /// Stores the current point, which has proved finite.
  void keep();
  /// Restores the stored point.
  void take_back();
  /// State from which the run can resume.
  QuasiNewtonState state() const;

 private:
  const Space& space() const { return m_problem.execution(); }
  std::int64_t next_iteration() const { return m_now.iteration + 1; }
  bool is_first_phase() const {
    return next_iteration() <= (m_pairs.by_differences() ? 1 : 2) * m_options.pair_interval;
  }
  bool is_pair_due() const { return m_now.iteration % m_options.pair_interval == 0; }

  bool finish_iterations(std::int64_t count);
  bool end_interval();
  void ensure_drawn();
  void compute_gradient();
  ConstVector<Space> direction();
  double step_along(const ConstVector<Space>& d);
  double limited(double step, const ConstVector<Space>& d);
  bool search_line(const ConstVector<Space>& d, double& step);

  Problem& m_problem;
  const SqnOptions& m_options;
  SqnStanding m_now, m_good;
  SqnPairs<Problem> m_pairs;
  Vector<Space> m_x, m_gradient;  // m_gradient is over the next iteration's sample
  Vector<Space> m_direction;      // H g; the move is along its negative
  Vector<Space> m_product;        // ∇²f̂ d, or a gradient difference in its place
  Vector<Space> m_trial;          // trial point of a step
  Vector<Space> m_good_x;
  bool m_is_drawn = false;      // whether the problem has drawn the sample of the next iteration
  bool m_has_gradient = false;  // whether m_gradient is current
  HostTeam m_team;              // of ThreadedIterations
};

template <class Problem>
SqnSteps<Problem>::SqnSteps(Problem& problem, const QuasiNewtonState& state, const SqnOptions& options)
    : m_problem(problem),
      m_options(options),
      m_now(standing_of(state)),
      m_pairs(problem, state, options),
      m_x(to_device<Space>(space(), state.solution)),
      m_gradient(Kokkos::view_alloc(space(), "sporos::quasi_newton::gradient"), m_x.extent(0)),
      m_direction(Kokkos::view_alloc(space(), "sporos::quasi_newton::direction"), m_x.extent(0)),
      m_product(Kokkos::view_alloc(space(), "sporos::quasi_newton::product"), m_x.extent(0)),
      m_trial(Kokkos::view_alloc(space(), "sporos::quasi_newton::trial"), m_x.extent(0)),
      m_good_x(Kokkos::view_alloc(space(), "sporos::quasi_newton::good_x"), m_x.extent(0)) {
  keep();
}

template <class Problem>
bool SqnSteps<Problem>::advance(std::int64_t last) {
  if constexpr (HostTeamProblem<Problem>) {
    const ThreadedIterations<Problem> iterations(m_problem, m_options);
    const std::int64_t count = iterations.count(m_now, m_pairs, last);
    if (count > 0 && !m_has_gradient) {
      m_now.step = iterations.run(m_team, m_now.iteration, count, m_pairs, m_x, m_gradient, m_direction);
      return finish_iterations(count);
    }
  }
  compute_gradient();
  const ConstVector<Space> d = direction();
  if (m_options.step_rule == SqnStepRule::line_search) {
    if (!search_line(d, m_now.step)) return false;
  } else {
    m_now.step = step_along(d);
  }
  m_pairs.move(m_x, m_now.step, d);
  return finish_iterations(1);
}

template <class Problem>
bool SqnSteps<Problem>::finish_iterations(std::int64_t count) {
  m_now.counts.gradients += count;
  m_now.iteration += count;
  const bool is_good = !is_pair_due() || end_interval();
  m_is_drawn = m_has_gradient = false;
  return is_good;
}

template <class Problem>
bool SqnSteps<Problem>::end_interval() {
  if (!std::isfinite(norm<Space>(space(), m_x))) return false;
  if (m_pairs.end_interval(m_now.iteration, m_x, m_gradient, m_now.counts)) m_now.is_watched = true;
  keep();
  return true;
}

template <class Problem>
Vector<typename Problem::execution_space> SqnSteps<Problem>::gradient() {
  if (m_options.evaluation_size == 0) {
    compute_gradient();
    return m_gradient;
  }
  m_problem.draw(evaluation_sample(m_options));
  m_is_drawn = false;
  const Vector<Space> gradient = m_has_gradient ? m_product : m_gradient;
  m_problem.gradient(m_x, gradient);
  return gradient;
}

// Draws the iteration's sample again if evaluations or pairs have drawn other samples.
template <class Problem>
void SqnSteps<Problem>::ensure_drawn() {
  if (!m_is_drawn) m_problem.draw(gradient_sample(m_options, next_iteration()));
  m_is_drawn = true;
}

template <class Problem>
void SqnSteps<Problem>::compute_gradient() {
  if (m_has_gradient) return;
  ensure_drawn();
  m_problem.gradient(m_x, m_gradient);
  m_has_gradient = true;
}

template <class Problem>
ConstVector<typename Problem::execution_space> SqnSteps<Problem>::direction() {
  if (is_first_phase() || m_pairs.matrix().size() == 0) return m_gradient;
  m_pairs.matrix().multiply(space(), m_gradient, m_direction);
  return m_direction;
}

template <class Problem>
double SqnSteps<Problem>::step_along(const ConstVector<Space>& d) {
  const double by_rule = step_length(m_options, next_iteration());
  double step = by_rule;
  if (m_options.limit_steps && (is_first_phase() || m_now.is_watched)) {
    step = limited(step, d);
    m_now.is_watched = step < by_rule;
  }
  if (std::isfinite(m_options.longest_move)) {
    const double length = norm<Space>(space(), d);
    step = bounded_step(step, length, m_options.longest_move);
  }
  m_now.counts.limited_steps += step < by_rule;
  return step;
}

template <class Problem>
double SqnSteps<Problem>::limited(double step, const ConstVector<Space>& d) {
  ensure_drawn();
  if (m_pairs.by_differences()) {
    set_moved<Space>(space(), m_trial, m_x, -step, d);
    set_gradient_difference<Problem>(m_problem, m_trial, m_gradient, -step, m_product, m_now.counts);
  } else {
    set_hessian_product<Problem>(m_problem, m_x, d, m_product, m_now.counts);
  }
  const double slope = dot<Space>(space(), m_gradient, d), curvature = dot<Space>(space(), d, m_product);
  return limited_step(step, slope, curvature);
}

template <class Problem>
bool SqnSteps<Problem>::search_line(const ConstVector<Space>& d, double& step) {
  constexpr double share = 0.1;     // required fraction of the decrease that the slope predicts
  constexpr int max_halvings = 60;  // more would lead to x itself
  ensure_drawn();
  const double here = m_problem.objective(m_x), slope = dot<Space>(space(), m_gradient, d);
  if (!std::isfinite(here) || !std::isfinite(slope)) return false;
  step = step > 0 ? std::min(m_options.step, 2 * step) : m_options.step;
  for (int halving = 0; halving < max_halvings; ++halving, step /= 2) {
    set_moved<Space>(space(), m_trial, m_x, -step, d);
    if (m_problem.objective(m_trial) <= here - share * step * slope) break;
  }
  return true;
}

template <class Problem>
void SqnSteps<Problem>::keep() {
  copy_elements(space(), m_good_x, m_x);
  m_pairs.keep();
  m_good = m_now;
}

template <class Problem>
void SqnSteps<Problem>::take_back() {
  std::swap(m_x, m_good_x);
  m_pairs.take_back();
  m_now = m_good;
}

template <class Problem>
QuasiNewtonState SqnSteps<Problem>::state() const {
  QuasiNewtonState state = state_at(m_now, counts());
  state.solution = to_host<Space>(space(), m_x);
  m_pairs.save(state);
  return state;
}

}  // namespace sporos::impl
