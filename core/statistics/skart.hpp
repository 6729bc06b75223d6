// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/statistics/series_interval.hpp>

#include <cstdint>
#include <span>

namespace sporos {

/// Values below which n_skart gives no interval.
inline constexpr std::int64_t least_for_skart = 1280;

/// The steady-state mean of a series by N-Skart (Tafazzoli, Steiger and Wilson, N-Skart: a nonsequential skewness- and
/// autoregression-adjusted batch-means procedure for simulation analysis, IEEE Trans. Automatic Control 56, 2011), from
/// batch means of one run:
///
/// 1. Batches grow until von Neumann's test, at level 0.2, finds no dependence between batch means that up to ten
///    batches (three, of skewed means) separate. The first such spacer is the warm-up, which is cut.
/// 2. The rest is batched anew, into at most 1024 adjacent batches.
/// 3. The interval is mean − G(t_{1−α/2}) √(A S²/k) to mean − G(t_{α/2}) √(A S²/k): A = (1 + φ)/(1 − φ) corrects the
///    variance of k batch means for their lag-one correlation φ, and G(t) = ((1 + 6β(t − β))^{1/3} − 1)/(2β), with
///    β = skewness / (6 √k″), Student's quantiles for their skewness; skewness and k″ − 1 degrees of freedom are those
///    of batch means that spacers separate.
///
/// It assumes a stationary series after the warm-up whose batch means tend to an autoregressive one of first order. On
/// short series of strong correlation it undercovers: docs/output_analysis.md says by how much in our tests.
SeriesInterval n_skart(std::span<const double> series, double confidence);

}  // namespace sporos
