// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The best line of three stations among 3249, 57 624 and 1 016 127 (rates and buffers that add up), by its throughput
// over 50 jobs after 2000: seconds, replications, survivors, and the share of time in which replications are computed.
// Options are those of PyPRS's documentation: δ = 0.1, α = 0.05, n₁ = 50, 10 rounds of 100 for GSP, n₀ = 20 and matches
// of 20 with common random numbers for KT, n₀ = 10 and at most 2000 replications for bi-PASS.
#include "../harness/program.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/models/queues/tandem_line.hpp>
#include <sporos/procedures/ranking_and_selection/device_systems.hpp>
#include <sporos/procedures/ranking_and_selection/selection_procedures.hpp>
#include <sporos/procedures/ranking_and_selection/system_grid.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace sporos::bench {

namespace {

struct SelectionCase {
  std::vector<std::int64_t> totals{20, 50, 128};  // of rates, and of buffers
  std::vector<std::string> procedures{"gsp", "kt", "kn", "bi-pass", "rinott"};
  std::int64_t warm_up = 2000, jobs = 50;
  std::uint64_t seed = 1;
  bool independent = false;
};

SystemGrid lines(std::int64_t total) {
  const auto from_one = [](const char* name, std::int64_t most) {
    GridAxis axis{name, std::vector<double>(static_cast<std::size_t>(most))};
    std::iota(axis.values.begin(), axis.values.end(), 1.0);
    return axis;
  };
  return SystemGrid({from_one("rate_1", total - 2), from_one("rate_2", total - 2), from_one("rate_3", total - 2),
                     from_one("buffer_2", total - 1), from_one("buffer_3", total - 1)},
                    {{{"rate_1", "rate_2", "rate_3"}, total}, {{"buffer_2", "buffer_3"}, total}});
}

// As PyPRS's documentation has them.
SelectionOptions options_of(const SelectionProcedure& procedure) {
  SelectionOptions options;
  options.delta = 0.1;
  options.first_stage = procedure.name == "bi-pass" ? 10 : procedure.usual_first_stage;
  options.match_size = 20;
  return options;
}

template <class Space>
void run_procedure(benchmark::State& state, const Space& space, const SelectionProcedure& procedure, std::int64_t total,
                   const SelectionCase& of) {
  models::TandemLine line = usual_model<models::TandemLine>();
  line.warm_up = of.warm_up;
  line.jobs = of.jobs;
  const SystemGrid grid = lines(total);
  const SystemResponse throughput{1, false, of.seed, !of.independent && procedure.name.starts_with("k")};
  for (auto _ : state) {
    const Kokkos::Timer timer;
    auto systems = systems_of(space, line, grid, throughput);
    const double begun = timer.seconds();
    std::string steps;
    std::int64_t told = 0;
    procedure.run(systems, options_of(procedure), [&](const SelectionStep& step) {
      if (told > 0 && 10 * step.survivors > 9 * told) return;
      told = step.survivors;
      steps += " " + std::to_string(step.survivors);
    });
    const SystemEstimate best = systems.best(1).front();
    const double seconds = timer.seconds(), replications = static_cast<double>(systems.replications());
    state.SetIterationTime(seconds);
    const double exponentials = 3 * replications * static_cast<double>(of.warm_up + of.jobs);
    state.counters["systems"] = static_cast<double>(grid.size());
    state.counters["replications"] = replications;
    state.counters["survivors"] = static_cast<double>(systems.survivors());
    state.counters["seconds_before"] = begun;
    state.counters["share_in_replications"] = systems.seconds_in_replications() / seconds;
    state.counters["replications_per_second"] = replications / seconds;
    state.counters["exponentials_per_second"] = exponentials / seconds;
    state.counters["mean"] = best.mean;
    std::string label = "best";
    for (const double value : grid.values_of(best.system)) label += " " + std::to_string(static_cast<int>(value));
    state.SetLabel(label + ", survivors" + steps);
  }
}

void add_all(const SelectionCase& of) {
  for_each_backend([&]<class Space>(const Space& space) {
    for (const std::int64_t total : of.totals) {
      for (const SelectionProcedure& procedure : selection_procedures()) {
        if (std::ranges::count(of.procedures, procedure.name) == 0) continue;
        const std::string title = std::string(backend_name<Space>()) + "/" + std::string(procedure.name) + "/" +
                                  std::to_string(lines(total).size());
        const auto measure = [=, &procedure](benchmark::State& state) {
          run_procedure(state, space, procedure, total, of);
        };
        benchmark::RegisterBenchmark(title.c_str(), measure)
            ->UseManualTime()
            ->Iterations(1)
            ->Unit(benchmark::kMillisecond);
      }
    }
  });
}

}  // namespace

}  // namespace sporos::bench

int main(int argc, char** argv) {
  sporos::bench::SelectionCase of;
  sporos::bench::OptionParser app("Selections of the best line of three stations; takes --benchmark_... options too.",
                                  "bench_select");
  app.add_option("--totals", of.totals, "of rates and of buffers: 20, 50, 128").separated_by_commas();
  app.add_option("--procedures", of.procedures, "their names").separated_by_commas();
  app.add_option("--warm-up", of.warm_up, "jobs before those that are measured").non_negative();
  app.add_option("--jobs", of.jobs, "that are measured").positive();
  app.add_flag("--independent", of.independent, "random numbers for kn and kt, too");
  app.add_option("--seed", of.seed, "of the random numbers");
  return sporos::bench::run_benchmarks(app, argc, argv, [&] { sporos::bench::add_all(of); });
}
