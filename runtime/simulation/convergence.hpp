// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/core/replication/replication_summary.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/core/statistics/estimate_steps.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Development of an experiment's estimates at the first design points, at the observations that Looks schedules. Its
/// memory does not grow with the number of observations.
class Convergence {
 public:
  /// Largest number of design points that are recorded.
  static constexpr std::size_t max_points = 16;

  /// Prepares for the first points of `design`; records nothing yet.
  Convergence(const ModelDescription& model, const std::vector<ParameterValues>& design);

  /// Adds the next observation of a response at a point.
  void add(std::size_t point, std::size_t response, double observation);

  /// Number of design points that are recorded.
  std::size_t points() const { return m_points.size(); }

  /// Returns the steps of a response's estimate, followed by its final estimate `last`.
  std::vector<EstimateStep> steps(std::size_t point, std::size_t response, const ResponseEstimate& last,
                                  double confidence) const;

 private:
  struct Point {
    ReplicationSummary summary;
    ResponseProperties properties;
    std::vector<ResponsePair> pairs;
    std::vector<std::vector<double>> waiting;  // by response, until the replication's other responses arrive
    Looks looks;
    std::vector<std::vector<ResponseEstimate>> steps;
  };

  void take_rows(Point& point);

  std::vector<std::string> m_names;
  std::vector<Point> m_points;
};

}  // namespace sporos::runtime
