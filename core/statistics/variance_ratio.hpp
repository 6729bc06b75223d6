// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace sporos {

/// The sample variance of some observations and how sure it is.
struct VarianceEstimate {
  std::int64_t count = 0;  ///< number of observations
  double mean = 0;         ///< their average
  double variance = 0;     ///< unbiased sample variance, 0 where it is but rounding; infinite below two observations
  double log_error = 0;    ///< standard error of ln variance; infinite where there is no saying

  /// Of `observations`, independent and alike. The error is that of large samples, sqrt((κ − 1) / n) with κ the sample
  /// kurtosis: right for any distribution with four moments, unlike that of the F distribution.
  static VarianceEstimate of(std::span<const double> observations);
};

/// One variance as a multiple of another, with the ends of its confidence interval.
struct VarianceRatio {
  double ratio;  ///< NaN where both variances are 0
  double low;    ///< lower end
  double high;   ///< upper end
};

/// The ratio of two independently estimated variances, each per replication: those of averages over `numerator_runs`
/// and `denominator_runs` replications. The interval is normal in the ratio's logarithm.
inline VarianceRatio variance_ratio(const VarianceEstimate& numerator, std::int64_t numerator_run,
                                    const VarianceEstimate& denominator, std::int64_t denominator_run,
                                    double confidence) {
  const double ratio = numerator.variance * static_cast<double>(numerator_run) /
                       (denominator.variance * static_cast<double>(denominator_run));
  const boost::math::normal standard;
  const double z = boost::math::quantile(boost::math::complement(standard, 0.5 * (1.0 - confidence)));
  const double width = std::exp(z * std::hypot(numerator.log_error, denominator.log_error));
  return {ratio, ratio / width, ratio * width};
}

inline VarianceEstimate VarianceEstimate::of(std::span<const double> observations) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  VarianceEstimate estimate{static_cast<std::int64_t>(observations.size()), 0, infinity, infinity};
  const auto n = static_cast<double>(observations.size());
  if (observations.empty()) return estimate;
  for (const double x : observations) estimate.mean += x / n;
  double second = 0, fourth = 0;  // central moments
  for (const double x : observations) {
    const double square = (x - estimate.mean) * (x - estimate.mean);
    second += square / n;
    fourth += square * square / n;
  }
  if (observations.size() < 2) return estimate;
  constexpr double rounding = 1e-13;  // of observations that would be equal
  if (std::sqrt(second) <= rounding * std::abs(estimate.mean)) second = 0;
  estimate.variance = second * n / (n - 1);
  if (second > 0) estimate.log_error = std::sqrt(std::max(fourth / (second * second) - 1, 0.0) / n);
  if (second == 0) estimate.log_error = 0;
  return estimate;
}

}  // namespace sporos
