// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sporos::impl {

/// Batches that a point's replications are divided into: spreads of means and of gradients are those between batches,
/// so that no single replication is kept.
inline constexpr std::int64_t batch_count = 8;

/// The replications that batches get at a point: batch b those from first + b · stride on.
struct BatchRange {
  std::int64_t first;   ///< of batch 0
  std::int64_t stride;  ///< from a batch to the next
  std::int64_t count;   ///< in each
};

/// A point and what batches of replications tell of it.
struct BatchedPoint {
  std::vector<double> x;            ///< the point
  std::vector<SampleMean> batches;  ///< as many as batch_count, once there are any
  SampleMean all;                   ///< of all of them

  /// In each batch.
  std::int64_t replications_of_batch() const { return all.count / batch_count; }
};

/// Adds the samples of `range` at x to `samples`.
void append_batches(std::vector<Sample>& samples, const SearchRun& run, const std::vector<double>& x,
                    const BatchRange& range, bool has_gradient);

/// Adds what such samples found to `point`.
void add_batches(const SearchRun& run, BatchedPoint& point, std::span<const SampleMean> found);

/// How far two points are apart whose batches have the same random numbers: by all replications, its variance by the
/// spread between batches. Infinite, without variance, where one of them has no replications; 0 where both have none.
PairedDifference difference_by_batches(const BatchedPoint& first, const BatchedPoint& second);

/// What is known of two points.
enum class Comparison { lower, not_lower, unclear };

/// The critical value of comparisons, each of which is right with that probability, in (1/2, 1), by up to `looks`
/// samples one after the other (Student's t between batches; Bonferroni).
double critical_of_comparisons(double probability, std::int64_t looks);

/// Whether `first` is lower: unclear where the difference is not greater than `critical` times its standard error, and
/// this product not less than `indifferent`.
Comparison compare_by_batches(const BatchedPoint& first, const BatchedPoint& second, double critical,
                              double indifferent);

}  // namespace sporos::impl
