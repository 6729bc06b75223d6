// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/failure.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// Bit of the marked capacity of a deadlock: whether the awaited station is a resource.
inline constexpr std::uint32_t awaits_resource = std::uint32_t{1} << (overload_capacity_bits - 1);

/// Mark of a deadlock of resources. An entity at station `at` waits for ever for units of a resource. Resources are
/// numbered after the stations: `resource` is at least the number of stations, and below 2^12. Otherwise as
/// deadlock_mark.
KOKKOS_INLINE_FUNCTION double resource_deadlock_mark(int at, int resource) {
  return deadlock_mark(at | static_cast<int>(awaits_resource), resource);
}

}  // namespace sporos
