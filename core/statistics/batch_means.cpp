// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/statistics/batch_means.hpp>

#include <sporos/core/statistics/confidence.hpp>
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/core/statistics/moments.hpp>

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos {

namespace {

// Returns the values of whole batches, at the end of `sequence`.
std::span<const double> batched_part(std::span<const double> sequence, std::int64_t batches) {
  const auto length = static_cast<std::int64_t>(sequence.size());
  if (batches < 2) throw std::invalid_argument("batch means need at least 2 batches, not " + std::to_string(batches));
  if (length < batches) {
    throw std::invalid_argument("batch means: " + std::to_string(length) + " observations are too few for " +
                                std::to_string(batches) + " batches");
  }
  return sequence.last(static_cast<std::size_t>(length / batches * batches));
}

}  // namespace

double lag_one_correlation(std::span<const double> values, double mean, double squared_deviation) {
  double lagged = 0;
  for (std::size_t i = 1; i < values.size(); ++i) lagged += (values[i] - mean) * (values[i - 1] - mean);
  return squared_deviation > 0 ? lagged / squared_deviation : 0.0;
}

BatchMeans batch_means(std::span<const double> sequence, std::int64_t batches, double confidence) {
  const auto used = batched_part(sequence, batches);
  const std::size_t size = used.size() / static_cast<std::size_t>(batches);
  std::vector<double> means;
  MomentsTree over_batches;
  for (std::size_t begin = 0; begin < used.size(); begin += size) {
    MomentsTree batch;
    for (const double value : used.subspan(begin, size)) batch.add(value);
    means.push_back(batch.total().mean);
    over_batches.add(means.back());
  }
  const Moments total = over_batches.total();
  return {total.mean,
          half_width(total, confidence),
          batches,
          static_cast<std::int64_t>(size),
          lag_one_correlation(means, total.mean, total.squared_deviation),
          static_cast<double>(batches - 1)};
}

BatchMeans overlapping_batch_means(std::span<const double> sequence, std::int64_t batches, double confidence) {
  BatchMeans result = batch_means(sequence, batches, confidence);
  const auto used = batched_part(sequence, batches);
  const auto size = static_cast<std::size_t>(result.batch_size);
  const auto n = static_cast<double>(used.size()), m = static_cast<double>(size);
  double sum = 0, squares = 0;  // rolling sums of the batch's values minus the mean
  for (std::size_t i = 0; i < used.size(); ++i) {
    sum += used[i] - result.mean;
    if (i >= size) sum -= used[i - size] - result.mean;
    if (i + 1 >= size) squares += sum / m * (sum / m);
  }
  const double variance_of_mean = m / ((n - m + 1) * (n - m)) * squares;
  result.degrees_of_freedom = 1.5 * (n / m - 1);
  result.half_width =
      student_t_quantile(0.5 * (1 + confidence), result.degrees_of_freedom) * std::sqrt(variance_of_mean);
  return result;
}

}  // namespace sporos
