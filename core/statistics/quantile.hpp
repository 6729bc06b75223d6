// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sporos {

/// An estimated quantile and the order statistics that enclose it.
struct QuantileEstimate {
  double value = 0;  ///< the estimate
  double lower = 0;  ///< lower end of the confidence interval; −∞ where there are too few observations for one
  double upper = 0;  ///< upper end; +∞ likewise
};

/// Ranks, from 1, of the order statistics that make a quantile and its interval.
struct QuantileRanks {
  std::int64_t below;  ///< the estimate lies between that one
  std::int64_t above;  ///< and that one,
  double share;        ///< so far on the way
  std::int64_t low;    ///< lower end of the interval; 0 where there are too few observations for one
  std::int64_t high;   ///< upper end; 0 likewise
};

/// The ranks for the quantile at `probability` of so many independent observations, as sorted_quantile has them. Throws
/// as that does.
QuantileRanks quantile_ranks(std::int64_t observations, double probability, double confidence);

/// The quantile at `probability`, in (0, 1), of independent observations, with a distribution-free interval of at least
/// `confidence` from two order statistics (binomial ranks; David and Nagaraja, Order Statistics, 7.1). The estimate is
/// Hyndman and Fan's definition 7, as NumPy's and R's default. Host memory; the observations are sorted already.
/// Throws std::invalid_argument without observations and for a probability outside (0, 1).
QuantileEstimate sorted_quantile(std::span<const double> observations, double probability, double confidence);

/// The same of observations in any order, which are copied and sorted.
QuantileEstimate quantile(std::vector<double> observations, double probability, double confidence);

/// The least number of observations for which that interval has two ends: all of n lie on one side of the quantile with
/// probability p^n and (1 − p)^n, and each of these must be at most half of 1 − confidence.
std::int64_t observations_for_quantile(double probability, double confidence);

}  // namespace sporos
