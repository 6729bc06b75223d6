// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace sporos {

/// What a Lagrangian has of one constraint h ≤ 0.
struct Multiplier {
  double value = 0;    ///< λ ≥ 0
  double penalty = 0;  ///< ρ ≥ 0; 0 for the plain Lagrangian
};

/// The augmented Lagrangian of a problem with constraints on means (Rockafellar: Math. Program. 5, 1973), a problem
/// without:
///
///     g + Σⱼ [max(0, λⱼ + ρⱼ hⱼ)² − λⱼ²] / (2 ρⱼ), and g + Σⱼ λⱼ hⱼ where ρⱼ = 0.
///
/// It is a function of the same means, and so is known by the same replications.
class LagrangianProblem final : public ProblemOverProblem {
 public:
  /// Of `problem`, which must outlive it, with a multiplier for each of its constraints. @throws std::invalid_argument
  /// for another number of them, and where one is negative or not finite.
  LagrangianProblem(SampledProblem& problem, std::vector<Multiplier> multipliers);

  /// Takes others.
  void set(std::vector<Multiplier> multipliers);

  std::size_t constraints_on_means() const override { return 0; }
  double objective(std::span<const double> x, std::span<const double> means, std::span<double> by_coordinates,
                   std::span<double> by_means) const override;

 private:
  std::vector<Multiplier> m_multipliers;
};

}  // namespace sporos
