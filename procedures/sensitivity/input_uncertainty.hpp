// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/procedures/sensitivity/sobol_indices.hpp>

#include <cstdint>
#include <span>

/// Intervals of a response whose model has parameters that are estimated from data.
namespace sporos {

/// A response's expectation, and what it is uncertain by.
struct InputUncertainty {
  double mean = 0;                   ///< over all outer samples
  double input_variance = 0;         ///< of the expectation, by the inputs' estimates; at least 0
  double simulation_variance = 0;    ///< of `mean`, by finitely many replications and outer samples
  double low = 0;                    ///< lower end of the interval that counts both
  double high = 0;                   ///< upper end
  double simulation_half_width = 0;  ///< of the interval that takes the estimates for the truth
  /// The deviation by the inputs over the standard error of one outer sample's mean (γ of Ankenman and Nelson);
  /// infinite without noise.
  double ratio = 0;
  double ratio_low = 0;   ///< lower end of its interval
  double ratio_high = 0;  ///< upper end
};

/// The least number of outer samples for an interval of that confidence, whose ends are quantiles of their means.
std::int64_t least_outer_samples(double confidence);

/// From the means of K outer samples, each with parameters of its own and `observations` independent observations of
/// its own random numbers. With S² the sample variance of the means and N the average of their noise variances, both of
/// a one-way analysis of variance with random effects,
///
///     input variance = max(0, S² − N)      simulation variance = S² / K
///     γ = √max(0, S² / N − 1), its interval by F with K − 1 and K (observations − 1) degrees of freedom
///     (Ankenman and Nelson, A quick assessment of input uncertainty, WSC 2012)
///
/// The interval has the quantiles of the means after these are drawn towards their average, so far that their variance
/// is that of both parts together (Barton, Lam and Song, Revisiting direct bootstrap resampling for input model
/// uncertainty, WSC 2018): as skewed as the inputs make it, and without the noise that many replications would not
/// have. That variance is itself an estimate: the quantiles' distance from the average is Student's over the normal
/// one, with the degrees of freedom of Satterthwaite, at least 4. Throws std::invalid_argument for fewer than
/// least_outer_samples(confidence) means and than two observations.
InputUncertainty input_uncertainty(std::span<const PointMean> outer, std::int64_t observations, double confidence);

}  // namespace sporos
