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
    m_least = m_count == 0 || x < m_least ? x : m_least;
    m_most = m_count == 0 || x > m_most ? x : m_most;
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
  KOKKOS_FORCEINLINE_FUNCTION double minimum() const { return m_least; }
  /// Largest observation; 0 if there are none.
  KOKKOS_FORCEINLINE_FUNCTION double maximum() const { return m_most; }

 private:
  std::int64_t m_count = 0;
  double m_sum = 0, m_least = 0, m_most = 0;
};

}  // namespace sporos
