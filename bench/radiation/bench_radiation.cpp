// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures photon transport in a medium between plates on every backend: photons, steps and element crossings per
// second, compared with the limits of double arithmetic and atomic additions. docs/benchmarks/models.md has the
// commands and the results.
#include "../harness/program.hpp"
#include "cases.hpp"
#include "flights.hpp"
#include "unit_rates.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/models/radiation/energy_balance.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace {

using namespace sporos;
using namespace sporos::bench;

constexpr std::int64_t few = 320;

// Number of photons that make about `steps` steps. A step on a sampled path counts once for each sampled point, because
// each point costs an exponential.
std::int64_t photons_of(const PhotonCase& of, double steps) {
  const FlightCounts counts = Flights<Kokkos::Serial>(of, few).counted(of);
  const bool is_sampled = of.rules.paths == models::PathTreatment::sampled;
  const double of_photon = static_cast<double>(counts.steps) / few * (is_sampled ? of.rules.points : 1);
  return std::max<std::int64_t>(static_cast<std::int64_t>(steps / of_photon), few);
}

// Checks that all photons have ended, and that `few` photons leave exactly the same energy units as on Serial. Throws
// std::runtime_error otherwise.
template <class ExecutionSpace>
void check(const PhotonCase& of, const models::PhotonCounts& all, std::int64_t photons) {
  std::int64_t ended = 0;
  for (int batch = 0; batch < all.batches; ++batch) ended += all.photons(batch, 0);
  if (ended != photons) throw std::runtime_error(of.name + ": photons have been lost");
  const Flights<Kokkos::Serial> there(of, few);
  const Flights<ExecutionSpace> here(of, few);
  there.run();
  here.run();
  if (here.left().units != there.left().units)
    throw std::runtime_error(of.name + ": photons fly as on no other backend");
}

// A case prepared and checked on a backend: its number of photons and their counts.
struct Prepared {
  std::int64_t photons;
  FlightCounts counts;
};

template <class ExecutionSpace>
Prepared prepared(const PhotonCase& of, double steps) {
  const std::int64_t photons = photons_of(of, steps);
  const FlightCounts counts = Flights<ExecutionSpace>(of, photons).counted(of);
  check<ExecutionSpace>(of, counts.left, photons);
  return {photons, counts};
}

// Reports the reflectance and transmittance of the plates, if the case has a beam.
void report_plates(benchmark::State& state, const PhotonCase& of, const models::PhotonCounts& counts) {
  if (of.radiation.beam.irradiance == 0) return;
  const models::impl::BatchSums shares(counts, 1);
  const int elements = of.radiation.elements();
  const auto reflectance = shares.tally(elements), transmittance = shares.tally(elements + 1);
  state.counters["reflectance"] = reflectance.value;
  state.counters["reflectance_error"] = reflectance.error;
  state.counters["transmittance"] = transmittance.value;
  state.counters["transmittance_error"] = transmittance.error;
}

// Google Benchmark calls this several times; `kept` holds the prepared case between calls.
template <class ExecutionSpace>
void fly(benchmark::State& state, const PhotonCase& of, double steps, std::optional<Prepared>& kept) {
  if (!kept) kept = prepared<ExecutionSpace>(of, steps);
  const auto& [photons, counts] = *kept;
  const Flights<ExecutionSpace> flights(of, photons);
  flights.run();
  for (auto _ : state) flights.run();
  const auto rate = [](double count) {
    return benchmark::Counter(count, benchmark::Counter::kIsIterationInvariantRate);
  };
  state.counters["photons"] = rate(static_cast<double>(photons));
  state.counters["steps"] = rate(static_cast<double>(counts.steps));
  state.counters["crossings"] = rate(static_cast<double>(counts.crossings));
  state.counters["double_operations"] = rate(double_operations(of, counts.steps));
  state.counters["crossings_of_photon"] = static_cast<double>(counts.crossings) / static_cast<double>(photons);
  state.counters["photons_of_run"] = static_cast<double>(photons);
  state.counters["tallies"] = static_cast<double>(of.radiation.elements() + 3);
  report_plates(state, of, counts.left);
}

void add_benchmarks(double steps_on_host, double steps_on_device) {
  register_unit_rates();
  for (const PhotonCase& of : photon_cases()) {
    for_each_backend([&]<class ExecutionSpace>(const ExecutionSpace&) {
      const double steps = runs_on_host<ExecutionSpace> ? steps_on_host : steps_on_device;
      const std::string name = of.name + "/" + std::string(backend_name<ExecutionSpace>());
      benchmark::RegisterBenchmark(name.c_str(),
                                   [=, kept = std::make_shared<std::optional<Prepared>>()](benchmark::State& state) {
                                     fly<ExecutionSpace>(state, of, steps, *kept);
                                   })
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    });
  }
}

}  // namespace

int main(int argc, char** argv) {
  double steps_on_host = 5e6, steps_on_device = 4e9;
  OptionParser app("Photons between plates; takes --benchmark_… options too.", "bench_radiation");
  app.add_option("--steps", steps_on_host, "of all photons of a run on a host, about; a sampled point counts as one")
      .positive();
  app.add_option("--device-steps", steps_on_device, "the same on a device").positive();
  return run_benchmarks(app, argc, argv, [&] { add_benchmarks(steps_on_host, steps_on_device); });
}
