// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares random numbers and M/M/c/k on an NVIDIA GPU with the device API of cuRAND (curand.hpp), in turns on the same
// card. The floor is the number of operations of the busiest arithmetic unit divided by its rate.
#include "../harness/program.hpp"
#include "comparison.hpp"
#include "curand.hpp"
#include "streams.hpp"
#include "workload.hpp"

#include <sporos/core/random/float_uniforms.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

using namespace sporos;
using namespace sporos::bench;

namespace {

struct Sizes {
  double seconds = 0.3;  // of a comparison
  std::int64_t customers = 50000, draws = 20000;
};

// Sums draws of a stream, one block of the engine at a time.
template <class E>
struct FloatUniforms {
  static constexpr int draws_of_block = 4;
  KOKKOS_FUNCTION static float sum(const Stream& stream, std::uint64_t block) {
    const auto u = float_uniforms<E>(stream, block);
    return u[0] + u[1] + (u[2] + u[3]);
  }
};
template <class E>
struct Exponentials {
  static constexpr int draws_of_block = 2;
  KOKKOS_FUNCTION static double sum(const Stream& stream, std::uint64_t block) {
    const auto bits = E::block(stream, block);
    return StandardExponential::from_open_uniform(open_uniform(bits[0])) +
           StandardExponential::from_open_uniform(open_uniform(bits[1]));
  }
};

template <class Variates>
struct Adder {
  std::uint64_t seed;
  std::int64_t draws;
  Outputs<Kokkos::Cuda> means;

