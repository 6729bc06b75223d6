// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/lane.hpp>

#include <Kokkos_Core.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <type_traits>

/// Persistent kernels: kernels whose teams wait for each other. They finish only if all of their teams are resident,
/// that is, on the device at the same time.
namespace sporos {

namespace impl {

/// Number of this instance's device as its runtime counts devices; 0 on a host.
template <class ExecutionSpace>
int device_number([[maybe_unused]] const ExecutionSpace& space) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<ExecutionSpace, Kokkos::Cuda>) return space.cuda_device();
#endif
#ifdef KOKKOS_ENABLE_HIP
  if constexpr (std::is_same_v<ExecutionSpace, Kokkos::HIP>) return space.hip_device();
#endif
  return 0;
}

/// Number of multiprocessors of this instance's device; 0 for backends that Sporos cannot query.
template <class ExecutionSpace>
int multiprocessors([[maybe_unused]] const ExecutionSpace& space) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<ExecutionSpace, Kokkos::Cuda>) return space.cuda_device_prop().multiProcessorCount;
#endif
#ifdef KOKKOS_ENABLE_HIP
  if constexpr (std::is_same_v<ExecutionSpace, Kokkos::HIP>) return space.hip_device_prop().multiProcessorCount;
#endif
  return 0;
}

/// Mutex of the persistent kernels of a device.
template <class ExecutionSpace>
std::mutex& persistent_kernel_mutex(int device) {
  static std::mutex guard;
  static std::map<int, std::mutex> mutexes;
  const std::lock_guard<std::mutex> lock(guard);
  return mutexes[device];
}

/// Nanoseconds on a clock that all teams of a kernel share.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t shared_clock() {
#if defined(__CUDA_ARCH__)
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
#elif defined(__HIP_DEVICE_COMPILE__)
  return static_cast<std::uint64_t>(wall_clock64()) * 10;  // the clock runs at 100 MHz
#else
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
#endif
}

}  // namespace impl

/// Threads per team of a persistent kernel on a device.
inline constexpr int persistent_team_threads = 512;

/// Policy of a persistent kernel: `teams` teams with `scratch_bytes` of scratch memory each, of one thread on hosts.
template <class ExecutionSpace>
auto persistent_policy(const ExecutionSpace& space, std::int64_t teams, std::int64_t scratch_bytes) {
  constexpr int lanes = runs_on_host<ExecutionSpace> ? 1 : impl::warp_lanes;
  constexpr int threads = runs_on_host<ExecutionSpace> ? 1 : persistent_team_threads / lanes;
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::LaunchBounds<persistent_team_threads, 1>>;
  return Policy(space, static_cast<int>(teams), threads, lanes)
      .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(scratch_bytes)));
}

/// Whether all teams of a persistent kernel can be resident on the device at once, one per multiprocessor. Whether a
/// multiprocessor can hold a team follows from the registers of the compiled kernel and from the scratch memory. On a
/// host, whose threads may run teams one after another, only a single team qualifies.
template <class ExecutionSpace, class Functor>
bool can_be_resident(const ExecutionSpace& space, std::int64_t teams, std::int64_t scratch_bytes,
                     const Functor& functor) {
  using Policy = decltype(persistent_policy(space, teams, scratch_bytes));
  if (scratch_bytes > Policy::scratch_size_max(0) - 1024) return false;  // Kokkos uses some of it itself
  if constexpr (runs_on_host<ExecutionSpace>) {
    return teams == 1;
  } else {
    if (teams > impl::multiprocessors(space)) return false;
    const Policy policy = persistent_policy(space, teams, scratch_bytes);
    return policy.team_size() <= policy.team_size_max(functor, Kokkos::ParallelForTag());
  }
}

/// Lock for running a persistent kernel on the instance's device; only one thread of the program holds it at a time.
/// Two such kernels at once would each occupy multiprocessors that the other waits for. Hold the lock from the launch
/// until a fence. The call blocks until the lock is free. Other processes, and shared libraries that hide their
/// symbols, have separate locks.
template <class ExecutionSpace>
[[nodiscard]] std::unique_lock<std::mutex> lock_persistent_kernels(const ExecutionSpace& space) {
  return std::unique_lock<std::mutex>(impl::persistent_kernel_mutex<ExecutionSpace>(impl::device_number(space)));
}

}  // namespace sporos
