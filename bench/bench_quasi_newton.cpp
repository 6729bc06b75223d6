// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How fast the stochastic quasi-Newton method iterates on paper 004's classification, and how fast a pass over all of
// its bit-packed rows is, on every backend. One instance a run, so that its peak memory is its own.
#include "program.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/models/classification/generalized_linear.hpp>
#include <sporos/models/classification/packed_features.hpp>
#include <sporos/models/classification/paper_classification.hpp>
#include <sporos/optimizers/quasi_newton/sqn.hpp>

#include <sys/resource.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace sporos;

struct Case {
  std::int64_t size = 500, rows = 0;
  SqnOptions options;
};

template <class Space>
using Problem = models::LogisticClassification<Space, models::PackedFeatures<typename Space::memory_space>>;

double peak_mebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

template <class Space>
void iterate(benchmark::State& state, const models::PaperClassification& data, const Case& of) {
  Problem<Space> problem(models::PackedFeatures<typename Space::memory_space>(data.features), data.labels);
  const std::vector<double> start(data.rule.size());
  QuasiNewtonResult result;
  double least = std::numeric_limits<double>::infinity();
  for (auto _ : state) {
    const Kokkos::Timer timer;
    result = sqn(problem, start, of.options);
    const double seconds = timer.seconds();
    state.SetIterationTime(seconds);
    least = seconds < least ? seconds : least;
  }
  problem.draw_all();
  state.counters["seconds_per_iteration"] = least / static_cast<double>(of.options.iterations);
  state.counters["objective"] = problem.objective(to_device<Space>(result.solution));
  state.counters["limited_steps"] = static_cast<double>(result.counts.limited_steps);
  state.counters["data_MiB"] = static_cast<double>(data.features.words.size() * sizeof(std::uint64_t)) / 0x1p20;
  state.counters["peak_MiB"] = peak_mebibytes();
}

// Objective, then gradient, over all rows: the latter reads them twice.
template <class Space, bool is_gradient>
void pass(benchmark::State& state, const models::PaperClassification& data) {
  Problem<Space> problem(models::PackedFeatures<typename Space::memory_space>(data.features), data.labels);
  const auto w = to_device<Space>(data.rule);
  const Vector<Space> g("bench::gradient", w.extent(0));
  problem.draw_all();
  for (auto _ : state) {
    if constexpr (is_gradient) {
      problem.gradient(w, g);
    } else {
      benchmark::DoNotOptimize(problem.objective(w));
    }
    Kokkos::fence();
  }
  const auto bytes = static_cast<std::int64_t>(data.features.words.size() * sizeof(std::uint64_t));
  state.SetBytesProcessed(state.iterations() * bytes);
}

void add_benchmarks(const Case& of) {
  static const auto data = models::paper_classification(of.size, of.rows > 0 ? of.rows : 30 * of.size, 0.1, 1);
  for_each_backend([&]<class Space>(const Space&) {
    const std::string end = "/" + std::string(backend_name<Space>()) + "/" + std::to_string(of.size);
    benchmark::RegisterBenchmark(("sqn" + end).c_str(),
                                 [of](benchmark::State& state) { iterate<Space>(state, data, of); })
        ->UseManualTime()
        ->Iterations(3)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("objective" + end).c_str(),
                                 [](benchmark::State& state) { pass<Space, false>(state, data); })
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("gradient" + end).c_str(),
                                 [](benchmark::State& state) { pass<Space, true>(state, data); })
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  });
}

}  // namespace

int main(int argc, char** argv) {
  Case of;
  of.options.record_interval = 0;
  CLI::App app("Stochastic quasi-Newton on one instance; takes --benchmark_… options too.", "bench_quasi_newton");
  app.add_option("--size", of.size, "features")->check(CLI::PositiveNumber);
  app.add_option("--rows", of.rows, "30 times the size where it is not given")->check(CLI::PositiveNumber);
  app.add_option("--batch", of.options.batch_size)->check(CLI::PositiveNumber);
  app.add_option("--hessian-batch", of.options.hessian_batch_size)->check(CLI::PositiveNumber);
  app.add_option("--memory", of.options.pairs.memory)->check(CLI::PositiveNumber);
  app.add_option("--interval", of.options.pair_interval, "iterations between two pairs")->check(CLI::PositiveNumber);
  app.add_option("--iterations", of.options.iterations)->check(CLI::PositiveNumber);
  app.add_option("--beta", of.options.step)->check(CLI::PositiveNumber);
  app.add_flag("!--paper-steps", of.options.limit_steps, "as the paper has them, without the safeguard");
  return sporos::bench::run_benchmarks(app, argc, argv, [&] { add_benchmarks(of); });
}
