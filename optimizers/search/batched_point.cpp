// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/optimizers/search/batched_point.hpp>

#include <cmath>
#include <utility>

namespace sporos::impl {

void append_batches(std::vector<Sample>& samples, const SearchRun& run, const std::vector<double>& x,
                    const BatchRange& range, bool has_gradient) {
  for (std::int64_t b = 0; b < batch_count; ++b)
    samples.push_back({x, run.seed(), range.first + b * range.stride, range.count, has_gradient});
}

void add_batches(const SearchRun& run, BatchedPoint& point, std::vector<SampleMean> found) {
  if (point.batches.empty()) {
    point.batches = std::move(found);
  } else {
    for (std::size_t b = 0; b < found.size(); ++b) point.batches[b] = run.pooled(point.x, point.batches[b], found[b]);
  }
  SampleMoments all;
  for (const SampleMean& batch : point.batches) all.add(batch.moments);
  point.all = run.problem().estimate(point.x, std::move(all));
}

PairedDifference difference_by_batches(const BatchedPoint& first, const BatchedPoint& second) {
  if (first.all.count == 0 || second.all.count == 0)
    return {first.all.mean == second.all.mean ? 0 : first.all.mean - second.all.mean, 0};
  const auto n = static_cast<double>(batch_count);
  double mean = 0, squares = 0;
  for (std::size_t b = 0; b < first.batches.size(); ++b) mean += (first.batches[b].mean - second.batches[b].mean) / n;
  for (std::size_t b = 0; b < first.batches.size(); ++b) {
    const double deviation = first.batches[b].mean - second.batches[b].mean - mean;
    squares += deviation * deviation;
  }
  return {first.all.mean - second.all.mean, squares / (n - 1) / n};
}

double critical_of_comparisons(double probability, std::int64_t looks) {
  return student_t(1 - 2 * (1 - probability) / static_cast<double>(looks), batch_count);
}

Comparison compare_by_batches(const BatchedPoint& first, const BatchedPoint& second, double critical,
                              double indifferent) {
  const auto [difference, variance] = difference_by_batches(first, second);
  const double error = critical * std::sqrt(variance);
  if (!(std::abs(difference) > error || error < indifferent)) return Comparison::unclear;
  return difference < 0 ? Comparison::lower : Comparison::not_lower;
}

}  // namespace sporos::impl
