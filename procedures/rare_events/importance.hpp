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

/// Options of importance sampling of a rare event.
struct ImportanceOptions {
  std::int64_t replications = 100'000;       ///< replications of the estimate; at least 2
  std::int64_t pilot_replications = 20'000;  ///< replications of each cross-entropy step; at least 2
  double share = 0.1;                        ///< share of a step's replications that should reach its level, in (0, 1)
  double smoothing = 0.7;                    ///< weight of a step's result against the previous tilt, in (0, 1]
  std::int64_t max_steps = 100;              ///< maximum number of cross-entropy steps; at least 1
  double confidence = 0.95;                  ///< confidence of the interval, in (0, 1)
  std::uint64_t seed = 1;                    ///< seed of the random numbers
  /// If not empty, the tilts to use instead of those of cross-entropy: as many as ImportanceResult has.
  std::vector<Tilt> tilts = {};
  /// Maximum number of steps of a Markov chain: one that needs more is an error.
  std::int64_t max_chain_steps = std::int64_t{1} << 40;
};

/// Probability of a rare event by importance sampling.
struct ImportanceResult {
  double probability = 0;  ///< unbiased: mean over replications of the likelihood ratio, or 0 without the event
  double half_width = 0;   ///< half-width of its confidence interval, by Student; 0 if the event was not seen
  /// Upper bound of the probability if the event was not seen, otherwise infinite. It is Clopper and Pearson's bound
  /// for the first step, in which nothing is tilted.
  double at_most = std::numeric_limits<double>::infinity();
  std::int64_t hits = 0;  ///< replications of the estimate in which the event happened
  /// (Σ w)² / Σ w² for the hits' likelihood ratios w: this many equal ratios would be as precise (Kong 1992).
  double effective_hits = 0;
  /// Shape of the tail of the hits' likelihood ratios (core/statistics/tail_shape.hpp): above 0.5 their variance may be
  /// infinite. 0 if they hardly vary.
  double tail_shape = 0;
  double largest_share = 0;    ///< share of the largest likelihood ratio in the sum over all hits
  double variance_ratio = 0;   ///< variance of as many plain replications, divided by this one: p (1 − p) / variance
  std::vector<Tilt> tilts;     ///< tilts of the last step: for each input in turn, one for each of its variables
  std::vector<double> levels;  ///< levels of the cross-entropy steps; the last one is the target if it was reached
  std::int64_t replications = 0;  ///< replications of all steps and of the estimate
  /// Replications of the estimate. There are fewer than the options request if a launch stop was requested.
  std::int64_t estimate_replications = 0;
  /// Probability after increasing numbers of the estimate's replications, starting at the first hit.
  std::vector<EstimateStep> steps;
};

/// Mean of a response by importance sampling.
struct ImportanceMean {
  double mean = 0;        ///< mean of the response times its likelihood ratio: unbiased
  double half_width = 0;  ///< half-width of its confidence interval, by Student
  /// (Σ |w|)² / Σ w² for these products w: this many equal ones would be as precise; 0 if all are 0.
  double effective_replications = 0;
  double tail_shape = 0;          ///< shape of the tail of the products' absolute values, as in ImportanceResult
  double largest_share = 0;       ///< share of the largest product in the sum of absolute values
  double variance_ratio = 0;      ///< variance of as many plain replications, divided by this one
  std::vector<Tilt> tilts;        ///< tilts of the last step, in the order of ImportanceResult
  std::int64_t replications = 0;  ///< replications of all steps and of the estimate
};

/// Throws std::invalid_argument if an option is out of range.
void check(const ImportanceOptions& options);

/// Returns a warning of one sentence if few likelihood ratios carry the estimate, so that the interval may be too
/// narrow: fewer than 100 effective hits, a hit that makes a tenth of the sum, or a tail of the likelihood ratios with
/// shape above 0.5. It also warns if cross-entropy did not reach the event or the event was not seen. Otherwise returns
/// an empty string.
std::string importance_warning(const ImportanceResult& result, double target);

namespace impl {

/// Replications under tilts.
struct TiltedSample {
  std::vector<double> values;      ///< value of each replication; the event is that it reaches the level
  std::vector<double> log_ratios;  ///< ln(f/g) of the draws of each replication
  std::vector<double> sums;        ///< tilt_sums sums of each tilt, for each replication; empty if not requested
};

/// Function that runs replications 0 to `replications` − 1 with seed `seed` under these tilts, or the first ones if a
/// launch stop is requested. Replications of a Markov chain end at `level`.
using TiltedRun = std::function<TiltedSample(double level, const std::vector<Tilt>& tilts, std::uint64_t seed,
                                             std::int64_t replications, bool wants_sums)>;

/// Function that adds replications `range` under these tilts to `sample`.
using TiltedRows = std::function<void(double level, const std::vector<Tilt>& tilts, std::uint64_t seed,
                                      const ReplicationRange& range, bool wants_sums, TiltedSample& sample)>;

/// Returns a function that runs replications by `rows` and shares them among the processes. It throws
/// std::runtime_error with message `wrong` if a value is NaN.
TiltedRun tilted_run(TiltedRows rows, std::string wrong, Processes& processes);

/// Estimates P(value >= target) by `run`, starting from the neutral tilts `tilts`. `ends_at_level` states that
/// replications end at the level.
ImportanceResult importance_result(const TiltedRun& run, std::vector<Tilt> tilts, bool ends_at_level, double target,
                                   const ImportanceOptions& options);

/// Estimates E(value) by `run`, starting from the neutral tilts `tilts`.
ImportanceMean importance_mean_result(const TiltedRun& run, std::vector<Tilt> tilts, const ImportanceOptions& options);

}  // namespace impl

}  // namespace sporos
