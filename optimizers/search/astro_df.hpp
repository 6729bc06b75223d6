// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Of ASTRO-DF. Lengths are in units of each coordinate's scale, max(1, |start|).
struct AstroDfOptions {
  double radius = 0.2;                  ///< Δ₀, of the first trust region
  double greatest_radius = 10;          ///< that Δ grows to
  std::int64_t least_replications = 8;  ///< λ₀, at a point
  double acceptance = 0.1;              ///< η₁: a point is taken where it falls by this part of what the model said
  double success = 0.7;                 ///< η₂: from this part on the region grows
  double growth = 2;                    ///< factor of a region that grows
  double shrinkage = 0.5;               ///< factor of one that shrinks
};

/// Throws std::invalid_argument for options out of range.
void check(const AstroDfOptions& options);

/// ASTRO-DF: adaptive sampling trust-region optimization, derivative-free (Shashaani, Hashemi, Pasupathy: SIAM J.
/// Optim. 28, 2018; on a coordinate basis as Ha, Shashaani 2023). In each iteration a quadratic model with a diagonal
/// Hessian interpolates means at x and at x ± Δ along each coordinate; its minimum in the region is tried, or the best
/// of these points where that is lower. All points of the run have the same random numbers, in number
///
///     N = max(λ_k, λ_k s² / (κ Δ²)²), λ_k = λ₀ log₁₀(10 + k)^1.5,
///
/// s² being the variance at x and κ = max(|f(start)|, s) / Δ₀²: the standard error stays below the model's own error.
///
/// Where problems give gradients, those replace the points around x and the Hessian is left out (ASTRO). The
/// coordinates are real.
Search astro_df(SearchRun& run, AstroDfOptions options, bool has_gradient);

}  // namespace sporos
