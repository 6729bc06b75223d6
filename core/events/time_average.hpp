// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

namespace sporos {

/// Average over time of a number that changes at events, such as the number of customers in a queue: ∫ x(t) dt from the
/// start to a time, divided by the time between.
class TimeAverage {
 public:
  /// Starts at time `start` with `value`.
  KOKKOS_FORCEINLINE_FUNCTION explicit TimeAverage(double value = 0, double start = 0)
      : m_value(value), m_max(value), m_start(start), m_changed(start) {}

  /// Sets the number to `value` from `now` on, which must not be before the last change.
  KOKKOS_FORCEINLINE_FUNCTION void set(double now, double value) {
    m_area += m_value * (now - m_changed);
    m_changed = now;
    m_value = value;
    if (value > m_max) m_max = value;
  }

  /// Changes the number by `difference` at `now`.
  KOKKOS_FORCEINLINE_FUNCTION void add(double now, double difference) { set(now, m_value + difference); }

  /// Discards the time before `now`, for example a warm-up.
  KOKKOS_FORCEINLINE_FUNCTION void restart(double now) { *this = TimeAverage(m_value, now); }

  /// Current number.
  KOKKOS_FORCEINLINE_FUNCTION double value() const { return m_value; }
  /// Largest number since the start.
  KOKKOS_FORCEINLINE_FUNCTION double maximum() const { return m_max; }
  /// Integral from the start to `end`, which must not be before the last change.
  KOKKOS_FORCEINLINE_FUNCTION double area(double end) const { return m_area + m_value * (end - m_changed); }
  /// Average from the start to `end`; the current number if no time has passed.
  KOKKOS_FORCEINLINE_FUNCTION double average(double end) const {
    return end > m_start ? area(end) / (end - m_start) : m_value;
  }

 private:
  double m_area = 0, m_value, m_max, m_start, m_changed;
};

}  // namespace sporos
