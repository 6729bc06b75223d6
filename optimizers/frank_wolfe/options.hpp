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

/// Direction of an iteration. s is the vertex that the oracle returns. a is the vertex with the largest gᵀa in the
/// active set (the vertices of which x is a convex combination).
enum class FrankWolfeVariant {
  vanilla,    ///< s − x (Frank and Wolfe 1956).
  away_step,  ///< s − x, or x − a if that descends faster (Guélat and Marcotte 1986).
  pairwise    ///< s − a (Lacoste-Julien and Jaggi 2015).
};

/// Names of the variants.
template <>
struct ChoiceNames<FrankWolfeVariant> {
  static constexpr std::string_view what = "variant";  ///< Noun for the choice in messages.
  /// Pairs of name and value.
  static constexpr auto values =
      std::to_array<NamedValue<FrankWolfeVariant>>({{"vanilla", FrankWolfeVariant::vanilla},
                                                    {"away-step", FrankWolfeVariant::away_step},
                                                    {"pairwise", FrankWolfeVariant::pairwise}});
};

/// Step size along the direction d. Iteration m of epoch k is number t = kM + m overall; m, k and t start at 0.
enum class StepRule {
  /// 2 / (t + 2), that is 2 / (kM + m + 2). It is the rule of He et al. (2024), A preliminary study on accelerating
  /// simulation optimization with GPU implementation.
  open_loop,
  restarting,  ///< 2 / (m + 2).
  exact,       ///< −gᵀd / dᵀ∇²f̂ d, for quadratic f̂.
  short_step,  ///< −gᵀd / (L ‖d‖²), for a known Lipschitz constant L of ∇f̂.
  adaptive     ///< Short step with an estimate of L from backtracking (Pedregosa, Negiar, Askari and Jaggi 2020).
};

/// Names of the step rules.
template <>
struct ChoiceNames<StepRule> {
  static constexpr std::string_view what = "step rule";  ///< Noun for the choice in messages.
  /// Pairs of name and value.
  static constexpr auto values = std::to_array<NamedValue<StepRule>>({{"open-loop", StepRule::open_loop},
                                                                      {"restarting", StepRule::restarting},
                                                                      {"exact", StepRule::exact},
                                                                      {"short-step", StepRule::short_step},
                                                                      {"adaptive", StepRule::adaptive}});
};

/// Number of problems that are formed from the batches of a gap estimate and then solved (see estimate_gap).
enum class ReplicationsProcedure {
  multiple,  ///< One problem per batch; valid for any batch size (Mak, Morton and Wood 1999).
  two,       ///< One problem per half of the batches (A2RP); valid for large samples (Bayraksan and Morton 2006).
  single     ///< One problem of all batches together (SRP); valid for large samples (Bayraksan and Morton 2006).
};

/// Names of the procedures.
template <>
struct ChoiceNames<ReplicationsProcedure> {
  static constexpr std::string_view what = "replications procedure";  ///< Noun for the choice in messages.
  /// Pairs of name and value.
  static constexpr auto values =
      std::to_array<NamedValue<ReplicationsProcedure>>({{"multiple", ReplicationsProcedure::multiple},
                                                        {"two", ReplicationsProcedure::two},
                                                        {"single", ReplicationsProcedure::single}});
};

/// Options for the optimality gap, estimated on replications that the optimizer never uses (see estimate_gap).
struct GapOptions {
  std::int64_t batches = 0;       ///< Number of independent batches, at least 2; 0 disables the estimate.
  std::int64_t batch_size = 256;  ///< Number of replications per batch.
  double confidence = 0.95;       ///< Confidence of each of the two bounds, in (0, 1).
  std::int64_t interval = 0;      ///< Number of epochs between two estimates; with 0 there is one estimate, at the end.
  /// Maximum number of iterations to solve a batch's problem; with 0 only the duality gap is estimated.
  std::int64_t iterations = 25;
  /// Number of problems that are formed from the batches.
  ReplicationsProcedure procedure = ReplicationsProcedure::multiple;
};

