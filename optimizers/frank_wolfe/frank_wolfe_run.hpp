// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/tool_region.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/linear_algebra/vector_operations.hpp>
#include <sporos/optimizers/frank_wolfe/active_set.hpp>
#include <sporos/optimizers/frank_wolfe/gap.hpp>
#include <sporos/optimizers/frank_wolfe/options.hpp>
#include <sporos/optimizers/frank_wolfe/result.hpp>
#include <sporos/optimizers/frank_wolfe/screened_run.hpp>
#include <sporos/optimizers/frank_wolfe/screening.hpp>
#include <sporos/optimizers/frank_wolfe/step_rules.hpp>
#include <sporos/optimizers/frank_wolfe/vertex_operations.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace sporos::impl {

/// One run of frank_wolfe; it takes the checked arguments of that function.
template <class Problem, class Region>
class FrankWolfeRun {
 public:
  /// Stores the arguments; draws no random numbers.
  FrankWolfeRun(Problem& problem, Region& region, const FrankWolfeState& state, const FrankWolfeOptions& options,
                const FrankWolfeCallback& callback);

  /// Runs to the end and returns the result.
  FrankWolfeResult run();

 private:
  using Space = typename Problem::execution_space;
  using Stop = std::optional<StoppedBy>;

  static constexpr double long_enough = 0.1;  // seconds between two polls of the stop request

  // Direction d = of_point x + of_vertex s + of_away a.
  struct Direction {
    double of_point, of_vertex, of_away;
    double slope;                // −gᵀd
    double longest;              // largest step inside the region
    Vertex<Space> s;             // vertex from the oracle
    std::vector<VertexEntry> a;  // vertex of the active set
    std::size_t away = 0;        // index of a
  };
  // Change that the last step makes to the active set once x has proved finite.
  struct Move {
    double of_point, gamma;
    std::vector<VertexEntry> s;
    std::size_t away;
  };
  struct Answer {
    Vertex<Space> s;
    double gap;  // gᵀ(x − s)
  };

  const Space& space() const { return m_problem.execution(); }
  std::int64_t iterations_done() const { return m_state.epoch * m_options.iterations + m_state.iteration; }
  bool is_vanilla() const { return m_options.variant == FrankWolfeVariant::vanilla; }
  bool is_recorded() const {
    return !m_result.trajectory.empty() && m_result.trajectory.back().iteration == iterations_done();
  }
  bool has_time_limit() const { return std::isfinite(m_options.time_limit); }
  bool is_stop_requested() const { return m_options.stop_request && m_options.stop_request(); }
  // Reason not to start a further iteration, if there is one.
  Stop early_stop() const {
    if (has_time_limit() && m_timer.seconds() >= m_options.time_limit) return StoppedBy::time_limit;
    return is_stop_requested() ? Stop(StoppedBy::callback) : Stop();
  }
  bool due(std::int64_t interval) const { return interval > 0 && m_state.epoch % interval == 0; }

  // Returns the reason why `step` ends the run, if it does. A stop request during a launch (LaunchStopped) is one.
  template <class Step>
  Stop unless_asked_to_end(const Step& step) {
    try {
      return step();
    } catch (const LaunchStopped&) {
      return is_stop_requested() ? StoppedBy::callback : StoppedBy::time_limit;
    }
  }

  Stop run_epoch();
  Stop run_screened();
  bool is_seen_after_epoch() const;
  void end_epoch();
  void begin_sample();
  void ensure_drawn();
  Stop estimate();
  Stop record();
  Stop record_end();
  Stop iterate();

  void compute_gradient();
  ConstVector<Space> averaged_gradient();
  Answer ask(const ConstVector<Space>& g);
  Direction direction(const ConstVector<Space>& g, Answer answer);
  double step_length(const ConstVector<Space>& g, const Direction& d);
  void set_to(const Vector<Space>& out, double b, double share, const Direction& d);
  void accept_move();
  void take_back();
  FrankWolfeResult finish(StoppedBy reason);

