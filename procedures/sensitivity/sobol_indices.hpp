// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/result.hpp>
#include <sporos/procedures/sensitivity/pick_freeze.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

/// Sobol's indices: which share of a response's variance over uncertain inputs is due to which of them.
namespace sporos {

/// A response's mean at a design point.
struct PointMean {
  double mean;      ///< over the point's replications
  double variance;  ///< of that mean, by simulation: the sample variance of an observation over their number
};

/// Those of a response of an experiment, in the order of its design points. Throws std::invalid_argument where a point
/// has one observation alone, which does not tell its noise.
std::vector<PointMean> point_means(const ExperimentResult& result, std::size_t response);

/// An estimated index and its interval, value ± half_width, which may reach below 0 and above 1.
struct SobolIndex {
  double value;       ///< the estimate; NaN where the response varies no more than its noise
  double half_width;  ///< of its interval; infinite there
};

/// What comes of a response over a PickFreeze design.
struct SobolIndices {
  double mean = 0;                ///< over the inputs' distribution
  double variance = 0;            ///< of the response's expectation by the inputs; not above 0 where noise hides it
  double noise = 0;               ///< variance of a point's mean by simulation, on average
  std::vector<SobolIndex> first;  ///< of each input: its share alone, Var E(f | x_i) / Var f
  std::vector<SobolIndex> total;  ///< with all its interactions, E Var(f | all inputs but x_i) / Var f
};

/// First-order and total indices from means at the points of `design`, whose replications shared no random numbers
/// between points. With Y = f + noise in rows j = 1, …, N and the average m of all A and B,
///
///     V    = Σ ((A_j − m)² + (B_j − m)²) / (2 N − 1) − the mean noise variance of A and B
///     S_i  = mean of (B_j − m) (AB_ij − A_j) / V                         Saltelli et al., CPC 181, 2010, table 2 (b)
///     ST_i = mean of ((A_j − AB_ij)² − the noise variances of both) / 2 V       Jansen 1999, table 2 (f) there
///
/// Noise, independent between points, adds its variance to squares alone, where the estimated one is taken off: V and
/// the numerators are unbiased for any number of replications from 2 on, but for m in place of the mean, O(1/N).
/// Intervals are Student's with groups − 1 degrees of freedom, from the numerator less index times V, averaged over
/// each of `groups` equally many, independent rows (delta method of a ratio). Throws std::invalid_argument where
/// `points` are not those of the design or `groups`, at least 2, do not divide its rows.
SobolIndices sobol_indices(const PickFreeze& design, const std::vector<PointMean>& points, std::int64_t groups,
                           double confidence);

}  // namespace sporos
