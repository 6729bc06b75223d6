// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "benchmarks.hpp"
#include "workload.hpp"

#include <sporos/core/execution/execution_space.hpp>

#include <Kokkos_Core.hpp>

#include <memory>

namespace sporos::bench {

namespace {

struct Nothing {
  KOKKOS_FUNCTION void operator()(int) const {}
};

// Floor: the time to launch an empty kernel and wait for it.
template <class ExecutionSpace>
double time_empty_kernel(const ExecutionSpace& space) {
  space.fence();
  const Kokkos::Timer timer;
  Kokkos::parallel_for("sporos::bench::nothing", Kokkos::RangePolicy<ExecutionSpace>(space, 0, 1), Nothing());
  space.fence();
  return timer.seconds();
}

double time_empty_kernel(const std::string& backend) {
  double seconds = 0;
  for_each_backend([&]<class ExecutionSpace>(const ExecutionSpace& space) {
    if (backend_name<ExecutionSpace>() == backend) seconds = time_empty_kernel(space);
  });
  return seconds;
}

}  // namespace

void register_launch(const Sizes& sizes) {
  const auto workload = std::make_shared<const Workload>(pi(1));
  for (const Backend& backend : workload->backends) {
    // The captured workload owns the backend.
    register_comparison("launch/" + backend.name, benchmark::kMicrosecond, [=, &backend](auto& state) {
      (void)workload;
      const Comparison comparison({{"simulate", [&] { return backend.simulate(1, Mapping::automatic).seconds; }},
                                   {"empty_kernel", [&] { return time_empty_kernel(backend.name); }}},
                                  sizes.sweep_effort);
      state.SetIterationTime(comparison.time(0));
      state.counters["simulate_s"] = comparison.time(0);
      state.counters["simulate_99_percent_s"] = comparison.time(0, 0.99);
      state.counters["empty_kernel_s"] = comparison.time(1);
      state.counters["rounds"] = static_cast<double>(comparison.rounds());
    });
  }
}

}  // namespace sporos::bench
