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

/// How the estimates of an experiment come about, as Looks says. Of the first design points, as many as are looked at;
/// the memory does not grow with the observations.
class Convergence {
 public:
  /// Design points that are looked at.
  static constexpr std::size_t most_points = 16;

  /// Of the model at these points.
  Convergence(const ModelDescription& model, const std::vector<ParameterValues>& design);

  /// Adds the next observation of a response at a point.
  void add(std::size_t point, std::size_t response, double observation);

  /// Points that are looked at.
  std::size_t points() const { return m_points.size(); }

  /// The steps of a response, whose estimate has come to be `last`; the last of them is that one.
  std::vector<EstimateStep> steps(std::size_t point, std::size_t response, const ResponseEstimate& last,
                                  double confidence) const;

 private:
  struct Point {
    ReplicationSummary summary;
    ResponseProperties properties;
    std::vector<ResponsePair> pairs;
    std::vector<std::vector<double>> waiting;  // by response, for the others of the same replication
    Looks looks;
    std::vector<std::vector<ResponseEstimate>> steps;
  };

  void take_rows(Point& point);

  std::vector<std::string> m_names;
  std::vector<Point> m_points;
};

}  // namespace sporos::runtime
