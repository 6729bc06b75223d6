// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/model_description.hpp>
#include <sporos/runtime/simulation/options.hpp>
#include <sporos/runtime/simulation/point_comparison.hpp>
#include <sporos/runtime/simulation/report.hpp>
#include <sporos/runtime/simulation/requirements.hpp>
#include <sporos/runtime/simulation/response_densities.hpp>
#include <sporos/runtime/simulation/response_file.hpp>
#include <sporos/runtime/simulation/response_histograms.hpp>
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

/// The questions that `sporos simulate` and Python's `simulate` answer in addition to the means of responses.
namespace sporos::runtime {

/// An experiment that is asked for.
struct Experiment {
  const ModelDescription& model;        ///< of which
  std::vector<ParameterValues> design;  ///< its design points
  Plan plan;                            ///< how it is carried out
  std::vector<SkippedPoint> skipped;    ///< points that make no model
  std::vector<std::string> notes;       ///< of how files were read
};

/// The experiment that options describe, with this plan. Throws std::invalid_argument as design_from does.
Experiment experiment_from(const ModelOptions& options, const Plan& plan);

/// Throws std::invalid_argument if the options do not fit together.
void check_questions(const ModelOptions& options);

/// The requirements; nothing where there are none.
std::optional<Requirements> requirements_of(const Experiment& experiment, const ModelOptions& options);

/// What looks at every replication, of the first process.
class Recording {
 public:
  /// As the options ask. Throws std::invalid_argument for what cannot be answered.
  Recording(const Experiment& experiment, const ModelOptions& options);

  /// What sees the replications; nothing where nothing is asked.
  Recorder recorder();

  /// Adds what has been recorded to a report.
  void add_to(Report& report);

  std::optional<ResponseQuantiles> quantiles;          ///< where they are asked for
  std::optional<ResponseProbabilities> probabilities;  ///< likewise
  std::optional<ResponseHistograms> histograms;        ///< likewise
  std::optional<ResponseDensities> densities;          ///< likewise
  std::optional<ResponseFile> file;                    ///< likewise

 private:
  bool m_is_wanted;
};

/// What compares the design points by all of their observations: which is the best, and how they differ.
class PointQuestions {
 public:
  /// As the options ask. Throws std::invalid_argument for what cannot be answered.
  PointQuestions(const Experiment& experiment, const ModelOptions& options);

  /// What sees the observations; nothing where nothing is asked.
  Observer observer();

  /// The answers, of an experiment with these responses.
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
