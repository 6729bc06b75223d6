// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <sys/utsname.h>

#include <fstream>
#include <string>
#include <type_traits>

namespace sporos {

namespace impl {

// Name of this machine's processor from /proc/cpuinfo; on systems other than Linux, its architecture.
inline std::string read_processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  utsname system{};
  return ::uname(&system) == 0 ? system.machine : "unknown";
}

}  // namespace impl

/// Name of this machine's processor. The first call reads it, which takes long on machines with many cores.
inline const std::string& processor_name() {
  static const std::string name = impl::read_processor_name();
  return name;
}

/// Name of the hardware that `space` computes on: the processor or the GPU. Kokkos must be initialized.
template <class ExecutionSpace>
std::string device_name([[maybe_unused]] const ExecutionSpace& space) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<ExecutionSpace, Kokkos::Cuda>) return space.cuda_device_prop().name;
#endif
#ifdef KOKKOS_ENABLE_HIP
  if constexpr (std::is_same_v<ExecutionSpace, Kokkos::HIP>) return space.hip_device_prop().name;
#endif
  return processor_name();
}

}  // namespace sporos
