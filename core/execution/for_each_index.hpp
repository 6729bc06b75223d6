// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <type_traits>

namespace sporos {

namespace impl {

#ifdef KOKKOS_ENABLE_SERIAL
/// Space for work that is too small for all threads of a host: on hosts the calling thread, on devices the device.
template <class ExecutionSpace>
using SmallWorkSpace = std::conditional_t<runs_on_host<ExecutionSpace>, Kokkos::Serial, ExecutionSpace>;
#else
template <class ExecutionSpace>
using SmallWorkSpace = ExecutionSpace;
#endif

/// Whether SmallWorkSpace differs from `ExecutionSpace`.
template <class ExecutionSpace>
inline constexpr bool has_small_work_space = !std::is_same_v<SmallWorkSpace<ExecutionSpace>, ExecutionSpace>;

/// Instance of the execution space for small work.
template <class ExecutionSpace>
SmallWorkSpace<ExecutionSpace> small_work_space(const ExecutionSpace& space) {
  if constexpr (has_small_work_space<ExecutionSpace>) {
    return {};
  } else {
    return space;
  }
}

struct DoNothing {
  KOKKOS_FUNCTION void operator()(int) const {}
};

/// Nanoseconds to start and finish an empty kernel on all threads of a host: the median of 21 runs, measured once.
template <class ExecutionSpace>
double nanoseconds_of_empty_kernel(const ExecutionSpace& space) {
  static const double measured = [&] {
    std::array<double, 21> found = {};
    for (double& nanoseconds : found) {
      const auto begin = std::chrono::steady_clock::now();
      Kokkos::parallel_for("sporos::empty_kernel", Kokkos::RangePolicy<ExecutionSpace>(space, 0, space.concurrency()),
                           DoNothing{});
      nanoseconds = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
    }
    std::nth_element(found.begin(), found.begin() + found.size() / 2, found.end());
    return found[found.size() / 2];
  }();
  return measured;
}

/// Whether a host's threads would save too little of `nanoseconds` of work in `count` parts: less than four empty
/// kernels take. Threads also have to fetch what other threads have in their caches.
template <class ExecutionSpace>
bool is_small_work(const ExecutionSpace& space, std::int64_t count, double nanoseconds) {
  if (count < 2) return true;
  const auto busy = std::min<std::int64_t>(count, space.concurrency());
  const double saved = nanoseconds * (1.0 - 1.0 / static_cast<double>(busy));
  return saved < 4 * nanoseconds_of_empty_kernel(space);
}

/// Whether a host's calling thread reduces `count` numbers without other threads; 16384 numbers take about 3 µs.
inline bool is_few(std::int64_t count) { return count <= 16384; }

/// Calls reduce(policy) with a policy over 0 <= i < count, for Kokkos reductions and scans. On a host the calling
/// thread reduces few numbers without other threads. The decision depends only on `count`: the number of threads
/// affects the rounding of sums.
template <class ExecutionSpace, class Reduce>
void over_indices(const ExecutionSpace& space, std::int64_t count, const Reduce& reduce) {
  using Index = Kokkos::IndexType<std::int64_t>;
  if constexpr (has_small_work_space<ExecutionSpace>) {
    if (is_few(count)) {
      return reduce(Kokkos::RangePolicy<SmallWorkSpace<ExecutionSpace>, Index>(small_work_space(space), 0, count));
    }
  }
  reduce(Kokkos::RangePolicy<ExecutionSpace, Index>(space, 0, count));
}

}  // namespace impl

/// Calls body(i) for 0 <= i < count in a kernel called `name`. `nanoseconds` is the estimated time of one call on a
/// host. If the host's threads would save less than a launch costs, the calling thread makes all calls. Like a launch,
/// it does not wait for a device.
template <class Schedule = Kokkos::Schedule<Kokkos::Static>, class ExecutionSpace, class Body>
void for_each_index(const std::string& name, const ExecutionSpace& space, std::int64_t count, double nanoseconds,
                    const Body& body) {
  using Index = Kokkos::IndexType<std::int64_t>;
  if constexpr (impl::has_small_work_space<ExecutionSpace>) {
    if (impl::is_small_work(space, count, nanoseconds * static_cast<double>(count))) {
      using Small = impl::SmallWorkSpace<ExecutionSpace>;
      return Kokkos::parallel_for(name, Kokkos::RangePolicy<Small, Index>(impl::small_work_space(space), 0, count),
                                  body);
    }
  }
  Kokkos::parallel_for(name, Kokkos::RangePolicy<ExecutionSpace, Schedule, Index>(space, 0, count), body);
}

}  // namespace sporos
