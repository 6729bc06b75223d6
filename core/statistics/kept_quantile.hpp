// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/statistics/quantile.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace sporos {

/// A quantile of observations that arrive one by one, with its distribution-free interval. The result has the same bits
/// as that of sorted_quantile, but needs memory for only O(√n) numbers. The object stores the values whose rank is
/// within ten standard deviations of the binomial number of observations below the quantile, each distinct value once
/// with its count. It only counts the smaller and the larger ones. The estimate does not depend on the order of
/// independent observations. At any time, the probability that a required value is not stored is below 10^-9. In that
/// case the estimate is NaN and the interval has infinite ends.
class KeptQuantile {
 public:
  /// The quantile at `probability`. Throws std::invalid_argument if that is outside (0, 1).
  explicit KeptQuantile(double probability);

  /// Adds an observation.
  void add(double observation);

  /// The quantile of all observations so far. Throws std::invalid_argument if there are none.
  QuantileEstimate estimate(double confidence) const;

  /// Probability of the quantile.
  double probability() const { return m_probability; }
  /// Number of observations so far.
  std::int64_t count() const { return m_count; }
  /// Number of stored values.
  std::size_t kept() const { return m_sorted.size() + m_pending.size(); }

 private:
  struct Value {
    double value;
    std::int64_t count;
  };

  static std::vector<Value> merged(const std::vector<Value>& sorted, std::vector<double> pending);
  void trim();

  double m_probability;
  double m_low = -std::numeric_limits<double>::infinity();  // smaller observations are only counted
  double m_high = std::numeric_limits<double>::infinity();  // larger observations are only counted
  std::int64_t m_count = 0, m_below = 0;
  std::vector<Value> m_sorted;
  std::vector<double> m_pending;
};

}  // namespace sporos
