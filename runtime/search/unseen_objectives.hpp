// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/search/report.hpp>

#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Computes estimates of the objective as the user wrote it, with intervals.
class ObjectiveIntervals {
 public:
  /// Takes from the request the sign of the objective, the confidence and the number of replications of final
  /// estimates.
  explicit ObjectiveIntervals(const SearchRequest& request);

  /// Estimates the objective at a point.
  EstimatedMean operator()(const SampleMean& mean) const;
  /// Estimates by how much the constraints on means are exceeded at a point.
  std::vector<EstimatedMean> constraints(const SampleMean& mean) const;
  /// Estimates how much better the second of two points is, with common random numbers.
  EstimatedMean improvement(const SampleMean& first, const SampleMean& second) const;

 private:
  double m_sign, m_critical;
  std::size_t m_constraints;
};

/// Estimates at a point from replications that no search has seen.
struct UnseenPoint {
  EstimatedMean objective;                 ///< objective as the user wrote it
  std::vector<EstimatedMean> constraints;  ///< excess of each constraint on means
};

/// Estimates objective and constraints at `points` by the replications for final estimates that follow the first
/// `skipped` ones. They are the same at all points, and no search has seen them.
std::vector<UnseenPoint> unseen_points(SampledProblem& problem, const std::vector<std::vector<double>>& points,
                                       const SearchRequest& request, std::int64_t skipped);

/// Estimates only the objectives at `points`, as unseen_points does.
std::vector<EstimatedMean> unseen_objectives(SampledProblem& problem, const std::vector<std::vector<double>>& points,
                                             const SearchRequest& request, std::int64_t skipped);

/// Estimates means at `points`, with single replications, by the replications for final estimates that are finished
/// before a launch stop is requested (LaunchStopped). Returns nothing if fewer than two are finished.
std::vector<SampleMean> unseen_means_in_time(SampledProblem& problem, const std::vector<std::vector<double>>& points,
                                             const SearchRequest& request, std::int64_t skipped);

/// Returns an error message if the objective improves without end from `x` along an unbounded range. It must clearly
/// improve each time that the distance grows fourfold, up to 256 max(1, |xᵢ|). Returns nothing otherwise, and for
/// decision variables with a constraint.
std::optional<std::string> reason_without_optimum(SampledProblem& problem, const std::vector<double>& x,
                                                  const SearchRequest& request);

/// Estimates objective and constraints of `runs` from `start`, at their ends and on the way, on replications that no
/// run has seen. `seeds` are the seeds of the runs. `certificates` are those of their ends; empty without constraints
/// on means.
MacroReplications macro_replications(SampledProblem& problem, const std::vector<SearchResult>& runs,
                                     const std::vector<Certificate>& certificates,
                                     const std::vector<std::uint64_t>& seeds, const std::vector<double>& start,
                                     const SearchRequest& request);

}  // namespace sporos::runtime