  Problem& m_problem;
  Region& m_region;
  FrankWolfeState m_state;  // its vectors are current only at the start and at the end
  const FrankWolfeOptions& m_options;
  const FrankWolfeCallback& m_callback;

  Vector<Space> m_x, m_other;      // x and the previous x
  Vector<Space> m_gradient;        // gradient at x, if m_has_gradient
  Vector<Space> m_average;         // averaged gradient, with momentum
  Vector<Space> m_direction;       // direction d, if the step rule needs it
  SampleRange m_sample;            // sample of this epoch
  bool m_is_drawn = false;         // whether the problem has drawn m_sample
  bool m_has_gradient = false;     // whether m_gradient is current
  bool m_has_average;              // whether m_average is that of the previous iteration
  std::optional<Answer> m_answer;  // oracle's answer for m_gradient
  std::optional<Move> m_move;      // move that led to x, until x has been evaluated
  std::optional<ActiveSet> m_active_set;
  AdaptiveStep<Problem> m_adaptive;
  ScreenedRun<Problem, Region> m_screened;
  std::optional<GapEstimate> m_estimate;  // gap estimate at x
  double m_step = 0;
  double m_epoch_seconds = std::numeric_limits<double>::infinity();  // duration of the epochs that were screened last
  bool m_is_paused = false;                                          // whether the callback requested a pause
  FrankWolfeResult m_result;
  Kokkos::Timer m_timer;
};

template <class Problem, class Region>
FrankWolfeRun<Problem, Region>::FrankWolfeRun(Problem& problem, Region& region, const FrankWolfeState& state,
                                              const FrankWolfeOptions& options, const FrankWolfeCallback& callback)
    : m_problem(problem),
      m_region(region),
      m_state(state),
      m_options(options),
      m_callback(callback),
      m_x(to_device<Space>(space(), state.solution)),
      m_other(Kokkos::view_alloc(space(), "sporos::frank_wolfe::other"), m_x.extent(0)),
      m_gradient(Kokkos::view_alloc(space(), "sporos::frank_wolfe::gradient"), m_x.extent(0)),
      m_has_average(options.momentum && !state.averaged_gradient.empty()),
      m_adaptive(space(), options.step_rule == StepRule::adaptive ? m_x.extent_int(0) : 0, state.smoothness),
      m_screened(problem, region, m_x, state, options) {
  if (options.momentum)
    m_average = Vector<Space>(Kokkos::view_alloc(space(), "sporos::frank_wolfe::average"), m_x.extent(0));
  if (m_has_average) m_average = to_device<Space>(space(), state.averaged_gradient);
  if (options.step_rule != StepRule::open_loop && options.step_rule != StepRule::restarting) {
    m_direction = Vector<Space>(Kokkos::view_alloc(space(), "sporos::frank_wolfe::direction"), m_x.extent(0));
  }
  if (!is_vanilla()) m_active_set.emplace(state.active_set);
}

template <class Problem, class Region>
FrankWolfeResult FrankWolfeRun<Problem, Region>::run() {
  while (m_state.epoch < m_options.epochs) {
    if (const Stop stop = unless_asked_to_end([&] { return run_epoch(); })) return finish(*stop);
    end_epoch();
  }
  return finish(StoppedBy::iterations);
}

template <class Problem, class Region>
void FrankWolfeRun<Problem, Region>::end_epoch() {
  m_state.replications += static_cast<std::uint64_t>(sample_size(m_options, m_state.epoch));
  m_state.iteration = 0;
  ++m_state.epoch;
}

template <class Problem, class Region>
std::optional<StoppedBy> FrankWolfeRun<Problem, Region>::run_epoch() {
  const ToolRegion region("sporos::frank_wolfe::epoch");
  const bool begins = m_state.iteration == 0;
  if (begins && m_options.gap.batches > 0 && due(m_options.gap.interval)) {
    if (const Stop stop = estimate()) return stop;
  }
  begin_sample();
  if (begins && (due(m_options.record_interval) || m_estimate)) {
    if (const Stop stop = record()) return stop;
  }
  if (m_screened) return run_screened();
  while (m_state.iteration < m_options.iterations) {
    if (const Stop stop = iterate()) return stop;
  }
  return {};
}

