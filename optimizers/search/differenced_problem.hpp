// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sporos {

/// A problem whose gradients are central differences (f(x + h) − f(x − h)) / 2h under common random numbers: for models
/// that have no derivatives of their own, and for those whose pathwise derivatives are biased. A replication with its
/// gradient counts for 2d + 1. At a bound, the point beyond it is the bound.
class DifferencedProblem final : public ProblemOverProblem {
 public:
  /// Of `problem`, which must outlive it, with steps h of each coordinate. @throws std::invalid_argument for a step
  /// that is not positive or wider than its coordinate's range, or whose coordinate takes whole numbers alone.
  DifferencedProblem(SampledProblem& problem, std::vector<double> steps);

  bool has_gradient() const override { return true; }
  bool has_curvature() const override { return false; }
  std::int64_t gradient_cost() const override { return 2 * static_cast<std::int64_t>(m_steps.size()) + 1; }
  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override;

  /// h of each coordinate.
  const std::vector<double>& steps() const { return m_steps; }

 private:
  std::vector<double> m_steps;
};

/// Of a choice of difference steps.
struct DifferenceStepOptions {
  std::int64_t replications = 200;  ///< of the pilot, at each of its points
  std::int64_t used_with = 30;      ///< n, replications with which gradients will be estimated
  double pilot_step = 0.05;         ///< h₀, in units of max(1, |x|) of the coordinate
  std::uint64_t seed = 1;           ///< names the random numbers
};

/// Steps at which the mean squared error of central differences is least, by a pilot run at x. The error is
///
///     (B h²)² + V (h₀ / h)^γ / n,
///
/// with the bias B h² from differences of step h₀ and h₀ / 2, and the variance and its power γ from those of both: γ is
/// about 0 where paths are continuous under common random numbers and about 1 where they jump (L'Ecuyer, Perron: Oper.
/// Res. 42, 1994), so that h ~ n^(−1/(4 + γ)). Steps stay between h₀ / 100 and a quarter of their range, at most 4 h₀.
/// The pilot takes 4 d · replications. @throws std::invalid_argument for options out of range, and where there is
/// nothing to run at a point of the pilot.
std::vector<double> difference_steps(SampledProblem& problem, const std::vector<double>& x,
                                     const DifferenceStepOptions& options);

}  // namespace sporos
