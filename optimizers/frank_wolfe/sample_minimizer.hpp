// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/linear_algebra/vector_operations.hpp>
#include <sporos/optimizers/frank_wolfe/active_set.hpp>
#include <sporos/optimizers/frank_wolfe/region.hpp>
#include <sporos/optimizers/frank_wolfe/start.hpp>
#include <sporos/optimizers/frank_wolfe/step_rules.hpp>
#include <sporos/optimizers/frank_wolfe/vertex_operations.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>
#include <sporos/optimizers/stopping.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace sporos::impl {

/// Bound on the suboptimality of a point x for one sample.
struct SampleGap {
  double value;       ///< Upper bound of f̂(x) − min f̂.
  double solver_gap;  ///< Part of the bound: the duality gap at the end of the minimization.
};

/// Bounds how far the minimum of a sample's f̂ over a region lies below f̂(x). Uses the problem's own bound if it has
/// one (SampleBoundedProblem). Otherwise it minimizes f̂ from x by pairwise Frank–Wolfe with exact steps (secant_step
/// if f̂ is not quadratic) and adds the final duality gap.
///
/// Pairwise steps require that the vertices are stored. If dense vertices would need more than `max_kept` numbers in
/// total, the method takes plain Frank–Wolfe steps instead.
template <StochasticProblem Problem, OptimizationRegion<typename Problem::execution_space> Region>
class SampleMinimizer {
 public:
  using Space = typename Problem::execution_space;  ///< Execution space of the vectors.

  /// Takes a point x of the region. The minimization ends early if `is_enough` returns true before an iteration.
  SampleMinimizer(Problem& problem, Region& region, const ConstVector<Space>& x, std::int64_t iterations,
                  const StopRequest& is_enough)
      : m_problem(problem),
        m_region(region),
        m_start(x),
        m_iterations(iterations),
        m_is_enough(is_enough),
        m_x(vector("x")),
        m_best(vector("best")),
        m_trial(vector("trial")),
        m_direction(vector("direction")),
        m_gradient(vector("gradient")) {}

  /// Returns the bound for the sample drawn last.
  SampleGap operator()();

  /// Point y of the last call: the point of the problem's bound, or the iterate with the smallest duality gap.
  const Vector<Space>& solution() const { return m_best; }

 private:
  static constexpr double enough = 1e-3;                           // fraction of the first duality gap at which to stop
  static constexpr std::int64_t max_kept = std::int64_t{1} << 24;  // numbers in dense vertices

  Vector<Space> vector(const char* name) const {
    return Vector<Space>(Kokkos::view_alloc(space(), std::string("sporos::sample_minimizer::") + name),
                         m_start.extent(0));
  }
  const Space& space() const { return m_problem.execution(); }
  bool keeps(const Vertex<Space>& s) const {
    return s.dense.extent(0) == 0 || static_cast<std::int64_t>(s.dense.extent(0)) * m_iterations <= max_kept;
  }
  double minimize();
  bool move(const Vertex<Space>& s, double gap);
  double step(double slope, double longest);

  Problem& m_problem;
  Region& m_region;
  ConstVector<Space> m_start;
  std::int64_t m_iterations;
  StopRequest m_is_enough;
  Vector<Space> m_x, m_best, m_trial, m_direction, m_gradient;
  std::optional<ActiveSet> m_active_set;
};

template <StochasticProblem Problem, OptimizationRegion<typename Problem::execution_space> Region>
SampleGap SampleMinimizer<Problem, Region>::operator()() {
  const double here = m_problem.objective(m_start);
  if constexpr (SampleBoundedProblem<Problem>) {
    const double bound = m_problem.sample_bound(m_best);
    if (std::isfinite(bound)) return {here - bound, 0};
  }
  const double gap = minimize();
  return {here - m_problem.objective(m_best) + gap, gap};
}

// Returns the duality gap at m_best.
template <StochasticProblem Problem, OptimizationRegion<typename Problem::execution_space> Region>
double SampleMinimizer<Problem, Region>::minimize() {
  copy_elements(space(), m_x, m_start);
  m_active_set.emplace(std::vector<ActiveVertex>{{nonzero_entries(to_host<Space>(space(), m_x)), 1.0}});
  double first = 0, least = std::numeric_limits<double>::infinity();
  for (std::int64_t iteration = 0; iteration <= m_iterations; ++iteration) {
    m_problem.gradient(m_x, m_gradient);
    const Vertex<Space> s = m_region.minimize(space(), m_gradient);
    const double gap = slope_from<Space>(space(), m_gradient, m_x, s);
    if (iteration == 0) first = gap;
    if (iteration == 0 || gap < least) {
      least = gap;
      copy_elements(space(), m_best, m_x);
    }
    if (!(gap > enough * first) || iteration == m_iterations || m_is_enough() || !move(s, gap)) break;
  }
  return std::max(least, 0.0);
}

// Returns whether the point moved.
template <StochasticProblem Problem, OptimizationRegion<typename Problem::execution_space> Region>
bool SampleMinimizer<Problem, Region>::move(const Vertex<Space>& s, double gap) {
  const bool is_pairwise = keeps(s);
  const std::size_t away = is_pairwise ? m_active_set->away<Space>(space(), m_gradient) : 0;
  double slope = gap, longest = 1;
  if (is_pairwise) {
    const ActiveVertex& a = m_active_set->vertices()[away];
    longest = a.weight;
    slope -= slope_from<Space>(space(), m_gradient, m_x, {a.entries, {}});
    set_combination<Space>(space(), m_direction, 0, m_x, 1, s);
    add_entries<Space>(space(), m_direction, -1, a.entries);
  } else {
    set_combination<Space>(space(), m_direction, -1, m_x, 1, s);
  }
  if (!(slope > 0)) return false;
  const double gamma = step(slope, longest);
  add_scaled<Space>(space(), gamma, m_direction, 1.0, m_x);
  if (is_pairwise) m_active_set->move_pairwise(entries_of(space(), s), away, gamma);
  return gamma > 0;
}

template <StochasticProblem Problem, OptimizationRegion<typename Problem::execution_space> Region>
double SampleMinimizer<Problem, Region>::step(double slope, double longest) {
  if constexpr (QuadraticProblem<Problem>) {
    return quadratic_step(slope, m_problem.curvature(m_direction), longest);
  } else {
    const auto slope_at = [&](double gamma) {
      set_moved<Space>(space(), m_trial, m_x, gamma, m_direction);
      m_problem.gradient(m_trial, m_gradient);
      return -sporos::dot<Space>(space(), m_gradient, m_direction);
    };
    return secant_step(slope_at, slope, longest);
  }
}

}  // namespace sporos::impl
