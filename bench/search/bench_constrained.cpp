// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs searches on SAN-2 of SimOpt, an activity network with 13 mean durations in which two mean times may be at most
// 5. Reports the seconds per replication, solver included, and the exact quality of the final points: the distance of
// the objective from the optimum, and the larger excess over the two constraints, 0 if neither is violated.
// simopt_constrained_peer.py runs SimOpt's own solvers on the same problem and obtains the exact values with --points.
#include "../harness/min_time.hpp"
#include "../harness/program.hpp"
#include "simopt_problems.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/optimizers/constrained/augmented_lagrangian.hpp>
#include <sporos/optimizers/constrained/constraint_extrapolation.hpp>
#include <sporos/optimizers/constrained/cooperative_approximation.hpp>
#include <sporos/optimizers/search/run_searches.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

namespace sporos::bench {

namespace {

constexpr double optimum = 18.5428993;  // tests/procedures/constrained_network.cpp
constexpr double latest = 5;            // limit on the mean times of events 6 and 8
constexpr double low = 0.01, high = 100;

const std::map<std::string, Solver> solvers{
    {"augmented-lagrangian", [](SearchRun& run) { return augmented_lagrangian(run, {}); }},
    {"conex", [](SearchRun& run) { return constraint_extrapolation(run, {}); }},
    {"csa", [](SearchRun& run) { return cooperative_approximation(run, {}); }}};

struct ConstrainedCase {
  std::int64_t budget = 10'000, runs = 30;
};

// Returns the mean at `place` plus `number`, and writes the derivatives.
double mean_plus(std::size_t place, double number, std::span<const double> means, std::span<double> by_decisions,
                 std::span<double> by_means) {
  std::ranges::fill(by_decisions, 0.0);
  for (std::size_t i = 0; i < by_means.size(); ++i) by_means[i] = i == place ? 1 : 0;
  return means[place] + number;
}

Objective san_2() {
  Objective objective = function_of_means({"duration", "time of event 6", "time of event 8"},
                                          [](std::span<const double> x, std::span<const double> means,
                                             std::span<double> by_decisions, std::span<double> by_means) {
                                            const double mean = mean_plus(0, 0, means, {}, by_means);
                                            return mean + San1::crash_cost(x, by_decisions);
                                          });
  for (const std::size_t place : {std::size_t{1}, std::size_t{2}}) {
    objective.constraints.push_back(
        [place](std::span<const double>, std::span<const double> means, std::span<double> by_decisions,
                std::span<double> by_means) { return mean_plus(place, -latest, means, by_decisions, by_means); });
  }
  return objective;
}

struct ExactEnd {
  double objective, excess;
};

ExactEnd exact(const std::vector<double>& x) {
  San1::Model network{};
  std::size_t i = 0;
  for_each_parameter<San1::Model>([&](const auto& parameter) { network.*parameter.member = x[i++]; });
  const auto times = exact_network_times(network);
  return {times[0] + San1::crash_cost(x, {}), std::max({0.0, times[1] - latest, times[2] - latest})};
}

// Reports the processor time of all threads, which other programs on the machine affect less than elapsed time.
template <class Space>
void run_solver(benchmark::State& state, const Space& space, const std::string& name, const ConstrainedCase& of) {
  std::vector<Decision> decisions;
  for (const std::string& parameter : San1::decided()) decisions.push_back({parameter, low, high});
  SimulatedObjective<San1::Model, Space, San1::directions> problem(space, San1::model(), decisions, san_2());
  std::vector<std::uint64_t> seeds(static_cast<std::size_t>(of.runs));
  std::iota(seeds.begin(), seeds.end(), 1);
  for (auto _ : state) {
    const Kokkos::Timer timer;
    const double before = processor_seconds();
    const auto results = run_searches(problem, solvers.at(name), San1::start(), of.budget, seeds);
    const double busy = processor_seconds() - before;
    state.SetIterationTime(timer.seconds());
    double objective = 0, distance = 0, excess = 0, worst = 0, used = 0;
    for (const SearchResult& result : results) {
      const ExactEnd end = exact(result.x);
      objective += end.objective;
      distance += std::abs(end.objective - optimum);
      excess += end.excess;
      worst = std::max(worst, end.excess);
      used += static_cast<double>(result.replications);
    }
    const auto runs = static_cast<double>(of.runs);
    state.counters["processor_seconds_per_replication"] = busy / used;
    state.counters["objective"] = objective / runs;
    state.counters["distance"] = distance / runs;
    state.counters["excess"] = excess / runs;
    state.counters["worst_excess"] = worst;
  }
}

void add_all(const ConstrainedCase& of) {
  for_each_backend([&]<class Space>(const Space& space) {
    for (const auto& [name, solver] : solvers) {
      const std::string title = std::string(backend_name<Space>()) + "/san-2/" + name;
      const auto measure = [=, name = name](benchmark::State& state) { run_solver(state, space, name, of); };
      benchmark::RegisterBenchmark(title.c_str(), measure)
          ->UseManualTime()
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
    }
  });
}

// Reads points from standard input, one per line, and writes the exact objective and excess at each.
void write_exact_values() {
  std::cout.precision(12);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream text(line);
    std::vector<double> x;
    for (double coordinate = 0; text >> coordinate;) x.push_back(coordinate);
    if (x.size() != San1::start().size()) continue;
    const ExactEnd end = exact(x);
    std::cout << end.objective << ' ' << end.excess << '\n';
  }
}

}  // namespace

}  // namespace sporos::bench

int main(int argc, char** argv) {
  sporos::bench::ConstrainedCase of;
  bool are_points = false;
  sporos::bench::OptionParser app("Searches under SAN-2's constraints; takes --benchmark_... options too.",
                                  "bench_constrained");
  app.add_option("--budget", of.budget, "replications of each run").positive();
  app.add_option("--runs", of.runs, "macro-replications, side by side").positive();
  app.add_flag("--points", are_points, "write the exact objective and excess at the points on standard input");
  return sporos::bench::run_benchmarks(app, argc, argv, [&] {
    if (are_points) {
      sporos::bench::write_exact_values();
    } else {
      sporos::bench::add_all(of);
    }
  });
}
