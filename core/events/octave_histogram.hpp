// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// Histogram of numbers >= 0 in bins that grow with the numbers: each octave [2^k, 2^(k+1)) of [2^lowest, 2^(lowest +
/// octaves)) has 8 bins of equal width. Use it for numbers of which only the order of magnitude is known, such as
/// waits. Call `clear` before the first use: models that do not use the histogram need not write its 32 · octaves
/// bytes.
template <int lowest, int octaves>
class OctaveHistogram {
 public:
  static_assert(octaves >= 1 && lowest >= -1022 && lowest + octaves <= 1023,
                "Sporos: a histogram must have at least 1 octave, and its octaves must lie between 2^-1022 and 2^1023");

  /// Removes all observations.
  KOKKOS_INLINE_FUNCTION void clear() {
    m_zeros = m_below = m_total = 0;
    for (int bin = 0; bin < bins; ++bin) m_counts[bin] = 0;
  }

  /// Adds the observation `x` >= 0.
  KOKKOS_FORCEINLINE_FUNCTION void add(double x) {
    ++m_total;
    const std::int64_t bin = static_cast<std::int64_t>(math::impl::to_bits(x) >> unused_bits) - first_edge;
    if (x == 0) {
      ++m_zeros;
    } else if (bin < 0) {
      ++m_below;
    } else if (bin < bins) {
      ++m_counts[bin];
    }
  }

  /// Estimate of the `p`-quantile, 0 < p < 1, assuming that numbers are spread evenly in each bin, and below the first
  /// bin from 0 to its edge. The error is at most the width of a bin, an eighth of the number. Returns 0 if the
  /// histogram is empty, and infinity if the quantile is above the last bin.
  KOKKOS_INLINE_FUNCTION double quantile(double p) const {
    double left = p * static_cast<double>(m_total) - static_cast<double>(m_zeros);
    if (left <= 0) return 0;
    if (left <= m_below) return edge(0) * (left / m_below);
    left -= m_below;
    for (int bin = 0; bin < bins; ++bin) {
      if (left <= m_counts[bin]) return edge(bin) + (edge(bin + 1) - edge(bin)) * (left / m_counts[bin]);
      left -= m_counts[bin];
    }
    return math::impl::infinity;
  }

 private:
  // A double's exponent and the first three bits of its fraction, read as an integer, number the bins.
  static constexpr int unused_bits = 49, bins = 8 * octaves;
  static constexpr std::int64_t first_edge = static_cast<std::int64_t>(1023 + lowest) << 3;
  KOKKOS_FORCEINLINE_FUNCTION static double edge(int bin) {
    return math::impl::from_bits(static_cast<std::uint64_t>(first_edge + bin) << unused_bits);
  }

  std::uint32_t m_zeros, m_below, m_total;
  std::uint32_t m_counts[bins];
};

}  // namespace sporos
