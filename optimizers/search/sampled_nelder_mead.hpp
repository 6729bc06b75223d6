// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Options of Nelder–Mead over a growing sample. Lengths are in units of each coordinate's scale, max(1, |start|).
struct SampledNelderMeadOptions {
  std::int64_t replications = 8;  ///< Number of replications of the first sample; rounded up to whole batches.
  double growth = 2;              ///< Growth factor of a sample that is too small for a comparison.
  double probability = 0.95;      ///< Probability that a comparison is right.
  double indifference = 0.1;  ///< Fraction of the range of values over the simplex below which a difference is ignored.
  double largest_share = 0.03;  ///< Fraction of the budget up to which a sample of all vertices grows.
  double step = 1;              ///< Distance from the start to the first vertex along each coordinate.
};

/// Throws std::invalid_argument if an option is out of range.
void check(const SampledNelderMeadOptions& options);

/// Nelder–Mead on the mean of N replications, the same at all points, with the coefficients of Gao and Han (2012).
///
/// Two points are compared by the difference of their means and its standard error, by Student's t over 8 batches of
/// replications. A difference is too small to decide if it is below the critical value times the error and this product
/// is not small compared with the range of values over the simplex. In that case N grows for all vertices and the
/// iteration restarts. So each comparison is right with the stated probability, or the points differ by less than the
/// stated fraction of that range. The error probability is divided over the sizes that N can take (Bonferroni); batch
/// means are assumed normal.
///
/// The first simplex consists of the start and vertices along each coordinate, or of points drawn from the problem's
/// distributions if it has any. N grows until a sample of all vertices takes the stated fraction of the budget; after
/// that, means decide. If the best and worst vertices then differ by at most a standard error, a new simplex with half
/// the step starts around the best, and N may double. Points are moved into their bounds; an infinite mean is worse
/// than all others. All coordinates must be real; no gradients are needed.
Search sampled_nelder_mead(SearchRun& run, SampledNelderMeadOptions options);

}  // namespace sporos
