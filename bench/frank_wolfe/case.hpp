// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector_operations.hpp>
#include <sporos/optimizers/frank_wolfe/frank_wolfe.hpp>
#include <sporos/optimizers/frank_wolfe/gap.hpp>
#include <sporos/procedures/macro_replications.hpp>

#include <Kokkos_Core.hpp>

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace sporos::bench {

/// An instance and the iterations to run on it.
struct FrankWolfeCase {
  std::string problem = "portfolio";  ///< portfolio or newsvendor
  std::int64_t size = 500;            ///< decision variables
  std::int64_t samples = 25;          ///< replications in an epoch
  std::int64_t iterations = 25;       ///< iterations in an epoch
  std::int64_t epochs = 100;          ///< number of epochs
  std::uint64_t seed = 1;             ///< seed of the samples, and of the instance if `instance` is empty
  std::int64_t repetitions = 1;       ///< runs side by side; times are one repetition's share
  std::int64_t gap_batches = 0;       ///< batches of the gap estimate that follows the run; 0: no estimate
  std::int64_t gap_batch_size = 256;  ///< replications in each batch
  std::string instance = "";          ///< folder with one file for each vector of the instance; empty: generated
  std::string screening = "on";       ///< on or off; see FrankWolfeOptions::screening
  /// Seconds after which a run starts no further iteration, or with screening no further epoch.
  double time_limit = std::numeric_limits<double>::infinity();
  std::string precision = "float64";  ///< data type of all numbers; no other is supported

  /// Reads the vector `name` of the instance from its NPY file, which must have one column.
  std::vector<double> vector(const std::string& name) const;
};

/// Result and cost of a run.
struct FrankWolfeOutcome {
  double seconds;              ///< duration of the whole run
  std::int64_t iterations;     ///< number of iterations of the run, summed over its repetitions
  double certificate_seconds;  ///< duration of the gap estimate after the run
  double objective;            ///< exact objective at the final iterate
};

/// A solution and its cost.
struct TimedSolution {
  std::vector<double> solution;
  double seconds;
  std::int64_t iterations;
  double certificate_seconds;
};

/// Seconds that the gap estimate at `solution` takes; 0 if none is requested.
template <class Problem, class Region>
double seconds_of_certificate(Problem& problem, Region& region, const std::vector<double>& solution,
                              const FrankWolfeCase& of) {
  if (of.gap_batches == 0) return 0;
  GapOptions options;
  options.batches = of.gap_batches;
  options.batch_size = of.gap_batch_size;
  const auto x = to_device<typename Problem::execution_space>(solution);
  Kokkos::fence();
  const Kokkos::Timer timer;
  benchmark::DoNotOptimize(estimate_gap<Problem, Region>(problem, region, x, options, gap_seed(of.seed, 0)));
  return timer.seconds();
}

/// Minimizes `problem` over `region` from 0 without recording a trajectory. Returns the seconds and the solution, which
/// is that of the first repetition if there are several.
template <class Problem, class Region>
TimedSolution timed_frank_wolfe(Problem& problem, Region& region, const FrankWolfeCase& of) {
  using Space = typename Problem::execution_space;
  FrankWolfeOptions options;
  options.epochs = of.epochs;
  options.iterations = of.iterations;
  options.sample_size = of.samples;
  options.seed = of.seed;
  options.record_interval = 0;
  options.screening = of.screening == "on";
  options.time_limit = of.time_limit;
  const std::vector<double> start(static_cast<std::size_t>(of.size));
  norm<Space>(Space(), to_device<Space>(start));  // initializes cuBLAS, once per process
  Kokkos::fence();
  const Kokkos::Timer timer;
  if (of.repetitions == 1) {
    FrankWolfeResult result = frank_wolfe(problem, region, start, options);
    const double seconds = timer.seconds();
    const double certificate = seconds_of_certificate(problem, region, result.solution, of);
    return {std::move(result.solution), seconds, result.iterations, certificate};
  }
  const auto unseen = [](const ConstVector<Space>&) { return 0.0; };
  MacroReplications runs = macro_replications(problem, region, start, options, of.repetitions, {}, unseen);
  return {std::move(runs.solutions.front()), timer.seconds(), of.epochs * of.iterations * of.repetitions, 0};
}

/// Seconds to draw the random numbers of one epoch, averaged over many. `Drawer`(samples) draws those for a block of
/// `Drawer::width` coordinates and adds something of each to a sum.
template <class ExecutionSpace, class Drawer, class Sum>
double seconds_of_draws(const ExecutionSpace& space, const FrankWolfeCase& of) {
  constexpr std::int64_t draws_in_all = 20'000'000;
  const std::int64_t blocks = (of.size + Drawer::width - 1) / Drawer::width;
  const std::int64_t repetitions = draws_in_all / (of.size * of.samples) + 1;
  Sum sum = 0;
  const Kokkos::Timer timer;
  for (std::int64_t i = 0; i < repetitions; ++i) {
    Kokkos::parallel_reduce("sporos::bench::draws",
                            Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, blocks),
                            Drawer{of.samples}, sum);
  }
  return timer.seconds() / static_cast<double>(repetitions);
}

/// Registers PROBLEM/BACKEND/SIZE. `run` returns an outcome. `draw_seconds` returns the seconds to draw only the random
/// numbers of an epoch, on all threads.
template <class ExecutionSpace>
void register_case(const FrankWolfeCase& of, const std::function<FrankWolfeOutcome()>& run,
                   const std::function<double()>& draw_seconds) {
  const std::string name =
      of.problem + "/" + std::string(backend_name<ExecutionSpace>()) + "/" + std::to_string(of.size);
  const auto measure = [of, run, draw_seconds](benchmark::State& state) {
    for (auto _ : state) {
      const FrankWolfeOutcome outcome = run();
      const auto iterations = static_cast<double>(outcome.iterations);
      state.SetIterationTime(outcome.seconds);
      state.counters["seconds_per_iteration"] = outcome.seconds / iterations;
      state.counters["iterations_run"] = iterations;
      state.counters["iterations_per_second"] = iterations / outcome.seconds;
      state.counters["certificate_seconds"] = outcome.certificate_seconds;
      state.counters["objective"] = outcome.objective;
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    state.counters["peak_MiB"] = static_cast<double>(usage.ru_maxrss) / 1024;
    state.counters["floor_seconds_per_iteration"] = draw_seconds() / static_cast<double>(of.iterations);
  };
  benchmark::RegisterBenchmark(name.c_str(), measure)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
}

/// Registers a portfolio on every backend.
void register_portfolio(const FrankWolfeCase& of);
/// Registers a newsvendor on every backend.
void register_newsvendor(const FrankWolfeCase& of);

}  // namespace sporos::bench
