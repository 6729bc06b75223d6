// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

namespace sporos {

/// A number that changes at events, such as that of customers in a queue, and its average over time: the integral
/// ∫ x(t) dt from the start to a time, over the time between.
class TimeAverage {
 public:
  /// The number from `start` on.
  KOKKOS_FORCEINLINE_FUNCTION explicit TimeAverage(double value = 0, double start = 0)
      : m_value(value), m_most(value), m_start(start), m_changed(start) {}

  /// The number is `value` from `now` on, not before the last change.
  KOKKOS_FORCEINLINE_FUNCTION void set(double now, double value) {
    m_area += m_value * (now - m_changed);
    m_changed = now;
    m_value = value;
    if (value > m_most) m_most = value;
  }

  /// It changes by `difference`.
  KOKKOS_FORCEINLINE_FUNCTION void add(double now, double difference) { set(now, m_value + difference); }

  /// Forgets what was before `now`, such as a warm-up.
  KOKKOS_FORCEINLINE_FUNCTION void restart(double now) { *this = TimeAverage(m_value, now); }

  /// The number now.
  KOKKOS_FORCEINLINE_FUNCTION double value() const { return m_value; }
  /// The largest number since the start.
  KOKKOS_FORCEINLINE_FUNCTION double maximum() const { return m_most; }
  /// The integral from the start to `end`, not before the last change.
  KOKKOS_FORCEINLINE_FUNCTION double area(double end) const { return m_area + m_value * (end - m_changed); }
  /// The average from the start to `end`; the number itself where no time has passed.
  KOKKOS_FORCEINLINE_FUNCTION double average(double end) const {
    return end > m_start ? area(end) / (end - m_start) : m_value;
  }

 private:
  double m_area = 0, m_value, m_most, m_start, m_changed;
};

}  // namespace sporos
