// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/search/report.hpp>

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Estimates of the objective as the user wrote it, with intervals.
class ObjectiveIntervals {
 public:
  /// Of what was asked for: its sign, its confidence, as many replications as a final estimate has.
  explicit ObjectiveIntervals(const SearchRequest& request);

  /// Of the objective at a point.
  EstimatedMean operator()(const SampleMean& mean) const;
  /// By what the constraints on means are exceeded there.
  std::vector<EstimatedMean> constraints(const SampleMean& mean) const;
  /// How much better the second of two points is, by the same replications.
  EstimatedMean improvement(const SampleMean& first, const SampleMean& second) const;

 private:
  double m_sign, m_critical;
  std::size_t m_constraints;
};

/// What unseen replications say of a point.
struct UnseenPoint {
  EstimatedMean objective;                 ///< as the user wrote it
  std::vector<EstimatedMean> constraints;  ///< by what those on means are exceeded
};

/// The objective and constraints at `points`, by the replications for final estimates that come behind `skipped`
/// others: the same ones at all points, and none that a search has seen.
std::vector<UnseenPoint> unseen_points(SampledProblem& problem, const std::vector<std::vector<double>>& points,
                                       const SearchRequest& request, std::int64_t skipped);

/// Their objectives alone.
std::vector<EstimatedMean> unseen_objectives(SampledProblem& problem, const std::vector<std::vector<double>>& points,
                                             const SearchRequest& request, std::int64_t skipped);

/// Means at `points` by as many of the replications for final estimates as are made before launches are asked to end
/// (LaunchStopped), with the replications themselves; nothing where not even two are.
std::vector<SampleMean> unseen_means_in_time(SampledProblem& problem, const std::vector<std::vector<double>>& points,
                                             const SearchRequest& request, std::int64_t skipped);

/// A sentence where the objective goes on getting better from `x` on along a range without an end, clearly each time
/// that the way is four times as long, up to some hundred times as far; nothing where it does not, and of
/// decisions with a constraint.
std::optional<std::string> lack_of_optimum(SampledProblem& problem, const std::vector<double>& x,
                                           const SearchRequest& request);

}  // namespace sporos::runtime
