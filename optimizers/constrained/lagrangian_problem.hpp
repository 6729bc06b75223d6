// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace sporos {

/// Multiplier and penalty of a constraint h ≤ 0 in a Lagrangian.
struct Multiplier {
  double value = 0;    ///< Multiplier λ ≥ 0.
  double penalty = 0;  ///< Penalty ρ ≥ 0; 0 for the plain Lagrangian.
};

/// The augmented Lagrangian of a problem with constraints on means (Rockafellar: Math. Program. 5, 1973). It is a
/// problem without such constraints, with the objective
///
///     g + Σⱼ [max(0, λⱼ + ρⱼ hⱼ)² − λⱼ²] / (2 ρⱼ), or g + Σⱼ λⱼ hⱼ if ρⱼ = 0.
///
/// The objective is a function of the same means, so it is estimated from the same replications.
class LagrangianProblem final : public ProblemOverProblem {
 public:
  /// Wraps `problem`, which must outlive this object, with a multiplier for each of its constraints.
  /// @throws std::invalid_argument if their number is wrong, or one is negative or not finite.
  LagrangianProblem(SampledProblem& problem, std::vector<Multiplier> multipliers);

  /// Replaces the multipliers.
  void set(std::vector<Multiplier> multipliers);

  std::size_t constraints_on_means() const override { return 0; }
  double objective(std::span<const double> x, std::span<const double> means, std::span<double> by_coordinates,
                   std::span<double> by_means) const override;

 private:
  std::vector<Multiplier> m_multipliers;
};

}  // namespace sporos
