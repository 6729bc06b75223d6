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

/// Execution space instances that are not the default one, and what goes wrong beside them where work is not ordered.
///
/// A kernel of CUDA that reads what another stream writes is right most times. Here each kernel of one of the two
/// streams begins late, so that it is wrong each time. Kernels of a host have ended when they return, whatever their
/// instance: there a kernel on the wrong one is seen by its bits, since sums depend on the number of threads.
namespace sporos::test {

/// Which instance the kernels of a stream are late on.
enum class Late { own, standard };

/// Whether this Kokkos makes instances.
inline constexpr bool has_own_instances = KOKKOS_VERSION >= 40000;

/// An instance that is not the default one: a stream of CUDA, one thread of OpenMP's. Before Kokkos 4 there is none,
/// and it is the default one.
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

/// Whether own_instance() has fewer threads of a host than the default instance.
template <class ExecutionSpace>
bool has_fewer_threads() {
  return has_own_instances && runs_on_host<ExecutionSpace> && ExecutionSpace().concurrency() > 1;
}

/// What `compute` gives on an instance on which it gives the bits that it must on own_instance(): a default one.
template <class ExecutionSpace, class Compute>
auto on_default_instance(const Compute& compute) {
#if defined(KOKKOS_ENABLE_SERIAL) && defined(KOKKOS_ENABLE_OPENMP)
  if constexpr (std::is_same_v<ExecutionSpace, Kokkos::OpenMP>) {
    if (has_fewer_threads<Kokkos::OpenMP>()) return compute(Kokkos::Serial());
  }
#endif
  return compute(ExecutionSpace());
}

/// While it lives, the kernels of one of two streams of CUDA begin late: those of `own`, or those of the default
/// instance. It also lists the kernels on the default instance, but for Kokkos' own, for which it waits. On a host it
/// does nothing.
template <class ExecutionSpace>
class Lateness {
 public:
  Lateness(const ExecutionSpace&, Late) {}
  /// The names of those kernels.
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

/// Kokkos waits for all streams before it calls a tool, unless the tool says beforehand that this is not needed.
inline const bool tools_let_streams_run = [] {
  Kokkos::Tools::Experimental::set_request_tool_settings_callback(
      [](std::uint32_t, Kokkos_Tools_ToolSettings* settings) { settings->requires_global_fencing = false; });
  return true;
}();

#endif

/// Expects that `compute(instance)`, numbers on the host, gives the same bits on own_instance() as on a default one.
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
