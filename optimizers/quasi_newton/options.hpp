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

/// How many pairs are kept, and which. The cosine of a pair is sᵀy / (‖s‖ ‖y‖): H is positive definite where all of
/// them are positive, and the worse conditioned the smaller they are.
struct CorrectionPairOptions {
  /// Most pairs M that are kept; of more, the newest.
  std::int64_t memory = 25;
  /// A pair whose cosine is not above this one is skipped. 0 keeps all that leave H positive definite.
  double skip_up_to = 1e-8;
  /// Where above 0, a pair of a smaller cosine has its y replaced by the mix θy + (1 − θ)(‖y‖/‖s‖) s for which
  /// sᵀy is as large as this cosine would make it, and is not skipped: Powell's damping (1978, who takes 0.2) with a
  /// multiple of the identity for the Hessian before.
  double damp_below = 0;
};

/// Where the stochastic method's correction pairs come from.
enum class PairSource {
  hessian_products,     ///< s is the move of the mean of L iterates, y = ∇²f̂ s over a sample of its own: SQN
  gradient_differences  ///< s is the last step, y the change of its own sample's gradient: oLBFGS
};

/// Names of the sources.
template <>
struct ChoiceNames<PairSource> {
  static constexpr std::string_view what = "pair source";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<PairSource>>(
      {{"hessian-products", PairSource::hessian_products}, {"gradient-differences", PairSource::gradient_differences}});
};

/// How far iteration k, from 1, of the stochastic method moves along its direction −H g.
enum class SqnStepRule {
  harmonic,     ///< β / k, the paper's
  square_root,  ///< β / √k
  constant,     ///< β
  line_search  ///< the first of β', β'/2, β'/4 … that lowers f̂ over the iteration's own sample as Armijo asks; β' is β
               ///< at first, then twice the step before, at most β (Vaswani et al. 2019)
};

/// Names of the step rules.
template <>
struct ChoiceNames<SqnStepRule> {
  static constexpr std::string_view what = "step rule";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<SqnStepRule>>({{"harmonic", SqnStepRule::harmonic},
                                                                         {"square-root", SqnStepRule::square_root},
                                                                         {"constant", SqnStepRule::constant},
                                                                         {"line-search", SqnStepRule::line_search}});
};

/// Everything about a run of sqn that is neither problem nor start. Only `time_limit` lets the machine decide the
/// result.
struct SqnOptions {
  /// Length of a step.
  SqnStepRule step_rule = SqnStepRule::harmonic;
  /// Its β.
  double step = 2;
  /// Number of iterations.
  std::int64_t iterations = 2000;
  /// Replications b in the sample of an iteration's gradient; each iteration draws the next b.
  std::int64_t batch_size = 50;
  /// Where correction pairs come from. Differences of gradients need no Hessian, and one more gradient a pair.
  PairSource pair_source = PairSource::hessian_products;
  /// Iterations L between two correction pairs; oLBFGS has 1. Before the first, L iterations with differences of
  /// gradients and 2 L otherwise, iterations go along the gradient.
  std::int64_t pair_interval = 10;
  /// Replications b_H in the sample of a correction pair's Hessian, under a seed of their own.
  std::int64_t hessian_batch_size = 300;
  /// What is added to a difference y of gradients, times s (Schraudolph's λ).
  double regularization = 0;
  /// The pairs.
  CorrectionPairOptions pairs = {};
  /// Whether a step by the first three rules goes no further than to the minimum, along its direction d, of the
  /// quadratic model of f̂ over the iteration's own sample: gᵀd / dᵀ∇²f̂ d. It takes one more Hessian product, or
  /// gradient where pairs are differences of them, in each iteration along the gradient, in the first after each new
  /// pair, and after each that it has shortened. Without it a β above
  /// 2 / L_f, L_f being the Lipschitz constant of the gradient, blows up; the paper goes without.
  bool limit_steps = true;
  /// The longest move ‖x_{k+1} − x_k‖.
  double longest_move = std::numeric_limits<double>::infinity();
  /// Names the random numbers.
  std::uint64_t seed = 1;
  /// Seconds after which no further iteration is begun.
  double time_limit = std::numeric_limits<double>::infinity();
  /// A norm of the gradient, at a point of the trajectory, that is small enough to stop. 0 asks for nothing.
  double gradient_tolerance = 0;
  /// Iterations between two points of the trajectory; at each the callback is called. With 0 there is no trajectory.
  std::int64_t record_interval = 100;
  /// Replications of the one sample, under a seed of its own, on which objective and gradient of the trajectory's
  /// points are evaluated. With 0 it is the sample of the iteration that follows, of which x knows nothing yet.
  std::int64_t evaluation_size = 0;
};

