// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <limits>

namespace sporos::bench {

/// Processor time of all threads of this process, in seconds.
inline double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Duration of a call in seconds: the smallest of several calls, for each of the two clocks separately.
struct SmallestTime {
  double passed;     ///< elapsed (wall-clock) time
  double processor;  ///< processor time of all threads
};

/// Calls `call` once to warm up, then once for each iteration of `state`, whose manual time it sets to the elapsed
/// time.
template <class Call>
SmallestTime min_time(benchmark::State& state, const Call& call) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  SmallestTime least{infinity, infinity};
  call();
  for (auto _ : state) {
    const Kokkos::Timer timer;
    const double before = processor_seconds();
    call();
    least.processor = std::min(least.processor, processor_seconds() - before);
    const double passed = timer.seconds();
    least.passed = std::min(least.passed, passed);
    state.SetIterationTime(passed);
  }
  return least;
}

}  // namespace sporos::bench
