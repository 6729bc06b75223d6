// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/constrained/mean_size.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::impl {

/// Multipliers from linearized constraints ℓ, extrapolated from step to step. Step k sets
///
///     λⱼ ← max(0, λⱼ + gainⱼ · (2 ℓⱼ − previous ℓⱼ)), gainⱼ = dual step · size of g / (size of hⱼ² · length · √k),
///
/// where sizes are root mean squares of those measured so far (mean_size.hpp).
class ExtrapolatedMultipliers {
 public:
  /// Uses this dual step for steps of x of `length` / √k.
  ExtrapolatedMultipliers(double dual_step, double length) : m_dual_step(dual_step), m_length(length) {}

  /// Adds measured sizes of the changes of objective and constraints.
  void measure(double of_objective, const std::vector<double>& of_constraints) {
    m_sizes.resize(of_constraints.size());
    m_of_objective.add(of_objective);
    for (std::size_t j = 0; j < m_sizes.size(); ++j) m_sizes[j].add(of_constraints[j]);
  }

  /// Updates the multipliers by ℓ of step k. Requires at least one earlier call of measure().
  void update(const std::vector<double>& linear, std::int64_t k) {
    if (m_values.empty()) {
      m_values.resize(linear.size());
      m_linear = linear;
    }
    for (std::size_t j = 0; j < linear.size(); ++j) {
      const double size = m_sizes[j](), extrapolated = 2 * linear[j] - m_linear[j];
      if (size == 0) continue;
      const double gain = m_dual_step * m_of_objective() / (size * size * m_length * std::sqrt(static_cast<double>(k)));
      m_values[j] = std::max(0.0, m_values[j] + gain * extrapolated);
    }
    m_linear = linear;
  }

  /// Gradient of the Lagrangian.
  std::vector<double> gradient(std::vector<double> of_objective, const std::vector<ConstraintMean>& constraints) const {
    for (std::size_t j = 0; j < m_values.size(); ++j) {
      for (std::size_t i = 0; i < of_objective.size(); ++i) of_objective[i] += m_values[j] * constraints[j].gradient[i];
    }
    return of_objective;
  }

 private:
  double m_dual_step, m_length;
  std::vector<double> m_values, m_linear;  // λ; ℓ of the previous step
  std::vector<MeanSize> m_sizes;
  MeanSize m_of_objective;
};

/// Value at x of a constraint's linearization about the point `about`.
inline double linearized(const ConstraintMean& constraint, const std::vector<double>& about,
                         const std::vector<double>& x) {
  double value = constraint.mean;
  for (std::size_t i = 0; i < x.size(); ++i) value += constraint.gradient[i] * (x[i] - about[i]);
  return value;
}

}  // namespace sporos::impl
