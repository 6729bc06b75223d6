// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures replications of the activity network and of an M/M/1 queue of 1000 customers, with pathwise derivatives in
// several directions and without: the mean over many replications and its gradient at one point. jax_peer.py does the
// same in JAX.
#include "../harness/min_time.hpp"
#include "../harness/program.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/models/projects/activity_network.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/procedures/simulated_objective.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::bench {

namespace {

struct NetworkCase {
  using Model = models::ActivityNetwork;
  static constexpr const char *name = "network", *response = "duration";
  static constexpr int draws = 13;
  static Model model() { return default_model<Model>(); }
  static std::vector<std::string> parameters() {
    std::vector<std::string> names;
    for (const auto parameter : differentiable_parameters<Model>()) names.emplace_back(parameter);
    return names;
  }
};

struct QueueCase {
  using Model = models::MM1;
  static constexpr const char *name = "mm1", *response = "time in system";
  static constexpr int draws = 2000;
  static Model model() { return {0.5, 1.0, 1000, 0.0}; }
  static std::vector<std::string> parameters() { return {"arrival_rate", "service_rate"}; }
};

// Times `call`, which runs `count` replications.
template <class Call>
void measure(benchmark::State& state, std::int64_t count, const Call& call) {
  const SmallestTime least = min_time(state, call);
  state.counters["seconds_per_replication"] = least.passed / static_cast<double>(count);
  state.counters["processor_seconds_per_replication"] = least.processor / static_cast<double>(count);
}

// `count` replications in total, of which `batch` at a time have their rows in memory.
struct Sizes {
  std::int64_t count, batch;
};

template <class Case, int directions, class Space>
void run_replications(benchmark::State& state, const Space& space, const Sizes& sizes) {
  std::vector<Decision> decisions;
  std::vector<double> x;
  const auto model = Case::model();
  for (const std::string& name : Case::parameters()) {
    if (directions > 0 && decisions.size() == directions) break;
    decisions.push_back({name, 0.0, std::numeric_limits<double>::infinity()});
    for_each_parameter<typename Case::Model>([&](const auto& parameter) {
      if (parameter.name == name) x.push_back(static_cast<double>(model.*parameter.member));
    });
  }
  SimulatedObjective<typename Case::Model, Space, std::max(1, directions)> problem(space, model, decisions,
                                                                                   weighted_sum({{Case::response, 1}}));
  SampleMoments all;
  measure(state, sizes.count, [&] {
    all = {};
    for (std::int64_t first = 0; first < sizes.count; first += sizes.batch) {
      const std::vector<Sample> samples{{x, 1, first, std::min(sizes.batch, sizes.count - first), directions > 0}};
      all.add(problem.simulate(samples).front());
    }
  });
  state.counters["mean"] = all.means.front();
  if (directions > 0) state.counters["first_slope"] = all.slopes.front();
}

// Floor: computes as many uniforms and logarithms as a replication draws, in loops that vectorize, and sums them.
void draw_exponentials(benchmark::State& state, int draws, std::int64_t count) {
  constexpr std::int64_t units = 512;
  double numbers[2 * units], sum = 0;
  measure(state, count, [&] {
    for (std::int64_t first = 0; first < count * draws / 2; first += units) {
      const Stream stream{1, static_cast<std::uint64_t>(first), 0};
      for (std::int64_t unit = 0; unit < units; ++unit) {
        const auto bits = Philox4x32::block(stream, static_cast<std::uint64_t>(unit));
        numbers[2 * unit] = open_uniform(bits[0]);
        numbers[2 * unit + 1] = open_uniform(bits[1]);
      }
      for (double& number : numbers) number = math::log_of_uniform(number);
      for (int i = 0; i < 8; ++i) sum += numbers[i];
    }
    benchmark::DoNotOptimize(sum);
  });
}

template <class Case, int... directions>
void add_case(std::integer_sequence<int, directions...>, const Sizes& sizes) {
  for_each_backend([&]<class Space>(const Space& space) {
    const auto add = [&]<int d>(std::integral_constant<int, d>) {
      const std::string title = std::string(backend_name<Space>()) + "/" + Case::name + "/" + std::to_string(d);
      const auto run = [=](benchmark::State& state) { run_replications<Case, d>(state, space, sizes); };
      benchmark::RegisterBenchmark(title.c_str(), run)->UseManualTime()->Unit(benchmark::kMillisecond);
    };
    (add(std::integral_constant<int, directions>()), ...);
  });
  const auto floor = [=](benchmark::State& state) { draw_exponentials(state, Case::draws, sizes.count); };
  benchmark::RegisterBenchmark((std::string("floor/") + Case::name).c_str(), floor)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

}  // namespace sporos::bench

int main(int argc, char** argv) {
  sporos::bench::Sizes network{1 << 20, 1 << 13}, queue{1 << 14, 1 << 13};
  sporos::bench::OptionParser app("Replications with derivatives; takes --benchmark_... options too.",
                                  "bench_gradients");
  app.add_option("--network-replications", network.count, "of the activity network").positive();
  app.add_option("--queue-replications", queue.count, "of the M/M/1 queue").positive();
  app.add_option("--network-batch", network.batch, "of them at a time").positive();
  app.add_option("--queue-batch", queue.batch, "of them at a time").positive();
  return sporos::bench::run_benchmarks(app, argc, argv, [&] {
    using namespace sporos::bench;
    add_case<NetworkCase>(std::integer_sequence<int, 0, 1, 2, 4, 8, 13>(), network);
    add_case<QueueCase>(std::integer_sequence<int, 0, 1, 2>(), queue);
  });
}
