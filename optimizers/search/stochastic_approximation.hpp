// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Rule by which stochastic approximation turns a gradient estimate into a step.
enum class StepScaling {
  /// x − a / s · ((A + 1) / (A + k))^p · g, where A is a tenth of the steps, at most 100, and s² the mean of max |gᵢ|²
  /// so far.
  robbins_monro,
  adagrad,  ///< x − a g / √Σg², by coordinate (Duchi, Hazan, Singer 2011).
  adam      ///< Uses running averages of g and g² (Kingma, Ba 2015).
};

/// Source of gradient estimates.
enum class GradientSource {
  problem,     ///< Gradients of the problem.
  differences  ///< SPSA: differences of two points on either side of x along one random direction of ±1 (Spall 1992).
};

/// Options of stochastic approximation.
struct StochasticApproximationOptions {
  StepScaling scaling = StepScaling::adam;            ///< Step rule.
  GradientSource gradient = GradientSource::problem;  ///< Source of gradient estimates.
  std::int64_t replications = 10;                     ///< Number of replications at a point.
  double step = 0.5;  ///< Step size a; for Adam and AdaGrad about the length of the first step in each coordinate.
  /// Exponent p of the steps of Robbins–Monro and Adam, in [0, 1]. Convergence requires p > 1/2.
  double decay = 0.602;
  double first_moment = 0.9;     ///< Adam's β₁.
  double second_moment = 0.999;  ///< Adam's β₂.
  double spread = 0.1;  ///< Constant c of SPSA: its points lie c / (k + 1)^0.101 from x, times the coordinate's scale.
  /// Exponent η: in the recommended mean of iterates, iterate k has a weight of about k^η (Shamir, Zhang 2013). 0 gives
  /// the plain mean (Polyak, Juditsky 1992; Ruppert 1988), infinity the last iterate.
  double averaging = 3;
};

/// Throws std::invalid_argument if an option is out of range.
void check(const StochasticApproximationOptions& options);

/// Projected stochastic approximation: x moves along the estimated gradient of independent samples and is projected
/// onto the region, until the budget is used up. It recommends a mean of the iterates. All coordinates must be real.
Search stochastic_approximation(SearchRun& run, StochasticApproximationOptions options);

}  // namespace sporos
