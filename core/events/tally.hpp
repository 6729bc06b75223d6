// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// Numbers that are observed one by one, such as waits: how many, their mean, the least and the largest.
class Tally {
 public:
  /// Observes `x`.
  KOKKOS_FORCEINLINE_FUNCTION void add(double x) {
    m_least = m_count == 0 || x < m_least ? x : m_least;
    m_most = m_count == 0 || x > m_most ? x : m_most;
    m_sum += x;
    ++m_count;
  }

  /// Numbers observed.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t count() const { return m_count; }
  /// Their sum.
  KOKKOS_FORCEINLINE_FUNCTION double sum() const { return m_sum; }
  /// Their mean; 0 where there are none.
  KOKKOS_FORCEINLINE_FUNCTION double mean() const { return m_count > 0 ? m_sum / static_cast<double>(m_count) : 0.0; }
  /// The least; 0 where there are none.
  KOKKOS_FORCEINLINE_FUNCTION double minimum() const { return m_least; }
  /// The largest; 0 where there are none.
  KOKKOS_FORCEINLINE_FUNCTION double maximum() const { return m_most; }

 private:
  std::int64_t m_count = 0;
  double m_sum = 0, m_least = 0, m_most = 0;
};

}  // namespace sporos
