// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

namespace sporos {

/// Weights of numbers in `bins` bins of equal width over [low, high), below them and above. For a quantity that changes
/// over time, use the duration of each value as its weight.
template <int bins>
class Histogram {
 public:
  static_assert(bins >= 1, "Sporos: a histogram must have at least 1 bin");

  /// Histogram over [low, high); low < high.
  KOKKOS_INLINE_FUNCTION Histogram(double low, double high)
      : m_low(low), m_width((high - low) / bins), m_per_width(bins / (high - low)) {
    for (int bin = 0; bin < bins; ++bin) m_weights[bin] = 0;
  }

  /// Adds `x` with `weight` >= 0. A NaN counts as above.
  KOKKOS_FORCEINLINE_FUNCTION void add(double x, double weight = 1) {
    const double place = (x - m_low) * m_per_width;
    m_total += weight;
    if (place < 0) {
      m_below += weight;
    } else if (place < bins) {
      m_weights[static_cast<int>(place)] += weight;
    }
  }

  /// Left end of a bin; for bin number `bins`, the right end of the last bin.
  KOKKOS_INLINE_FUNCTION double edge(int bin) const { return m_low + m_width * bin; }
  /// Weight in a bin.
  KOKKOS_FORCEINLINE_FUNCTION double weight(int bin) const { return m_weights[bin]; }
  /// Weight below `low`.
  KOKKOS_FORCEINLINE_FUNCTION double below() const { return m_below; }
  /// Weight at `high` and above.
  KOKKOS_INLINE_FUNCTION double above() const {
    double inside = m_below;
    for (int bin = 0; bin < bins; ++bin) inside += m_weights[bin];
    return m_total - inside;
  }
  /// Total weight.
  KOKKOS_FORCEINLINE_FUNCTION double total() const { return m_total; }

  /// Estimate of the `p`-quantile, 0 < p < 1, assuming that the weight is spread evenly in each bin. If the quantile is
  /// in [low, high), the error is at most the width of a bin. Returns `low` if it is below, and `high` if it is above
  /// or the histogram is empty.
  KOKKOS_INLINE_FUNCTION double quantile(double p) const {
    double left = p * m_total - m_below;
    if (left < 0) return m_low;
    for (int bin = 0; bin < bins; ++bin) {
      if (left < m_weights[bin]) return edge(bin) + m_width * (left / m_weights[bin]);
      left -= m_weights[bin];
    }
    return edge(bins);
  }

 private:
  double m_low, m_width, m_per_width;
  double m_total = 0, m_below = 0;
  double m_weights[bins];
};

}  // namespace sporos
