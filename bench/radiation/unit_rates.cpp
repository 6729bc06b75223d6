// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit_rates.hpp"

#include <sporos/core/execution/execution_space.hpp>

#include <Kokkos_Core.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace sporos::bench {

namespace {

constexpr int chains = 8;                       // independent chains, enough to hide the latency of an operation
using Lanes [[gnu::vector_size(64)]] = double;  // fills one vector register or several
constexpr int lanes_of_host = sizeof(Lanes) / sizeof(double);

/// Repeats a multiplication and an addition in each chain, in the vector registers of a host.
struct HostOperations {
  static constexpr std::int64_t rounds = 200'000;
  static constexpr int lanes = lanes_of_host;
  double factor;

  void operator()(std::int64_t, double& total) const {
    Lanes x[chains] = {}, factors = {}, addends = {};
    for (int lane = 0; lane < lanes; ++lane) {
      factors[lane] = factor;
      addends[lane] = factor * (lane + 1);
      for (int i = 0; i < chains; ++i) x[i][lane] = factor * (i * lanes + lane);  // all chains differ
    }
    for (std::int64_t round = 0; round < rounds; ++round) {
      for (Lanes& some : x) some = some * factors + addends;
    }
    for (const Lanes& some : x) {
      for (int lane = 0; lane < lanes; ++lane) total += some[lane];
    }
  }
};

/// Repeats a multiplication and an addition in each chain, in the registers of a device.
struct DeviceOperations {
  static constexpr std::int64_t rounds = 2000;
  static constexpr int lanes = 1;
  double factor;

  KOKKOS_FUNCTION void operator()(std::int64_t, double& total) const {
    double x[chains];
    for (int i = 0; i < chains; ++i) x[i] = factor * i;
    for (std::int64_t round = 0; round < rounds; ++round) {
      for (double& some : x) some = some * factor + 0.5;
    }
    for (const double some : x) total += some;
  }
};

template <class ExecutionSpace, class Operations>
void operate(benchmark::State& state) {
  const std::int64_t threads = ExecutionSpace().concurrency();
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  for (auto _ : state) {
    double total = 0;
    Kokkos::parallel_reduce("sporos::bench::double_operations", Policy(0, threads), Operations{0.75}, total);
    benchmark::DoNotOptimize(total);
  }
  const std::int64_t operations = 2 * chains * Operations::lanes * Operations::rounds * threads;
  state.counters["operations"] =
      benchmark::Counter(static_cast<double>(operations), benchmark::Counter::kIsIterationInvariantRate);
}

template <class ExecutionSpace>
struct TallyAdder {
  static constexpr std::int64_t additions = 64;  // per thread
  using Tallies = Kokkos::View<std::int64_t**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space>;

  Tallies units;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    auto place = static_cast<std::uint64_t>(i);
    for (std::int64_t step = 0; step < additions; ++step) {
      place = place * 0x5851f42d4c957f2du + 0x14057b7ef767814fu;  // Knuth's MMIX generator
      Kokkos::atomic_add(&units(static_cast<std::uint64_t>(i) % units.extent(0), (place >> 33) % units.extent(1)),
                         std::int64_t{1});
    }
  }
};

template <class ExecutionSpace>
void add_to_tallies(benchmark::State& state, std::size_t tallies) {
  const std::int64_t threads = runs_on_host<ExecutionSpace> ? 100'000 : 10'000'000;
  using Adder = TallyAdder<ExecutionSpace>;
  const Adder adder{typename Adder::Tallies("sporos::bench::tallies", 32, tallies)};
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  for (auto _ : state) {
    Kokkos::parallel_for("sporos::bench::tally_additions", Policy(0, threads), adder);
    Kokkos::fence();
  }
  state.counters["additions"] = benchmark::Counter(static_cast<double>(threads * Adder::additions),
                                                   benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace

void register_unit_rates() {
  for_each_backend([]<class ExecutionSpace>(const ExecutionSpace&) {
    const auto add = [](std::string name, auto run) {
      name.append("/").append(backend_name<ExecutionSpace>());
      benchmark::RegisterBenchmark(name.c_str(), run)->UseRealTime()->Unit(benchmark::kMillisecond);
    };
    if constexpr (runs_on_host<ExecutionSpace>) {
      add("double_operations", operate<ExecutionSpace, HostOperations>);
    } else {
      add("double_operations", operate<ExecutionSpace, DeviceOperations>);
    }
    for (const std::size_t tallies : {4u, 103u, 1003u, 10'003u, 216'003u}) {
      add("tally_additions/" + std::to_string(tallies),
          [tallies](benchmark::State& state) { add_to_tallies<ExecutionSpace>(state, tallies); });
    }
  });
}

}  // namespace sporos::bench
