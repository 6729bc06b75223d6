// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/optimizers/search/optimality_gap.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace sporos {

/// Of a certificate.
struct CertificateOptions {
  std::int64_t batches = 20;         ///< of independent replications
  std::int64_t replications = 1000;  ///< of a batch
  double confidence = 0.95;          ///< of all bounds of constraints together, and of each interval of a multiplier
  std::uint64_t seed = 1;            ///< names the random numbers, of which no run with this seed has seen those used
  std::int64_t skipped = 0;          ///< batches of an earlier certificate with this seed, which come before
};

/// Whether a point meets its constraints, the best first.
enum class Feasibility {
  feasible,    ///< all of them, with the stated confidence
  undecided,   ///< the replications do not tell
  infeasible,  ///< one of them is violated, with the stated confidence
};

/// The names of what is known of feasibility.
template <>
struct ChoiceNames<Feasibility> {
  static constexpr std::string_view what = "feasibility";  ///< what is said
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<Feasibility>>({{"feasible", Feasibility::feasible},
                                                                         {"undecided", Feasibility::undecided},
                                                                         {"infeasible", Feasibility::infeasible}});
};

/// What is known of a constraint h ≤ 0 at a point.
struct CertifiedConstraint {
  double mean;        ///< estimate of h
  double lower;       ///< lower bound of h
  double upper;       ///< upper bound of h
  double multiplier;  ///< estimate of λ: by how much the optimum falls where the limit is one larger; NaN where
                      ///< the problem has no derivatives
  double multiplier_half_width;  ///< of its interval
  bool are_alike = false;  ///< whether h is the same in all replications, so that bounds are what can have been missed
};

/// What replications that no solver saw tell of a point and its constraints on means.
struct Certificate {
  std::vector<CertifiedConstraint> constraints;  ///< in the problem's order
  std::int64_t replications;                     ///< that it took

  /// By the bounds.
  Feasibility feasibility() const;
};

/// The certificate of x. The upper bounds of h hold together with probability `confidence` (Student's, one-sided,
/// Bonferroni), the lower ones too, and where h is the same in all replications they are what these can have missed;
/// where h is no linear function of means, up to a bias of the order of one over the number of replications.
/// Multipliers are those of the means' gradients at x,
///
///     argmin over λ ≥ 0 of |∇g + Σ λⱼ ∇hⱼ|²,
///
/// in units of coordinates' scales, without the coordinates at a bound. A constraint whose upper bound lies farther
/// within its limit than 0.1 |∇hⱼ| has the multiplier 0. They are estimated by all batches together, their intervals
/// are by the jackknife over batches (Quenouille 1956; Miller: Biometrika 61, 1974). The interval is that of the
/// multiplier at x; it says nothing of how far x is from the solution. The coordinates are real, the problem gives
/// gradients. @throws std::invalid_argument for options out of range, a point of another dimension, a problem without
/// constraints on means, and std::runtime_error where there is nothing to run at x.
Certificate certificate(SampledProblem& problem, const std::vector<double>& x, const CertificateOptions& options = {});

/// The certificates of several points, by the same replications at all of them, side by side. Each holds by itself.
std::vector<Certificate> certificates(SampledProblem& problem, const std::vector<std::vector<double>>& points,
                                      const CertificateOptions& options = {});

/// The bounds alone, by independent batches of replications at x: multipliers are 0.
std::vector<CertifiedConstraint> certified_bounds(const SampledProblem& problem, const std::vector<double>& x,
                                                  const std::vector<SampleMoments>& batches, double confidence);

/// The place of the best of some points: of those that are certified to be feasible the one with the least objective;
/// where there are none, of those whose feasibility is undecided; where there are none either, the one whose greatest
/// violation is least, by lower bounds, each constraint in units of its greatest upper bound. That its certificate is
/// right, too, is as sure as that all are. @throws std::invalid_argument for another number of certificates than of
/// objectives.
std::size_t best_certified(const std::vector<double>& objectives, const std::vector<Certificate>& certificates);

/// Bounds g(x) − min g over all points that meet the constraints, as optimality_gap does: for multipliers λ ≥ 0
///
///     min {g : h ≤ 0} ≥ min (g + Σ λⱼ hⱼ) ≥ E min of a batch's mean of it,
///
/// so that g(x) less that is bounded by batches. It holds where all minima of batches are found: where the Lagrangian
/// is convex; it is close where λ are the multipliers of a convex problem. At a point that is not feasible it may be
/// negative. With linear constraints, too, the Lagrangian's distance from its minimum is bounded by its Frank–Wolfe gap
/// (frank_wolfe_gap), and all bounds must be finite.
OptimalityGap lagrangian_gap(
    SampledProblem& problem, const std::vector<double>& multipliers, const std::vector<double>& x,
    const std::vector<std::vector<double>>& starts = {}, const OptimalityGapOptions& options = {},
    const std::function<bool()>& is_enough = [] { return false; });

}  // namespace sporos