// Runs all epochs up to the next one at which something is recorded or checked, in one go.
template <class Problem, class Region>
std::optional<StoppedBy> FrankWolfeRun<Problem, Region>::run_screened() {
  const ToolRegion region("sporos::frank_wolfe::screened");
  if (const Stop stop = early_stop()) return stop;
  const bool restarts = m_options.step_rule == StepRule::restarting;
  std::vector<SampleIterations> parts;
  while (true) {
    const std::int64_t first = restarts ? m_state.iteration : iterations_done();
    const std::int64_t count = m_options.iterations - m_state.iteration;
    parts.push_back({m_sample, first, count});
    m_step = open_loop_step(first + count - 1, 1.0);
    m_state.iteration = m_options.iterations;
    const double expected = m_epoch_seconds * static_cast<double>(parts.size());
    if (is_seen_after_epoch() || (m_options.stop_request && !(expected < long_enough))) break;
    end_epoch();
    begin_sample();
  }
  const Kokkos::Timer timer;
  m_screened.run(parts);
  m_epoch_seconds = timer.seconds() / static_cast<double>(parts.size());
  m_has_gradient = false;
  m_answer.reset();
  m_estimate.reset();
  return {};
}

// Whether the host has work to do between this epoch and the next.
template <class Problem, class Region>
bool FrankWolfeRun<Problem, Region>::is_seen_after_epoch() const {
  const std::int64_t next = m_state.epoch + 1;
  const auto due_then = [&](std::int64_t interval) { return interval > 0 && next % interval == 0; };
  return next >= m_options.epochs || has_time_limit() || due_then(m_options.record_interval) ||
         (m_options.gap.batches > 0 && due_then(m_options.gap.interval));
}

template <class Problem, class Region>
void FrankWolfeRun<Problem, Region>::begin_sample() {
  m_sample = {m_options.seed, m_state.replications, sample_size(m_options, m_state.epoch)};
  m_is_drawn = false;
  m_has_gradient = false;
  m_answer.reset();
}

// Draws the sample on first use: if coordinates are screened, most samples are never needed as a whole.
template <class Problem, class Region>
void FrankWolfeRun<Problem, Region>::ensure_drawn() {
  if (!m_is_drawn) m_problem.draw(m_sample);
  m_is_drawn = true;
}

template <class Problem, class Region>
std::optional<StoppedBy> FrankWolfeRun<Problem, Region>::estimate() {
  const ToolRegion region("sporos::frank_wolfe::gap");
  const std::uint64_t seed = gap_seed(m_options.seed, iterations_done());
  constexpr double moment = 0.5;  // seconds of grace beyond the time limit
  const StopRequest is_enough = [&] {
    return is_stop_requested() || (has_time_limit() && m_timer.seconds() > m_options.time_limit + moment);
  };
  m_estimate = estimate_gap(m_problem, m_region, m_x, m_options.gap, seed, is_enough);
  m_is_drawn = false;
  if (!m_estimate) return is_stop_requested() ? StoppedBy::callback : StoppedBy::time_limit;
  return std::isfinite(m_estimate->upper) && std::isfinite(m_estimate->bound()) ? Stop() : Stop(StoppedBy::not_finite);
}

template <class Problem, class Region>
std::optional<StoppedBy> FrankWolfeRun<Problem, Region>::record() {
  const ToolRegion region("sporos::frank_wolfe::record");
  ensure_drawn();
  const double objective = m_problem.objective(m_x);
  compute_gradient();
  if (!m_answer && !is_launch_stop_requested()) m_answer = ask(m_gradient);
  if (!std::isfinite(objective) || (m_answer && !std::isfinite(m_answer->gap))) return StoppedBy::not_finite;
  const double duality_gap = m_answer ? m_answer->gap : std::numeric_limits<double>::infinity();
  accept_move();
  m_screened.keep(m_x, m_state);
  m_result.trajectory.push_back(
      {m_state.epoch, iterations_done(), objective, duality_gap, m_step, m_timer.seconds(), m_estimate});
  const Continuation wanted = m_callback ? m_callback(m_result.trajectory.back()) : Continuation::go_on;
  m_is_paused = wanted == Continuation::pause;
  if (wanted != Continuation::go_on) return StoppedBy::callback;
  const double gap = m_options.gap.batches == 0 ? duality_gap
                     : m_estimate               ? m_estimate->bound()
                                                : std::numeric_limits<double>::infinity();
  if (m_options.gap_tolerance > 0 && gap <= m_options.gap_tolerance) return StoppedBy::gap;
  return {};
}

