// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/statistics/series_interval.hpp>

#include <Kokkos_Core.hpp>

namespace sporos {

/// Sums over the regenerative cycles of a series that have ended: of their lengths τ and the totals Y of a response.
struct CycleSums {
  double cycles = 0;         ///< number of cycles
  double length = 0;         ///< Σ τ
  double length_square = 0;  ///< Σ τ²
  double total = 0;          ///< Σ Y
  double total_square = 0;   ///< Σ Y²
  double product = 0;        ///< Σ Y τ

  /// Adds a cycle.
  KOKKOS_FORCEINLINE_FUNCTION void add(double tau, double y) {
    cycles += 1;
    length += tau;
    length_square += tau * tau;
    total += y;
    total_square += y * y;
    product += y * tau;
  }
};

/// The steady-state mean E[Y] / E[τ] by the ratio of sums over independent cycles, with the variance of Y − ratio · τ
/// and Student's quantile of cycles − 1 degrees of freedom (Crane and Iglehart, Simulating stable stochastic systems
/// III, Oper. Res. 23, 1975). There is no warm-up: the first cycle begins with the series. Fewer than 30 cycles have no
/// interval.
///
/// It assumes that what the model calls a regeneration is one. The ratio is biased by a term of the order 1/cycles, and
/// by the cycle under way at the end of each run, a long one more often than not, which is left out: few long runs are
/// better than many short ones. So the interval undercovers where cycles are few or very skewed, as those of queues
/// near saturation are. `cut` is 0, `used` the observations of whole cycles, `batches` the cycles.
SeriesInterval regenerative_mean(const CycleSums& sums, double confidence);

}  // namespace sporos
