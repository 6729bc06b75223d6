// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/results/result_document.hpp>
#include <sporos/runtime/simulation/convergence.hpp>
#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/model_description.hpp>
#include <sporos/runtime/simulation/point_comparison.hpp>
#include <sporos/runtime/simulation/requirements.hpp>
#include <sporos/runtime/simulation/response_distributions.hpp>
#include <sporos/runtime/simulation/response_probabilities.hpp>
#include <sporos/runtime/simulation/response_quantiles.hpp>
#include <sporos/runtime/simulation/tasks.hpp>

#include <sporos/core/io/station_animation.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/core/sampling/sampling.hpp>
#include <sporos/procedures/best_point.hpp>
#include <sporos/procedures/controlled_means.hpp>
#include <sporos/procedures/sampling_comparison.hpp>
#include <sporos/procedures/simultaneous_intervals.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Returns a note for each response that has an interval from too few observations for their skewness, at one or more
/// of the points (see observations_for_skewness). `confidence` is that of the intervals.
std::vector<std::string> interval_notes(std::span<const PointResult> points, double confidence);

/// Returns a note if `sampling` is biased: intervals do not include the bias (see is_unbiased).
std::vector<std::string> bias_notes(Sampling sampling);

/// Returns a note if a backend with a device ran the replications on the host (is_for_host).
std::vector<std::string> host_notes(const Machine& machine, std::size_t points, const Plan& plan);

/// Probability that each design point has the best mean of a response.
struct BestReport {
  std::string response;               ///< name of the response
  Best best;                          ///< whether the largest or the smallest mean is best
  std::vector<double> probabilities;  ///< probability of each design point to be the best
};

/// Replication 0 of a design point over time.
struct PointAnimation {
  std::size_t point;               ///< index of the design point
  io::StationAnimation animation;  ///< its stations over time
};

/// An experiment and its results.
struct Report {
  const ModelDescription& model;
  const std::vector<ParameterValues>& design;
  const Plan& plan;
  const ExperimentResult& result;
  std::vector<std::vector<std::optional<double>>> exact;  ///< exact means by design point and response
  Machine machine;
  std::optional<BestReport> best = {};                     ///< which point is the best, if requested
  std::optional<QuantileReport> quantiles = {};            ///< quantiles, if requested
  std::optional<RequirementReport> requirements = {};      ///< requirements, if requested
  std::optional<ProbabilityReport> probabilities = {};     ///< probabilities, if requested
  std::optional<HistogramReport> histograms = {};          ///< histograms, if requested
  std::optional<DensityReport> densities = {};             ///< densities, if requested
  std::optional<SimultaneousIntervals> simultaneous = {};  ///< simultaneous intervals, if requested
  std::vector<ControlledPoint> controlled = {};            ///< means with controls by design point, if requested
  std::optional<PointComparison> comparison = {};          ///< comparisons of design points, if requested
  std::vector<SkippedPoint> skipped = {};                  ///< design points that are invalid for the model
  std::vector<std::string> notes = {};                     ///< notes for users on files and intervals
  std::vector<PointAnimation> animations = {};             ///< replication 0 of some design points, for a page
};

/// Returns the design points that a page animates: all of at most four, and otherwise the first, the last, and the
/// `best` one if it is known. Leaves out points whose replications have failed.
std::vector<std::size_t> animated_points(const ExperimentResult& result, std::optional<std::size_t> best);

/// Describes the source of a plan's random numbers: "seed 1, philox, random sampling".
std::string source_text(const Plan& plan);

/// Returns a plan as settings, with the names that Python and the options use.
std::vector<ResultFact> plan_facts(const Plan& plan);

/// Returns the result of an experiment, with the narrowing of intervals if `convergence` is set.
ResultDocument document_of(const Report& report, const std::optional<Convergence>& convergence);

/// An experiment under several samplings.
struct ComparisonReport {
  const ModelDescription& model;
  const ParameterValues& parameters;
  const Plan& plan;
  const std::vector<ComparedSampling>& samplings;
  std::vector<std::optional<double>> exact;  ///< exact means by response
  double seconds;                            ///< seconds that all experiments took
  Machine machine;
  std::vector<std::string> notes = {};  ///< notes for users on how files were read
};

/// Returns the samplings in rows for each response.
ResultDocument document_of(const ComparisonReport& report);

/// A single replication of one design point.
struct Replay {
  const ModelDescription& model;
  const ParameterValues& parameters;
  const Plan& plan;
  std::int64_t replication;
  std::vector<double> responses;
  double seconds;
  Machine machine;
  std::vector<std::string> notes = {};  ///< notes for users on how files were read
  std::string failure = {};             ///< why it has no responses; empty if it has responses
  EventListing trace = {};              ///< its events, if requested
};

/// Returns the responses in decimal, in hexadecimal and bit by bit, after the events of a trace.
ResultDocument document_of(const Replay& replay);

/// Adds the tables, settings and notes of everything that was requested in addition to means: control variates,
/// correlations, quantiles, probabilities, histograms, densities, requirements, and comparisons of design points.
void add_answers(const Report& report, ResultDocument& result);

/// Returns the design points that may be the best, the most probable one first. `report.best` must be set.
ResultFact best_finding(const Report& report);

}  // namespace sporos::runtime
