// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/replication_rows.hpp>
#include <sporos/core/statistics/estimate_steps.hpp>
#include <sporos/core/statistics/kept_quantile.hpp>
#include <sporos/core/statistics/quantile.hpp>

#include <algorithm>
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
  /// How the estimates came about, likewise, of the first design points; empty where that was not kept.
  std::vector<std::vector<std::vector<std::vector<EstimateStep>>>> steps = {};
};

/// The probabilities in the text of the option --quantiles. Throws std::invalid_argument where it holds others than
/// numbers between 0 and 1, each once.
std::vector<double> parse_probabilities(const std::string& text);

/// How narrow the intervals of quantiles are to be: half of each at most.
struct QuantilePrecision {
  double half_width = 0;           ///< 0 where it is not asked for
  double relative_half_width = 0;  ///< as a share of the quantile's absolute value

  /// Whether a precision is asked for.
  bool is_set() const { return half_width > 0 || relative_half_width > 0; }
};

/// A quantile that is furthest from its precision.
struct WidestQuantile {
  double excess = 0;  ///< half of its interval over the wanted one; infinite where there is none
  std::size_t point = 0, response = 0, place = 0;  ///< which: of a design point, a response and a probability
};

/// Throws std::invalid_argument where replications of the plan depend on each other, for then there are no intervals of
/// what `option` asks for.
void check_independence(const std::string& option, const Plan& plan);

/// Quantiles of the responses of all replications, with distribution-free intervals, in memory for the square root of
/// their number (KeptQuantile).
class ResponseQuantiles {
 public:
  /// Throws as check_independence does, and OutOfMemory where memory does not suffice.
  ResponseQuantiles(std::vector<double> probabilities, const Plan& plan, std::size_t points, std::size_t responses);

  /// From now on keeps how the estimates come about, as Looks says, of the first `points` design points.
  void keep_steps(std::size_t points) { m_looked_at = std::min(points, m_kept.size()); }

  /// Keeps the responses of some replications.
  void add(const ReplicationRows& rows);

  /// That which is furthest from the precision.
  WidestQuantile widest(const QuantilePrecision& precision) const;

  /// What came out.
  QuantileReport report() const;

 private:
  struct Kept {
    KeptQuantile quantile;
    Looks looks = {};
    std::vector<EstimateStep> steps = {};
  };

  EstimateStep step_of(const Kept& kept) const;

  std::vector<double> m_probabilities;
  double m_confidence;
  std::vector<std::vector<std::vector<Kept>>> m_kept;  // by design point, response and probability
  std::vector<bool> m_has_failed;                      // design points
  std::size_t m_looked_at = 0;                         // design points
};

}  // namespace sporos::runtime