  KOKKOS_FUNCTION void operator()(std::int64_t thread) const {
    const Stream stream{seed, static_cast<std::uint64_t>(thread), 0};
    decltype(Variates::sum(stream, 0)) a = 0, b = 0;
    const auto blocks = static_cast<std::uint64_t>(draws / Variates::draws_of_block);
    for (std::uint64_t block = 0; block < blocks; block += 2) {
      a += Variates::sum(stream, block);
      b += Variates::sum(stream, block + 1);
    }
    means(thread, 0) = static_cast<double>(a + b) / static_cast<double>(draws);
  }
};

template <class Variates>
double time_ours(const bench::Streams<Kokkos::Cuda>& streams) {
  using Policy = Kokkos::RangePolicy<Kokkos::Cuda, Kokkos::IndexType<std::int64_t>>;
  return streams.time([&] {
    Kokkos::parallel_for("sporos::bench::variates", Policy(streams.space, 0, streams.count),
                         Adder<Variates>{1, streams.draws, streams.outputs});
  });
}

// Seconds for `operations` in a unit that does 64 per cycle on each multiprocessor, at the highest clock rate.
double floor_of(double operations) {
  int device = 0, kilohertz = 0, multiprocessors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  return operations / (64.0 * multiprocessors * 1e3 * kilohertz);
}

const std::vector<std::pair<std::string, curand::Generator>> generators = {{"xorwow", curand::Generator::xorwow},
                                                                           {"philox", curand::Generator::philox}};

void report_floor(benchmark::State& state, double operations, double seconds) {
  const double floor = floor_of(operations);
  state.counters["floor_s"] = floor;
  state.counters["over_floor"] = seconds / floor;
}

// `operations` is the number per draw in the busiest unit; `mean` and `deviation` are the exact ones of a draw.
template <class Variates>
void add_variates(const std::string& name, const Sizes& sizes, double operations, double mean, double deviation,
                  Outcome (curand::Streams::*draw)(std::int64_t)) {
  for (const auto& [generator_name, generator] : generators) {
    register_comparison(
        "gpu_random/" + name + "/" + generator_name, benchmark::kMillisecond, [=, generator = generator](auto& state) {
          const bench::Streams<Kokkos::Cuda> streams(Kokkos::Cuda().concurrency(), sizes.draws);
          curand::Streams peers(generator, streams.count, 256);
          time_ours<Variates>(streams);
          streams.check_mean("Sporos", mean, deviation);
          check("cuRAND", (peers.*draw)(sizes.draws), mean);
          const std::vector<Contestant> contestants = {{"sporos", [&] { return time_ours<Variates>(streams); }},
                                                       {"peer", [&] { return (peers.*draw)(sizes.draws).seconds; }}};
          const Comparison comparison(contestants, {5, sizes.seconds});
          report_rates(state, comparison, contestants, "draws", streams.work());
          report_floor(state, operations * streams.work(), comparison.time(0));
        });
  }
}

const Backend& backend_of(const Workload& workload, std::string_view name) {
  for (const Backend& backend : workload.backends) {
    if (backend.name == name) return backend;
  }
  throw std::runtime_error("no backend " + std::string(name));
}

// Our replication ends when `customers` are expected to have arrived. The one of Cheng (2014), Massively parallel
// programming in statistical optimization & simulation, ends when as many have entered. Therefore rates are compared,
// not times.
void add_mmck(const Sizes& sizes, std::int64_t replications, std::int64_t customers) {
  constexpr double let_in = 1 - 18.963 / 56.852;  // fraction of arrivals that enter M/M/3/5 with λ = 4, μ = 1
  // Double-precision operations per event: 1.127 draws of 39 operations, and 15 for sums and times.
  constexpr double operations = 59;
  for (const auto& [generator_name, generator] : generators) {
    register_comparison(
        "gpu_random/mmck_" + std::to_string(replications) + "/" + generator_name, benchmark::kMillisecond,
        [=, generator = generator](auto& state) {
          const Workload workload = mmck(customers);
          const Backend& gpu = backend_of(workload, "cuda");
          const std::int64_t few = std::min<std::int64_t>(replications, 448);
          if (gpu.simulate(few, Mapping::automatic).digest !=
              backend_of(workload, "serial").simulate(few, Mapping::automatic).digest) {
            throw std::runtime_error("M/M/c/k gives different bits on GPU and CPU");
          }
          check("Sporos' M/M/c/k", gpu.simulate(replications, Mapping::automatic), workload.exact);
          // The launch of the paper is 14 x 512; other cases use the fastest block size that was found.
          const bool is_paper = replications == 7168 && generator == curand::Generator::xorwow;
          curand::Streams peers(generator, replications, is_paper ? 512 : 64);
          const auto peer = [&] { return peers.mmck(4.0, 1.0, 3, 5, customers); };
          if (std::abs(peer().mean / workload.exact - 1) > 0.002 + 10 / static_cast<double>(customers)) {
            throw std::runtime_error("the paper's M/M/c/k is wrong");
          }
          const Comparison comparison(
              {{"sporos", [&] { return gpu.simulate(replications, Mapping::automatic).seconds; }},
               {"thread", [&] { return gpu.simulate(replications, Mapping::thread).seconds; }},
               {"warp", [&] { return gpu.simulate(replications, Mapping::warp).seconds; }},
               {"peer", [&] { return peer().seconds; }}},
              {3, sizes.seconds});
          const double events = workload.work * static_cast<double>(replications);
          const double peer_events = static_cast<double>(replications * customers) * (1 + 1 / let_in);
          state.SetIterationTime(comparison.time(0));
          state.counters["sporos_s"] = comparison.time(0);
          state.counters["thread_s"] = comparison.time(1);
          state.counters["warp_s"] = comparison.time(2);
          state.counters["peer_s"] = comparison.time(3);
          state.counters["sporos_events_per_s"] = events / comparison.time(0);
          state.counters["peer_events_per_s"] = peer_events / comparison.time(3);
          state.counters["ratio"] = comparison.ratio(3, 0) * events / peer_events;  // of the rates
          state.counters["replications"] = static_cast<double>(replications);
          report_floor(state, operations * events, comparison.time(0));
        });
  }
}

}  // namespace

int main(int argc, char** argv) {
  Sizes sizes;
  OptionParser app("Random numbers on a GPU compared with cuRAND; takes --benchmark_… options too.",
                   "bench_gpu_random");
  app.add_option("--seconds", sizes.seconds, "of each comparison, at least").non_negative();
  app.add_option("--customers", sizes.customers, "of M/M/c/k, a replication").positive();
  app.add_option("--draws", sizes.draws, "of a thread, a multiple of 8").positive();
  return run_benchmarks(app, argc, argv, [&] {
    add_mmck(sizes, 7168, sizes.customers);
    add_mmck(sizes, 100'000, sizes.customers / 10 + 1);
    // A Philox block of four floats takes two logic operations per round and 4 shifts. A block of two doubles takes 2 x
    // 36 double-precision operations and 2 additions.
    const auto add_engine = [&]<class E>(std::type_identity<E>, const std::string& name, int rounds) {
      add_variates<FloatUniforms<E>>("uniform_float" + name, sizes, (2 * rounds + 4) / 4.0, 0.5, std::sqrt(1.0 / 12),
                                     &curand::Streams::float_uniforms);
      add_variates<Exponentials<E>>("exponential_double" + name, sizes, 37, 1, 1, &curand::Streams::exponentials);
    };
    add_engine(std::type_identity<Philox4x32>(), "", 10);
    add_engine(std::type_identity<Philox4x32_7>(), "_philox4x32-7", 7);
  });
}
