// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/backend/runner.hpp>
#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/model_description.hpp>
#include <sporos/runtime/simulation/point_comparison.hpp>
#include <sporos/runtime/simulation/requirements.hpp>
#include <sporos/runtime/simulation/response_densities.hpp>
#include <sporos/runtime/simulation/response_histograms.hpp>
#include <sporos/runtime/simulation/response_probabilities.hpp>
#include <sporos/runtime/simulation/response_quantiles.hpp>

#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/procedures/best_point.hpp>
#include <sporos/procedures/controlled_means.hpp>
#include <sporos/procedures/sampling_comparison.hpp>
#include <sporos/procedures/simultaneous_intervals.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Which design point has the best mean of a response.
struct BestReport {
  std::string response;               ///< its name
  Best best;                          ///< what is best
  std::vector<double> probabilities;  ///< of each design point, that it is the best
};

/// An experiment and what came out of it.
struct Report {
  const ModelDescription& model;
  const std::vector<ParameterValues>& design;
  const Plan& plan;
  const ExperimentResult& result;
  std::vector<std::vector<std::optional<double>>> exact;  ///< by design point and response
  Machine machine;
  std::optional<BestReport> best = {};                     ///< where that was asked
  std::optional<QuantileReport> quantiles = {};            ///< likewise
  std::optional<RequirementReport> requirements = {};      ///< likewise
  std::optional<ProbabilityReport> probabilities = {};     ///< likewise
  std::optional<HistogramReport> histograms = {};          ///< likewise
  std::optional<DensityReport> densities = {};             ///< likewise
  std::optional<SimultaneousIntervals> simultaneous = {};  ///< likewise
  std::vector<ControlledPoint> controlled = {};            ///< likewise, by design point
  std::optional<PointComparison> comparison = {};          ///< likewise
  std::vector<SkippedPoint> skipped = {};                  ///< design points that make no model
  std::vector<std::string> notes = {};                     ///< what people should know of files and intervals
};

/// Takes what single replications have given out of the answers for design points that have failed.
void leave_out_failed(Report& report);

/// The sentence on a design point that has failed: "12 of 1000 replications have failed: ..."
std::string failure_text(const PointResult& point);

/// An experiment under several samplings.
struct ComparisonReport {
  const ModelDescription& model;
  const ParameterValues& parameters;
  const Plan& plan;
  const std::vector<ComparedSampling>& samplings;
  std::vector<std::optional<double>> exact;  ///< by response
  Machine machine;
  std::vector<std::string> notes = {};  ///< what people should know of how files were read
};

/// For people: for each response, the samplings one below the other.
std::string table_of(const ComparisonReport& report);
/// A line for each response of each sampling.
std::string csv_of(const ComparisonReport& report);
/// {"sporos", "model", "parameters", "samplings": [{"sampling", "plan", "digest", "replications",
/// "stopped_by", "responses": [{"name", "mean", "variance", "half_width", "observations", "variance_ratio",
/// "variance_ratio_interval", "random_replications", "exact"}]}], "notes", "machine"}
std::string json_of(const ComparisonReport& report);

/// For people: a few lines about the experiment around a table of estimates.
std::string table_of(const Report& report);

/// A line for each response of each design point, parameters included.
std::string csv_of(const Report& report);

/// Everything, so that the experiment can be repeated:
///
///     {"sporos": version, "model": name,
///      "plan": {"replications", "precision", "relative_precision", "max_replications", "batch", "time_limit", "seed",
///               "engine", "sampling", "run_length", "sample_size", "primes", "sub_runs", "mapping", "confidence",
///               "common_random_numbers", "covariances"},
///      "points": [{"parameters": {...}, "replications", "stopped_by", "digest",
///                  "responses": [{"name", "mean", "variance", "half_width", "replications", "observations",
///                  "deviation", "exact", "simultaneous_half_width",
///                  "with_controls": {"mean", "half_width", "variance_ratio", "degrees_of_freedom"},
///                  "quantiles": [{"probability", "value", "low", "high", "replications_needed"}]}],
///                  "covariances": [[...]...], "controls": [{"name", "known", "mean", "is_used"}],
///                  "probabilities": [{"text", "value", "low", "high", "replications_with_it"}],
///                  "histograms": [{"response", "bins": [{"from", "to", "count", "share", "low", "high"}]}],
///                  "failure": {"failures", "reason"},
///                  "densities": [{"response", "bandwidth", "lack", "points": [{"point", "value", "low", "high"}]}]}],
///      "digest", "responses", "best": {"response", "best", "probabilities"},
///      "simultaneous", "skipped": [{"parameters", "reason"}],
///      "comparison": {"response", "with", "by", "differences": [{"first", "second", "difference", "low", "high"}],
///                     "distances": [{"point", "difference", "low", "high"}]},
///      "requirements": {"requirements", "confidence", "cost", "points": [{"point", "verdict", "verdicts", "cost"}],
///                       "skipped": [{"parameters", "reason"}]},
///      "notes": [...],
///      "run": {"seconds", "mapping_used", "machine": {...}}}
///
/// The second "digest" and "responses" repeat those of the only design point, and are not there where there are
/// several. Equal plans give equal bytes but for "run".
std::string json_of(const Report& report);

/// One replication of one design point, alone.
struct Replay {
  const ModelDescription& model;
  const ParameterValues& parameters;
  const Plan& plan;
  std::int64_t replication;
  std::vector<double> responses;
  std::vector<std::string> notes = {};  ///< what people should know of how files were read
  std::string failure = {};             ///< why it has no responses; empty where it has
  EventListing trace = {};              ///< where that was asked
};

/// The responses in decimal, in hexadecimal and bit by bit, then the events of a trace.
std::string table_of(const Replay& replay);
/// The responses as CSV; of a trace the events alone.
std::string csv_of(const Replay& replay);
/// The same as JSON, with {"events": [{"time", "event", "station", "entity"}]} of a trace, and "failure" where it has
/// failed.
std::string json_of(const Replay& replay);

}  // namespace sporos::runtime
