// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs searches on problems of SimOpt (simopt_problems.hpp). Reports the seconds per replication, solver included, and
// the exact quality of the final points. simopt_peer.py runs SimOpt's own solvers on the same problems and obtains the
// exact objective with --points.
#include "../harness/min_time.hpp"
#include "../harness/program.hpp"
#include "simopt_problems.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/optimizers/search/astro_df.hpp>
#include <sporos/optimizers/search/random_search.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/sampled_nelder_mead.hpp>
#include <sporos/optimizers/search/stochastic_approximation.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace sporos::bench {

namespace {

Solver approximation(StepScaling scaling, GradientSource gradient) {
  StochasticApproximationOptions options;
  options.scaling = scaling;
  options.gradient = gradient;
  return [options](SearchRun& run) { return stochastic_approximation(run, options); };
}

const std::map<std::string, Solver> solvers{
    {"adam", approximation(StepScaling::adam, GradientSource::problem)},
    {"adagrad", approximation(StepScaling::adagrad, GradientSource::problem)},
    {"spsa", approximation(StepScaling::robbins_monro, GradientSource::differences)},
    {"astro", [](SearchRun& run) { return astro_df(run, {}, true); }},
    {"astro-df", [](SearchRun& run) { return astro_df(run, {}, false); }},
    {"nelder-mead", [](SearchRun& run) { return sampled_nelder_mead(run, {}); }},
    {"random", [](SearchRun& run) { return random_search(run, {}); }}};

const std::set<std::string> gradient_solvers{"adam", "adagrad", "astro"};

struct SearchCase {
  std::int64_t budget = 5000, runs = 30;
};

// Reports the processor time of all threads, which other programs on the machine affect less than elapsed time.
template <class Problem, class Space>
void run_solver(benchmark::State& state, const Space& space, const std::string& name, const SearchCase& of) {
  auto problem = problem_on<Problem>(space, name == "random");
  std::vector<std::uint64_t> seeds;
  for (std::int64_t i = 1; i <= of.runs; ++i) seeds.push_back(static_cast<std::uint64_t>(i));
  for (auto _ : state) {
    const Kokkos::Timer timer;
    const double before = processor_seconds();
    const auto results = run_searches(problem, solvers.at(name), Problem::start(), of.budget, seeds);
    const double seconds = timer.seconds(), busy = processor_seconds() - before;
    state.SetIterationTime(seconds);
    double mean = 0, worst = -std::numeric_limits<double>::infinity(), used = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(results.size(), 100); ++i) {
      const double objective = Problem::exact(results[i].x);
      mean += (objective - mean) / static_cast<double>(i + 1);
      worst = std::max(worst, objective);
    }
    for (const SearchResult& result : results) used += static_cast<double>(result.replications);
    state.counters["seconds_per_replication"] = seconds / used;
    state.counters["processor_seconds_per_replication"] = busy / used;
    state.counters["objective"] = mean;
    state.counters["worst_objective"] = worst;
  }
}

void add_all(const SearchCase& of) {
  for_each_backend([&]<class Space>(const Space& space) {
    for_each_problem([&]<class Problem>(const Problem&) {
      for (const auto& [name, solver] : solvers) {
        if (!DifferentiableModel<typename Problem::Model> && gradient_solvers.contains(name)) continue;
        const std::string title = fmt::format("{}/{}/{}", backend_name<Space>(), Problem::name, name);
        const auto measure = [=, name = name](benchmark::State& state) { run_solver<Problem>(state, space, name, of); };
        benchmark::RegisterBenchmark(title.c_str(), measure)
            ->UseManualTime()
            ->Iterations(1)
            ->Unit(benchmark::kMillisecond);
      }
    });
  });
}

// Reads points from standard input, one per line, and writes the exact objective at each.
void write_objectives(const std::string& wanted) {
  std::cout.precision(12);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream text(line);
    std::vector<double> x;
    for (double coordinate = 0; text >> coordinate;) x.push_back(coordinate);
    for_each_problem([&]<class Problem>(const Problem&) {
      if (Problem::name == wanted && x.size() == Problem::start().size()) std::cout << Problem::exact(x) << '\n';
    });
  }
}

}  // namespace

}  // namespace sporos::bench

int main(int argc, char** argv) {
  sporos::bench::SearchCase of;
  std::string points_of;
  sporos::bench::OptionParser app("Searches over problems of SimOpt; takes --benchmark_... options too.",
                                  "bench_search");
  app.add_option("--budget", of.budget, "replications of each run").positive();
  app.add_option("--runs", of.runs, "macro-replications, side by side").positive();
  app.add_option("--points", points_of, "write the exact objective of this problem at the points on standard input");
  return sporos::bench::run_benchmarks(app, argc, argv, [&] {
    if (points_of.empty()) {
      sporos::bench::add_all(of);
    } else {
      sporos::bench::write_objectives(points_of);
    }
  });
}