// Records the final point, on a new sample. If a stop request interrupts the oracle, the gap remains unknown.
template <class Problem, class Region>
std::optional<StoppedBy> FrankWolfeRun<Problem, Region>::record_end() {
  begin_sample();
  try {
    return record();
  } catch (const LaunchStopped&) {
    return record();
  }
}

template <class Problem, class Region>
std::optional<StoppedBy> FrankWolfeRun<Problem, Region>::iterate() {
  if (const Stop stop = early_stop()) return stop;
  compute_gradient();
  if (m_options.momentum) m_answer.reset();
  const ConstVector<Space> g = m_options.momentum ? averaged_gradient() : m_gradient;
  if (!m_answer) m_answer = ask(g);
  if (!std::isfinite(m_answer->gap)) return StoppedBy::not_finite;
  accept_move();
  const bool may_stop = m_options.gap_tolerance > 0 && m_options.gap.batches == 0 && !m_options.momentum;
  if (may_stop && m_answer->gap <= m_options.gap_tolerance) return StoppedBy::gap;

  const Direction d = direction(g, *m_answer);
  m_step = step_length(g, d);
  set_to(m_other, 1 + m_step * d.of_point, m_step, d);
  std::swap(m_x, m_other);
  m_move = Move{d.of_point, m_step, is_vanilla() ? std::vector<VertexEntry>() : entries_of(space(), d.s), d.away};
  m_has_gradient = false;
  m_answer.reset();
  m_estimate.reset();
  ++m_state.iteration;
  return {};
}

template <class Problem, class Region>
void FrankWolfeRun<Problem, Region>::compute_gradient() {
  if (m_has_gradient) return;
  ensure_drawn();
  m_problem.gradient(m_x, m_gradient);
  m_has_gradient = true;
}

template <class Problem, class Region>
ConstVector<typename Problem::execution_space> FrankWolfeRun<Problem, Region>::averaged_gradient() {
  const double share = 4 / std::pow(static_cast<double>(iterations_done() + 8), 2.0 / 3.0);
  const double own = m_has_average ? share : 1.0;
  add_scaled<Space>(space(), own, m_gradient, 1 - own, m_average);
  m_has_average = true;
  return m_average;
}

template <class Problem, class Region>
auto FrankWolfeRun<Problem, Region>::ask(const ConstVector<Space>& g) -> Answer {
  Answer answer{m_region.minimize(space(), g), 0};
  answer.gap = slope_from<Space>(space(), g, m_x, answer.s);
  return answer;
}

template <class Problem, class Region>
auto FrankWolfeRun<Problem, Region>::direction(const ConstVector<Space>& g, Answer answer) -> Direction {
  Direction d{-1, 1, 0, answer.gap, 1, std::move(answer.s), {}};
  if (is_vanilla()) return d;
  d.away = m_active_set->away(space(), g);
  d.a = m_active_set->vertices()[d.away].entries;
  const double away_gap = -slope_from<Space>(space(), g, m_x, {d.a, {}});  // gᵀ(a − x)
  if (m_options.variant == FrankWolfeVariant::pairwise) {
    d.of_point = 0;
    d.of_away = -1;
    d.slope += away_gap;
    d.longest = m_active_set->vertices()[d.away].weight;
  } else if (away_gap > d.slope) {
    d.of_point = 1;
    d.of_vertex = 0;
    d.of_away = -1;
    d.slope = away_gap;
    d.longest = m_active_set->longest_away(d.away);
  }
  return d;
}

