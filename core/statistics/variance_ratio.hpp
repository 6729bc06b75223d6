// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>

namespace sporos {

/// The sample variance of some observations and how sure it is.
struct VarianceEstimate {
  std::int64_t count = 0;  ///< number of observations
  double mean = 0;         ///< their average
  double variance = 0;     ///< unbiased sample variance, 0 where it is but rounding; infinite below two observations
  double log_error = 0;    ///< standard error of ln variance; infinite where there is no saying

  /// Of `observations`, independent and alike. The error is Bonett's (Approximate confidence interval for standard
  /// deviation of nonnormal distributions, Comput. Stat. Data Anal. 50, 2006), from a kurtosis about a trimmed mean:
  /// right for any distribution with four moments, unlike that of the F distribution. It takes five observations.
  static VarianceEstimate of(std::span<const double> observations);
};

/// One variance as a multiple of another, with the ends of its confidence interval.
struct VarianceRatio {
  double ratio;  ///< NaN where both variances are 0, or both infinite
  double low;    ///< lower end
  double high;   ///< upper end
};

/// The ratio of two independently estimated variances, each per replication: those of averages over `numerator_run`
/// and `denominator_run` replications. The interval is Student's in the ratio's logarithm, with the degrees of freedom
/// of the smaller number of observations; from 0 to infinity where an error is infinite.
VarianceRatio variance_ratio(const VarianceEstimate& numerator, std::int64_t numerator_run,
                             const VarianceEstimate& denominator, std::int64_t denominator_run, double confidence);

}  // namespace sporos
