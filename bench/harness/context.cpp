// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "context.hpp"

#include <sporos/core/execution/device_name.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/version.hpp>

#include <Kokkos_Core.hpp>

#include <benchmark/benchmark.h>

#include <string>
#include <thread>

namespace sporos::bench {

namespace {

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "g++ " __VERSION__;
#else
  return "unknown";
#endif
}

}  // namespace

void add_context() {
  benchmark::AddCustomContext("sporos", SPOROS_VERSION);
  benchmark::AddCustomContext("processor", processor_name());
  benchmark::AddCustomContext("cores", std::to_string(std::thread::hardware_concurrency()));
  benchmark::AddCustomContext("compiler", compiler());
  benchmark::AddCustomContext("options", SPOROS_BENCH_OPTIONS);
  benchmark::AddCustomContext("kokkos", std::to_string(KOKKOS_VERSION / 10000) + "." +
                                            std::to_string(KOKKOS_VERSION / 100 % 100) + "." +
                                            std::to_string(KOKKOS_VERSION % 100));
  for_each_backend([]<class ExecutionSpace>(const ExecutionSpace& space) {
    benchmark::AddCustomContext(std::string(backend_name<ExecutionSpace>()) + "_threads",
                                std::to_string(space.concurrency()));
  });
#if defined(KOKKOS_ENABLE_CUDA)
  benchmark::AddCustomContext("gpu", Kokkos::Cuda().cuda_device_prop().name);
#elif defined(KOKKOS_ENABLE_HIP)
  benchmark::AddCustomContext("gpu", Kokkos::HIP().hip_device_prop().name);
#endif
}

}  // namespace sporos::bench
