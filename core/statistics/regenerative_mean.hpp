// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/statistics/series_interval.hpp>

#include <Kokkos_Core.hpp>

namespace sporos {

/// Sums over the completed regenerative cycles of a series, of their lengths τ and of the totals Y of a response.
struct CycleSums {
  double cycles = 0;         ///< number of cycles
  double length = 0;         ///< Σ τ
  double length_square = 0;  ///< Σ τ²
  double total = 0;          ///< Σ Y
  double total_square = 0;   ///< Σ Y²
  double product = 0;        ///< Σ Y τ

  /// Adds a cycle of length `tau` with the total `y`.
  KOKKOS_FORCEINLINE_FUNCTION void add(double tau, double y) {
    cycles += 1;
    length += tau;
    length_square += tau * tau;
    total += y;
    total_square += y * y;
    product += y * tau;
  }
};

/// The steady-state mean E[Y] / E[τ] as the ratio of sums over independent cycles. The interval uses the variance of
/// Y − ratio · τ and Student's quantile with cycles − 1 degrees of freedom (Crane and Iglehart (1975), Simulating
/// stable stochastic systems III, Oper. Res. 23). No warm-up is needed, because the first cycle begins with the series.
/// Fewer than 30 cycles give no interval. In the result, `cut` is 0, `used` is the number of observations of whole
/// cycles, and `batches` is the number of cycles.
///
/// Assumes that the regenerations of the model are true regenerations. The ratio has a bias of the order 1/cycles. The
/// cycle under way at the end of each run is left out. It tends to be a long one, which adds to the bias: few long runs
/// are better than many short ones. The interval therefore undercovers if cycles are few or very skewed, as in queues
/// near saturation.
SeriesInterval regenerative_mean(const CycleSums& sums, double confidence);

}  // namespace sporos
