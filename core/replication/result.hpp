// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/execution/mapping.hpp>
#include <sporos/core/replication/replication_summary.hpp>
#include <sporos/core/replication/response_properties.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sporos {

/// Why a design point has no more replications.
enum class StopReason {
  replications,  ///< the plan's number is reached (without a target precision)
  precision,     ///< precise enough
  ceiling,       ///< the plan's number is reached, but not the target precision
  time_limit,    ///< the time is used up
  interrupted,   ///< the caller asked to stop
  failed         ///< replications have no responses
};

/// Names of the reasons.
template <>
struct ChoiceNames<StopReason> {
  static constexpr std::string_view what = "stop reason";  ///< what is named
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<StopReason>>({{"replications", StopReason::replications},
                                                                        {"precision", StopReason::precision},
                                                                        {"ceiling", StopReason::ceiling},
                                                                        {"time limit", StopReason::time_limit},
                                                                        {"interrupted", StopReason::interrupted},
                                                                        {"failed", StopReason::failed}});
};

/// The estimate of one response's expectation, or of the ratio of expectations that a RatioOfMeans makes of it.
struct ResponseEstimate {
  std::string name;  ///< as the model calls it
  double mean = 0;   ///< average over the replications, or ratio of averages; NaN for a ratio whose denominator is 0
  /// Sample variance of one observation, of a ratio linearized about the means; infinite where there is only one
  /// observation, or where a ratio's denominator is not clearly away from 0.
  double variance = 0;
  double half_width = 0;  ///< of the confidence interval (see half_width); infinite where nothing is known of it
  std::int64_t observations = 0;  ///< independent observations: replications, or runs of dependent ones
  double deviation = 0;           ///< standard deviation of a single replication; infinite where there is only one
  ResponseRange range = {};       ///< of an observation
  std::int64_t run_length = 1;    ///< replications that make an observation
  double skewness = 0;            ///< of the observations; of a ratio it is not known, and 0
};

/// Why a design point has no estimates.
struct PointFailure {
  std::int64_t failures = 0;  ///< replications without responses, or with responses that are no finite numbers
  std::string reason;         ///< what happened first, with the number of the replication
};

/// What came out at one design point.
struct PointResult {
  std::vector<ResponseEstimate> responses;  ///< in the model's order
  std::int64_t replications = 0;            ///< replications behind the estimates
  std::uint64_t digest = 0;                 ///< of every replication's bits; the same on every backend and mapping
  StopReason stopped_by = StopReason::replications;  ///< why there are no more
  /// Where the plan asks for them: of one observation of responses i and j at i · responses + j, the variances of the
  /// estimates on the diagonal; of ratios linearized about the means, as these. Infinite where such a variance is.
  std::vector<double> covariances = {};
  /// Where it has failed; means are NaN then, and half-widths infinite.
  std::optional<PointFailure> failure = {};
};

/// Where a design point of an experiment stands.
struct PointState {
  ReplicationSummary summary;            ///< of its replications
  std::optional<StopReason> stopped_by;  ///< why there will be no more; nothing where it goes on
};

/// All that it takes to go on with an experiment after a stop, with the bits of a run that was not stopped, given the
/// same models and plan. Of the plan, mapping and time limit may be others, as may execution space and threads. Plain
/// host data.
struct ExperimentState {
  std::int64_t replications = 0;   ///< of each design point that goes on
  std::vector<PointState> points;  ///< in the order of the design
};

/// What came out of an experiment.
struct ExperimentResult {
  std::vector<PointResult> points;    ///< in the order of the design
  double seconds = 0;                 ///< wall time
  Mapping mapping = Mapping::thread;  ///< the mapping used by most replications
  ExperimentState state;              ///< to go on from
};

}  // namespace sporos
