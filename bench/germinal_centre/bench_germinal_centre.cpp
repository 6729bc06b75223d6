// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the speed of germinal centres on every backend, in agent-steps per second and in multiples of real time, and
// the memory of an agent. Before timing, the program checks that all backends give the same bits.
#include "../harness/program.hpp"
#include "case.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/models/germinal_centre/germinal_centre_files.hpp>
#include <sporos/models/germinal_centre/germinal_centres.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace {

using namespace sporos;

struct Case {
  std::string path;
  double cells = 1;  // factor on the number of cells of the case, in tissue and pools
  int centres = 1, steps = 60;
};

models::GerminalCentreCase case_of(const Case& of) {
  auto all = bench::with_cells(models::read_germinal_centre_case(of.path), of.cells);
  all.centres = of.centres;
  all.steps_per_exchange = of.steps;
  return all;
}

constexpr std::uint64_t seed = 1;

template <class Space>
std::uint64_t digest_after_a_step(const models::GerminalCentreCase& all) {
  models::GerminalCentres<Space> centres(Space(), all, seed);
  centres.advance();
  return centres.digest();
}

template <class Space>
void add_benchmark(const models::GerminalCentreCase& all, std::uint64_t expected) {
  const std::uint64_t digest = digest_after_a_step<Space>(all);
  if (digest != expected) {
    throw std::runtime_error(
        fmt::format("the digest on {} is {}, expected {} as on serial", backend_name<Space>(), digest, expected));
  }
  const std::string name = std::string("global_step/").append(backend_name<Space>());
  benchmark::RegisterBenchmark(name.c_str(),
                               [&all](benchmark::State& state) {
                                 models::GerminalCentres<Space> centres(Space(), all, seed);
                                 centres.advance();
                                 double agent_steps = 0;
                                 for (auto iteration : state) {
                                   static_cast<void>(iteration);
                                   centres.advance();
                                   agent_steps += static_cast<double>(centres.agents()) * all.steps_per_exchange;
                                 }
                                 const auto rate = benchmark::Counter::kIsRate;
                                 state.counters["agent_steps"] = benchmark::Counter(agent_steps, rate);
                                 state.counters["times_real_time"] = benchmark::Counter(
                                     static_cast<double>(state.iterations()) * all.global_step() * 60, rate);
                                 state.counters["steps"] = benchmark::Counter(
                                     static_cast<double>(state.iterations()) * all.steps_per_exchange, rate);
                                 state.counters["agents"] = static_cast<double>(centres.agents());
                                 state.counters["centres"] = all.centres;
                               })
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

void add_benchmarks(const Case& of) {
  static models::GerminalCentreCase all;
  all = case_of(of);
  using Arrays = models::AgentArrays<Kokkos::HostSpace>;
  benchmark::AddCustomContext("bytes_of_agent", fmt::format("{:g}", 2 * Arrays::bytes_of_agent));
  const std::uint64_t expected = digest_after_a_step<Kokkos::Serial>(all);
  for_each_backend([&]<class Space>(const Space&) { add_benchmark<Space>(all, expected); });
}

}  // namespace

int main(int argc, char** argv) {
  Case of;
  bench::OptionParser app("Steps of germinal centres; takes --benchmark_… options too.", "bench_germinal_centre");
  app.add_option("case", of.path, "file of the case").required();
  app.add_option("--cells", of.cells, "times as many cells as in the case").positive();
  app.add_option("--centres", of.centres, "germinal centres").positive();
  app.add_option("--steps", of.steps, "local steps of a global one").positive();
  return bench::run_benchmarks(app, argc, argv, [&] { add_benchmarks(of); });
}
