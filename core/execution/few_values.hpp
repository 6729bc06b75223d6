// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/device_code.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>
#include <utility>

namespace sporos::impl {

/// Array whose values are read and written one at a time, at places known only at run time. A GPU keeps up to eight
/// small values in registers: it selects among all of them, because registers have no addresses. An indexed array would
/// be in local memory, whose traffic bounds the speed of event calendars.
template <class Value, int count>
class FewValues {
 public:
  static_assert(std::is_trivially_copyable_v<Value>, "Sporos: events and entities must be trivially copyable structs");

  /// Whether a GPU keeps the values in registers.
  static constexpr bool are_few = count <= 8 && sizeof(Value) <= sizeof(double);

  KOKKOS_FORCEINLINE_FUNCTION FewValues() {
    if constexpr (are_few) set_all(Value{}, Places());
  }

  /// Returns the value at a place that the compiler knows.
  template <int place>
  KOKKOS_FORCEINLINE_FUNCTION const Value& at() const {
    return m_values[place];
  }

  /// Returns the value at `place`.
  KOKKOS_FORCEINLINE_FUNCTION Value get(int place) const {
    if constexpr (in_registers()) {
      return selected(place, Places());
    } else {
      return m_values[place];
    }
  }

  /// Replaces the value at `place`.
  KOKKOS_FORCEINLINE_FUNCTION void set(int place, const Value& value) {
    if constexpr (in_registers()) {
      replace(place, value, Places());
    } else {
      m_values[place] = value;
    }
  }

 private:
  // Pack expansions rather than loops: a loop that the compiler does not unroll keeps the array in memory.
  using Places = std::make_integer_sequence<int, are_few ? count : 0>;

  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool in_registers() { return on_device() && are_few; }

  template <int... places>
  KOKKOS_FORCEINLINE_FUNCTION void set_all(const Value& value, std::integer_sequence<int, places...>) {
    ((m_values[places] = value), ...);
  }
  template <int... places>
  KOKKOS_FORCEINLINE_FUNCTION Value selected(int place, std::integer_sequence<int, places...>) const {
    Value found = m_values[0];
    ((found = places == place ? m_values[places] : found), ...);
    return found;
  }
  template <int... places>
  KOKKOS_FORCEINLINE_FUNCTION void replace(int place, const Value& value, std::integer_sequence<int, places...>) {
    ((m_values[places] = places == place ? value : m_values[places]), ...);
  }

  Value m_values[count];
};

}  // namespace sporos::impl
