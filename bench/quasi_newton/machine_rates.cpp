// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine_rates.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/models/classification/sixteen_words.hpp>

#include <Kokkos_Core.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace sporos::bench {

namespace {

template <class ExecutionSpace>
using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

// Adds up the words of a block.
struct WordReader {
  const std::uint64_t* words;
  std::int64_t count, block_size;

  KOKKOS_FUNCTION void operator()(std::int64_t block, std::uint64_t& sum) const {
    const std::int64_t first = block * block_size, left = count - first;
    const std::int64_t end = first + (left < block_size ? left : block_size);
    std::uint64_t own = 0;
    for (std::int64_t i = first; i < end; ++i) own += words[i];
    sum += own;
  }
};

struct Nothing {
  KOKKOS_FUNCTION void operator()(std::int64_t) const {}
};

using Lanes [[gnu::vector_size(64)]] = double;  // fills one vector register or several
constexpr int lanes = sizeof(Lanes) / sizeof(double), sums = 8;
constexpr std::int64_t rounds = 200'000;

// Adds in the vector registers of a host, to enough sums to hide the latency of an addition.
[[gnu::noinline]] double add_in_registers(double change) {
  Lanes sum[sums], addend;
  for (int lane = 0; lane < lanes; ++lane) {
    addend[lane] = change * (lane + 1);
    for (int k = 0; k < sums; ++k) sum[k][lane] = change * (k * lanes + lane);  // all sums differ
  }
  for (std::int64_t i = 0; i < rounds; ++i) {
    for (Lanes& some : sum) some += addend;
  }
  double total = 0;
  for (const Lanes& some : sum) {
    for (int lane = 0; lane < lanes; ++lane) total += some[lane];
  }
  return total;
}

struct RegisterAdder {
  double change;

  void operator()(std::int64_t, double& total) const { total += add_in_registers(change); }
};

// Looks up the sums of four weights each, in two parts, and adds them, as a pass over packed features does for sixteen
// rows. All operands are in registers. There are enough groups of rows to hide the latency of the operations.
struct RegisterLookups {
  static constexpr int groups = 5;
  static constexpr std::int64_t bits = rounds * groups * 16 * 4;

  std::uint32_t word;

  void operator()(std::int64_t, double& total) const { total += static_cast<double>(look_up(word) & 1); }

 private:
  [[gnu::noinline]] static std::uint32_t look_up(std::uint32_t word) {
    using Words = models::impl::HostWords;
    std::uint32_t words[16];
    const auto some = [&](std::uint32_t factor) {
      for (std::uint32_t i = 0; i < 16; ++i) words[i] = word * (factor + i);
      return Words::load(words);
    };
    const Words high = some(3), low = some(5);
    Words index[groups], of_high[groups], of_low[groups];
    for (int k = 0; k < groups; ++k) {
      index[k] = some(static_cast<std::uint32_t>(7 + k));
      of_high[k] = of_low[k] = some(0);
    }
    for (std::int64_t i = 0; i < rounds; ++i) {
      for (int k = 0; k < groups; ++k) {
        of_high[k] = of_high[k] + high[index[k]];
        of_low[k] = of_low[k] + low[index[k]];
        index[k] = index[k] >> 4;
      }
    }
    std::uint32_t found = 0;
    for (int k = 0; k < groups; ++k) {
      (of_high[k] ^ of_low[k]).store(words);
      for (const std::uint32_t of_lane : words) found ^= of_lane;
    }
    return found;
  }
};

double dependent_steps(std::int64_t steps, double factor) {
  double x = factor;
  for (std::int64_t i = 0; i < steps; ++i) x = x * factor + factor;
  return x;
}

template <class ExecutionSpace>
void read(benchmark::State& state, std::int64_t bytes) {
  const auto count = bytes / static_cast<std::int64_t>(sizeof(std::uint64_t));
  const std::int64_t block_size = runs_on_host<ExecutionSpace> ? 512 : 1;
  const Kokkos::View<std::uint64_t*, typename ExecutionSpace::memory_space> words("sporos::bench::words",
                                                                                  static_cast<std::size_t>(count));
  Kokkos::deep_copy(words, 1);
  for (auto _ : state) {
    std::uint64_t sum = 0;
    Kokkos::parallel_reduce("sporos::bench::read", Range<ExecutionSpace>(0, (count + block_size - 1) / block_size),
                            WordReader{words.data(), count, block_size}, sum);
    if (sum != static_cast<std::uint64_t>(count)) state.SkipWithError("the words do not add up");
  }
  state.SetBytesProcessed(state.iterations() * bytes);
}

template <class ExecutionSpace>
void add(benchmark::State& state) {
  const int threads = ExecutionSpace().concurrency();
  for (auto _ : state) {
    double total = 0;
    Kokkos::parallel_reduce("sporos::bench::add", Range<ExecutionSpace>(0, threads), RegisterAdder{1e-3}, total);
    benchmark::DoNotOptimize(total);
  }
  state.counters["additions"] = benchmark::Counter(static_cast<double>(rounds * lanes * sums) * threads,
                                                   benchmark::Counter::kIsIterationInvariantRate);
}

template <class ExecutionSpace>
void look_up(benchmark::State& state) {
  const int threads = ExecutionSpace().concurrency();
  for (auto _ : state) {
    double total = 0;
    Kokkos::parallel_reduce("sporos::bench::look_up", Range<ExecutionSpace>(0, threads), RegisterLookups{0x9e3779b9u},
                            total);
    benchmark::DoNotOptimize(total);
  }
  state.counters["bits"] = benchmark::Counter(static_cast<double>(RegisterLookups::bits) * threads,
                                              benchmark::Counter::kIsIterationInvariantRate);
}

void follow_chain(benchmark::State& state) {
  constexpr std::int64_t steps = 1'000'000;
  double factor = 0.5;
  for (auto _ : state) {
    benchmark::DoNotOptimize(factor);
    benchmark::DoNotOptimize(dependent_steps(steps, factor));
  }
  state.counters["steps"] =
      benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsIterationInvariantRate);
}

template <class ExecutionSpace>
void launch(benchmark::State& state) {
  const ExecutionSpace space;
  const int threads = space.concurrency();
  for (auto _ : state) {
    Kokkos::parallel_for("sporos::bench::nothing", Range<ExecutionSpace>(space, 0, threads), Nothing());
    space.fence();
  }
}

}  // namespace

void register_machine_rates(std::int64_t bytes_of_rows, std::int64_t bytes_of_pairs) {
  for_each_backend([&]<class ExecutionSpace>(const ExecutionSpace&) {
    const auto add_benchmark = [](std::string name, auto run) {
      name.append("/").append(backend_name<ExecutionSpace>());
      benchmark::RegisterBenchmark(name.c_str(), run)->UseRealTime()->Unit(benchmark::kMicrosecond);
    };
    add_benchmark("read_rows", [=](benchmark::State& state) { read<ExecutionSpace>(state, bytes_of_rows); });
    add_benchmark("read_pairs", [=](benchmark::State& state) { read<ExecutionSpace>(state, bytes_of_pairs); });
    add_benchmark("launch", launch<ExecutionSpace>);
    if constexpr (runs_on_host<ExecutionSpace>) {
      add_benchmark("additions", add<ExecutionSpace>);
      add_benchmark("lookups", look_up<ExecutionSpace>);
      add_benchmark("chain", follow_chain);
    }
  });
}

}  // namespace sporos::bench
