// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/statistics/confidence.hpp>
#include <sporos/core/statistics/moments.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos {

/// The mean of one long, correlated sequence with an interval from its batch means.
struct BatchMeans {
  double mean = 0;              ///< average of the batch means
  double half_width = 0;        ///< Student-t half-width over the batches
  std::int64_t batches = 0;     ///< number of batches
  std::int64_t batch_size = 0;  ///< observations in each
  /// Correlation of neighbouring batch means. Far from zero (beyond 2 / √batches), the batches are too short and the
  /// half-width too small.
  double lag_one_correlation = 0;
};

/// Cuts `sequence` into `batches` batches of equal size and treats their means as independent observations. A remainder
/// at the front, where a run still remembers its start, is left out. Host memory. Throws std::invalid_argument below
/// two batches, or with fewer observations than batches.
inline BatchMeans batch_means(std::span<const double> sequence, std::int64_t batches, double confidence) {
  const auto length = static_cast<std::int64_t>(sequence.size());
  if (batches < 2) throw std::invalid_argument("batch means need at least 2 batches, not " + std::to_string(batches));
  if (length < batches) {
    throw std::invalid_argument("batch means: " + std::to_string(length) + " observations are too few for " +
                                std::to_string(batches) + " batches");
  }
  const std::int64_t size = length / batches;
  const std::span<const double> used = sequence.last(static_cast<std::size_t>(size * batches));
  std::vector<double> means;
  MomentsTree over_batches;
  for (std::int64_t b = 0; b < batches; ++b) {
    MomentsTree batch;
    for (std::int64_t i = 0; i < size; ++i) batch.add(used[static_cast<std::size_t>(b * size + i)]);
    means.push_back(batch.total().mean);
    over_batches.add(means.back());
  }
  const Moments total = over_batches.total();
  double lagged = 0;
  for (std::size_t b = 1; b < means.size(); ++b) lagged += (means[b] - total.mean) * (means[b - 1] - total.mean);
  const double correlation = total.squared_deviation > 0 ? lagged / total.squared_deviation : 0.0;
  return {total.mean, half_width(total, confidence), batches, size, correlation};
}

}  // namespace sporos
