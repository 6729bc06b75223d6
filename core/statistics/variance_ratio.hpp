// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>

namespace sporos {

/// The sample variance of some observations with its standard error.
struct VarianceEstimate {
  std::int64_t count = 0;  ///< number of observations
  double mean = 0;         ///< average of the observations
  /// Unbiased sample variance. 0 if it is only rounding error; infinite for fewer than two observations.
  double variance = 0;
  double log_error = 0;  ///< standard error of ln variance; infinite if it cannot be estimated

  /// The estimate from independent, identically distributed `observations`. The standard error is Bonett's, from a
  /// kurtosis about a trimmed mean (Bonett (2006), Approximate confidence interval for standard deviation of nonnormal
  /// distributions, Comput. Stat. Data Anal. 50). This error is valid for any distribution with four moments, unlike
  /// that of the F distribution, and requires five observations.
  static VarianceEstimate of(std::span<const double> observations);
};

/// One variance as a multiple of another, with the ends of its confidence interval.
struct VarianceRatio {
  double ratio;  ///< NaN if both variances are 0, or both infinite
  double low;    ///< lower end
  double high;   ///< upper end
};

/// The ratio of two independently estimated variances, converted to variances per replication. The estimates are for
/// averages over `numerator_run` and `denominator_run` replications. The interval uses Student's distribution for the
/// logarithm of the ratio, with the degrees of freedom of the smaller number of observations. If an error is infinite,
/// the interval is from 0 to infinity.
VarianceRatio variance_ratio(const VarianceEstimate& numerator, std::int64_t numerator_run,
                             const VarianceEstimate& denominator, std::int64_t denominator_run, double confidence);

}  // namespace sporos
