// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace sporos {

/// A problem whose gradients are central differences (f(x + h) − f(x − h)) / 2h under common random numbers. Use it for
/// models without derivatives, or with biased pathwise derivatives. A replication with its gradient counts as 2d + 1.
/// If x + h or x − h is out of bounds, the bound takes its place.
class DifferencedProblem final : public ProblemOverProblem {
 public:
  /// Wraps `problem`, which must outlive this object, with a step h for each coordinate.
  /// @throws std::invalid_argument if a step is not positive, is wider than the range of its coordinate, or belongs to
  /// an integer coordinate.
  DifferencedProblem(SampledProblem& problem, std::vector<double> steps);

  /// Wraps `problem`, which must outlive this object. The steps that `find_steps` returns are found when the first
  /// gradient is requested, because many solvers request none. @throws std::invalid_argument if a coordinate is an
  /// integer; later, if a step is invalid as above.
  DifferencedProblem(SampledProblem& problem, std::function<std::vector<double>()> find_steps);

  bool has_gradient() const override { return true; }
  bool has_curvature() const override { return false; }
  std::int64_t gradient_cost() const override { return 2 * static_cast<std::int64_t>(dimension()) + 1; }
  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override;

  /// Step h of each coordinate; empty if they are still to be found.
  const std::vector<double>& steps() const { return m_steps; }

 private:
  void take(std::vector<double> steps);

  std::function<std::vector<double>()> m_find_steps;
  std::vector<double> m_steps;
};

/// Options for the choice of difference steps.
struct DifferenceStepOptions {
  std::int64_t replications = 200;  ///< Number of replications of the pilot at each of its points.
  std::int64_t used_with = 30;      ///< Number of replications n with which gradients will be estimated.
  double pilot_step = 0.05;         ///< Step h₀ of the pilot, in units of max(1, |x|) of the coordinate.
  std::uint64_t seed = 1;           ///< Seed of the random numbers.
};

/// Chooses steps that minimize the mean squared error of central differences, by a pilot at x. The error is
///
///     (B h²)² + V (h₀ / h)^γ / n.
///
/// The bias B h² is estimated from differences with steps h₀ and h₀ / 2, the variance V and its power γ from the
/// variances of both. γ is about 0 if paths are continuous under common random numbers and about 1 if they jump
/// (L'Ecuyer, Perron: Oper. Res. 42, 1994), so h ~ n^(−1/(4 + γ)). Steps stay between h₀ / 100 and a quarter of the
/// range, at most 4 h₀. The pilot takes 4 d · replications.
/// @throws std::invalid_argument if an option is out of range or a point of the pilot is infeasible.
std::vector<double> difference_steps(SampledProblem& problem, const std::vector<double>& x,
                                     const DifferenceStepOptions& options);

}  // namespace sporos
