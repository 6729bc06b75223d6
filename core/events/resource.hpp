// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/time_average.hpp>

#include <Kokkos_Core.hpp>

namespace sporos {

/// Servers, beds, machines: equal units, of which entities seize some and release them. How many there are may change,
/// as by shifts or breakdowns; units that are in use then stay so until they are released.
class Resource {
 public:
  /// `units` >= 0 from `start` on, none in use.
  KOKKOS_FORCEINLINE_FUNCTION explicit Resource(double units, double start = 0)
      : m_units(units, start), m_used(0, start) {}

  /// Seizes `amount` units at `now`; false, and nothing is seized, where fewer are free.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool try_seize(double now, double amount = 1) {
    if (free() < amount) return false;
    m_used.add(now, amount);
    return true;
  }
  /// Releases `amount` units, which are in use, at `now`.
  KOKKOS_FORCEINLINE_FUNCTION void release(double now, double amount = 1) { m_used.add(now, -amount); }
  /// From `now` on there are so many units.
  KOKKOS_FORCEINLINE_FUNCTION void set_units(double now, double units) { m_units.set(now, units); }
  /// Forgets what was before `now`, such as a warm-up, for the averages.
  KOKKOS_FORCEINLINE_FUNCTION void restart(double now) {
    m_units.restart(now);
    m_used.restart(now);
  }

  /// Units that there are.
  KOKKOS_FORCEINLINE_FUNCTION double units() const { return m_units.value(); }
  /// Units in use.
  KOKKOS_FORCEINLINE_FUNCTION double used() const { return m_used.value(); }
  /// Units that may be seized; 0 where more are in use than there are.
  KOKKOS_FORCEINLINE_FUNCTION double free() const {
    const double free = units() - used();
    return free > 0 ? free : 0.0;
  }
  /// Average of the units in use, from the start to `end`.
  KOKKOS_FORCEINLINE_FUNCTION double average_used(double end) const { return m_used.average(end); }
  /// The units in use over those that there are, both integrated from the start to `end`; 0 where there were none.
  KOKKOS_FORCEINLINE_FUNCTION double utilization(double end) const {
    const double available = m_units.area(end);
    return available > 0 ? m_used.area(end) / available : 0.0;
  }

 private:
  TimeAverage m_units, m_used;
};

}  // namespace sporos
