// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

namespace sporos {

/// Starts to load the beginning of `value` into the nearest cache of an NVIDIA device, where a replication waits for
/// memory in most of its time. Elsewhere it does nothing: the caches of a host hold the replications of its threads.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void prefetch([[maybe_unused]] const T& value) {
#ifdef __CUDA_ARCH__
  asm volatile("prefetch.global.L1 [%0];" ::"l"(&value));
#endif
}

}  // namespace sporos
