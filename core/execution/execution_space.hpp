// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <string_view>
#include <type_traits>

namespace sporos {

/// Whether kernels of `ExecutionSpace` run where host code runs.
template <class ExecutionSpace>
inline constexpr bool runs_on_host =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename ExecutionSpace::memory_space>::accessible&&
        std::is_same_v<typename ExecutionSpace::memory_space, Kokkos::HostSpace>;

/// Name of an execution space in user interfaces: serial, openmp, threads, cuda, hip.
template <class ExecutionSpace>
constexpr std::string_view backend_name() {
#ifdef KOKKOS_ENABLE_SERIAL
  if (std::is_same_v<ExecutionSpace, Kokkos::Serial>) return "serial";
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  if (std::is_same_v<ExecutionSpace, Kokkos::OpenMP>) return "openmp";
#endif
#ifdef KOKKOS_ENABLE_THREADS
  if (std::is_same_v<ExecutionSpace, Kokkos::Threads>) return "threads";
#endif
#ifdef KOKKOS_ENABLE_CUDA
  if (std::is_same_v<ExecutionSpace, Kokkos::Cuda>) return "cuda";
#endif
#ifdef KOKKOS_ENABLE_HIP
  if (std::is_same_v<ExecutionSpace, Kokkos::HIP>) return "hip";
#endif
  return "unknown";
}

/// Calls `visit` with a default instance of every execution space in this build of Kokkos, host spaces first.
template <class Visit>
void for_each_backend(Visit&& visit) {
#ifdef KOKKOS_ENABLE_SERIAL
  visit(Kokkos::Serial());
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  visit(Kokkos::OpenMP());
#endif
#ifdef KOKKOS_ENABLE_THREADS
  visit(Kokkos::Threads());
#endif
#ifdef KOKKOS_ENABLE_CUDA
  visit(Kokkos::Cuda());
#endif
#ifdef KOKKOS_ENABLE_HIP
  visit(Kokkos::HIP());
#endif
}

}  // namespace sporos
