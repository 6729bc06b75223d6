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

/// Persistent kernels: those whose teams wait for each other. They end only where all of their teams are resident, that
/// is on the device at the same time.
namespace sporos {

namespace impl {

/// The device of this instance, as its runtime counts them; 0 on a host.
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

/// The number of multiprocessors of this instance's device; 0 where Sporos does not know how to ask.
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

/// The lock of a device's persistent kernels.
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
  return static_cast<std::uint64_t>(wall_clock64()) * 10;  // of 100 MHz
#else
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
#endif
}

}  // namespace impl

/// Threads of a persistent kernel's team on a device.
inline constexpr int persistent_team_threads = 512;

/// The policy of a persistent kernel: so many teams, each with so many bytes of scratch; teams of one thread on a host.
template <class ExecutionSpace>
auto persistent_policy(const ExecutionSpace& space, std::int64_t teams, std::int64_t scratch_bytes) {
  constexpr int lanes = runs_on_host<ExecutionSpace> ? 1 : impl::warp_lanes;
  constexpr int threads = runs_on_host<ExecutionSpace> ? 1 : persistent_team_threads / lanes;
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::LaunchBounds<persistent_team_threads, 1>>;
  return Policy(space, static_cast<int>(teams), threads, lanes)
      .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(scratch_bytes)));
}

/// Whether the device can hold all teams of such a kernel at once, one on each multiprocessor: whether one holds a team
/// follows from the registers of the compiled kernel and from the scratch. On a host, whose threads may run teams one
/// after the other, this is so for one team alone.
template <class ExecutionSpace, class Functor>
bool can_be_resident(const ExecutionSpace& space, std::int64_t teams, std::int64_t scratch_bytes,
                     const Functor& functor) {
  using Policy = decltype(persistent_policy(space, teams, scratch_bytes));
  if (scratch_bytes > Policy::scratch_size_max(0) - 1024) return false;  // Kokkos takes some itself
  if constexpr (runs_on_host<ExecutionSpace>) {
    return teams == 1;
  } else {
    if (teams > impl::multiprocessors(space)) return false;
    const Policy policy = persistent_policy(space, teams, scratch_bytes);
    return policy.team_size() <= policy.team_size_max(functor, Kokkos::ParallelForTag());
  }
}

/// The right to run a persistent kernel on the instance's device, which one thread of the program has at a time: two
/// such kernels would each hold multiprocessors that the other waits for. To be held from the launch until a fence. It
/// waits for whoever has it. Other processes, and shared libraries that hide their symbols, have locks of their own.
template <class ExecutionSpace>
[[nodiscard]] std::unique_lock<std::mutex> lock_persistent_kernels(const ExecutionSpace& space) {
  return std::unique_lock<std::mutex>(impl::persistent_kernel_mutex<ExecutionSpace>(impl::device_number(space)));
}

}  // namespace sporos
