// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sporos::bench {

/// One instance and how often it is iterated on.
struct FrankWolfeCase {
  std::string problem = "portfolio";  ///< portfolio or newsvendor
  std::int64_t size = 500;            ///< decision variables
  std::int64_t samples = 25;          ///< replications in an epoch
  std::int64_t iterations = 25;       ///< in an epoch
  std::int64_t epochs = 100;          ///< number of them
  std::uint64_t seed = 1;             ///< of the samples, and of the instance where there is no folder
  std::string instance = "";          ///< folder with a file for each of the instance's vectors; empty: generated
  std::string precision = "float64";  ///< of all numbers; there is no other

  /// The vector `name` of the instance, from its NPY file of one column.
  std::vector<double> vector(const std::string& name) const;
};

/// What a run found and took.
struct FrankWolfeOutcome {
  double seconds;    ///< of the whole run
  double objective;  ///< exactly, where it ended
};

/// Registers PROBLEM/BACKEND/SIZE. `run` gives an outcome; `draw_seconds` measures what drawing the epochs' random
/// numbers alone takes, all threads at once.
template <class ExecutionSpace>
void register_case(const FrankWolfeCase& of, const std::function<FrankWolfeOutcome()>& run,
                   const std::function<double()>& draw_seconds) {
  const std::string name =
      of.problem + "/" + std::string(backend_name<ExecutionSpace>()) + "/" + std::to_string(of.size);
  const auto measure = [of, run, draw_seconds](benchmark::State& state) {
    const double iterations = static_cast<double>(of.epochs) * static_cast<double>(of.iterations);
    for (auto _ : state) {
      const FrankWolfeOutcome outcome = run();
      state.SetIterationTime(outcome.seconds);
      state.counters["seconds_per_iteration"] = outcome.seconds / iterations;
      state.counters["iterations_per_second"] = iterations / outcome.seconds;
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
