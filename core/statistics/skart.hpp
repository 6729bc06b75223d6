// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/statistics/series_interval.hpp>

#include <cstdint>
#include <span>

namespace sporos {

/// Smallest number of values for which n_skart gives an interval.
inline constexpr std::int64_t min_for_skart = 1280;

/// The steady-state mean of a series by N-Skart, from batch means of one run (Tafazzoli, Steiger and Wilson (2011),
/// N-Skart: a nonsequential skewness- and autoregression-adjusted batch-means procedure for simulation analysis, IEEE
/// Trans. Automatic Control 56):
///
/// 1. Batches grow until von Neumann's test, at level 0.2, finds no dependence between batch means separated by a
///    spacer of up to ten batches (three if the means are skewed). The first such spacer is the warm-up, which is
///    removed.
/// 2. The remaining values are divided again, into at most 1024 adjacent batches.
/// 3. The interval is mean − G(t_{1−α/2}) √(A S²/k) to mean − G(t_{α/2}) √(A S²/k). A = (1 + φ)/(1 − φ) corrects the
///    variance of k batch means for their lag-one correlation φ. G(t) = ((1 + 6β(t − β))^{1/3} − 1)/(2β), with
///    β = skewness / (6 √k″), corrects Student's quantiles for the skewness of the means. The skewness and the k″ − 1
///    degrees of freedom are those of batch means that are separated by spacers.
///
/// Assumes that the series is stationary after the warm-up, and that its batch means tend to an autoregressive process
/// of first order. The interval undercovers on short series with strong correlation: docs/benchmarks/coverage.md
/// reports by how much in our tests.
SeriesInterval n_skart(std::span<const double> series, double confidence);

}  // namespace sporos
