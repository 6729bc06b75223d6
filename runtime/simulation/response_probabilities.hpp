// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/response_comparison.hpp>

#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/replication_rows.hpp>
#include <sporos/core/statistics/estimate_steps.hpp>
#include <sporos/core/statistics/proportion.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Probabilities that responses of single replications satisfy comparisons.
struct ProbabilityReport {
  std::vector<ResponseComparison> comparisons;             ///< the comparisons
  std::vector<std::vector<ProportionEstimate>> estimates;  ///< probabilities by design point and comparison
  std::vector<std::vector<std::int64_t>> events;  ///< numbers of replications that satisfy it, by the same indices
  /// Steps of the estimates, by the same indices, at the first design points; empty if they were not recorded.
  std::vector<std::vector<std::vector<EstimateStep>>> steps = {};
};

/// Counts the replications whose responses satisfy comparisons.
class ResponseProbabilities {
 public:
  /// Parses the values of --probability. Throws std::invalid_argument in the same cases as response_comparison and
  /// check_independence.
  ResponseProbabilities(const std::vector<std::string>& texts, const ModelDescription& model,
                        const std::vector<ParameterValues>& design, const Plan& plan);

  /// Records the steps of the estimates from now on, as Looks schedules them, at the first `points` design points.
  void keep_steps(std::size_t points);

  /// Counts some replications.
  void add(const ReplicationRows& rows);

  /// Returns the probabilities that the counts give.
  ProbabilityReport report() const;

 private:
  EstimateStep step_of(std::size_t point, std::size_t comparison) const;

  double m_confidence;
  std::vector<ResponseComparison> m_comparisons;
  std::vector<std::int64_t> m_trials;                           // by design point
  std::vector<std::vector<std::int64_t>> m_events;              // by design point and comparison
  std::vector<Looks> m_looks;                                   // by recorded design point
  std::vector<std::vector<std::vector<EstimateStep>>> m_steps;  // by recorded design point and comparison
};

}  // namespace sporos::runtime
