// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace sporos {

/// Options of a bound on the optimality gap.
struct OptimalityGapOptions {
  std::int64_t batches = 10;  ///< Number B of batches of independent replications.
  /// Number N of replications per batch; rounded up to a multiple of 8 if the batch mean is minimized.
  std::int64_t replications = 1000;
  double confidence = 0.95;  ///< Confidence of the one-sided bound.
  std::uint64_t seed = 1;    ///< Seed of the random numbers; no run with this seed uses the same ones.
  /// Maximum number of evaluations of a batch's mean and gradient in each of its minimizations.
  std::int64_t evaluations = 100;
};

/// Estimated distance of a point's objective from the optimum.
struct OptimalityGap {
  double mean;                ///< Mean of the batches' gaps.
  double bound;               ///< Upper confidence bound of the gap.
  std::int64_t replications;  ///< Number of replications used by the bound.
  std::int64_t of_batch;      ///< Number N of replications per batch.
  std::int64_t batches;       ///< Number B of batches.
};

/// Bounds f(x) − min f after Mak, Morton and Wood (Oper. Res. Lett. 24, 1999). For each batch b the mean f_b of its N
/// replications is minimized by L-BFGS, from x and from each of `starts`. The batch's gap is
///
///     G_b = f_b(x) − min f_b, with E G_b = f(x) − E min f_b ≥ f(x) − min f,
///
/// so mean G + t s / √B is a bound, where t is Student's quantile for B − 1 degrees of freedom and s the standard
/// deviation of the gaps. The bound holds if all minima of f_b are found, that is, if f_b is convex. Missed minima make
/// it too small. If the objective is not a linear function of means, its bias, of the order of 1 / N, is not bounded.
///
/// The result is infinite if the mean at x is infinite, or if `is_enough`, which is polled before each round, returns
/// true. All coordinates must be real; gradients are required.
/// @throws std::invalid_argument if an option is out of range or a point has the wrong dimension.
OptimalityGap optimality_gap(
    SampledProblem& problem, const std::vector<double>& x, const std::vector<std::vector<double>>& starts = {},
    const OptimalityGapOptions& options = {}, const std::function<bool()>& is_enough = [] { return false; });

namespace impl {

/// Bounds f(x) − min φ as optimality_gap does; f and φ are functions of the same means. φ is the objective of `lower`,
/// a problem over `problem`.
OptimalityGap gap_above(SampledProblem& problem, SampledProblem& lower, const std::vector<double>& x,
                        const std::vector<std::vector<double>>& starts, const OptimalityGapOptions& options,
                        const std::function<bool()>& is_enough);

/// Bounds f(x) − min φ by the Frank–Wolfe gap of `lower` (see frank_wolfe_gap).
OptimalityGap frank_wolfe_gap_above(SampledProblem& problem, SampledProblem& lower, const std::vector<double>& x,
                                    const OptimalityGapOptions& options);

}  // namespace impl

/// Bounds f(x) − min f over the problem's region by the Frank–Wolfe gap. For a convex objective
///
///     f(x) − min f ≤ max_v ∇f(x)ᵀ(x − v) ≤ E max_v gᵀ(x − v),
///
/// where v ranges over the region and g is the gradient of N replications at x. Its mean is ∇f(x), so Jensen's
/// inequality applies. The bound is Student's one-sided bound over B batches of such replications. It needs no
/// minimization and takes constraints into account. The result is infinite if x is infeasible. The bounds must be
/// finite and the problem must provide gradients; options.evaluations is not used.
/// @throws std::invalid_argument if an option is out of range, the point has the wrong dimension or a bound is
/// infinite.
OptimalityGap frank_wolfe_gap(SampledProblem& problem, const std::vector<double>& x,
                              const OptimalityGapOptions& options = {});

}  // namespace sporos