template <class Problem, class Region>
double FrankWolfeRun<Problem, Region>::step_length(const ConstVector<Space>& g, const Direction& d) {
  if (m_options.step_rule == StepRule::open_loop) return open_loop_step(iterations_done(), d.longest);
  if (m_options.step_rule == StepRule::restarting) return open_loop_step(m_state.iteration, d.longest);
  set_to(m_direction, d.of_point, 1, d);
  if constexpr (QuadraticProblem<Problem>) {
    if (m_options.step_rule == StepRule::exact) {
      return quadratic_step(d.slope, m_problem.curvature(m_direction), d.longest);
    }
  }
  if constexpr (SmoothProblem<Problem>) {
    if (m_options.step_rule == StepRule::short_step) {
      const double square = sporos::dot<Space>(space(), m_direction, m_direction);
      return quadratic_step(d.slope, m_problem.smoothness() * square, d.longest);
    }
  }
  return m_adaptive(m_problem, m_x, g, m_direction, d.slope, d.longest);
}

template <class Problem, class Region>
void FrankWolfeRun<Problem, Region>::set_to(const Vector<Space>& out, double b, double share, const Direction& d) {
  set_combination<Space>(space(), out, b, m_x, share * d.of_vertex, d.s);
  add_entries<Space>(space(), out, share * d.of_away, d.a);
}

template <class Problem, class Region>
void FrankWolfeRun<Problem, Region>::accept_move() {
  if (m_move && m_active_set) {
    if (m_move->of_point < 0) m_active_set->move_toward(std::move(m_move->s), m_move->gamma);
    if (m_move->of_point > 0) m_active_set->move_away(m_move->away, m_move->gamma);
    if (m_move->of_point == 0) m_active_set->move_pairwise(std::move(m_move->s), m_move->away, m_move->gamma);
  }
  m_move.reset();
}

// Returns to the previous x, at which everything was finite.
template <class Problem, class Region>
void FrankWolfeRun<Problem, Region>::take_back() {
  m_has_average = false;
  m_estimate.reset();
  m_screened.take_back(m_x, m_state);
  if (!m_move) return;
  m_move.reset();
  std::swap(m_x, m_other);
  if (m_state.iteration == 0) {
    m_state.iteration = m_options.iterations;
    --m_state.epoch;
    m_state.replications -= static_cast<std::uint64_t>(sample_size(m_options, m_state.epoch));
  }
  --m_state.iteration;
}

template <class Problem, class Region>
FrankWolfeResult FrankWolfeRun<Problem, Region>::finish(StoppedBy reason) {
  m_result.stopped_by = reason;
  if (reason != StoppedBy::not_finite) {
    Stop failure;
    if (m_options.gap.batches > 0 && !m_estimate && !m_is_paused) {
      const Stop stop = unless_asked_to_end([&] { return estimate(); });
      if (stop == StoppedBy::not_finite) failure = stop;
      if (stop == StoppedBy::callback) m_result.stopped_by = *stop;  // the requested gap is missing
    }
    if (!failure && !is_recorded() && m_options.record_interval > 0 && record_end() == StoppedBy::not_finite) {
      failure = StoppedBy::not_finite;
    }
    if (!failure && !std::isfinite(norm<Space>(space(), m_x))) failure = StoppedBy::not_finite;
    if (failure) m_result.stopped_by = *failure;
  }
  if (m_result.stopped_by == StoppedBy::not_finite) take_back();
  if (is_recorded()) m_result.trajectory.back().independent_gap = m_estimate;
  m_result.gap = m_estimate;
  m_state.solution = to_host<Space>(space(), m_x);
  m_state.averaged_gradient = m_has_average ? to_host<Space>(space(), m_average) : std::vector<double>();
  m_state.smoothness = m_adaptive.estimate();
  m_state.window = m_screened.window();
  m_state.active_set = m_active_set ? m_active_set->vertices() : std::vector<ActiveVertex>();
  m_result.solution = m_state.solution;
  m_result.iterations = iterations_done();
  m_result.state = std::move(m_state);
  return std::move(m_result);
}

}  // namespace sporos::impl
