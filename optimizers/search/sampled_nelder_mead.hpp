// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Of Nelder–Mead over a sample that grows. Lengths are in units of each coordinate's scale, max(1, |start|).
struct SampledNelderMeadOptions {
  std::int64_t replications = 8;  ///< of the first sample; rounded up to whole batches
  double growth = 2;              ///< factor of a sample that is too small for a comparison
  double probability = 0.95;      ///< with which a comparison is right
  double indifference = 0.1;      ///< part of the values' range over the simplex that two points may differ by unseen
  double greatest_share = 0.03;   ///< part of the budget that a sample of all vertices grows to
  double step = 1;                ///< from the start to the first vertex along each coordinate
};

/// Throws std::invalid_argument for options out of range.
void check(const SampledNelderMeadOptions& options);

/// Nelder–Mead on the mean of N replications, the same ones at all points, with the coefficients of Gao and Han (2012).
/// Two points are compared by the difference of their means and its standard error by Student's t over 8 batches of
/// their replications. Where the difference is smaller than the critical value times the error, and this product is not
/// small beside the values' range over the simplex, N grows for all vertices and the iteration begins again. So each
/// comparison is right with the stated probability, or the points differ by less than the stated part of that range;
/// the probability of an error is divided over the sizes that N can take (Bonferroni), as far as batches' means are
/// normal.
///
/// The first simplex has the start and vertices along each coordinate, or, where the problem says how points are drawn,
/// points so drawn. N grows until a sample of all vertices takes the stated share of the budget; then means decide.
/// Where the best and the worst vertex there differ by no more than a standard error, a new simplex with half the steps
/// begins around the best, and N may become twice as large. Points are moved into their bounds; an infinite mean is
/// worse than all others. The coordinates are real; no gradients are needed.
Search sampled_nelder_mead(SearchRun& run, SampledNelderMeadOptions options);

}  // namespace sporos
