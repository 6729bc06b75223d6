// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace sporos {

/// Of a bound of an optimality gap.
struct OptimalityGapOptions {
  std::int64_t batches = 10;         ///< B, each of independent replications
  std::int64_t replications = 1000;  ///< N of a batch; rounded up to a multiple of 8 where it is minimized
  double confidence = 0.95;          ///< of the bound, one-sided
  std::uint64_t seed = 1;            ///< names the random numbers, of which no run with this seed has seen those used
  std::int64_t evaluations = 100;    ///< of a batch's mean and gradient, at most, for each of its minimizations
};

/// How far a point is from the best one.
struct OptimalityGap {
  double mean;                ///< of the batches' gaps
  double bound;               ///< upper bound of the gap
  std::int64_t replications;  ///< that the bound took
  std::int64_t of_batch;      ///< N, of a batch
  std::int64_t batches;       ///< B
};

/// Bounds f(x) − min f after Mak, Morton and Wood (Oper. Res. Lett. 24, 1999). For each batch b the mean f_b of its N
/// replications is minimized by L-BFGS, from x and from each of `starts`; its gap is
///
///     G_b = f_b(x) − min f_b, with E G_b = f(x) − E min f_b ≥ f(x) − min f,
///
/// so that mean G + t s / √B is a bound, t being Student's quantile of B − 1 degrees of freedom and s the standard
/// deviation of the gaps. It holds where all minima of f_b are found: where f_b is convex. Minima that are missed make
/// it too small. Where the objective is no linear function of means, its bias, of the order of 1 / N, is not bounded.
/// Infinite where the mean at x is, and where `is_enough`, which is asked before each round, ended it. The coordinates
/// are real, the problem gives gradients.
/// @throws std::invalid_argument for options out of range and points of another dimension.
OptimalityGap optimality_gap(
    SampledProblem& problem, const std::vector<double>& x, const std::vector<std::vector<double>>& starts = {},
    const OptimalityGapOptions& options = {}, const std::function<bool()>& is_enough = [] { return false; });

namespace impl {

/// The same for f(x) − min φ, of two functions of the same means: φ that of `lower`, a problem over `problem`.
OptimalityGap gap_above(SampledProblem& problem, SampledProblem& lower, const std::vector<double>& x,
                        const std::vector<std::vector<double>>& starts, const OptimalityGapOptions& options,
                        const std::function<bool()>& is_enough);

/// The same by the Frank–Wolfe gap of `lower`: frank_wolfe_gap.
OptimalityGap frank_wolfe_gap_above(SampledProblem& problem, SampledProblem& lower, const std::vector<double>& x,
                                    const OptimalityGapOptions& options);

}  // namespace impl

/// Bounds f(x) − min f over the problem's region by the Frank–Wolfe gap: for a convex objective
///
///     f(x) − min f ≤ max_v ∇f(x)ᵀ(x − v) ≤ E max_v gᵀ(x − v),
///
/// v being points of the region and g the gradient of N replications at x, for which Jensen's inequality holds as its
/// mean is ∇f(x). The bound is Student's, one-sided, by B batches of them. No minimum has to be found for it, and
/// constraints are taken into account. The bounds are finite, the problem gives gradients; options.evaluations is not
/// used. Infinite where there is nothing to run at x. @throws std::invalid_argument for options out of range, a point
/// of another dimension and an infinite bound.
OptimalityGap frank_wolfe_gap(SampledProblem& problem, const std::vector<double>& x,
                              const OptimalityGapOptions& options = {});

}  // namespace sporos
