// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches on SimOpt's problem SAN-1 (13 mean durations; mean duration of the project plus Σ 1 / mean; from 8 each):
// seconds a replication, solver included, and how good the ends are, exactly. simopt_peer.py runs SimOpt's own solvers
// on the same.
#include "../harness/program.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/models/projects/activity_network.hpp>
#include <sporos/optimizers/search/astro_df.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/stochastic_approximation.hpp>
#include <sporos/procedures/simulated_objective.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace sporos::bench {

namespace {

using models::ActivityNetwork;

double crash_cost(std::span<const double> x, std::span<double> gradient) {
  double cost = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    cost += 1 / x[i];
    if (!gradient.empty()) gradient[i] = -1 / (x[i] * x[i]);
  }
  return cost;
}

double exact_objective(const std::vector<double>& x) {
  ActivityNetwork network{};
  std::size_t i = 0;
  for_each_parameter<ActivityNetwork>([&](const auto& parameter) { network.*parameter.member = x[i++]; });
  return exact_network_times(network)[0] + crash_cost(x, {});
}

std::vector<Decision> all_means() {
  std::vector<Decision> decisions;
  for (const auto name : differentiable_parameters<ActivityNetwork>()) {
    decisions.push_back({std::string(name), 0.01, std::numeric_limits<double>::infinity()});
  }
  return decisions;
}

Solver approximation(StepScaling scaling, GradientSource gradient) {
  StochasticApproximationOptions options;
  options.scaling = scaling;
  options.gradient = gradient;
  return [options](SearchRun& run) { return stochastic_approximation(run, options); };
}

const std::map<std::string, Solver> solvers{
    {"adam", approximation(StepScaling::adam, GradientSource::pathwise)},
    {"adagrad", approximation(StepScaling::adagrad, GradientSource::pathwise)},
    {"spsa", approximation(StepScaling::robbins_monro, GradientSource::differences)},
    {"astro", [](SearchRun& run) { return astro_df(run, {}, true); }},
    {"astro-df", [](SearchRun& run) { return astro_df(run, {}, false); }}};

struct SearchCase {
  std::int64_t budget = 5000, runs = 30;
};

template <class Space>
using NetworkProblem = SimulatedObjective<ActivityNetwork, Space, 13>;

template <class Space>
NetworkProblem<Space> network_problem(const Space& space) {
  return {space, usual_model<ActivityNetwork>(), all_means(), weighted_sum({{"duration", 1}}, crash_cost)};
}

template <class Space>
void run_solver(benchmark::State& state, const Space& space, const Solver& solver, const SearchCase& of) {
  NetworkProblem<Space> problem = network_problem(space);
  std::vector<std::uint64_t> seeds;
  for (std::int64_t i = 1; i <= of.runs; ++i) seeds.push_back(static_cast<std::uint64_t>(i));
  for (auto _ : state) {
    const Kokkos::Timer timer;
    const auto results = run_searches(problem, solver, std::vector<double>(13, 8.0), of.budget, seeds);
    const double seconds = timer.seconds();
    state.SetIterationTime(seconds);
    double mean = 0, worst = 0, used = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(results.size(), 100); ++i) {
      const double objective = exact_objective(results[i].x);
      mean += (objective - mean) / static_cast<double>(i + 1);
      worst = std::max(worst, objective);
    }
    for (const SearchResult& result : results) used += static_cast<double>(result.replications);
    state.counters["seconds_per_replication"] = seconds / used;
    state.counters["objective"] = mean;
    state.counters["worst_objective"] = worst;
  }
}

// A replication with its derivatives and without, many at one point.
template <class Space>
void run_replications(benchmark::State& state, const Space& space, bool has_gradient) {
  constexpr std::int64_t count = 1 << 20;
  NetworkProblem<Space> problem = network_problem(space);
  const std::vector<Sample> samples{{std::vector<double>(13, 1.0), 1, 0, count, has_gradient}};
  problem.evaluate(samples);
  for (auto _ : state) {
    const Kokkos::Timer timer;
    benchmark::DoNotOptimize(problem.evaluate(samples));
    state.SetIterationTime(timer.seconds());
  }
  state.counters["seconds_per_replication"] = benchmark::Counter(
      static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void add_all(const SearchCase& of) {
  for_each_backend([&]<class Space>(const Space& space) {
    const std::string backend(backend_name<Space>());
    for (const bool has_gradient : {false, true}) {
      const auto measure = [=](benchmark::State& state) { run_replications(state, space, has_gradient); };
      benchmark::RegisterBenchmark((backend + (has_gradient ? "/value_and_gradient" : "/value")).c_str(), measure)
          ->UseManualTime();
    }
    for (const auto& [name, solver] : solvers) {
      const auto measure = [=, &solver = solver](benchmark::State& state) { run_solver(state, space, solver, of); };
      benchmark::RegisterBenchmark((backend + "/" + name).c_str(), measure)
          ->UseManualTime()
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
    }
  });
}

}  // namespace

}  // namespace sporos::bench

int main(int argc, char** argv) {
  sporos::bench::SearchCase of;
  CLI::App app("Searches over SimOpt's SAN-1; takes --benchmark_... options too.", "bench_search");
  app.add_option("--budget", of.budget, "replications of each run")->check(CLI::PositiveNumber);
  app.add_option("--runs", of.runs, "macro-replications, side by side")->check(CLI::PositiveNumber);
  return sporos::bench::run_benchmarks(app, argc, argv, [&] { sporos::bench::add_all(of); });
}
