// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/model_description.hpp>
#include <sporos/runtime/simulation/options.hpp>
#include <sporos/runtime/simulation/point_comparison.hpp>
#include <sporos/runtime/simulation/report.hpp>
#include <sporos/runtime/simulation/requirements.hpp>
#include <sporos/runtime/simulation/response_distributions.hpp>
#include <sporos/runtime/simulation/response_file.hpp>
#include <sporos/runtime/simulation/response_probabilities.hpp>
#include <sporos/runtime/simulation/response_quantiles.hpp>

#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/replication_rows.hpp>
#include <sporos/core/replication/watcher.hpp>
#include <sporos/procedures/best_point.hpp>
#include <sporos/procedures/point_differences.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// Results that `sporos simulate` and Python's `simulate` report on request, in addition to the means of responses.
namespace sporos::runtime {

/// A requested experiment.
struct Experiment {
  const ModelDescription& model;        ///< the model
  std::vector<ParameterValues> design;  ///< its design points
  Plan plan;                            ///< how it is run
  std::vector<SkippedPoint> skipped;    ///< points that are invalid for the model
  std::vector<std::string> notes;       ///< notes on how files were read
};

/// Returns the experiment that the options describe, with this plan. Throws std::invalid_argument in the same cases as
/// design_from.
Experiment experiment_from(const ModelOptions& options, const Plan& plan);

/// Throws std::invalid_argument if options are incompatible.
void check_questions(const ModelOptions& options);

/// Returns the requirements that the options state; empty if there are none.
std::optional<Requirements> requirements_of(const Experiment& experiment, const ModelOptions& options);

/// Recordings of every replication. Each public member is set if it is requested, but only on the first process.
class Recording {
 public:
  /// Creates the recordings that the options request. Throws std::invalid_argument if one of them is not possible.
  Recording(const Experiment& experiment, const ModelOptions& options);

  /// Returns the recorder for the experiment; empty if nothing is requested. The recorder refers to this object.
  Recorder recorder();

  /// Adds what has been recorded to a report.
  void add_to(Report& report);

  std::optional<ResponseQuantiles> quantiles;          ///< quantiles of responses
  std::optional<ResponseProbabilities> probabilities;  ///< probabilities of comparisons
  std::optional<ResponseHistograms> histograms;        ///< histograms of responses
  std::optional<ResponseDensities> densities;          ///< densities of responses
  std::optional<ResponseFile> file;                    ///< file of all responses

 private:
  bool m_is_wanted;
};

/// Comparisons of the design points that use all of their observations: which point is the best, and how points differ.
class PointQuestions {
 public:
  /// Creates the comparisons that the options request. Throws std::invalid_argument if one of them is not possible.
  PointQuestions(const Experiment& experiment, const ModelOptions& options);

  /// Returns the observer for the experiment; empty if nothing is requested. The observer refers to this object.
  Observer observer();

  /// Returns the design point with the best mean if the options request it. Points that have failed do not count.
  std::optional<std::size_t> best_point(const ExperimentResult& result) const;

  /// Adds the results to the report; `responses` are the estimates of the experiment.
  void add_to(Report& report, const std::vector<ResponseEstimate>& responses) const;

 private:
  struct BestQuestion {
    Best best;
    std::size_t response;
    BestPoint point;
  };

  std::optional<BestQuestion> m_best;
  std::optional<ComparisonRequest> m_comparison;
  std::optional<PointDifferences> m_differences;
};

}  // namespace sporos::runtime
