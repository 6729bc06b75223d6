// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/lane.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Collective operations over the lanes of a warp. A warp is one thread of a team; its vector length is warp_lanes on a
/// GPU and 1 on a host. All lanes of the warp call each function together, and each lane gets the result.
namespace sporos::impl {

/// Barrier: after it, all lanes can read what each lane wrote before it.
KOKKOS_FORCEINLINE_FUNCTION void sync_warp() {
#if defined(__CUDA_ARCH__)
  __syncwarp();
#elif defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
#endif
}

/// Value of the lane whose index differs in the bits of `mask`.
template <class Number>
KOKKOS_FORCEINLINE_FUNCTION Number shuffle_xor(Number value, int mask) {
#if defined(__CUDA_ARCH__)
  return __shfl_xor_sync(0xffffffffu, value, mask, warp_lanes);
#elif defined(__HIP_DEVICE_COMPILE__)
  return __shfl_xor(value, mask, warp_lanes);
#else
  (void)mask;
  return value;
#endif
}

/// Value of lane `lane`.
template <class Number>
KOKKOS_FORCEINLINE_FUNCTION Number shuffle(Number value, int lane) {
#if defined(__CUDA_ARCH__)
  return __shfl_sync(0xffffffffu, value, lane, warp_lanes);
#elif defined(__HIP_DEVICE_COMPILE__)
  return __shfl(value, lane, warp_lanes);
#else
  (void)lane;
  return value;
#endif
}

/// Bit mask of the lanes for which `holds` is true.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t ballot(bool holds) {
#if defined(__CUDA_ARCH__)
  return __ballot_sync(0xffffffffu, holds);
#elif defined(__HIP_DEVICE_COMPILE__)
  return static_cast<std::uint32_t>(__ballot(holds) >> (__lane_id() / warp_lanes * warp_lanes));
#else
  return holds ? 1 : 0;
#endif
}

/// Number of bits that are set.
KOKKOS_FORCEINLINE_FUNCTION int popcount(std::uint32_t bits) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return __popc(bits);
#else
  return __builtin_popcount(bits);
#endif
}

/// Number of set bits below bit `lane`; for a ballot, the number of voting lanes before that lane.
KOKKOS_FORCEINLINE_FUNCTION int popcount_below(std::uint32_t bits, int lane) {
  return popcount(bits & ((std::uint32_t{1} << lane) - 1));
}

/// Index of the lowest set bit; at least one bit must be set.
KOKKOS_FORCEINLINE_FUNCTION int first_bit(std::uint32_t bits) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return __ffs(static_cast<int>(bits)) - 1;
#else
  return __builtin_ctz(bits);
#endif
}

/// Clock cycles of the multiprocessor, modulo 2^32, the same in all lanes of a warp; 0 on a host.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t warp_cycles() {
  SPOROS_IF_ON_DEVICE((return shuffle(static_cast<std::uint32_t>(::clock()), 0);))
  SPOROS_IF_ON_HOST((return 0;))
}

/// Smallest value over all lanes.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t warp_min(std::uint32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_min_sync(0xffffffffu, value);
#else
  for (int mask = lane_count() / 2; mask > 0; mask /= 2) {
    const std::uint32_t other = shuffle_xor(value, mask);
    value = other < value ? other : value;
  }
  return value;
#endif
}

/// Replaces each number by its sum over the lanes, with a fixed order of additions.
template <int size, class Number>
KOKKOS_FORCEINLINE_FUNCTION void warp_sums(Number (&numbers)[size]) {
  SPOROS_NOT_UNROLLED
  for (int distance = lane_count() / 2; distance > 0; distance /= 2) {
    for (Number& number : numbers) number += shuffle_xor(number, distance);
  }
}

/// Sum over the lanes, with a fixed order of additions.
template <class Number>
KOKKOS_FORCEINLINE_FUNCTION Number warp_sum(Number value) {
  for (int mask = lane_count() / 2; mask > 0; mask /= 2) value += shuffle_xor(value, mask);
  return value;
}

/// Combines each of `width` numbers over all lanes with an operation, in a fixed order. `width` is a power of 2 and at
/// most the number of lanes. Lanes i · lanes / width up to (i + 1) · lanes / width − 1 get the total of number i. At
/// each step a lane passes half of its numbers to another lane, so all totals together take about `width` shuffles. For
/// devices only.
template <int width, int mask = warp_lanes / 2, class Operation>
KOKKOS_FORCEINLINE_FUNCTION double warp_total_of_lane(const double (&numbers)[width], int lane,
                                                      const Operation& operation) {
  if constexpr (width > 1) {
    constexpr int half = width / 2;
    const bool keeps_upper = (lane & mask) != 0;
    double kept[half];
    for (int i = 0; i < half; ++i) {
      const double lower = numbers[i], upper = numbers[half + i];
      kept[i] = operation(keeps_upper ? upper : lower, shuffle_xor(keeps_upper ? lower : upper, mask));
    }
    return warp_total_of_lane<half, mask / 2>(kept, lane, operation);
  } else {
    double total = numbers[0];
    for (int left = mask; left > 0; left /= 2) total = operation(total, shuffle_xor(total, left));
    return total;
  }
}

/// Sum over the lanes of each number, distributed as by warp_total_of_lane.
template <int width>
KOKKOS_FORCEINLINE_FUNCTION double warp_sum_of_lane(const double (&numbers)[width], int lane) {
  return warp_total_of_lane(numbers, lane, [](double a, double b) { return a + b; });
}

/// Product over the lanes of each number, distributed as by warp_total_of_lane.
template <int width>
KOKKOS_FORCEINLINE_FUNCTION double warp_product_of_lane(const double (&numbers)[width], int lane) {
  return warp_total_of_lane(numbers, lane, [](double a, double b) { return a * b; });
}

/// Sum over the lanes.
KOKKOS_FORCEINLINE_FUNCTION std::int32_t warp_sum(std::int32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_add_sync(0xffffffffu, value);
#else
  return warp_sum<std::int32_t>(value);
#endif
}

/// Product over the lanes, with a fixed order of multiplications.
KOKKOS_FORCEINLINE_FUNCTION double warp_product(double value) {
  for (int mask = lane_count() / 2; mask > 0; mask /= 2) value *= shuffle_xor(value, mask);
  return value;
}

}  // namespace sporos::impl
