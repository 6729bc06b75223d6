// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "context.hpp"

#include <sporos/core/execution/device_name.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/version.hpp>

#include <Kokkos_Core.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

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

/// Repeats multiplications and additions in registers, a few milliseconds on a device.
struct Chain {
  static constexpr int rounds = 100'000;
  double factor;

  KOKKOS_FUNCTION void operator()(int i, double& total) const {
    double x = i;
    for (int round = 0; round < rounds; ++round) x = x * factor + 0.5;
    total += x;
  }
};

/// Launches a kernel until its last launches take the same time up to 1 %, or for three seconds. Clocks of an idle
/// device are low, and rise under load within about a second. Returns a description for the report.
template <class ExecutionSpace>
std::string warm_clocks(const ExecutionSpace& space) {
  constexpr std::size_t window = 50;
  std::vector<double> launches;
  const Kokkos::Timer since_start;
  bool is_steady = false;
  while (!is_steady && since_start.seconds() < 3) {
    const Kokkos::Timer timer;
    double total = 0;
    Kokkos::parallel_reduce("sporos::bench::warm_clocks",
                            Kokkos::RangePolicy<ExecutionSpace>(space, 0, space.concurrency()), Chain{0.75}, total);
    benchmark::DoNotOptimize(total);
    launches.push_back(timer.seconds());
    if (launches.size() < window) continue;
    const auto [least, most] = std::minmax_element(launches.end() - window, launches.end());
    is_steady = *most <= 1.01 * *least;
  }
  const auto microseconds = [](double seconds) { return std::to_string(std::lround(1e6 * seconds)) + " us"; };
  return std::to_string(launches.size()) + " launches, " + (is_steady ? "steady" : "not steady") + ", first " +
         microseconds(launches.front()) + ", last " + microseconds(launches.back());
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
    if constexpr (!runs_on_host<ExecutionSpace>) benchmark::AddCustomContext("warm_up", warm_clocks(space));
  });
#if defined(KOKKOS_ENABLE_CUDA)
  benchmark::AddCustomContext("cuda",
                              std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION / 10 % 100));
  benchmark::AddCustomContext("gpu", Kokkos::Cuda().cuda_device_prop().name);
#elif defined(KOKKOS_ENABLE_HIP)
  benchmark::AddCustomContext("gpu", Kokkos::HIP().hip_device_prop().name);
#endif
}

}  // namespace sporos::bench
