// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/linear_algebra/vector_operations.hpp>
#include <sporos/optimizers/frank_wolfe/vertex_operations.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

/// Step sizes γ of an iteration along its direction d. `slope` is −gᵀd, the initial decrease of the objective per unit
/// of γ; `longest` is the largest γ that stays inside the region.
namespace sporos {

/// Returns 2 / (t + 2) for iteration t, from 0, but at most the longest step.
inline double open_loop_step(std::int64_t t, double longest) {
  return std::min(2.0 / static_cast<double>(t + 2), longest);
}

/// Minimizer over [0, longest] of −γ slope + ½ γ² curvature. This is the exact step for curvature dᵀ∇²f̂ d and the
/// short step for curvature L ‖d‖².
inline double quadratic_step(double slope, double curvature, double longest) {
  if (!(slope > 0)) return 0;
  return slope < curvature * longest ? slope / curvature : longest;
}

/// A step in (0, longest] near the minimum of a convex objective along d, found only from slopes. `slope(γ)` is
/// −∇f̂(x + γd)ᵀd, a decreasing function; `at_start` > 0 is its value at 0. Returns `longest` if the objective still
/// falls there. Otherwise it returns a γ whose slope is at most a tenth of `at_start` in magnitude or, after four
/// trials, one near the sign change. The trials use regula falsi (Illinois; Dahlquist and Björck 1974).
template <class Slope>
double secant_step(const Slope& slope, double at_start, double longest) {
  constexpr double tolerance = 0.1;
  constexpr int max_trials = 4;  // reached only if the slope jumps
  double low = 0, of_low = at_start, high = longest, of_high = slope(longest);
  if (!(of_high < 0)) return longest;
  for (int trial = 0; trial < max_trials; ++trial) {
    const double gamma = low + (high - low) * of_low / (of_low - of_high);
    const double found = slope(gamma);
    if (std::abs(found) <= tolerance * at_start) return gamma;
    if (found > 0) {
      low = gamma;
      of_low = found;
      of_high /= 2;
    } else {
      high = gamma;
      of_high = found;
      of_low /= 2;
    }
  }
  return low > 0 ? low : high;
}

/// The short step with an estimated Lipschitz constant (Pedregosa, Negiar, Askari, Jaggi: Linearly convergent
/// Frank–Wolfe with backtracking line-search, AISTATS 2020, algorithm 2). Each iteration starts slightly below the
/// previous estimate and doubles it until the objective satisfies the quadratic bound.
template <class Problem>
class AdaptiveStep {
 public:
  using Space = typename Problem::execution_space;  ///< Execution space of the vectors.

  /// Starts with the estimate of an earlier iteration, or 0 if there is none.
  AdaptiveStep(const Space& space, std::int64_t dimension, double estimate)
      : m_trial(Kokkos::view_alloc(space, "sporos::frank_wolfe::trial"), static_cast<std::size_t>(dimension)),
        m_estimate(estimate) {}

  /// Returns the step from x, where the gradient is g, along d. Calls the objective at least twice, and the gradient
  /// once if there is no estimate yet.
  double operator()(Problem& problem, const ConstVector<Space>& x, const ConstVector<Space>& g,
                    const ConstVector<Space>& d, double slope, double longest);

  /// Estimate of the Lipschitz constant; 0 if there is none yet.
  double estimate() const { return m_estimate; }

 private:
  static constexpr double decrease = 0.9;  // factor of the estimate from one iteration to the next
  static constexpr double increase = 2;    // factor of the estimate per trial
  static constexpr double probe = 1e-3;    // step of the first estimate
  static constexpr int max_trials = 100;   // more than the powers of two between any two reasonable estimates

  double first_estimate(Problem& problem, const ConstVector<Space>& x, const ConstVector<Space>& g,
                        const ConstVector<Space>& d, double length, double longest);

  Vector<Space> m_trial;
  double m_estimate;
};

template <class Problem>
double AdaptiveStep<Problem>::first_estimate(Problem& problem, const ConstVector<Space>& x, const ConstVector<Space>& g,
                                             const ConstVector<Space>& d, double length, double longest) {
  const Space& space = problem.execution();
  const double gamma = std::min(probe, longest);
  const Vector<Space> moved_gradient(Kokkos::view_alloc(space, "sporos::frank_wolfe::moved_gradient"), x.extent(0));
  set_moved(space, m_trial, x, gamma, d);
  problem.gradient(m_trial, moved_gradient);
  set_moved(space, moved_gradient, moved_gradient, -1.0, g);
  return norm(space, moved_gradient) / (gamma * length);
}

template <class Problem>
double AdaptiveStep<Problem>::operator()(Problem& problem, const ConstVector<Space>& x, const ConstVector<Space>& g,
                                         const ConstVector<Space>& d, double slope, double longest) {
  const double length = norm(problem.execution(), d);
  if (!(slope > 0 && length > 0)) return 0;
  double estimate = m_estimate > 0 ? m_estimate : first_estimate(problem, x, g, d, length, longest);
  estimate = std::max(decrease * estimate, slope / (length * length) * probe);  // positive even if f̂ is linear
  const double here = problem.objective(x);
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::abs(here);
  double gamma = 0;
  for (int trial = 0; trial < max_trials; ++trial, estimate *= increase) {
    const double curvature = estimate * length * length;
    gamma = quadratic_step(slope, curvature, longest);
    set_moved(problem.execution(), m_trial, x, gamma, d);
    const double bound = here - gamma * slope + 0.5 * gamma * gamma * curvature;
    if (!(problem.objective(m_trial) > bound + rounding)) break;
  }
  m_estimate = estimate;
  return gamma;
}

}  // namespace sporos
