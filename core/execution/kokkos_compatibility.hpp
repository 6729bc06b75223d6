// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

/// Sporos is written to today's Kokkos. What older ones (from 3.4 on) or the compilers behind them lack stands here.

/// Keeps a function out of line on the host; on a device, where a call costs more than it saves, it does nothing.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define SPOROS_NOINLINE_ON_HOST
#else
#define SPOROS_NOINLINE_ON_HOST __attribute__((noinline))
#endif

/// Keeps a function out of line everywhere.
#define SPOROS_NOINLINE __attribute__((noinline))

/// Before a loop of a kernel that is long and seldom repeats: unrolled, it would not stay in a GPU's instruction cache.
#ifdef __CUDA_ARCH__
#define SPOROS_NOT_UNROLLED _Pragma("unroll 1")
#else
#define SPOROS_NOT_UNROLLED
#endif

namespace sporos::impl {

/// Memory of the host to and from which a device copies while both compute; where Kokkos has no name for it, any.
#if KOKKOS_VERSION >= 40000
using HostPinnedSpace = Kokkos::SharedHostPinnedSpace;
#else
using HostPinnedSpace = Kokkos::HostSpace;
#endif

/// An instance whose kernels run beside those of others; where Kokkos makes none, the one of all.
template <class ExecutionSpace>
ExecutionSpace own_instance() {
#if KOKKOS_VERSION >= 40000
  return Kokkos::Experimental::partition_space(ExecutionSpace(), 1)[0];
#else
  return ExecutionSpace();
#endif
}

}  // namespace sporos::impl
