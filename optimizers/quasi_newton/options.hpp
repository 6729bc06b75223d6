// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/optimizers/checks.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

namespace sporos {

/// Number of stored pairs and criteria for storing them. The cosine of a pair is sᵀy / (‖s‖ ‖y‖). H is positive
/// definite if all cosines are positive; smaller cosines make it worse conditioned.
struct CorrectionPairOptions {
  /// Maximum number M of stored pairs; a new pair replaces the oldest.
  std::int64_t memory = 25;
  /// A pair whose cosine is not above this value is skipped. 0 keeps all pairs that leave H positive definite.
  double skip_up_to = 1e-8;
  /// If positive, a pair with a smaller cosine is damped instead of skipped: its y becomes the mix θy + (1 −
  /// θ)(‖y‖/‖s‖) s for which sᵀy corresponds to this cosine. This is Powell's damping (1978, with 0.2), with a multiple
  /// of the identity as the previous Hessian.
  double damp_below = 0;
};

/// Source of the stochastic method's correction pairs.
enum class PairSource {
  hessian_products,     ///< SQN: s is the move of the mean of L iterates, y = ∇²f̂ s over a separate sample.
  gradient_differences  ///< oLBFGS: s is the last step, y the change of the gradient on that step's sample.
};

/// Names of the sources.
template <>
struct ChoiceNames<PairSource> {
  static constexpr std::string_view what = "pair source";  ///< Noun for the choice in messages.
  /// Pairs of name and value.
  static constexpr auto values = std::to_array<NamedValue<PairSource>>(
      {{"hessian-products", PairSource::hessian_products}, {"gradient-differences", PairSource::gradient_differences}});
};

/// Step size of iteration k, from 1, of the stochastic method along its direction −H g.
enum class SqnStepRule {
  /// β / k. It is the rule of He et al. (2024), A preliminary study on accelerating simulation optimization with GPU
  /// implementation.
  harmonic,
  square_root,  ///< β / √k.
  constant,     ///< β.
  /// First of β', β'/2, β'/4 … that satisfies Armijo's condition for f̂ on the iteration's sample. β' is β at first,
  /// then twice the previous step, at most β (Vaswani et al. 2019).
  line_search
};

/// Names of the step rules.
template <>
struct ChoiceNames<SqnStepRule> {
  static constexpr std::string_view what = "step rule";  ///< Noun for the choice in messages.
  /// Pairs of name and value.
  static constexpr auto values = std::to_array<NamedValue<SqnStepRule>>({{"harmonic", SqnStepRule::harmonic},
                                                                         {"square-root", SqnStepRule::square_root},
                                                                         {"constant", SqnStepRule::constant},
                                                                         {"line-search", SqnStepRule::line_search}});
};

/// All options of sqn other than problem and start. Only `time_limit` makes the result depend on the machine.
struct SqnOptions {
  /// Step size rule.
  SqnStepRule step_rule = SqnStepRule::harmonic;
  /// Constant β of the step size rule.
  double step = 2;
  /// Number of iterations.
  std::int64_t iterations = 2000;
  /// Number of replications b in the sample of an iteration's gradient; each iteration draws the next b.
  std::int64_t batch_size = 50;
  /// Source of correction pairs. Gradient differences need no Hessian, but one more gradient per pair.
  PairSource pair_source = PairSource::hessian_products;
  /// Number of iterations L between two correction pairs; oLBFGS uses 1. Before the first pair, iterations go along the
  /// gradient: L of them with gradient differences, 2 L otherwise.
  std::int64_t pair_interval = 10;
  /// Number of replications b_H in the sample of a correction pair's Hessian, which has a separate seed.
  std::int64_t hessian_batch_size = 300;
  /// Factor λ of Schraudolph et al.: λ s is added to a gradient difference y.
  double regularization = 0;
  /// Options of the correction pairs.
  CorrectionPairOptions pairs = {};
  /// Whether a step by the first three rules is limited to the minimum, along its direction d, of the quadratic model
  /// of f̂ on the iteration's sample: gᵀd / dᵀ∇²f̂ d. This takes one more Hessian product (or gradient, if pairs are
  /// gradient differences) in each iteration along the gradient, in the first after each new pair, and after each that
  /// it has shortened. Without the limit the iterates diverge if β exceeds 2 / L_f, where L_f is the Lipschitz constant
  /// of the gradient. He et al. (2024) use no limit.
  bool limit_steps = true;
  /// Maximum length of a move ‖x_{k+1} − x_k‖.
  double longest_move = std::numeric_limits<double>::infinity();
  /// Seed of the random numbers.
  std::uint64_t seed = 1;
  /// Time in seconds after which no further iteration starts.
  double time_limit = std::numeric_limits<double>::infinity();
  /// Gradient norm, at a point of the trajectory, at which the run stops; 0 disables the criterion.
  double gradient_tolerance = 0;
  /// Number of iterations between points of the trajectory, at which the callback is called. 0 disables the trajectory.
  std::int64_t record_interval = 100;
  /// Number of replications in the single sample, with a separate seed, on which objective and gradient of the
  /// trajectory's points are evaluated. With 0 it is the sample of the next iteration, of which x is independent.
  std::int64_t evaluation_size = 0;
};

/// Step size of iteration k, from 1, by one of the first three rules.
KOKKOS_INLINE_FUNCTION double step_length(const SqnOptions& options, std::int64_t k) {
  if (options.step_rule == SqnStepRule::harmonic) return options.step / static_cast<double>(k);
  if (options.step_rule == SqnStepRule::square_root) return options.step / std::sqrt(static_cast<double>(k));
  return options.step;
}

/// Conditions for a step along a line (Nocedal and Wright 2006, (3.7)). f must fall by at least `decrease` times the
/// decrease that the initial slope predicts. The slope's magnitude must fall to at most `curvature` times its initial
/// value.
struct WolfeOptions {
  double decrease = 1e-4;             ///< Constant c₁, in (0, ½).
  double curvature = 0.9;             ///< Constant c₂, in (c₁, 1).
  std::int64_t max_evaluations = 40;  ///< Maximum number of evaluations of objective and slope in one search.
};

/// All options of lbfgs other than problem and start. Only `time_limit` makes the result depend on the machine.
struct LbfgsOptions {
  /// Number of iterations.
  std::int64_t iterations = 1000;
  /// Number of replications in the single sample over which f̂ is minimized. A deterministic problem ignores it.
  std::int64_t sample_size = 1;
  /// Seed of the random numbers.
  std::uint64_t seed = 1;
  /// Options of the correction pairs.
  CorrectionPairOptions pairs = {};
  /// Options of the line search.
  WolfeOptions line_search = {};
  /// Time in seconds after which no further iteration starts.
  double time_limit = std::numeric_limits<double>::infinity();
  /// Gradient norm at which the run stops. With 0 it continues until rounding ends the line search.
  double gradient_tolerance = 1e-8;
  /// Number of iterations between points of the trajectory, at which the callback is called. 0 disables the trajectory.
  std::int64_t record_interval = 1;
};

/// Throws std::invalid_argument, with a message that states the option, its value and the expected range, if an option
/// is out of range.
inline void check(const CorrectionPairOptions& options) {
  using impl::check_parameter;
  constexpr std::int64_t most = 10'000;
  check_parameter(options.memory >= 1 && options.memory <= most, "memory", options.memory, "from 1 to 10000 pairs");
  check_parameter(options.skip_up_to >= 0 && options.skip_up_to < 1, "cosine up to which pairs are skipped",
                  options.skip_up_to, "a number of at least 0 and below 1");
  check_parameter(options.damp_below >= 0 && options.damp_below < 1, "cosine below which pairs are damped",
                  options.damp_below, "a number of at least 0 and below 1");
}

namespace impl {

/// Checks the options that both methods share.
template <class Options>
void check_run(const Options& options) {
  check_parameter(options.iterations >= 0, "number of iterations", options.iterations, "at least 0");
  check_parameter(options.time_limit > 0, "time limit", options.time_limit, "a positive number of seconds");
  check_parameter(options.gradient_tolerance >= 0, "gradient tolerance", options.gradient_tolerance,
                  "a number of at least 0");
  check_parameter(options.record_interval >= 0, "record interval", options.record_interval,
                  "a number of iterations, or 0 for no trajectory");
  check(options.pairs);
}

}  // namespace impl

/// Throws std::invalid_argument if an option of a run of sqn is out of range.
inline void check(const SqnOptions& options) {
  using impl::check_parameter;
  impl::check_run(options);
  check_positive("step", options.step);
  check_parameter(options.batch_size >= 1, "batch size", options.batch_size, "at least 1");
  check_parameter(options.pair_interval >= 1, "pair interval", options.pair_interval, "at least 1 iteration");
  check_parameter(std::isfinite(options.regularization) && options.regularization >= 0, "regularization",
                  options.regularization, "a finite number of at least 0");
  check_parameter(options.hessian_batch_size >= 1, "Hessian batch size", options.hessian_batch_size, "at least 1");
  check_parameter(options.longest_move > 0, "longest move", options.longest_move, "a positive number");
  check_parameter(options.evaluation_size >= 0, "evaluation size", options.evaluation_size,
                  "a number of replications, or 0 for those of the next iteration");
  check_parameter(options.gradient_tolerance == 0 || options.record_interval > 0, "record interval",
                  options.record_interval, "at least 1, because the gradient norm is checked on the trajectory");
}

/// Throws std::invalid_argument if an option of the line search is out of range.
inline void check(const WolfeOptions& options) {
  using impl::check_parameter;
  check_parameter(options.decrease > 0 && options.decrease < 0.5, "decrease of the line search", options.decrease,
                  "a number between 0 and 0.5");
  check_parameter(options.curvature > options.decrease && options.curvature < 1, "curvature of the line search",
                  options.curvature, "a number between the decrease and 1");
  check_parameter(options.max_evaluations >= 1, "evaluations of a line search", options.max_evaluations, "at least 1");
}

/// Throws std::invalid_argument if an option of a run of lbfgs is out of range.
inline void check(const LbfgsOptions& options) {
  impl::check_run(options);
  impl::check_parameter(options.sample_size >= 1, "sample size", options.sample_size, "at least 1");
  check(options.line_search);
}

}  // namespace sporos
