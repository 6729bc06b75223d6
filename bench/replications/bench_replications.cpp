// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the speed of models in replications, against handwritten loops, on every backend and under every mapping,
// and the speed of random numbers. docs/benchmarks has the commands and the results.
#include "../harness/context.hpp"
#include "benchmarks.hpp"

#include <sporos/core/execution/initialize.hpp>

#include <Kokkos_Core.hpp>

#include <benchmark/benchmark.h>

#include <cstring>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>

namespace sporos::bench {

namespace {

// Takes two minutes on two cores.
Sizes short_sizes() {
  Sizes sizes;
  sizes.effort = {9, 3.0};
  sizes.sweep_effort = {5, 0.2};
  sizes.draws_effort = {20, 0.5};
  sizes.sweeps_host = true;
  sizes.pi_draws = 1000;
  sizes.mm1_customers = 100;
  sizes.mmck_customers = 100;
  sizes.walk_steps = 500;
  sizes.sweep_replications = {10, 100, 1000, 10'000, 100'000};
  sizes.device_replications = {1'000'000};
  sizes.max_by_hand = 100'000;
  sizes.peer_replications = 128;
  sizes.speedup_replications = 7168;
  sizes.draws_of_a_thread = 20'000;
  return sizes;
}

// Takes two minutes on a GPU. The sizes are those of Passerat-Palmbach et al. (2011), Warp-level parallelism: enabling
// multiple replications in parallel on GPU, except for the 10^7 points of π, which paper_003_figures_5_8 measures.
Sizes full_sizes() {
  Sizes sizes = short_sizes();
  sizes.sweep_effort = sizes.draws_effort = {3, 0.2};
  sizes.sweeps_host = false;
  sizes.pi_draws = 10'000;
  sizes.mm1_customers = 10'000;
  sizes.mmck_customers = 5000;
  sizes.walk_steps = 1000;
  sizes.sweep_replications = {1, 10, 100, 1000, 3000, 10'000, 30'000, 100'000, 300'000};
  sizes.max_by_hand = 1000;
  return sizes;
}

// Takes a few seconds: checks that everything runs and gives correct results.
Sizes smoke_sizes() {
  Sizes sizes = short_sizes();
  sizes.effort = sizes.sweep_effort = sizes.draws_effort = {1, 0.0};
  sizes.pi_draws = sizes.walk_steps = 100;
  sizes.mm1_customers = sizes.mmck_customers = 20;
  sizes.sweep_replications = {10, 1000};
  sizes.device_replications = {};
  sizes.peer_replications = sizes.speedup_replications = 64;
  sizes.draws_of_a_thread = 400;
  return sizes;
}

// Removes `--sizes=smoke|short|full` from the arguments and returns these sizes. Throws std::invalid_argument for other
// sizes.
Sizes take_sizes(int& argc, char** argv) {
  constexpr std::string_view option = "--sizes=";
  std::string_view wanted = "short";
  int kept = 0;
  for (int i = 0; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.substr(0, option.size()) == option) {
      wanted = argument.substr(option.size());
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  benchmark::AddCustomContext("sizes", std::string(wanted));
  if (wanted == "smoke") return smoke_sizes();
  if (wanted == "short") return short_sizes();
  if (wanted == "full") return full_sizes();
  throw std::invalid_argument("sizes are '" + std::string(wanted) + "', expected smoke, short or full");
}

void run(int argc, char** argv) {
  const Sizes sizes = take_sizes(argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) throw std::invalid_argument("unknown arguments");
  const Kokkos::ScopeGuard kokkos(quiet_kokkos_settings({}));
  add_context();
  register_hand_written(sizes);
  register_speedup(sizes);
  register_launch(sizes);
  register_sweep(sizes);
  register_random_numbers(sizes);
  register_samplings(sizes);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::ClearRegisteredBenchmarks();  // the benchmarks hold Views, which must not outlive Kokkos
}

}  // namespace

}  // namespace sporos::bench

int main(int argc, char** argv) {
  try {
    sporos::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "bench_replications: " << error.what() << '\n';
    return 1;
  }
}
