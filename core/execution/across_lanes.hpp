// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/lane.hpp>

#include <Kokkos_Core.hpp>

/// What the lanes of one warp find together: a thread of a team whose vector length is warp_lanes on a GPU, and 1 on a
/// host, where the only lane finds its own. Every lane calls these at once, and each gets the result.
namespace sporos::impl {

/// Lanes of a thread.
KOKKOS_FORCEINLINE_FUNCTION constexpr int lane_count() {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return warp_lanes;
#else
  return 1;
#endif
}

/// What one lane wrote before, all may read after.
KOKKOS_FORCEINLINE_FUNCTION void wait_for_lanes() {
#if defined(__CUDA_ARCH__)
  __syncwarp();
#elif defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
#endif
}

/// The value of the lane whose index differs in the bits of `mask`.
template <class Number>
KOKKOS_FORCEINLINE_FUNCTION Number from_partner(Number value, int mask) {
#if defined(__CUDA_ARCH__)
  return __shfl_xor_sync(0xffffffffu, value, mask, warp_lanes);
#elif defined(__HIP_DEVICE_COMPILE__)
  return __shfl_xor(value, mask, warp_lanes);
#else
  (void)mask;
  return value;
#endif
}

/// The value of the first lane.
template <class Number>
KOKKOS_FORCEINLINE_FUNCTION Number from_first_lane(Number value) {
#if defined(__CUDA_ARCH__)
  return __shfl_sync(0xffffffffu, value, 0, warp_lanes);
#elif defined(__HIP_DEVICE_COMPILE__)
  return __shfl(value, 0, warp_lanes);
#else
  return value;
#endif
}

/// Σ over the lanes.
template <class Number>
KOKKOS_FORCEINLINE_FUNCTION Number sum_of_lanes(Number value) {
  for (int mask = lane_count() / 2; mask > 0; mask /= 2) value += from_partner(value, mask);
  return value;
}

/// Π over the lanes.
KOKKOS_FORCEINLINE_FUNCTION double product_of_lanes(double value) {
  for (int mask = lane_count() / 2; mask > 0; mask /= 2) value *= from_partner(value, mask);
  return value;
}

}  // namespace sporos::impl
