// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the uniforms per second that threads obtain from random blocks, from the RANLUX of GSL and Boost, and from
// Philox in place. Two upper bounds are measured too: pre-generated uniforms, and the rate of a single producer.
#include "../harness/outcome.hpp"
#include "../harness/program.hpp"
#include "../replications/draws.hpp"
#ifdef SPOROS_HAS_GSL
#include "gsl_draws.hpp"
#endif

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/random/engine.hpp>
#include <sporos/core/random_blocks/calibration.hpp>
#include <sporos/core/random_blocks/fastest_options.hpp>
#include <sporos/core/random_blocks/random_blocks.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using namespace sporos;
using bench::Outcome;

struct Case {
  int threads = 1;
  std::int64_t draws = 1 << 22;
  std::string engine;  // engine of the blocks; empty: all
};

// Averages `draws` uniforms in thread number `thread`.
using Draw = std::function<Outcome(std::uint64_t thread, std::int64_t draws)>;

template <class Next>
Outcome average(std::int64_t draws, Next next) {
  const Kokkos::Timer timer;
  double sum = 0;
  for (std::int64_t i = 0; i < draws; ++i) sum += next();
  const auto n = static_cast<double>(draws);
  return {timer.seconds(), sum / n, std::sqrt(1 / (12 * n))};
}

// Runs `draw` in all threads at once and returns the seconds of the slowest. Checks each mean.
double together(const Case& of, const std::string& name, const Draw& draw) {
  std::latch ready(of.threads), done(of.threads);
  std::vector<Outcome> outcomes(static_cast<std::size_t>(of.threads));
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < outcomes.size(); ++thread) {
    threads.emplace_back([&, thread] {
      ready.arrive_and_wait();
      outcomes[thread] = draw(thread, of.draws);
      done.arrive_and_wait();
    });
  }
  for (auto& thread : threads) thread.join();
  double seconds = 0;
  for (const Outcome& outcome : outcomes) {
    bench::check(name, outcome, 0.5);
    seconds = std::max(seconds, outcome.seconds);
  }
  return seconds;
}

// `begin` returns the function that draws in one iteration.
void add(const Case& of, const std::string& name, const std::function<Draw()>& begin) {
  const std::function<void(benchmark::State&)> run = [=](benchmark::State& state) {
    double seconds = 0;
    for (auto _ : state) {
      const Draw draw = begin();
      seconds = together(of, name, draw);
      state.SetIterationTime(seconds);
    }
    const double draws = static_cast<double>(of.draws) * of.threads;
    state.counters["draws_per_s"] = draws / seconds;
    state.counters["threads"] = of.threads;
  };
  benchmark::RegisterBenchmark(name.c_str(), run)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
}

// Random blocks with the options that the calibrated model predicts to be fastest. The calibration runs first.
template <class Space, class E>
void add_blocks(const Case& of, const std::string& engine) {
  const BlockModel model = calibrate_blocks<Space, E>();
  const BlockOptions options = fastest_options(model, {of.threads, of.draws, 0});
  const std::string where = "/" + std::string(backend_name<Space>()) + "/" + engine;
  add(of, "blocks" + where + "/" + std::to_string(options.block_size), [options] {
    const auto blocks = std::make_shared<RandomBlocks<Space, E>>(1, options);
    return Draw([blocks](std::uint64_t thread, std::int64_t draws) {
      BlockConsumer consumer = blocks->consumer(thread);
      return average(draws, [&] { return consumer.next(); });
    });
  });
  const double produced = static_cast<double>(options.block_size) / model.production(options);
  const std::function<void(benchmark::State&)> floor = [=](benchmark::State& state) {
    for (auto _ : state) state.SetIterationTime(static_cast<double>(of.draws) / produced);
    state.counters["draws_per_s"] = produced;
  };
  benchmark::RegisterBenchmark(("floor/one producer" + where).c_str(), floor)->UseManualTime()->Iterations(1);
}

template <class Space>
void add_backend(const Case& of) {
  for (const Engine engine : {Engine::ranlux24_0, Engine::ranlux24_2, Engine::ranlux48_2, Engine::philox4x32}) {
    if (!of.engine.empty() && of.engine != name_of(engine)) continue;
    Engines::visit(engine,
                   [&]<class E>(std::type_identity<E>) { add_blocks<Space, E>(of, std::string(name_of(engine))); });
  }
}

// Draws from Philox in a loop that computes a block of two draws at a time.
Outcome philox_in_place(std::uint64_t thread, std::int64_t draws) {
  std::uint64_t block = 0;
  int used = Philox4x32::draws_per_block;
  auto bits = Philox4x32::block({1, thread, 0}, block);
  return average(draws, [&] {
    if (used == Philox4x32::draws_per_block) {
      bits = Philox4x32::block({1, thread, 0}, block++);
      used = 0;
    }
    return open_uniform(bits[used++]);
  });
}

// Reads uniforms from the fastest cache.
Outcome already_there(std::uint64_t, std::int64_t draws) {
  constexpr std::size_t size = 1 << 12;
  std::vector<std::uint64_t> bits(size);
  constexpr std::size_t stride = 2731;  // spreads the first values as evenly as all values
  for (std::size_t i = 0; i < size; ++i) bits[i] = (2 * (i * stride % size) + 1) << (64 - 13);
  std::size_t next = 0;
  return average(draws, [&] { return open_uniform(bits[next++ % size]); });
}

void add_peers(const Case& of) {
  for (const auto& peer : bench::peers::uniform_peers()) {
    if (peer.engine_or_sampling.rfind("ranlux", 0) != 0) continue;
    const auto draw = peer.draw;
    add(of, "in place/" + peer.name,
        [draw] { return Draw([draw](std::uint64_t, std::int64_t draws) { return draw(draws); }); });
  }
#ifdef SPOROS_HAS_GSL
  for (const std::string name : {"ranlxs0", "ranlxs2", "ranlxd2"}) {
    add(of, "in place/GSL " + name, [name] {
      return Draw([name](std::uint64_t thread, std::int64_t draws) {
        const bench::peers::GslGenerator generator(name, thread + 1);
        return average(draws, [&] { return generator.next(); });
      });
    });
  }
#endif
  add(of, "in place/philox", [] { return Draw(philox_in_place); });
  add(of, "floor/uniforms that are there", [] { return Draw(already_there); });
}

}  // namespace

int main(int argc, char** argv) {
  Case of;
  bench::OptionParser app(
      "Blocks of random numbers compared with generators in place; takes --benchmark_… options too.",
      "bench_random_blocks");
  app.add_option("--threads", of.threads, "that draw at once").positive();
  app.add_option("--draws", of.draws, "of each, a multiple of 8").positive();
  app.add_option("--engine", of.engine, "of blocks, alone; a model of each is measured first, for 6 s")
      .one_of({"ranlux24-0", "ranlux24-2", "ranlux48-2", "philox"});
  return bench::run_benchmarks(app, argc, argv, [&] {
    for_each_backend([&]<class Space>(const Space&) { add_backend<Space>(of); });
    add_peers(of);
  });
}
