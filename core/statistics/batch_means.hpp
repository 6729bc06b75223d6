// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>

namespace sporos {

/// The mean of one long, correlated sequence with a confidence interval from its batch means.
struct BatchMeans {
  double mean = 0;              ///< average of the batch means
  double half_width = 0;        ///< Student-t half-width over the batches
  std::int64_t batches = 0;     ///< number of batches; for overlapping batches, the number that fit side by side
  std::int64_t batch_size = 0;  ///< number of observations in each batch
  /// Correlation of adjacent batch means that do not overlap. If it is far from zero (beyond 2 / √batches), the batches
  /// are too short and the half-width is too small.
  double lag_one_correlation = 0;
  double degrees_of_freedom = 0;  ///< degrees of freedom of Student's distribution
};

/// The lag-one autocorrelation of `values`. `mean` is their mean and `squared_deviation` is Σ (x − mean)². Returns 0 if
/// the values do not vary.
double lag_one_correlation(std::span<const double> values, double mean, double squared_deviation);

/// Divides `sequence` into `batches` batches of equal size and treats their means as independent observations, with
/// batches − 1 degrees of freedom. 10 to 30 batches are enough (Schmeiser (1982), Batch size effects in the analysis of
/// simulation output, Oper. Res. 30). A remainder at the front, where the initial bias is largest, is left out. Host
/// memory. Throws std::invalid_argument for fewer than two batches, or for fewer observations than batches.
///
/// Assumes that batches are much longer than the range of correlations. Otherwise adjacent batch means are positively
/// correlated, the estimated variance is too small, and the interval undercovers.
BatchMeans batch_means(std::span<const double> sequence, std::int64_t batches, double confidence);

/// Like batch_means, but from all overlapping batches of that size, n − m + 1 of m values (Meketon and Schmeiser
/// (1984), Overlapping batch means: something for nothing?, WSC). n m / ((n − m + 1)(n − m)) Σ (batch mean − mean)²
/// estimates n Var(mean) with the bias of batches that do not overlap and two thirds of the variance, hence
/// 1.5 (n/m − 1) degrees of freedom. Throws like batch_means. The interval undercovers where that of batch_means
/// does, and slightly more, because it is narrower.
BatchMeans overlapping_batch_means(std::span<const double> sequence, std::int64_t batches, double confidence);

}  // namespace sporos
