// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/tool_region.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/linear_algebra/vector_operations.hpp>
#include <sporos/optimizers/quasi_newton/options.hpp>
#include <sporos/optimizers/quasi_newton/result.hpp>
#include <sporos/optimizers/quasi_newton/sqn_samples.hpp>
#include <sporos/optimizers/quasi_newton/sqn_standing.hpp>
#include <sporos/optimizers/stopping.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace sporos::impl {

/// One run of sqn; it takes the checked arguments of that function. `Steps` runs the iterations.
template <class Steps>
class SqnRun {
 public:
  using Problem = typename Steps::Problem;  ///< Type of the problem being solved.

  /// Stores the arguments; draws no random numbers.
  SqnRun(Problem& problem, const QuasiNewtonState& state, const SqnOptions& options,
         const QuasiNewtonCallback& callback, StopRequest stop_request = {})
      : m_problem(problem),
        m_options(options),
        m_callback(callback),
        m_stop_request(std::move(stop_request)),
        m_steps(problem, state, options) {}

  /// Runs to the end and returns the result.
  QuasiNewtonResult run();

 private:
  using Space = typename Problem::execution_space;
  using Stop = std::optional<StoppedBy>;

  static constexpr double long_enough = 0.1;  // seconds between two polls of the stop request

  std::int64_t iteration() const { return m_steps.standing().iteration; }
  bool is_recorded() const {
    return !m_result.trajectory.empty() && m_result.trajectory.back().iteration == iteration();
  }
  bool is_due() const { return m_options.record_interval > 0 && iteration() % m_options.record_interval == 0; }
  bool has_time_limit() const { return std::isfinite(m_options.time_limit); }

  bool is_time_over();
  std::int64_t next_look() const;
  Stop record();
  QuasiNewtonResult finish(StoppedBy reason);

  Problem& m_problem;
  const SqnOptions& m_options;
  const QuasiNewtonCallback& m_callback;
  StopRequest m_stop_request;
  Steps m_steps;
  QuasiNewtonResult m_result;
  bool m_is_slow = false;  // whether the last poll was long ago
  Kokkos::Timer m_timer;
};

template <class Steps>
QuasiNewtonResult SqnRun<Steps>::run() {
  while (iteration() < m_options.iterations) {
    if (is_due()) {
      if (const Stop stop = record()) return finish(*stop);
    }
    if (is_time_over()) return finish(StoppedBy::time_limit);
    if (m_stop_request && m_stop_request()) return finish(StoppedBy::callback);
    const ToolRegion region("sporos::sqn::iterations");
    const Kokkos::Timer timer;
    if (!m_steps.advance(next_look())) return finish(StoppedBy::not_finite);
    m_is_slow = timer.seconds() > long_enough;
  }
  return finish(StoppedBy::iterations);
}

// Several processes check the time limit only if a pair is due, because the message costs more than an iteration.
template <class Steps>
bool SqnRun<Steps>::is_time_over() {
  if (!has_time_limit()) return false;
  Processes& processes = processes_of(m_problem);
  if (processes.count() > 1 && iteration() % m_options.pair_interval != 0) return false;
  return greatest(processes, m_timer.seconds()) >= m_options.time_limit;
}

// Returns the iteration after which the host has to record, poll or check something.
template <class Steps>
std::int64_t SqnRun<Steps>::next_look() const {
  const auto next_multiple = [&](std::int64_t of) { return (iteration() / of + 1) * of; };
  std::int64_t next = m_options.iterations;
  if (m_options.record_interval > 0) next = std::min(next, next_multiple(m_options.record_interval));
  const bool is_waited_for = m_stop_request && m_is_slow;
  if (has_time_limit() || is_waited_for) next = std::min(next, next_multiple(m_options.pair_interval));
  return next;
}

template <class Steps>
std::optional<StoppedBy> SqnRun<Steps>::record() {
  const Vector<Space> gradient = m_steps.gradient();
  const double objective = m_problem.objective(m_steps.x()), length = norm<Space>(m_problem.execution(), gradient);
  if (!std::isfinite(objective) || !std::isfinite(length)) return StoppedBy::not_finite;
  m_steps.keep();
  m_result.trajectory.push_back(
      {iteration(), objective, length, m_steps.standing().step, m_timer.seconds(), m_steps.counts()});
  const auto wanted = m_callback ? m_callback(m_result.trajectory.back()) : Continuation::go_on;
  if (agreed(processes_of(m_problem), wanted) != Continuation::go_on) return StoppedBy::callback;
  if (m_options.gradient_tolerance > 0 && length <= m_options.gradient_tolerance) return StoppedBy::gradient;
  return {};
}

template <class Steps>
QuasiNewtonResult SqnRun<Steps>::finish(StoppedBy reason) {
  m_result.stopped_by = reason;
  if (reason != StoppedBy::not_finite && !is_recorded() && m_options.record_interval > 0) {
    if (record() == StoppedBy::not_finite) m_result.stopped_by = StoppedBy::not_finite;
  }
  if (!std::isfinite(norm<Space>(m_problem.execution(), m_steps.x()))) m_result.stopped_by = StoppedBy::not_finite;
  if (m_result.stopped_by == StoppedBy::not_finite) m_steps.take_back();
  return ended(std::move(m_result), m_steps.state());
}

}  // namespace sporos::impl
