// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the simplex method of Nelder and Mead on every backend: evaluations and final value on the problems of Moré,
// Garbow and Hillstrom (1981), Testing unconstrained optimization software, and the time of many simplices at once.
// nelder_mead.py compares it with peers.
#include "../harness/program.hpp"
#include "problems.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/optimizers/nelder_mead/nelder_mead.hpp>
#include <sporos/optimizers/nelder_mead/pointwise_objective.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace sporos;

struct Value {
  int problem;
  KOKKOS_FUNCTION double operator()(const double* x, std::int64_t n) const {
    return test::mgh::value(problem, x, static_cast<int>(n));
  }
};

struct Case {
  double tolerance = 1e-10;
  std::int64_t evaluations = 100'000, simplices = 1000;
};

NelderMeadOptions options_of(const Case& of, const std::string& method) {
  NelderMeadOptions options;
  options.size_tolerance = options.value_tolerance = of.tolerance;
  options.evaluations = of.evaluations;
  if (method == "adaptive") options.coefficients = NelderMeadCoefficients::adaptive;
  if (method == "oriented") options.oriented_restarts = 3;
  return options;
}

template <class Space>
void minimize(benchmark::State& state, int problem, int n, std::int64_t simplices, const NelderMeadOptions& options) {
  PointwiseObjective<Space, Value> objective{Value{problem}};
  std::vector<SimplexStart> starts;
  for (std::int64_t s = 0; s < simplices; ++s) starts.push_back({bench::nearby_start(problem, n, s)});
  std::vector<NelderMeadResult> found;
  for (auto _ : state) {
    const Kokkos::Timer timer;
    found = nelder_mead(objective, starts, options);
    state.SetIterationTime(timer.seconds());
  }
  std::int64_t evaluations = 0;
  for (const NelderMeadResult& one : found) evaluations += one.evaluations;
  state.counters["evaluations"] = static_cast<double>(evaluations);
  state.counters["value"] = found[0].value;
}

template <class Space>
void add_benchmarks(const Case& of) {
  const auto add = [&](const std::string& what, int problem, std::size_t dimension, std::int64_t simplices,
                       const std::string& method) {
    const int n = static_cast<int>(dimension);
    const std::string name = what + "/" + std::string(backend_name<Space>()) + "/" + std::to_string(problem) + "/" +
                             std::to_string(n) + "/" + method;
    const std::function<void(benchmark::State&)> run = [=](benchmark::State& state) {
      minimize<Space>(state, problem, n, simplices, options_of(of, method));
    };
    benchmark::RegisterBenchmark(name.c_str(), run)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
  };
  const auto problems = test::mgh::problems();
  for (const std::string method : {"original", "adaptive", "oriented"}) {
    for (int p = 1; p <= 35; ++p) add("one", p, problems[static_cast<std::size_t>(p - 1)].start.size(), 1, method);
    for (const int p : {21, 22, 30}) {
      for (const std::size_t n : {4, 12, 24, 48}) add("one", p, n, 1, method);
    }
  }
  add("many", 1, 2, of.simplices, "original");
  add("many", 14, 4, of.simplices, "original");
  add("many", 30, 8, of.simplices, "original");
}

}  // namespace

int main(int argc, char** argv) {
  Case of;
  bench::OptionParser app("The simplex method on published problems; takes --benchmark_… options too.",
                          "bench_nelder_mead");
  app.add_option("--tolerance", of.tolerance, "for size and values of a simplex").non_negative();
  app.add_option("--evaluations", of.evaluations, "most of a simplex").positive();
  app.add_option("--simplices", of.simplices, "at once").positive();
  return sporos::bench::run_benchmarks(
      app, argc, argv, [&] { for_each_backend([&]<class Space>(const Space&) { add_benchmarks<Space>(of); }); });
}
