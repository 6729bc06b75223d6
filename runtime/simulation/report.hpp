// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/results/result_document.hpp>
#include <sporos/runtime/simulation/convergence.hpp>
#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/model_description.hpp>
#include <sporos/runtime/simulation/point_comparison.hpp>
#include <sporos/runtime/simulation/requirements.hpp>
#include <sporos/runtime/simulation/response_densities.hpp>
#include <sporos/runtime/simulation/response_histograms.hpp>
#include <sporos/runtime/simulation/response_probabilities.hpp>
#include <sporos/runtime/simulation/response_quantiles.hpp>
#include <sporos/runtime/simulation/tasks.hpp>

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

/// From where a plan's random numbers come: "seed 1, philox, random sampling".
std::string source_text(const Plan& plan);

/// A plan as settings, by the names that Python and options have.
std::vector<ResultFact> plan_facts(const Plan& plan);

/// The result, with how intervals narrowed if that was kept.
ResultDocument document_of(const Report& report, const std::optional<Convergence>& convergence);

/// An experiment under several samplings.
struct ComparisonReport {
  const ModelDescription& model;
  const ParameterValues& parameters;
  const Plan& plan;
  const std::vector<ComparedSampling>& samplings;
  std::vector<std::optional<double>> exact;  ///< by response
  double seconds;                            ///< of all experiments
  Machine machine;
  std::vector<std::string> notes = {};  ///< what people should know of how files were read
};

/// For each response, the samplings one below the other.
ResultDocument document_of(const ComparisonReport& report);

/// One replication of one design point, alone.
struct Replay {
  const ModelDescription& model;
  const ParameterValues& parameters;
  const Plan& plan;
  std::int64_t replication;
  std::vector<double> responses;
  double seconds;
  Machine machine;
  std::vector<std::string> notes = {};  ///< what people should know of how files were read
  std::string failure = {};             ///< why it has no responses; empty where it has
  EventListing trace = {};              ///< where that was asked
};

/// The responses in decimal, in hexadecimal and bit by bit; before them the events of a trace.
ResultDocument document_of(const Replay& replay);

}  // namespace sporos::runtime
