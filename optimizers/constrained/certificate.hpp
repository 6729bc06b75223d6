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

/// Options of a certificate.
struct CertificateOptions {
  std::int64_t batches = 20;         ///< Number of batches of independent replications.
  std::int64_t replications = 1000;  ///< Number of replications per batch.
  double confidence = 0.95;  ///< Confidence of all constraint bounds together, and of each multiplier's interval.
  std::uint64_t seed = 1;    ///< Seed of the random numbers; no run with this seed uses the same ones.
  /// Number of batches, from the beginning, that an earlier certificate with this seed has used.
  std::int64_t skipped = 0;
};

/// Feasibility of a point under constraints on means, the best first.
enum class Feasibility {
  feasible,    ///< All constraints are satisfied, with the stated confidence.
  undecided,   ///< The replications do not suffice to decide.
  infeasible,  ///< At least one constraint is violated, with the stated confidence.
};

/// Names of the feasibility results.
template <>
struct ChoiceNames<Feasibility> {
  static constexpr std::string_view what = "feasibility";  ///< Noun for the choice in messages.
  /// Pairs of name and value.
  static constexpr auto values = std::to_array<NamedValue<Feasibility>>({{"feasible", Feasibility::feasible},
                                                                         {"undecided", Feasibility::undecided},
                                                                         {"infeasible", Feasibility::infeasible}});
};

/// Bounds and multiplier of a constraint h ≤ 0 at a point.
struct CertifiedConstraint {
  double mean;   ///< Estimate of h.
  double lower;  ///< Lower bound of h.
  double upper;  ///< Upper bound of h.
  /// Estimate of λ: decrease of the optimum per unit of the limit; NaN if the problem has no derivatives.
  double multiplier;
  double multiplier_half_width;  ///< Half-width of the multiplier's interval.
  /// Whether h is identical in all replications, so that the bounds cover what these may have missed.
  bool are_identical = false;
};

/// Certificate of a point and its constraints on means, from replications that no solver has used.
struct Certificate {
  std::vector<CertifiedConstraint> constraints;  ///< Constraints in the problem's order.
  std::int64_t replications;                     ///< Number of replications used.

  /// Feasibility according to the bounds.
  Feasibility feasibility() const;
};

/// Computes the certificate of x. The upper bounds of h hold simultaneously with probability `confidence` (Student's,
/// one-sided, Bonferroni), and so do the lower bounds. If h is identical in all replications, the bounds cover what
/// these may have missed. If h is not a linear function of means, the bounds hold up to a bias of the order of one over
/// the number of replications.
///
/// Multipliers are those of the means' gradients at x,
///
///     argmin over λ ≥ 0 of |∇g + Σ λⱼ ∇hⱼ|²,
///
/// in units of coordinates' scales, without the coordinates at a bound. A constraint whose upper bound is below its
/// limit by more than 0.1 |∇hⱼ| has the multiplier 0. The multipliers are estimated from all batches together, their
/// intervals by the jackknife over batches (Quenouille 1956; Miller: Biometrika 61, 1974). The interval is that of the
/// multiplier at x; it does not cover the distance of x from the solution. All coordinates must be real; gradients are
/// required.
/// @throws std::invalid_argument if an option is out of range, the point has the wrong dimension, or the problem has no
/// constraints on means.
/// @throws std::runtime_error if x is infeasible.
Certificate certificate(SampledProblem& problem, const std::vector<double>& x, const CertificateOptions& options = {});

/// Computes the certificates of several points on the same replications, side by side. Each holds separately.
std::vector<Certificate> certificates(SampledProblem& problem, const std::vector<std::vector<double>>& points,
                                      const CertificateOptions& options = {});

/// Computes only the bounds, from independent batches of replications at x; multipliers are 0.
std::vector<CertifiedConstraint> certified_bounds(const SampledProblem& problem, const std::vector<double>& x,
                                                  const std::vector<SampleMoments>& batches, double confidence);

/// Index of the best of several points, in this order of preference:
/// - a point certified as feasible, with the smallest objective;
/// - a point whose feasibility is undecided, with the smallest objective;
/// - the point whose largest violation is smallest, by lower bounds, each constraint in units of its largest upper
///   bound.
///
/// The certificate of the selected point holds with the probability that all certificates hold simultaneously.
/// @throws std::invalid_argument if the numbers of certificates and objectives differ.
std::size_t best_certified(const std::vector<double>& objectives, const std::vector<Certificate>& certificates);

/// Bounds g(x) − min g over all points that satisfy the constraints, as optimality_gap does. For multipliers λ ≥ 0
///
///     min {g : h ≤ 0} ≥ min (g + Σ λⱼ hⱼ) ≥ E min of a batch's mean of it,
///
/// so g(x) minus the right side is bounded by batches. The bound holds if all minima of batches are found, that is, if
/// the Lagrangian is convex. It is tight if λ are the multipliers of a convex problem. At an infeasible point it may be
/// negative. If there are linear constraints as well, the distance of the Lagrangian from its minimum is bounded by its
/// Frank–Wolfe gap (frank_wolfe_gap), and all bounds of coordinates must be finite.
OptimalityGap lagrangian_gap(
    SampledProblem& problem, const std::vector<double>& multipliers, const std::vector<double>& x,
    const std::vector<std::vector<double>>& starts = {}, const OptimalityGapOptions& options = {},
    const std::function<bool()>& is_enough = [] { return false; });

}  // namespace sporos
