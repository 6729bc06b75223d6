// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// How stochastic approximation makes a step of a gradient estimate.
enum class StepScaling {
  robbins_monro,  ///< x − a / s · ((A + 1) / (A + k))^p · g; A: a tenth of the steps, at most 100; s²: the mean of
                  ///< max |gᵢ|² so far
  adagrad,        ///< x − a g / √Σg², coordinate by coordinate (Duchi, Hazan, Singer 2011)
  adam            ///< by averages of g and g² (Kingma, Ba 2015)
};

/// Where gradient estimates come from.
enum class GradientSource {
  problem,     ///< the problem's own
  differences  ///< SPSA: two points either side of x along one random direction of ±1 (Spall 1992)
};

/// Of stochastic approximation.
struct StochasticApproximationOptions {
  StepScaling scaling = StepScaling::adam;            ///< of a step
  GradientSource gradient = GradientSource::problem;  ///< what it goes along
  std::int64_t replications = 10;                     ///< at a point
  double step = 0.5;             ///< a: for Adam and AdaGrad about the first step's length in each coordinate
  double decay = 0.602;          ///< p of Robbins–Monro's and Adam's steps, in [0, 1]; to converge, above 1/2
  double first_moment = 0.9;     ///< Adam's β₁
  double second_moment = 0.999;  ///< Adam's β₂
  double spread = 0.1;           ///< c of SPSA: its points lie c / (k + 1)^0.101 from x, times the coordinate's scale
  double averaging = 3;  ///< η: in the mean of iterates that is recommended the k-th weighs about k^η (Shamir, Zhang
                         ///< 2013); 0 for the plain mean (Polyak, Ruppert 1992), infinite for the last iterate
};

/// Throws std::invalid_argument for options out of range.
void check(const StochasticApproximationOptions& options);

/// Projected stochastic approximation: x moves along the estimated gradient of independent samples, and back into its
/// bounds, until the budget is used up. Recommends a mean of the iterates. The coordinates are real.
Search stochastic_approximation(SearchRun& run, StochasticApproximationOptions options);

}  // namespace sporos
