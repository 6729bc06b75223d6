// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/procedures/sensitivity/sobol_indices.hpp>

#include <cstdint>
#include <span>

/// Intervals for responses of models whose parameters are estimated from data.
namespace sporos {

/// Expectation of a response, and its uncertainty.
struct InputUncertainty {
  double mean = 0;                   ///< mean over all outer samples
  double input_variance = 0;         ///< variance of the expectation due to the estimated inputs; at least 0
  double simulation_variance = 0;    ///< variance of `mean` due to finitely many replications and outer samples
  double low = 0;                    ///< lower end of the interval that includes both variances
  double high = 0;                   ///< upper end of that interval
  double simulation_half_width = 0;  ///< half-width of the interval that takes the estimates as exact
  /// Standard deviation due to the inputs divided by the standard error of one outer sample's mean (γ of Ankenman and
  /// Nelson); infinite without noise.
  double ratio = 0;
  double ratio_low = 0;   ///< lower end of the interval of `ratio`
  double ratio_high = 0;  ///< upper end of the interval of `ratio`
};

/// Smallest number of outer samples for an interval of this confidence, whose ends are quantiles of their means.
std::int64_t min_outer_samples(double confidence);

/// Computes the uncertainty from the means of K outer samples. Each outer sample has separate parameters and
/// `observations` independent observations with separate random numbers. Let S² be the sample variance of the means and
/// N the average of their noise variances. By a one-way analysis of variance with random effects,
///
///     input variance = max(0, S² − N)      simulation variance = S² / K
///     γ = √max(0, S² / N − 1), its interval by F with K − 1 and K (observations − 1) degrees of freedom
///     (Ankenman and Nelson, A quick assessment of input uncertainty, WSC 2012)
///
/// The interval has the quantiles of the means after these are shrunk towards their average until their variance is
/// that of both parts together (Barton, Lam and Song, Revisiting direct bootstrap resampling for input model
/// uncertainty, WSC 2018). It is as skewed as the inputs make it, without the noise that more replications would
/// remove. Since that variance is itself an estimate, the quantiles' distance from the average is multiplied by
/// Student's quantile over the normal one, with Satterthwaite's degrees of freedom, at least 4. Throws
/// std::invalid_argument if there are fewer than min_outer_samples(confidence) means or fewer than two observations.
InputUncertainty input_uncertainty(std::span<const PointMean> outer, std::int64_t observations, double confidence);

}  // namespace sporos
