// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>

#include <Kokkos_Core.hpp>

namespace sporos::impl {

/// Lanes of a warp as Sporos uses it: the vector length of its TeamPolicy on a GPU.
inline constexpr int warp_lanes = 32;

/// This thread's lane in its warp; 0 on the host.
KOKKOS_FORCEINLINE_FUNCTION int lane_index() {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return threadIdx.x % warp_lanes;
#else
  return 0;
#endif
}

/// Lanes that work side by side; 1 on the host.
KOKKOS_FORCEINLINE_FUNCTION constexpr int lane_count() {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return warp_lanes;
#else
  return 1;
#endif
}

/// Neighbouring lanes of a warp that run one replication in step, and memory that they share.
struct LaneGroup {
  int size = 1;               ///< lanes, a power of two, at most warp_lanes
  double* numbers = nullptr;  ///< memory of the warp, for this group to begin at

  /// This thread's lane in the group.
  KOKKOS_FORCEINLINE_FUNCTION int lane() const { return lane_index() & (size - 1); }

  /// Waits for all lanes of the group and shows each what the others have written. Every lane calls it together.
  KOKKOS_FORCEINLINE_FUNCTION void sync() const {
#if defined(__CUDA_ARCH__)
    const unsigned all = 0xffffffffu;
    __syncwarp(all >> (warp_lanes - size) << (lane_index() & ~(size - 1)));
#elif defined(__HIP_DEVICE_COMPILE__)
    __threadfence_block();  // lanes run in step
#endif
  }
};

}  // namespace sporos::impl
