// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>
#include <sporos/core/replication/replication_range.hpp>
#include <sporos/core/replication/tilt.hpp>
#include <sporos/core/statistics/estimate_steps.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

/// Importance sampling of rare events: options, result, and the search for tilts by cross-entropy.
namespace sporos {

/// How a rare event is simulated by importance sampling.
struct ImportanceOptions {
  std::int64_t replications = 100'000;       ///< of which the estimate is made; at least 2
  std::int64_t pilot_replications = 20'000;  ///< of each step of cross-entropy; at least 2
  double share = 0.1;                        ///< of a step that are to reach its level, in (0, 1)
  double smoothing = 0.7;                    ///< weight of what a step has found against the tilt before it, in (0, 1]
  std::int64_t most_steps = 100;             ///< of cross-entropy; at least 1
  double confidence = 0.95;                  ///< of the interval, in (0, 1)
  std::uint64_t seed = 1;                    ///< names the random numbers
  /// Where not empty, the tilts, and cross-entropy is left out: as many as ImportanceResult has.
  std::vector<Tilt> tilts = {};
  std::int64_t most_chain_steps = std::int64_t{1} << 40;  ///< of a Markov chain: one that needs more is an error
};

/// The probability of a rare event by importance sampling.
struct ImportanceResult {
  double probability = 0;  ///< mean of the likelihood ratio where the event happened, and else of 0: without bias
  double half_width = 0;   ///< of its confidence interval, by Student; 0 where the event was not seen
  /// Where the event was not seen: what its probability is at most, by Clopper and Pearson's bound for the first step,
  /// in which nothing is tilted; else infinite.
  double at_most = std::numeric_limits<double>::infinity();
  std::int64_t hits = 0;  ///< replications with the event, of those of which the estimate is made
  /// (Σ w)² / Σ w² of the hits' likelihood ratios w: as many equal ones would be as precise (Kong 1992).
  double effective_hits = 0;
  /// How heavy the tail of the hits' likelihood ratios is (core/statistics/tail_shape.hpp): above 0.5 their variance
  /// may be infinite. 0 where they hardly vary.
  double tail_shape = 0;
  double largest_share = 0;    ///< of one likelihood ratio in the sum of all hits'
  double variance_ratio = 0;   ///< of plain simulation, with as many replications, to this: p (1 − p) / variance
  std::vector<Tilt> tilts;     ///< of the last step: input by input, of each those of its variables in turn
  std::vector<double> levels;  ///< of the steps of cross-entropy, the last of which is the target where it was reached
  std::int64_t replications = 0;  ///< of all steps, and those of which the estimate is made
  /// Of which the estimate is made: fewer than the options ask for where launches were asked to end.
  std::int64_t estimate_replications = 0;
  /// The probability as the replications add up of which the estimate is made, from the first hit on.
  std::vector<EstimateStep> steps;
};

/// The mean of a response by importance sampling.
struct ImportanceMean {
  double mean = 0;        ///< of the response times its likelihood ratio: without bias
  double half_width = 0;  ///< of its confidence interval, by Student
  /// (Σ |w|)² / Σ w² of these products w: as many equal ones would be as precise; 0 where all are 0.
  double effective_replications = 0;
  double tail_shape = 0;          ///< of the products' sizes, as in ImportanceResult
  double largest_share = 0;       ///< of one product in the sum of all sizes
  double variance_ratio = 0;      ///< of plain simulation, with as many replications, to this
  std::vector<Tilt> tilts;        ///< of the last step, in the order of ImportanceResult
  std::int64_t replications = 0;  ///< of all steps, and those of which the estimate is made
};

/// Throws std::invalid_argument for options out of range.
void check(const ImportanceOptions& options);

/// One sentence where few likelihood ratios carry the estimate, so that the interval may be too narrow: fewer than 100
/// effective hits, one hit that makes a tenth of the sum, or a tail of the likelihood ratios of shape above 0.5. Where
/// cross-entropy did not come to the event, or nothing was seen, it says so. Else empty.
std::string importance_warning(const ImportanceResult& result, double target);

namespace impl {

/// What came out of replications under tilts.
struct TiltedSample {
  std::vector<double> values;      ///< of each replication: the event is that it is at least the level
  std::vector<double> log_ratios;  ///< of each: ln(f/g) of its draws
  std::vector<double> sums;        ///< of each: tilt_sums of each tilt; none where these were not asked for
};

/// Runs replications 0 to `replications` − 1 with seed `seed` under these tilts, or the first ones where launches are
/// asked to end. Those of a Markov chain end at `level`.
using TiltedRun = std::function<TiltedSample(double level, const std::vector<Tilt>& tilts, std::uint64_t seed,
                                             std::int64_t replications, bool wants_sums)>;

/// Adds replications `range` under these tilts to `sample`.
using TiltedRows = std::function<void(double level, const std::vector<Tilt>& tilts, std::uint64_t seed,
                                      const ReplicationRange& range, bool wants_sums, TiltedSample& sample)>;

/// Replications by `rows`, which several processes share. Throws std::runtime_error with `wrong` where a value is NaN.
TiltedRun tilted_run(TiltedRows rows, std::string wrong, Processes& processes);

/// P(value >= target) by `run`, from `tilts`, which change nothing. `ends_at_level` says that what happens behind the
/// level is left out.
ImportanceResult importance_result(const TiltedRun& run, std::vector<Tilt> tilts, bool ends_at_level, double target,
                                   const ImportanceOptions& options);

/// E(value) by `run`, from `tilts`, which change nothing.
ImportanceMean importance_mean_result(const TiltedRun& run, std::vector<Tilt> tilts, const ImportanceOptions& options);

}  // namespace impl

}  // namespace sporos
