// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sporos {

/// An estimated quantile with its confidence interval, whose ends are order statistics.
struct QuantileEstimate {
  double value = 0;  ///< the estimate
  double lower = 0;  ///< lower end of the interval; −∞ if there are too few observations for one
  double upper = 0;  ///< upper end of the interval; +∞ if there are too few observations for one
};

/// Ranks, counted from 1, of the order statistics that give a quantile and its interval.
struct QuantileRanks {
  std::int64_t below;  ///< rank of the order statistic just below the estimate
  std::int64_t above;  ///< rank of the order statistic just above the estimate
  double share;        ///< relative distance of the estimate from the lower of these two to the upper
  std::int64_t low;    ///< rank of the interval's lower end; 0 if there are too few observations for one
  std::int64_t high;   ///< rank of the interval's upper end; 0 if there are too few observations for one
};

/// The ranks that sorted_quantile uses for the quantile at `probability` of `observations` independent observations.
/// Throws like sorted_quantile.
QuantileRanks quantile_ranks(std::int64_t observations, double probability, double confidence);

/// The quantile at `probability`, in (0, 1), of independent observations. The distribution-free interval has a
/// confidence of at least `confidence` and uses two order statistics (binomial ranks; David and Nagaraja, Order
/// Statistics, 7.1). The estimate is Hyndman and Fan's definition 7, the default of NumPy and R. Host memory;
/// `observations` must be sorted. Throws std::invalid_argument if there are no observations, or if `probability` is
/// outside (0, 1).
QuantileEstimate sorted_quantile(std::span<const double> observations, double probability, double confidence);

/// Like sorted_quantile, for observations in any order, which are copied and sorted.
QuantileEstimate quantile(std::vector<double> observations, double probability, double confidence);

/// The smallest number of observations for which that interval has two finite ends. All of n observations lie on one
/// side of the quantile with probability p^n or (1 − p)^n, and each of these must be at most half of 1 − confidence.
std::int64_t observations_for_quantile(double probability, double confidence);

}  // namespace sporos
