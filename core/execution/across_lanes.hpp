// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/lane.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// What the lanes of one warp find together: a thread of a team whose vector length is warp_lanes on a GPU, and 1 on a
/// host, where the only lane finds its own. Every lane calls these at once, and each gets the result.
namespace sporos::impl {

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

/// The value of lane `lane`.
template <class Number>
KOKKOS_FORCEINLINE_FUNCTION Number from_lane(Number value, int lane) {
#if defined(__CUDA_ARCH__)
  return __shfl_sync(0xffffffffu, value, lane, warp_lanes);
#elif defined(__HIP_DEVICE_COMPILE__)
  return __shfl(value, lane, warp_lanes);
#else
  (void)lane;
  return value;
#endif
}

/// The lanes for which it holds, one bit each.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t lanes_where(bool holds) {
#if defined(__CUDA_ARCH__)
  return __ballot_sync(0xffffffffu, holds);
#elif defined(__HIP_DEVICE_COMPILE__)
  return static_cast<std::uint32_t>(__ballot(holds) >> (__lane_id() / warp_lanes * warp_lanes));
#else
  return holds ? 1 : 0;
#endif
}

/// How many lanes these are.
KOKKOS_FORCEINLINE_FUNCTION int count_of(std::uint32_t lanes) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return __popc(lanes);
#else
  return __builtin_popcount(lanes);
#endif
}

/// The first of these lanes, of which there is one.
KOKKOS_FORCEINLINE_FUNCTION int first_of(std::uint32_t lanes) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return __ffs(static_cast<int>(lanes)) - 1;
#else
  return __builtin_ctz(lanes);
#endif
}

/// The least number of all lanes.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t least_of_lanes(std::uint32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_min_sync(0xffffffffu, value);
#else
  for (int mask = lane_count() / 2; mask > 0; mask /= 2) {
    const std::uint32_t other = from_partner(value, mask);
    value = other < value ? other : value;
  }
  return value;
#endif
}

/// Each of these numbers becomes its sum over the lanes, in an order that is always the same.
template <int size>
KOKKOS_FORCEINLINE_FUNCTION void add_lanes_up(double (&numbers)[size]) {
  SPOROS_NOT_UNROLLED
  for (int distance = lane_count() / 2; distance > 0; distance /= 2) {
    for (double& number : numbers) number += from_partner(number, distance);
  }
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
