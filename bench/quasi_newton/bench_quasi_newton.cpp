// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures quasi-Newton methods on every backend, on the classification of He et al. (2024), A preliminary study on
// accelerating simulation optimization with GPU implementation: iterations of the stochastic method, the time of L-BFGS
// to a small gradient, and a pass over all bit-packed rows. Also measures the limits of the machine. The program runs
// one instance, so that its peak memory is that of the instance. quasi_newton.py runs all sizes and compares them with
// peers.
#include "../harness/program.hpp"
#include "instance.hpp"
#include "machine_rates.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/models/classification/all_rows.hpp>
#include <sporos/models/classification/generalized_linear.hpp>
#include <sporos/models/classification/packed_features.hpp>
#include <sporos/models/classification/paper_classification.hpp>
#include <sporos/optimizers/quasi_newton/lbfgs.hpp>
#include <sporos/optimizers/quasi_newton/sqn.hpp>

#include <sys/resource.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace sporos;

struct Case {
  std::int64_t size = 500, rows = 0;
  std::uint64_t seed = 1;
  double tolerance = 1e-6;
  SqnOptions options;
  std::string instance;
};

template <class Space>
using Features = models::PackedFeatures<typename Space::memory_space>;

template <class Space>
using Problem = models::LogisticClassification<Space, Features<Space>>;

double peak_mebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

double as_double(std::int64_t count) { return static_cast<double>(count); }

template <class Space>
void iterate(benchmark::State& state, const models::PaperClassification& data, const Case& of) {
  const Features<Space> features(data.features);
  Problem<Space> problem(features, data.labels);
  const std::vector<double> start(data.rule.size());
  QuasiNewtonResult result;
  for (auto _ : state) {
    const Kokkos::Timer timer;
    result = sqn(problem, start, of.options);
    state.SetIterationTime(timer.seconds());
  }
  problem.draw_all();
  state.counters["objective"] = problem.objective(to_device<Space>(result.solution));
  state.counters["limited_steps"] = as_double(result.counts.limited_steps);
  state.counters["data_MiB"] = static_cast<double>(features.bytes()) / 0x1p20;
  state.counters["peak_MiB"] = peak_mebibytes();
}

template <class Space>
void minimize(benchmark::State& state, const models::PaperClassification& data, const Case& of) {
  models::AllRows<Problem<Space>> problem(Features<Space>(data.features), data.labels);
  const std::vector<double> start(data.rule.size());
  LbfgsOptions options;
  options.pairs = of.options.pairs;
  options.gradient_tolerance = of.tolerance;
  options.iterations = 100'000;
  options.record_interval = options.iterations;  // records only the start and the end
  QuasiNewtonResult result;
  for (auto _ : state) {
    const Kokkos::Timer timer;
    result = lbfgs(problem, start, options);
    state.SetIterationTime(timer.seconds());
  }
  const auto& end = result.trajectory.back();
  state.counters["objective"] = end.objective;
  state.counters["gradient_norm"] = end.gradient_norm;
  state.counters["steps"] = as_double(result.iterations);
  state.counters["evaluations"] = as_double(result.counts.gradients + 1);  // plus one at the start
  state.counters["peak_MiB"] = peak_mebibytes();
}

// Evaluates the objective over all rows, or the gradient, which reads the rows twice.
template <class Space, bool is_gradient>
void pass(benchmark::State& state, const models::PaperClassification& data) {
  const Features<Space> features(data.features);
  Problem<Space> problem(features, data.labels);
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
  state.counters["value"] = problem.objective(w);
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(features.bytes()));
}

template <class Space>
void add_benchmarks(const models::PaperClassification& data, const Case& of) {
  const std::string end = "/" + std::string(backend_name<Space>()) + "/" + std::to_string(of.size);
  const auto add = [&](const std::string& name, const std::function<void(benchmark::State&)>& run) {
    return benchmark::RegisterBenchmark((name + end).c_str(), run)->Unit(benchmark::kMillisecond);
  };
  add("sqn", [&, of](benchmark::State& state) { iterate<Space>(state, data, of); })->UseManualTime()->Iterations(1);
  add("lbfgs", [&, of](benchmark::State& state) { minimize<Space>(state, data, of); })->UseManualTime()->Iterations(1);
  add("objective", [&](benchmark::State& state) { pass<Space, false>(state, data); })->UseRealTime();
  add("gradient", [&](benchmark::State& state) { pass<Space, true>(state, data); })->UseRealTime();
}

void add_benchmarks(const Case& of) {
  static const auto data = models::paper_classification(of.size, of.rows > 0 ? of.rows : 30 * of.size, 0.1, of.seed);
  if (!of.instance.empty()) bench::write_instance(data, of.instance);
  for_each_backend([&]<class Space>(const Space&) { add_benchmarks<Space>(data, of); });
  constexpr auto word = static_cast<std::int64_t>(sizeof(double));
  bench::register_machine_rates(word * static_cast<std::int64_t>(data.features.words.size()),
                                word * 2 * of.options.pairs.memory * of.size);
}

}  // namespace

int main(int argc, char** argv) {
  Case of;
  of.options.record_interval = 0;
  bench::OptionParser app("Quasi-Newton methods on one instance; takes --benchmark_… options too.",
                          "bench_quasi_newton");
  app.add_option("--size", of.size, "features").positive();
  app.add_option("--rows", of.rows, "30 times the size where it is not given").positive();
  app.add_option("--seed", of.seed, "of the instance");
  app.add_option("--write-instance", of.instance, "folder for its features, labels and rule as NPY files");
  app.add_option("--batch", of.options.batch_size).positive();
  app.add_option("--hessian-batch", of.options.hessian_batch_size).positive();
  app.add_option("--memory", of.options.pairs.memory).positive();
  app.add_option("--interval", of.options.pair_interval, "iterations between two pairs").positive();
  app.add_option("--iterations", of.options.iterations).positive();
  app.add_option("--beta", of.options.step).positive();
  app.add_flag("!--paper-steps", of.options.limit_steps, "as the paper has them, without the safeguard");
  app.add_option("--tolerance", of.tolerance, "norm of the gradient at which L-BFGS stops").positive();
  return sporos::bench::run_benchmarks(app, argc, argv, [&] { add_benchmarks(of); });
}
