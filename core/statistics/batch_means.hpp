// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>

namespace sporos {

/// The mean of one long, correlated sequence with an interval from its batch means.
struct BatchMeans {
  double mean = 0;              ///< average of the batch means
  double half_width = 0;        ///< Student-t half-width over the batches
  std::int64_t batches = 0;     ///< number of batches; of overlapping ones, as many as lie beside each other
  std::int64_t batch_size = 0;  ///< observations in each
  /// Correlation of neighbouring batch means that do not overlap. Far from zero (beyond 2 / √batches), the batches are
  /// too short and the half-width too small.
  double lag_one_correlation = 0;
  double degrees_of_freedom = 0;  ///< of Student's distribution
};

/// The correlation of neighbouring values, of which mean and Σ (x − mean)² are known; 0 where they do not vary.
double lag_one_correlation(std::span<const double> values, double mean, double squared_deviation);

/// Cuts `sequence` into `batches` batches of equal size and treats their means as independent observations, with
/// batches − 1 degrees of freedom (Schmeiser, Batch size effects in the analysis of simulation output, Oper. Res. 30,
/// 1982: 10 to 30 batches are enough). A remainder at the front, where a run still remembers its start, is left out.
/// Host memory. Throws std::invalid_argument below two batches, or with fewer observations than batches.
///
/// It assumes batches that are much longer than correlations reach, and undercovers where they are not: neighbours are
/// then positively correlated and their variance is too small.
BatchMeans batch_means(std::span<const double> sequence, std::int64_t batches, double confidence);

/// The same from all batches of that size that overlap, n − m + 1 of m values (Meketon and Schmeiser, Overlapping batch
/// means: something for nothing?, WSC 1984): n m / ((n − m + 1)(n − m)) Σ (batch mean − mean)² estimates n Var(mean)
/// with the bias of batches that do not overlap and two thirds of the variance, hence 1.5 (n/m − 1) degrees of freedom.
/// Throws as batch_means does. It undercovers where batch_means does, and a little more, for its interval is narrower.
BatchMeans overlapping_batch_means(std::span<const double> sequence, std::int64_t batches, double confidence);

}  // namespace sporos
