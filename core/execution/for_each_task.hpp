// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/tool_region.hpp>

#include <Kokkos_Core.hpp>

#include <string>
#include <type_traits>

namespace sporos {

namespace impl {

#ifdef KOKKOS_ENABLE_SERIAL
template <class ExecutionSpace>
inline constexpr bool is_serial = std::is_same_v<ExecutionSpace, Kokkos::Serial>;
#else
template <class ExecutionSpace>
inline constexpr bool is_serial = false;
#endif

}  // namespace impl

/// Calls `task(i)` for each index of a RangePolicy, in a kernel named `label`. On Kokkos::Serial there is no kernel:
/// the calling thread runs the loop, and tools see a region. Since Kokkos 4 a Serial instance is locked while a kernel
/// runs, so a task in a kernel that launches kernels or fences would deadlock. Without a kernel it can do both.
template <class Policy, class Task>
void for_each_task(const std::string& label, const Policy& policy, const Task& task) {
  if constexpr (impl::is_serial<typename Policy::execution_space>) {
    const ToolRegion region(label);
    for (auto i = policy.begin(); i < policy.end(); ++i) task(i);
  } else {
    Kokkos::parallel_for(label, policy, task);
  }
}

}  // namespace sporos
