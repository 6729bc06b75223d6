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

/// Reason why a design point stopped running replications.
enum class StopReason {
  replications,  ///< the plan's number of replications is reached, without a target precision
  precision,     ///< the target precision is reached
  ceiling,       ///< the plan's number of replications is reached, but not the target precision
  time_limit,    ///< the time limit is reached
  interrupted,   ///< the caller requested the stop
  failed         ///< replications failed
};

/// Names of the values of StopReason.
template <>
struct ChoiceNames<StopReason> {
  static constexpr std::string_view what = "stop reason";  ///< noun for messages
  /// Name and value of each reason.
  static constexpr auto values = std::to_array<NamedValue<StopReason>>({{"replications", StopReason::replications},
                                                                        {"precision", StopReason::precision},
                                                                        {"ceiling", StopReason::ceiling},
                                                                        {"time limit", StopReason::time_limit},
                                                                        {"interrupted", StopReason::interrupted},
                                                                        {"failed", StopReason::failed}});
};

/// Estimate of the expectation of a response, or of a ratio of expectations if a RatioOfMeans defines the response.
struct ResponseEstimate {
  std::string name;  ///< name of the response in the model
  double mean = 0;   ///< average over the replications, or ratio of averages; NaN for a ratio with denominator 0
  /// Sample variance of one observation; for a ratio, linearized about the means. It is infinite if there is only one
  /// observation, or if the denominator of a ratio is not clearly different from 0.
  double variance = 0;
  double half_width = 0;          ///< half-width of the confidence interval (see half_width); infinite if it is unknown
  std::int64_t observations = 0;  ///< number of independent observations: replications, or runs of dependent ones
  double deviation = 0;           ///< standard deviation of a single replication; infinite if there is only one
  ResponseRange range = {};       ///< range of an observation
  std::int64_t run_length = 1;    ///< number of replications per observation
  double skewness = 0;            ///< sample skewness of the observations; 0 for a ratio, where it is not computed
};

/// Failure of a design point, which has no estimates.
struct PointFailure {
  std::int64_t failures = 0;  ///< number of replications without responses, or with responses that are not finite
  std::string reason;         ///< reason of the first failure, with the index of the replication
};

/// Result of one design point.
struct PointResult {
  std::vector<ResponseEstimate> responses;  ///< estimates, in the model's order of responses
  std::int64_t replications = 0;            ///< number of replications used for the estimates
  std::uint64_t digest = 0;  ///< digest of the bits of all replications; the same on every backend and mapping
  StopReason stopped_by = StopReason::replications;  ///< reason why there are no more replications
  /// Covariances of responses i and j in one observation, at i · responses + j, if the plan requests them. The diagonal
  /// holds the variances of the estimates. Ratios are linearized about the means, as in their variances. A covariance
  /// is infinite if one of the two variances is infinite.
  std::vector<double> covariances = {};
  /// Failure of the design point, if it has failed. Means are then NaN, and half-widths infinite.
  std::optional<PointFailure> failure = {};
};

/// State of a design point of an experiment.
struct PointState {
  ReplicationSummary summary;            ///< summary of its replications
  std::optional<StopReason> stopped_by;  ///< reason why it stopped; empty if it is still running
};

/// State from which an experiment can continue after a stop. With the same models and plan, the result has the same
/// bits as that of an experiment that was not stopped. The plan's mapping and time limit may differ, as may the
/// execution space and its number of threads. The state is plain host data.
struct ExperimentState {
  std::int64_t replications = 0;   ///< replications of each design point that is still running
  std::vector<PointState> points;  ///< states, in the order of the design
  /// First replication of each design point; above 0 for a part of an experiment (experiment_parts.hpp). A state that
  /// has no points and `replications == first` is the beginning of such a part.
  std::int64_t first = 0;
};

/// Result of an experiment.
struct ExperimentResult {
  std::vector<PointResult> points;    ///< results, in the order of the design
  double seconds = 0;                 ///< wall time in seconds
  Mapping mapping = Mapping::thread;  ///< the mapping used by most replications
  ExperimentState state;              ///< state from which the experiment can continue
};

}  // namespace sporos
