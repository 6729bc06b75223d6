// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/statistics/quantile.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace sporos {

/// A quantile of observations that arrive one by one, with its distribution-free interval, to the bit what
/// sorted_quantile makes of all of them, in memory for O(√n) numbers: only values whose rank is within ten standard
/// deviations of the binomial number of observations below the quantile are kept, each once with its count; of those
/// below and above only how many there are. The estimate does not depend on the order of independent observations; that
/// a wanted one is not kept has a probability below 10^-9 at any time, and is told: the estimate is then NaN, the
/// interval without ends.
class KeptQuantile {
 public:
  /// At `probability`. Throws std::invalid_argument where that is outside (0, 1).
  explicit KeptQuantile(double probability);

  /// Adds an observation.
  void add(double observation);

  /// The quantile of all so far. Throws std::invalid_argument where there are none.
  QuantileEstimate estimate(double confidence) const;

  /// At which it is.
  double probability() const { return m_probability; }
  /// Observations so far.
  std::int64_t count() const { return m_count; }
  /// Numbers that are kept.
  std::size_t kept() const { return m_sorted.size() + m_pending.size(); }

 private:
  struct Value {
    double value;
    std::int64_t count;
  };

  static std::vector<Value> merged(const std::vector<Value>& sorted, std::vector<double> pending);
  void trim();

  double m_probability;
  double m_low = -std::numeric_limits<double>::infinity();  // less is only counted
  double m_high = std::numeric_limits<double>::infinity();  // more likewise
  std::int64_t m_count = 0, m_below = 0;
  std::vector<Value> m_sorted;
  std::vector<double> m_pending;
};

}  // namespace sporos