/// Length of iteration k, from 1, by one of the first three rules.
KOKKOS_INLINE_FUNCTION double step_length(const SqnOptions& options, std::int64_t k) {
  if (options.step_rule == SqnStepRule::harmonic) return options.step / static_cast<double>(k);
  if (options.step_rule == SqnStepRule::square_root) return options.step / std::sqrt(static_cast<double>(k));
  return options.step;
}

/// When a step along a line is good (Nocedal and Wright 2006, (3.7)): f falls by at least `decrease` times what the
/// slope at its beginning promises, and the slope's magnitude to at most `curvature` times.
struct WolfeOptions {
  double decrease = 1e-4;              ///< c₁, in (0, ½)
  double curvature = 0.9;              ///< c₂, in (c₁, 1)
  std::int64_t most_evaluations = 40;  ///< of objective and slope, in one search
};

/// Everything about a run of lbfgs that is neither problem nor start. Only `time_limit` lets the machine decide the
/// result.
struct LbfgsOptions {
  /// Number of iterations.
  std::int64_t iterations = 1000;
  /// Replications of the one sample over which f̂ is minimized. A deterministic problem ignores it.
  std::int64_t sample_size = 1;
  /// Names the random numbers.
  std::uint64_t seed = 1;
  /// The pairs.
  CorrectionPairOptions pairs = {};
  /// The line search.
  WolfeOptions line_search = {};
  /// Seconds after which no further iteration is begun.
  double time_limit = std::numeric_limits<double>::infinity();
  /// A norm of the gradient that is small enough to stop. 0 goes on until rounding ends the line search.
  double gradient_tolerance = 1e-8;
  /// Iterations between two points of the trajectory; at each the callback is called. With 0 there is no trajectory.
  std::int64_t record_interval = 1;
};

/// Throws std::invalid_argument, naming option, value and what was expected, for options that cannot be carried out.
inline void check(const CorrectionPairOptions& options) {
  using impl::check_parameter;
  constexpr std::int64_t most = 10'000;
  check_parameter(options.memory >= 1 && options.memory <= most, "memory", options.memory, "from 1 to 10000 pairs");
  check_parameter(options.skip_up_to >= 0 && options.skip_up_to < 1, "cosine up to which pairs are skipped",
                  options.skip_up_to, "a number from 0 to below 1");
  check_parameter(options.damp_below >= 0 && options.damp_below < 1, "cosine below which pairs are damped",
                  options.damp_below, "a number from 0 to below 1");
}

namespace impl {

/// What both methods ask for alike.
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

/// The same for all options of a run of sqn.
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
                  "a number of replications, or 0 for the next iteration's own");
  check_parameter(options.gradient_tolerance == 0 || options.record_interval > 0, "record interval",
                  options.record_interval, "at least 1: the gradient's norm is looked at on the trajectory");
}

/// The same for the line search.
inline void check(const WolfeOptions& options) {
  using impl::check_parameter;
  check_parameter(options.decrease > 0 && options.decrease < 0.5, "decrease of the line search", options.decrease,
                  "a number between 0 and 0.5");
  check_parameter(options.curvature > options.decrease && options.curvature < 1, "curvature of the line search",
                  options.curvature, "a number between the decrease and 1");
  check_parameter(options.most_evaluations >= 1, "evaluations of a line search", options.most_evaluations,
                  "at least 1");
}

/// The same for all options of a run of lbfgs.
inline void check(const LbfgsOptions& options) {
  impl::check_run(options);
  impl::check_parameter(options.sample_size >= 1, "sample size", options.sample_size, "at least 1");
  check(options.line_search);
}

}  // namespace sporos
