// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "benchmarks.hpp"
#include "workload.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

namespace sporos::bench {

namespace {

using SharedWorkload = std::shared_ptr<const Workload>;

SharedWorkload share(Workload workload) { return std::make_shared<const Workload>(std::move(workload)); }

// The main models, with 10 000 points and 2000 customers, and PERT with its short replications.
std::vector<SharedWorkload> main_workloads() { return {share(pi(10000)), share(mmck(2000)), share(pert())}; }

Contestant on(const Backend& backend, const std::string& name, std::int64_t replications, Mapping mapping) {
  return {name, [&backend, replications, mapping] { return backend.simulate(replications, mapping).seconds; }};
}

Contestant by_hand(const Workload& workload, std::int64_t replications) {
  return {"hand_written", [&workload, replications] { return workload.hand_written(replications).seconds; }};
}

const Backend* serial_of(const Workload& workload) {
  for (const Backend& backend : workload.backends) {
    if (backend.name == "serial") return &backend;
  }
  return nullptr;
}

// Compares two contestants that run the same replications, and reports the replications per second.
void compare(benchmark::State& state, const Workload& workload, const std::vector<Contestant>& contestants,
             std::int64_t replications, const Effort& effort) {
  const Comparison comparison(contestants, effort);
  report_rates(state, comparison, contestants, workload.unit, workload.work * static_cast<double>(replications));
  state.counters["replications"] = static_cast<double>(replications);
  state.counters["replications_per_s"] = static_cast<double>(replications) / comparison.time(0);
}

// Measures one point of a sweep. The bits must not depend on the mapping.
void sweep(benchmark::State& state, const Workload& workload, const Backend& backend, std::int64_t replications,
           const Sizes& sizes) {
  const auto digest = backend.simulate(replications, Mapping::thread).digest;
  if (backend.simulate(replications, Mapping::warp).digest != digest) {
    throw std::runtime_error(workload.model + " on " + backend.name + ": thread and warp give different bits");
  }
  const double first_automatic = backend.simulate(replications, Mapping::automatic).seconds;

  std::vector<Contestant> contestants = {on(backend, "automatic", replications, Mapping::automatic),
                                         on(backend, "thread", replications, Mapping::thread),
                                         on(backend, "warp", replications, Mapping::warp)};
  // Not beside a device, whose clocks would fall meanwhile.
  if (backend.on_host && replications <= sizes.max_by_hand) contestants.push_back(by_hand(workload, replications));
  const Comparison comparison(contestants, sizes.sweep_effort);
  state.SetIterationTime(comparison.time(0));
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    state.counters[contestants[i].name + "_s"] = comparison.time(i);
  }
  const std::size_t better = comparison.time(1) < comparison.time(2) ? 1 : 2;
  state.counters["automatic_over_better"] = comparison.ratio(0, better);
  state.counters["first_automatic_s"] = first_automatic;
  state.counters["replications"] = static_cast<double>(replications);
  state.counters["work"] = workload.work;
  state.counters["rounds"] = static_cast<double>(comparison.rounds());
  state.SetLabel(workload.unit);
}

}  // namespace

void register_hand_written(const Sizes& sizes) {
  for (const auto& workload : main_workloads()) {
    const Backend* serial = serial_of(*workload);
    if (!serial) continue;
    register_comparison("hand_written/" + workload->model + "/serial", benchmark::kMillisecond, [=](auto& state) {
      const std::int64_t replications = sizes.peer_replications * workload->scale;
      check("Sporos' " + workload->model, serial->simulate(replications, Mapping::automatic), workload->exact);
      check("the " + workload->model + " written by hand", workload->hand_written(replications), workload->exact);
      compare(state, *workload,
              {on(*serial, "serial", replications, Mapping::automatic), by_hand(*workload, replications)}, replications,
              sizes.effort);
    });
  }
}

void register_speedup(const Sizes& sizes) {
  for (const auto& workload : main_workloads()) {
    const Backend* serial = serial_of(*workload);
    for (const Backend& backend : workload->backends) {
      if (!serial || &backend == serial) continue;
      register_comparison("speedup/" + workload->model + "/" + backend.name, benchmark::kMillisecond,
                          [=, &backend](auto& state) {
                            const std::int64_t replications = sizes.speedup_replications * workload->scale;
                            check(workload->model, backend.simulate(replications, Mapping::automatic), workload->exact);
                            compare(state, *workload,
                                    {on(backend, backend.name, replications, Mapping::automatic),
                                     on(*serial, "serial", replications, Mapping::automatic)},
                                    replications, sizes.effort);
                          });
    }
  }
}

void register_sweep(const Sizes& sizes) {
  for (const auto& workload : {share(pi(sizes.pi_draws)), share(mm1(sizes.mm1_customers)),
                               share(mmck(sizes.mmck_customers)), share(random_walk(sizes.walk_steps))}) {
    for (const Backend& backend : workload->backends) {
      if (backend.on_host && !sizes.sweeps_host) continue;
      std::vector<std::int64_t> all = sizes.sweep_replications;
      if (!backend.on_host) all.insert(all.end(), sizes.device_replications.begin(), sizes.device_replications.end());
      for (const std::int64_t replications : all) {
        register_comparison("sweep/" + workload->model + "/" + backend.name + "/" + std::to_string(replications),
                            benchmark::kMillisecond,
                            [=, &backend](auto& state) { sweep(state, *workload, backend, replications, sizes); });
      }
    }
  }
}

}  // namespace sporos::bench