/// All options of a run other than problem, region and start. Only `time_limit` makes the result depend on the machine.
struct FrankWolfeOptions {
  /// Direction of an iteration.
  FrankWolfeVariant variant = FrankWolfeVariant::vanilla;
  /// Step size of an iteration.
  StepRule step_rule = StepRule::open_loop;
  /// Number K of epochs; each draws a new sample.
  std::int64_t epochs = 1;
  /// Number M of iterations per epoch.
  std::int64_t iterations = 1000;
  /// Number of replications N₀ in the sample of the first epoch.
  std::int64_t sample_size = 1;
  /// Exponent p of the sample growth: epoch k, from 0, has ⌈N₀ (k + 1)^p⌉ replications.
  double sample_growth = 0;
  /// Whether the directions use d_t = (1 − ρ_t) d_{t−1} + ρ_t ∇f̂(x_t), ρ_t = 4 / (t + 8)^(2/3), instead of the
  /// gradient itself (Mokhtari, Hassani and Karbasi 2020).
  bool momentum = false;
  /// Seed of the random numbers.
  std::uint64_t seed = 1;
  /// Time in seconds after which no further iteration starts. If coordinates are screened, no further epoch starts.
  double time_limit = std::numeric_limits<double>::infinity();
  /// Gap at which the run stops; 0 disables the criterion. It applies to bound() of the independent estimate if there
  /// is one, otherwise to the gap on the iteration's sample. The gap is underestimated if the sample was used before.
  double gap_tolerance = 0;
  /// Number of epochs between points of the trajectory, at which the callback is called. 0 disables the trajectory.
  std::int64_t record_interval = 1;
  /// Whether an epoch may examine all coordinates once and then iterate only on those that the oracle can select. This
  /// applies only if problem, region, variant and step rule allow it (see screening.hpp). The iterates are the same, up
  /// to rounding.
  bool screening = true;
  /// Options for the gap on independent replications.
  GapOptions gap = {};
  /// Polled before each iteration (or, if coordinates are screened, before every few epochs) and before each batch of a
  /// gap estimate. If it returns true, the run ends as if stopped by the callback, without an unfinished gap estimate.
  StopRequest stop_request = {};
};

/// Number of replications in the sample of epoch `epoch`, counted from 0.
inline std::int64_t sample_size(const FrankWolfeOptions& options, std::int64_t epoch) {
  const double growth = std::pow(static_cast<double>(epoch + 1), options.sample_growth);
  return bounded_count(std::ceil(static_cast<double>(options.sample_size) * growth));
}

/// Throws std::invalid_argument, with a message that states the option, its value and the expected range, if an option
/// is out of range.
inline void check(const GapOptions& options) {
  using impl::check_parameter;
  check_parameter(options.batches == 0 || options.batches >= 2, "number of gap batches", options.batches,
                  "at least 2, or 0 for no estimate");
  constexpr std::int64_t max_replications = 1'000'000'000'000'000;
  check_parameter(options.batch_size >= 1, "size of a gap batch", options.batch_size, "at least 1");
  check_parameter(options.batch_size <= max_replications, "size of a gap batch", options.batch_size, "at most 10^15");
  check_parameter(options.confidence > 0 && options.confidence < 1, "confidence", options.confidence,
                  "a number between 0 and 1, such as 0.95");
  check_parameter(options.interval >= 0, "gap interval", options.interval, "a number of epochs, or 0 for the end only");
  check_parameter(options.iterations >= 0, "iterations of the gap", options.iterations,
                  "at least 0; 0 gives only the duality gap");
  const bool has_halves = options.batches % 2 == 0 && options.batches != 2;
  check_parameter(options.procedure != ReplicationsProcedure::two || has_halves, "number of gap batches",
                  options.batches, "an even number of at least 4 for two replications");
}

/// Throws std::invalid_argument if an option of the run, including those of its gap, is out of range.
inline void check(const FrankWolfeOptions& options) {
  using impl::check_parameter;
  check_parameter(options.epochs >= 0, "number of epochs", options.epochs, "at least 0");
  check_parameter(options.iterations >= 1, "number of iterations", options.iterations, "at least 1");
  constexpr std::int64_t max_iterations = std::int64_t{1} << 62;
  check_parameter(options.epochs <= max_iterations / options.iterations, "number of epochs", options.epochs,
                  "at most 2^62 iterations in total");
  check_parameter(options.sample_size >= 1, "sample size", options.sample_size, "at least 1");
  check_parameter(options.sample_growth >= 0 && std::isfinite(options.sample_growth), "sample growth",
                  options.sample_growth, "a finite exponent of at least 0");
  constexpr double max_replications = 1e15;
  const double last = static_cast<double>(options.epochs) + 1;
  check_parameter(static_cast<double>(options.sample_size) * std::pow(last, options.sample_growth) <= max_replications,
                  "sample growth", options.sample_growth, "an exponent for which the last sample is at most 1e15");
  check_parameter(options.time_limit > 0, "time limit", options.time_limit, "a positive number of seconds");
  check_parameter(options.gap_tolerance >= 0, "gap tolerance", options.gap_tolerance, "a number of at least 0");
  check_parameter(options.record_interval >= 0, "record interval", options.record_interval,
                  "a number of epochs, or 0 for no trajectory");
  check(options.gap);
}

}  // namespace sporos
