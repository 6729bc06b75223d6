// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/replication_rows.hpp>
#include <sporos/core/statistics/quantile.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Quantiles of the responses of single replications.
struct QuantileReport {
  std::vector<double> probabilities;  ///< at which they are
  /// By design point, response and probability.
  std::vector<std::vector<std::vector<QuantileEstimate>>> estimates;
  std::vector<std::int64_t> needed;  ///< replications for an interval, by probability
};

/// The probabilities in the text of the option --quantiles. Throws std::invalid_argument where it holds others than
/// numbers between 0 and 1, each once.
std::vector<double> parse_probabilities(const std::string& text);

/// Keeps the responses of all replications, for quantiles with distribution-free intervals.
class ResponseQuantiles {
 public:
  /// Throws std::invalid_argument where replications depend on each other, for then there is no such interval, or where
  /// there would be more numbers than are kept at most; OutOfMemory where memory does not suffice for them.
  ResponseQuantiles(std::vector<double> probabilities, const Plan& plan, std::size_t points, std::size_t responses);

  /// Keeps the responses of some replications.
  void add(const ReplicationRows& rows);

  /// What came out.
  QuantileReport report() const;

 private:
  std::vector<double> m_probabilities;
  double m_confidence;
  std::vector<std::vector<std::vector<double>>> m_values;  // by design point and response
};

}  // namespace sporos::runtime
