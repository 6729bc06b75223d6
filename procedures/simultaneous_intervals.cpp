// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/linear_algebra/square_matrix.hpp>
#include <sporos/core/replication/estimates.hpp>
#include <sporos/core/statistics/simultaneous.hpp>
#include <sporos/procedures/max_t.hpp>
#include <sporos/procedures/simultaneous_intervals.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace sporos {

namespace {

// Confidence of each interval at a design point such that all its intervals hold simultaneously.
double confidence_of_each(Simultaneous method, const PointResult& point, double confidence) {
  const std::size_t responses = point.responses.size();
  std::vector<Contrast> varying, known;
  for (std::size_t i = 0; i < responses; ++i) {
    const ResponseEstimate& response = point.responses[i];
    if (response.range.least == response.range.most) continue;
    varying.push_back({i});
    if (std::isfinite(response.variance)) known.push_back({i});
  }
  if (varying.empty()) return confidence;
  const std::int64_t observations = point.responses.front().observations;
  if (method == Simultaneous::bonferroni || known.size() < varying.size() || observations < 2) {
    return bonferroni_confidence(confidence, static_cast<std::int64_t>(varying.size()));
  }
  SquareMatrix covariance(responses);
  for (std::size_t i = 0; i < responses; ++i) {
    for (std::size_t j = 0; j < responses; ++j) covariance(i, j) = point.covariances[i * responses + j];
  }
  return max_t_confidence(covariance, varying, static_cast<double>(observations - 1), confidence);
}

}  // namespace

SimultaneousIntervals simultaneous_intervals(Simultaneous method, const Plan& plan, const ExperimentResult& result) {
  const auto points = static_cast<std::int64_t>(result.points.size());
  const double of_point = plan.common_random_numbers ? bonferroni_confidence(plan.confidence, points)
                                                     : sidak_confidence(plan.confidence, points);
  SimultaneousIntervals intervals{method, {}};
  for (const PointResult& point : result.points) {
    const double of_each = confidence_of_each(method, point, of_point);
    auto& list = intervals.half_widths.emplace_back();
    for (const ResponseEstimate& response : point.responses) list.push_back(half_width(response, of_each));
  }
  return intervals;
}

}  // namespace sporos
