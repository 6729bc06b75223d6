// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/statistics/series_interval.hpp>

#include <span>

namespace sporos {

/// The steady-state mean of a stationary series by the spectral density p at frequency 0, since n Var(mean) → p(0)
/// (Heidelberger and Welch, A spectral method for confidence interval generation and run length control in simulations,
/// Comm. ACM 24, 1981; that of Akaroa2). A parabola is fitted to ln of the periodogram, averaged over pairs of
/// frequencies, at the K = 25 lowest of these; its value at 0 gives p(0) with the factor C₁ = 0.882 against the bias of
/// the logarithm, and Student's interval has C₂ = 7 degrees of freedom (their table 1). The series is averaged to at
/// most 4096 values before, which leaves p(0) as it is.
///
/// It assumes that the logarithm of the spectrum is a parabola over the frequencies used, the lowest 50 of the series,
/// and undercovers where it peaks more sharply at 0, as that of short series with strong correlation does. Fewer than
/// 200 values have no interval. The warm-up must be cut before.
SeriesInterval spectral_mean(std::span<const double> series, double confidence);

}  // namespace sporos
