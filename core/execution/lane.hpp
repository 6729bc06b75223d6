// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>

#include <Kokkos_Core.hpp>

namespace sporos::impl {

/// Lanes of a warp in Sporos: the vector length of its TeamPolicy on a GPU.
inline constexpr int warp_lanes = 32;

/// Lane of this thread in its warp; 0 on the host.
KOKKOS_FORCEINLINE_FUNCTION int lane_index() {
  SPOROS_IF_ON_DEVICE((return threadIdx.x % warp_lanes;))
  SPOROS_IF_ON_HOST((return 0;))
}

/// Number of lanes that work side by side; 1 on the host.
KOKKOS_FORCEINLINE_FUNCTION constexpr int lane_count() { return on_device() ? warp_lanes : 1; }

/// Neighbouring lanes of a warp that run one replication in step, and memory that they share. On a host one thread does
/// the work of all lanes of its group.
struct LaneGroup {
  int size = 1;               ///< number of lanes, a power of two, at most warp_lanes
  double* numbers = nullptr;  ///< start of this group's part of the warp's memory

  /// Lane of this thread in the group; 0 on the host.
  KOKKOS_FORCEINLINE_FUNCTION int lane() const { return lane_index() & (size - 1); }

  /// Calls `work(lane)` for each lane that this thread represents: its own on a GPU, all of the group on a host.
  template <class Work>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_lane(const Work& work) const {
    if constexpr (lane_count() > 1) {
      work(lane());
    } else {
      for (int lane = 0; lane < size; ++lane) work(lane);
    }
  }

  /// Waits for all lanes of the group and makes their writes visible to each. All lanes call it together.
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
