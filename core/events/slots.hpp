// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

namespace sporos::impl {

/// Uninitialized storage for `count` values, so that the slots that a replication does not use cost nothing. Assign a
/// value before you read it. Values are trivially copyable, so the assignment begins their lifetime (implicit creation
/// of objects in C++20).
template <class Value, int count>
class Slots {
 public:
  static_assert(count >= 1, "Sporos: a container must have a capacity of at least 1");
  static_assert(std::is_trivially_copyable_v<Value>, "Sporos: events and entities must be trivially copyable structs");

  KOKKOS_FORCEINLINE_FUNCTION Value get(int slot) const { return (*this)[slot]; }
  KOKKOS_FORCEINLINE_FUNCTION void set(int slot, const Value& value) { (*this)[slot] = value; }
  KOKKOS_FORCEINLINE_FUNCTION Value& operator[](int slot) { return reinterpret_cast<Value*>(m_bytes)[slot]; }
  KOKKOS_FORCEINLINE_FUNCTION const Value& operator[](int slot) const {
    return reinterpret_cast<const Value*>(m_bytes)[slot];
  }

 private:
  alignas(Value) unsigned char m_bytes[sizeof(Value) * static_cast<std::size_t>(count)];
};

}  // namespace sporos::impl
