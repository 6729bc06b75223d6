// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// Statistics of observations, such as waits: their number, mean, minimum and maximum.
class Tally {
 public:
  /// Adds the observation `x`.
  KOKKOS_FORCEINLINE_FUNCTION void add(double x) {
    m_min = m_count == 0 || x < m_min ? x : m_min;
    m_max = m_count == 0 || x > m_max ? x : m_max;
    m_sum += x;
    ++m_count;
  }

  /// Number of observations.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t count() const { return m_count; }
  /// Sum of the observations.
  KOKKOS_FORCEINLINE_FUNCTION double sum() const { return m_sum; }
  /// Mean of the observations; 0 if there are none.
  KOKKOS_FORCEINLINE_FUNCTION double mean() const { return m_count > 0 ? m_sum / static_cast<double>(m_count) : 0.0; }
  /// Smallest observation; 0 if there are none.
  KOKKOS_FORCEINLINE_FUNCTION double minimum() const { return m_min; }
  /// Largest observation; 0 if there are none.
  KOKKOS_FORCEINLINE_FUNCTION double maximum() const { return m_max; }

 private:
  std::int64_t m_count = 0;
  double m_sum = 0, m_min = 0, m_max = 0;
};

}  // namespace sporos
