// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/result.hpp>
#include <sporos/procedures/sensitivity/pick_freeze.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

/// Sobol indices: the share of each uncertain input in a response's variance.
namespace sporos {

/// Mean of a response at a design point.
struct PointMean {
  double mean;  ///< mean over the point's replications
  /// Variance of that mean due to simulation: the sample variance of an observation over their number.
  double variance;
};

/// Returns the means of a response of an experiment, in the order of its design points. Throws std::invalid_argument if
/// a point has only one observation, from which its noise cannot be estimated.
std::vector<PointMean> point_means(const ExperimentResult& result, std::size_t response);

/// An estimated index with its interval value ± half_width, which may reach below 0 and above 1.
struct SobolIndex {
  double value;       ///< the estimate; NaN if the response varies no more than its noise
  double half_width;  ///< half-width of its interval; infinite if `value` is NaN
};

/// Sobol indices of a response over a PickFreeze design.
struct SobolIndices {
  double mean = 0;  ///< mean over the inputs' distribution
  /// Variance of the response's expectation over the inputs; may be <= 0 if noise hides it.
  double variance = 0;
  double noise = 0;               ///< average variance of a point's mean due to simulation
  std::vector<SobolIndex> first;  ///< first-order index of each input: Var E(f | x_i) / Var f
  /// Total index of each input, with all its interactions: E Var(f | all inputs but x_i) / Var f.
  std::vector<SobolIndex> total;
};

/// Computes first-order and total indices from means at the points of `design`, whose points must not share random
/// numbers. With Y = f + noise in rows j = 1, …, N and the average m of all A and B,
///
///     V    = Σ ((A_j − m)² + (B_j − m)²) / (2 N − 1) − the mean noise variance of A and B
///     S_i  = mean of (B_j − m) (AB_ij − A_j) / V                         Saltelli et al., CPC 181, 2010, table 2 (b)
///     ST_i = mean of ((A_j − AB_ij)² − the noise variances of both) / 2 V       Jansen 1999, table 2 (f) there
///
/// Noise is independent between points. It only adds its variance to squares, from which the estimated noise variance
/// is subtracted. V and the numerators are therefore unbiased for two or more replications, except for O(1/N) because m
/// replaces the mean. Intervals are Student's with groups − 1 degrees of freedom, from the numerator minus index times
/// V, averaged over each of `groups` independent groups of equally many rows (delta method for a ratio). Throws
/// std::invalid_argument if `points` do not match the design, or if `groups` is below 2 or does not divide the number
/// of rows.
SobolIndices sobol_indices(const PickFreeze& design, const std::vector<PointMean>& points, std::int64_t groups,
                           double confidence);

}  // namespace sporos
