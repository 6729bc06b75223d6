// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/replication_rows.hpp>
#include <sporos/core/statistics/estimate_steps.hpp>
#include <sporos/core/statistics/proportion.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Comparison RESPONSE < BOUND (or <=, >, >=), with the bound at each design point.
struct ResponseComparison {
  std::string text;            ///< text as the user wrote it
  std::size_t response;        ///< index of the response in the model
  bool is_upper;               ///< whether the bound is an upper bound
  bool is_strict;              ///< whether equality is excluded
  std::vector<double> bounds;  ///< bound at each design point

  /// Whether `value` satisfies the comparison at a design point.
  bool holds(double value, std::size_t point) const {
    if (value == bounds[point]) return !is_strict;
    return is_upper ? value < bounds[point] : value > bounds[point];
  }
};

/// Parses the comparison in the text of `option`: one side is a response of `model`, the other an expression of its
/// parameters. Throws std::invalid_argument if the text is not such a comparison, and if a bound is not finite at a
/// point of `design`.
ResponseComparison response_comparison(const std::string& option, const std::string& text,
                                       const ModelDescription& model, const std::vector<ParameterValues>& design);

/// Parses the comparison in the text of `option`: one side is one of `names`, the other an expression of the model's
/// parameters. `kind` names the former in messages. Throws the same exceptions as response_comparison.
ResponseComparison comparison_of_names(const std::string& option, const std::string& text, const std::string& kind,
                                       const std::vector<std::string>& names, const ModelDescription& model,
                                       const std::vector<ParameterValues>& design);

/// Throws std::invalid_argument if `value` is not finite at design point `point` of `points`; `what` names it in the
/// message.
void check_finite(const std::string& what, double value, std::size_t point, std::size_t points);

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
