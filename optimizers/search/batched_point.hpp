// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>
#include <vector>

namespace sporos::impl {

/// Number of batches into which a point's replications are divided. Variances of means and gradients are estimated
/// between batches, so that single replications need not be stored.
inline constexpr std::int64_t batch_count = 8;

/// Replications of the batches at a point: those of batch b start at first + b · stride.
struct BatchRange {
  std::int64_t first;   ///< First replication of batch 0.
  std::int64_t stride;  ///< Distance from one batch to the next.
  std::int64_t count;   ///< Number of replications in each batch.
};

/// A point and the estimates from its batches of replications.
struct BatchedPoint {
  std::vector<double> x;            ///< The point.
  std::vector<SampleMean> batches;  ///< Estimates of the batch_count batches; empty before the first evaluation.
  SampleMean all;                   ///< Estimate from all batches together.

  /// Number of replications in each batch.
  std::int64_t replications_of_batch() const { return all.count / batch_count; }
};

/// Appends the samples of `range` at x to `samples`.
void append_batches(std::vector<Sample>& samples, const SearchRun& run, const std::vector<double>& x,
                    const BatchRange& range, bool has_gradient);

/// Adds the results of such samples to `point`.
void add_batches(const SearchRun& run, BatchedPoint& point, std::vector<SampleMean> found);

/// Difference between two points whose batches use common random numbers: the mean over all replications, with the
/// variance estimated between batches. It is infinite, without variance, if one of the points has no replications, and
/// 0 if neither has.
PairedDifference difference_by_batches(const BatchedPoint& first, const BatchedPoint& second);

/// Result of a comparison of two points.
enum class Comparison { lower, not_lower, unclear };

/// Critical value for comparisons over up to `looks` successive samples, each of which is right with `probability`, in
/// (1/2, 1). Uses Student's t between batches with Bonferroni's correction.
double critical_of_comparisons(double probability, std::int64_t looks);

/// Compares two points. The result is unclear if the difference is at most `critical` times its standard error and this
/// product is at least `indifferent`.
Comparison compare_by_batches(const BatchedPoint& first, const BatchedPoint& second, double critical,
                              double indifferent);

}  // namespace sporos::impl
