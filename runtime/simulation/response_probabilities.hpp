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

/// With which probability responses of single replications keep bounds.
struct ProbabilityReport {
  std::vector<ResponseComparison> comparisons;             ///< with what they are compared
  std::vector<std::vector<ProportionEstimate>> estimates;  ///< by design point and comparison
  std::vector<std::vector<std::int64_t>> events;           ///< replications that keep it, likewise
  /// How the estimates came about, likewise, of the first design points; empty where that was not kept.
  std::vector<std::vector<std::vector<EstimateStep>>> steps = {};
};

/// Counts the replications whose responses keep bounds.
class ResponseProbabilities {
 public:
  /// The comparisons in the texts of --probability. Throws std::invalid_argument as response_comparison and
  /// check_independence do.
  ResponseProbabilities(const std::vector<std::string>& texts, const ModelDescription& model,
                        const std::vector<ParameterValues>& design, const Plan& plan);

  /// From now on keeps how the estimates come about, as Looks says, of the first `points` design points.
  void keep_steps(std::size_t points);

  /// Counts some replications.
  void add(const ReplicationRows& rows);

  /// What came out.
  ProbabilityReport report() const;

 private:
  EstimateStep step_of(std::size_t point, std::size_t comparison) const;

  double m_confidence;
  std::vector<ResponseComparison> m_comparisons;
  std::vector<std::int64_t> m_trials;                           // by design point
  std::vector<std::vector<std::int64_t>> m_events;              // by design point and comparison
  std::vector<Looks> m_looks;                                   // by design point, of those that are looked at
  std::vector<std::vector<std::vector<EstimateStep>>> m_steps;  // of these by comparison
};

}  // namespace sporos::runtime
