// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

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

/// `value` as lane `lane` of the warp holds it. Every lane calls it together.
KOKKOS_FORCEINLINE_FUNCTION double from_lane(double value, int lane) {
#if defined(__CUDA_ARCH__)
  return __shfl_sync(0xffffffffu, value, lane, warp_lanes);
#elif defined(__HIP_DEVICE_COMPILE__)
  return __shfl(value, lane, warp_lanes);
#else
  (void)lane;
  return value;
#endif
}

}  // namespace sporos::impl
