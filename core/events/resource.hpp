// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/time_average.hpp>

#include <Kokkos_Core.hpp>

namespace sporos {

/// Equal units, such as servers, beds or machines, which entities seize and release. Their number may change, for
/// example by shifts or breakdowns; units in use then stay in use until they are released.
class Resource {
 public:
  /// Starts with `units` >= 0 units from `start` on, none in use.
  KOKKOS_FORCEINLINE_FUNCTION explicit Resource(double units, double start = 0)
      : m_units(units, start), m_used(0, start) {}

  /// Seizes `amount` units at `now`. Returns false and seizes none if fewer are free.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool try_seize(double now, double amount = 1) {
    if (free() < amount) return false;
    m_used.add(now, amount);
    return true;
  }
  /// Releases `amount` units, which must be in use, at `now`.
  KOKKOS_FORCEINLINE_FUNCTION void release(double now, double amount = 1) { m_used.add(now, -amount); }
  /// Sets the number of units from `now` on.
  KOKKOS_FORCEINLINE_FUNCTION void set_units(double now, double units) { m_units.set(now, units); }
  /// Restarts the averages at `now`, for example after a warm-up.
  KOKKOS_FORCEINLINE_FUNCTION void restart(double now) {
    m_units.restart(now);
    m_used.restart(now);
  }

  /// Number of units.
  KOKKOS_FORCEINLINE_FUNCTION double units() const { return m_units.value(); }
  /// Units in use.
  KOKKOS_FORCEINLINE_FUNCTION double used() const { return m_used.value(); }
  /// Units that can be seized; 0 if more units are in use than exist.
  KOKKOS_FORCEINLINE_FUNCTION double free() const {
    const double free = units() - used();
    return free > 0 ? free : 0.0;
  }
  /// Average number of units in use from the start to `end`.
  KOKKOS_FORCEINLINE_FUNCTION double average_used(double end) const { return m_used.average(end); }
  /// Units in use divided by units, each integrated from the start to `end`; 0 if there were no units.
  KOKKOS_FORCEINLINE_FUNCTION double utilization(double end) const {
    const double available = m_units.area(end);
    return available > 0 ? m_used.area(end) / available : 0.0;
  }

 private:
  TimeAverage m_units, m_used;
};

}  // namespace sporos
