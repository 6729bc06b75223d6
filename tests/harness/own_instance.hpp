// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

/// Execution space instances other than the default one, and a check that finds work submitted to the wrong instance.
///
/// A CUDA kernel that reads what another stream writes gives the right result most of the time. Here each kernel of one
/// of the two streams starts late, so that the result is always wrong. On a host, a kernel has finished when it
/// returns, on any instance. There the bits of the result reveal a kernel on the wrong instance, since sums depend on
/// the number of threads.
namespace sporos::test {

/// Instance whose kernels are delayed.
enum class Late { own, standard };

/// Whether this version of Kokkos can create instances.
inline constexpr bool has_own_instances = KOKKOS_VERSION >= 40000;

/// An instance other than the default one: a separate CUDA stream, or one thread of OpenMP. Before Kokkos 4 it is the
/// default instance, because Kokkos cannot create others.
template <class ExecutionSpace>
ExecutionSpace own_instance() {
#if KOKKOS_VERSION >= 40000
  const ExecutionSpace whole;
  std::vector<int> weights = {1};
  if (runs_on_host<ExecutionSpace> && whole.concurrency() > 1) weights.push_back(whole.concurrency() - 1);
  return Kokkos::Experimental::partition_space(whole, weights)[0];
#else
  return ExecutionSpace();
#endif
}

/// Whether own_instance() has fewer host threads than the default instance.
template <class ExecutionSpace>
bool has_fewer_threads() {
  return has_own_instances && runs_on_host<ExecutionSpace> && ExecutionSpace().concurrency() > 1;
}

/// Result of `compute` on a default instance whose bits own_instance() must reproduce: Serial if own_instance() has
/// fewer threads than the default OpenMP instance.
template <class ExecutionSpace, class Compute>
auto on_default_instance(const Compute& compute) {
#if defined(KOKKOS_ENABLE_SERIAL) && defined(KOKKOS_ENABLE_OPENMP)
  if constexpr (std::is_same_v<ExecutionSpace, Kokkos::OpenMP>) {
    if (has_fewer_threads<Kokkos::OpenMP>()) return compute(Kokkos::Serial());
  }
#endif
  return compute(ExecutionSpace());
}

/// Delays the kernels on one of two CUDA streams until it is destroyed: those of `own` or those of the default
/// instance. It also records the names of the kernels on the default instance, except for Kokkos' initializations of
/// views, for which Kokkos waits. On a host it does nothing.
template <class ExecutionSpace>
class Lateness {
 public:
  Lateness(const ExecutionSpace&, Late) {}
  /// Names of the recorded kernels on the default instance.
  std::set<std::string> strays() const { return {}; }
};

#if defined(KOKKOS_ENABLE_CUDA) && KOKKOS_VERSION >= 40000

template <class>
__global__ void wait_for_cycles(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

template <>
class Lateness<Kokkos::Cuda> {
 public:
  Lateness(const Kokkos::Cuda& own, Late late) {
    s_own = Kokkos::Tools::Experimental::device_id(own);
    s_default = Kokkos::Tools::Experimental::device_id(Kokkos::Cuda());
    s_delayed = late == Late::own ? own.cuda_stream() : Kokkos::Cuda().cuda_stream();
    s_strays.clear();
    set(before);
  }
  Lateness(const Lateness&) = delete;
  Lateness& operator=(const Lateness&) = delete;
  ~Lateness() {
    set(nullptr);
    Kokkos::fence();
  }

  std::set<std::string> strays() const { return s_strays; }

 private:
  static void set(Kokkos_Profiling_beginFunction callback) {
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(callback);
    Kokkos::Tools::Experimental::set_begin_parallel_reduce_callback(callback);
    Kokkos::Tools::Experimental::set_begin_parallel_scan_callback(callback);
  }
  static void before(const char* kernel, std::uint32_t instance, std::uint64_t*) {
    constexpr long long cycles = 200'000;  // 0.1 ms
    const std::string name = kernel;
    if (instance == s_default && name.find("Kokkos::View::initialization") == std::string::npos) s_strays.insert(name);
    if (instance == s_own || instance == s_default) wait_for_cycles<void><<<1, 1, 0, s_delayed>>>(cycles);
  }

  static inline std::uint32_t s_own = 0, s_default = 0;
  static inline cudaStream_t s_delayed = nullptr;
  static inline std::set<std::string> s_strays;
};

/// Kokkos fences all streams before it calls a tool, unless the tool declares beforehand that it does not require this.
inline const bool tools_let_streams_run = [] {
  Kokkos::Tools::Experimental::set_request_tool_settings_callback(
      [](std::uint32_t, Kokkos_Tools_ToolSettings* settings) { settings->requires_global_fencing = false; });
  return true;
}();

#endif

/// Expects that `compute(instance)`, values on the host, has the same bits on own_instance() and a default instance.
template <class ExecutionSpace, class Compute>
void expect_same_on_own_instance(const Compute& compute) {
  const auto expected = on_default_instance<ExecutionSpace>(compute);
  const ExecutionSpace own = own_instance<ExecutionSpace>();
  for (const Late late : {Late::own, Late::standard}) {
    const Lateness<ExecutionSpace> lateness(own, late);
    EXPECT_EQ(compute(own), expected) << (late == Late::own ? "its kernels late" : "those of the default one late");
    EXPECT_EQ(lateness.strays(), std::set<std::string>());
  }
}

}  // namespace sporos::test
