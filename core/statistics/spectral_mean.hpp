// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/statistics/series_interval.hpp>

#include <span>

namespace sporos {

/// The steady-state mean of a stationary series with an interval from its spectral density p at frequency 0, because n
/// Var(mean) → p(0) (Heidelberger and Welch (1981), A spectral method for confidence interval generation and run length
/// control in simulations, Comm. ACM 24; the method of Akaroa2). The series is first averaged to at most 4096 values,
/// which does not change p(0). The periodogram is averaged over pairs of frequencies, and a parabola is fitted to its
/// logarithm at the K = 25 lowest of these. The parabola's value at 0 gives p(0), with the factor C₁ = 0.882 against
/// the bias of the logarithm. Student's interval has C₂ = 7 degrees of freedom (their table 1).
///
/// Assumes that the logarithm of the spectrum is a parabola over the frequencies used, the lowest 50 of the series. The
/// interval undercovers if the spectrum peaks more sharply at 0, as for short series with strong correlation. A series
/// of fewer than 200 values has no interval. Remove the warm-up before calling this function.
SeriesInterval spectral_mean(std::span<const double> series, double confidence);

}  // namespace sporos
