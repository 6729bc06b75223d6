// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/math/count.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/stopping.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

namespace sporos {

/// Along which direction an iteration moves. s is the vertex that the oracle returns, a the vertex of the active set
/// (the vertices of which x is a convex combination) with the largest gᵀa.
enum class FrankWolfeVariant {
  vanilla,    ///< s − x (Frank and Wolfe 1956)
  away_step,  ///< s − x, or x − a where that descends faster (Guélat and Marcotte 1986)
  pairwise    ///< s − a (Lacoste-Julien and Jaggi 2015)
};

/// Names of the variants.
template <>
struct ChoiceNames<FrankWolfeVariant> {
  static constexpr std::string_view what = "variant";  ///< what is chosen
  /// name and value of each
  static constexpr auto values =
      std::to_array<NamedValue<FrankWolfeVariant>>({{"vanilla", FrankWolfeVariant::vanilla},
                                                    {"away-step", FrankWolfeVariant::away_step},
                                                    {"pairwise", FrankWolfeVariant::pairwise}});
};

/// How far an iteration moves along its direction d. Iteration m of epoch k is, over all epochs, iteration t = kM + m;
/// both count from 0.
enum class StepRule {
  open_loop,   ///< 2 / (t + 2), the paper's 2 / (kM + m + 2)
  restarting,  ///< 2 / (m + 2)
  exact,       ///< −gᵀd / dᵀ∇²f̂ d, for quadratics
  short_step,  ///< −gᵀd / (L ‖d‖²), for a known Lipschitz constant L of ∇f̂
  adaptive     ///< the same with an L found by backtracking (Pedregosa, Negiar, Askari, Jaggi 2020)
};

/// Names of the step rules.
template <>
struct ChoiceNames<StepRule> {
  static constexpr std::string_view what = "step rule";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<StepRule>>({{"open-loop", StepRule::open_loop},
                                                                      {"restarting", StepRule::restarting},
                                                                      {"exact", StepRule::exact},
                                                                      {"short-step", StepRule::short_step},
                                                                      {"adaptive", StepRule::adaptive}});
};

/// How many problems the batches of a gap's estimate make, each of which is solved (see estimate_gap).
enum class ReplicationsProcedure {
  multiple,  ///< one for each batch: valid for any batch size (Mak, Morton, Wood 1999)
  two,       ///< one for each half of the batches: A2RP, valid for large samples (Bayraksan, Morton 2006)
  single     ///< one of all batches together: SRP, likewise
};

/// Names of the procedures.
template <>
struct ChoiceNames<ReplicationsProcedure> {
  static constexpr std::string_view what = "replications procedure";  ///< what is chosen
  /// name and value of each
  static constexpr auto values =
      std::to_array<NamedValue<ReplicationsProcedure>>({{"multiple", ReplicationsProcedure::multiple},
                                                        {"two", ReplicationsProcedure::two},
                                                        {"single", ReplicationsProcedure::single}});
};

/// How the distance from the optimum is estimated on replications that the optimizer never uses (see estimate_gap).
struct GapOptions {
  std::int64_t batches = 0;       ///< independent ones, at least 2; with 0 there is no estimate
  std::int64_t batch_size = 256;  ///< replications in each
  double confidence = 0.95;       ///< of each of the two bounds, in (0, 1)
  std::int64_t interval = 0;      ///< epochs between two estimates; with 0 there is one, at the end
  std::int64_t iterations = 25;   ///< at most, to solve a batch's problem; with 0 there is the duality gap alone
  ReplicationsProcedure procedure = ReplicationsProcedure::multiple;  ///< which problems these are
};

/// Everything about a run that is neither problem, region nor start. Only `time_limit` lets the machine decide the
/// result.
struct FrankWolfeOptions {
  /// Direction of an iteration.
  FrankWolfeVariant variant = FrankWolfeVariant::vanilla;
  /// Its length.
  StepRule step_rule = StepRule::open_loop;
  /// Number K of epochs; each draws a new sample.
  std::int64_t epochs = 1;
  /// Number M of iterations in each.
  std::int64_t iterations = 1000;
  /// Replications N₀ in the first epoch's sample.
  std::int64_t sample_size = 1;
  /// Epoch k, from 0, has ⌈N₀ (k + 1)^p⌉ replications, p being this.
  double sample_growth = 0;
  /// Whether directions follow d_t = (1 − ρ_t) d_{t−1} + ρ_t ∇f̂(x_t), ρ_t = 4 / (t + 8)^(2/3), instead of the gradient
  /// itself (Mokhtari, Hassani, Karbasi 2020).
  bool momentum = false;
  /// Names the random numbers.
  std::uint64_t seed = 1;
  /// Seconds after which no further iteration is begun; where coordinates are screened, no further epoch.
  double time_limit = std::numeric_limits<double>::infinity();
  /// A gap that is small enough to stop: the bound() of the independent estimate where there is one, else that of
  /// the iteration's own sample, which is too small where the optimizer has seen the sample before. 0 asks for nothing.
  double gap_tolerance = 0;
  /// Epochs between two points of the trajectory; at each the callback is called. With 0 there is no trajectory.
  std::int64_t record_interval = 1;
  /// Whether an epoch may look at all coordinates once and iterate on those that can win, where problem, region,
  /// variant and step rule allow it (see screening.hpp). The iterates are the same, up to rounding.
  bool screening = true;
  /// The gap on independent replications.
  GapOptions gap = {};
  /// Asked before each iteration, or where coordinates are screened before a few epochs, and before each batch of a
  /// gap: where it says so, the run ends as by the callback, without the gap that was not estimated.
  StopRequest stop_request = {};
};

/// Replications of the sample of epoch `epoch`, from 0.
inline std::int64_t sample_size(const FrankWolfeOptions& options, std::int64_t epoch) {
  const double growth = std::pow(static_cast<double>(epoch + 1), options.sample_growth);
  return bounded_count(std::ceil(static_cast<double>(options.sample_size) * growth));
}

/// Throws std::invalid_argument, naming option, value and what was expected, for options that cannot be carried out.
inline void check(const GapOptions& options) {
  using impl::check_parameter;
  check_parameter(options.batches == 0 || options.batches >= 2, "number of gap batches", options.batches,
                  "at least 2, or 0 for no estimate");
  constexpr std::int64_t most_replications = 1'000'000'000'000'000;
  check_parameter(options.batch_size >= 1, "size of a gap batch", options.batch_size, "at least 1");
  check_parameter(options.batch_size <= most_replications, "size of a gap batch", options.batch_size, "at most 10^15");
  check_parameter(options.confidence > 0 && options.confidence < 1, "confidence", options.confidence,
                  "a number between 0 and 1, such as 0.95");
  check_parameter(options.interval >= 0, "gap interval", options.interval,
                  "a number of epochs, or 0 for the end alone");
  check_parameter(options.iterations >= 0, "iterations of the gap", options.iterations,
                  "at least 0, which asks for the duality gap alone");
  const bool has_halves = options.batches % 2 == 0 && options.batches != 2;
  check_parameter(options.procedure != ReplicationsProcedure::two || has_halves, "number of gap batches",
                  options.batches, "an even number of at least 4, for two replications");
}

/// The same for all options of a run.
inline void check(const FrankWolfeOptions& options) {
  using impl::check_parameter;
  check_parameter(options.epochs >= 0, "number of epochs", options.epochs, "at least 0");
  check_parameter(options.iterations >= 1, "number of iterations", options.iterations, "at least 1");
  constexpr std::int64_t most_iterations = std::int64_t{1} << 62;
  check_parameter(options.epochs <= most_iterations / options.iterations, "number of epochs", options.epochs,
                  "at most 2^62 iterations in all of them");
  check_parameter(options.sample_size >= 1, "sample size", options.sample_size, "at least 1");
  check_parameter(options.sample_growth >= 0 && std::isfinite(options.sample_growth), "sample growth",
                  options.sample_growth, "a finite exponent of at least 0");
  constexpr double most_replications = 1e15;
  const double last = static_cast<double>(options.epochs) + 1;
  check_parameter(static_cast<double>(options.sample_size) * std::pow(last, options.sample_growth) <= most_replications,
                  "sample growth", options.sample_growth, "an exponent that leaves the last sample below 1e15");
  check_parameter(options.time_limit > 0, "time limit", options.time_limit, "a positive number of seconds");
  check_parameter(options.gap_tolerance >= 0, "gap tolerance", options.gap_tolerance, "a number of at least 0");
  check_parameter(options.record_interval >= 0, "record interval", options.record_interval,
                  "a number of epochs, or 0 for no trajectory");
  check(options.gap);
}

}  // namespace sporos
