// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Options of ASTRO-DF. Lengths are in units of each coordinate's scale, max(1, |start|).
struct AstroDfOptions {
  double radius = 0.2;                ///< Radius Δ₀ of the first trust region.
  double largest_radius = 10;         ///< Largest radius Δ.
  std::int64_t min_replications = 8;  ///< Smallest number of replications λ₀ at a point.
  /// Threshold η₁: a point is accepted if the objective falls by at least this fraction of the predicted decrease.
  double acceptance = 0.1;
  double success = 0.7;    ///< Threshold η₂: fraction of the predicted decrease from which the trust region grows.
  double growth = 2;       ///< Factor by which a trust region grows.
  double shrinkage = 0.5;  ///< Factor by which a trust region shrinks.
};

/// Throws std::invalid_argument if an option is out of range.
void check(const AstroDfOptions& options);

/// ASTRO-DF: adaptive sampling trust-region optimization, derivative-free (Shashaani, Hashemi, Pasupathy: SIAM J.
/// Optim. 28, 2018; on a coordinate basis as Ha, Shashaani 2023). In each iteration a quadratic model with a diagonal
/// Hessian interpolates the means at x and at x ± Δ along each coordinate. The iteration tries the model's minimum in
/// the trust region, or takes the best of the interpolation points if that is lower. All points of the run use common
/// random numbers. The number of replications at a point is
///
///     N = max(λ_k, λ_k s² / (κ Δ²)²), λ_k = λ₀ log₁₀(10 + k)^1.5,
///
/// where s² is the variance at x and κ = max(|f(start)|, s) / Δ₀². So the standard error stays below the model's own.
///
/// If the problem provides gradients (ASTRO), these replace the points around x, and the model has no Hessian. All
/// coordinates must be real.
Search astro_df(SearchRun& run, AstroDfOptions options, bool has_gradient);

}  // namespace sporos
