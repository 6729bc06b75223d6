// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/replication/replicate.hpp>
#include <sporos/models/radiation/photon.hpp>
#include <sporos/models/radiation/photon_tallies.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::models {

/// Which photons are followed, and with which random numbers.
struct PhotonPlan {
  std::int64_t photons = 1'000'000;    ///< from photon 0 on
  std::uint64_t seed = 1;              ///< names the random numbers, with the engine
  Engine engine = Engine::philox4x32;  ///< where the bits come from
  PhotonRules rules = {};              ///< how photons are followed
  int batches = 32;                    ///< photons are dealt out to, for statistical errors
};

/// Throws std::invalid_argument, naming member, value and what was expected, where a plan cannot be carried out.
inline void check_photon_plan(const PhotonPlan& plan) {
  sporos::impl::check_parameter(plan.batches >= 2 && plan.batches <= 65536, "number of batches", plan.batches,
                                "a number from 2 to 65536");
  const std::int64_t most = most_photons_of_batch * plan.batches;
  if (plan.photons < plan.batches || plan.photons > most) {
    sporos::impl::refuse_parameter(
        "number of photons", std::to_string(plan.photons),
        "at least one for each of " + std::to_string(plan.batches) + " batches, and at most " + std::to_string(most));
  }
  sporos::impl::check_parameter(plan.rules.points >= 1 && plan.rules.points <= 1'000'000, "number of points",
                                plan.rules.points, "a number from 1 to 1000000");
}

namespace impl {

/// Follows one photon.
template <class Source, class ExecutionSpace>
struct PhotonTracer {
  using Inputs = typename Source::template InputsOn<ExecutionSpace, Mapping::thread, Photon::input_count>;
  using Tallies = typename PhotonTallies<ExecutionSpace>::View;

  Photon photon;
  sporos::impl::DeviceSource source;
  std::uint64_t seed;
  ReplicationRange range;
  Tallies tallies;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const auto replication = static_cast<std::uint64_t>(range.first + i);
    Inputs inputs(source, seed, replication, photon.input_draws());
    BatchTally<ExecutionSpace> tally(tallies, replication);
    photon(inputs, tally);
  }
};

template <class Source, class ExecutionSpace>
void launch_photons(const ExecutionSpace& space, const PhotonTracer<Source, ExecutionSpace>& tracer) {
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>,
                                     Kokkos::LaunchBounds<128, 6>>;
  Policy policy(space, 0, tracer.range.count);
  if constexpr (runs_on_host<ExecutionSpace>) {
    const std::int64_t even = tracer.range.count / (64 * space.concurrency());
    policy.set_chunk_size(static_cast<int>(std::clamp<std::int64_t>(even, 1, 1024)));
  }
  Kokkos::parallel_for("sporos::radiation::trace", policy, tracer);
}

}  // namespace impl

/// Follows the photons of `range` on `space` and adds what they leave to `tallies`, which are those of the case that
/// `photon` is of. Asynchronous. What a photon adds depends on (case, rules, seed, engine, its index) alone, and whole
/// numbers add up to the same in any order: the same tallies on every backend, with any number of threads, and however
/// photons are divided among launches and processes.
template <class ExecutionSpace>
void trace(const ExecutionSpace& space, const Photon& photon, const PreparedSource<ExecutionSpace>& source,
           std::uint64_t seed, const ReplicationRange& range, const PhotonTallies<ExecutionSpace>& tallies) {
  if (source.source().is_default()) {
    impl::launch_photons<DefaultSource, ExecutionSpace>(space,
                                                        {photon, source.on_device(), seed, range, tallies.units()});
  } else {
    impl::launch_photons<ChosenSource, ExecutionSpace>(space,
                                                       {photon, source.on_device(), seed, range, tallies.units()});
  }
}

/// The counts of all photons of a checked `plan` in a checked case, whose sources send out photons in proportion to
/// `source_weights`; by source, or all together. Each process follows its share. Waits. Collective.
///
/// Throws OutOfMemory where the tallies would not fit, std::invalid_argument where no source has a weight.
template <class ExecutionSpace>
PhotonCounts traced(const ExecutionSpace& space, const RadiationCase& radiation,
                    const std::vector<double>& source_weights, const PhotonPlan& plan, bool by_source = false,
                    Processes& processes = alone) {
  const MediumTables<typename ExecutionSpace::memory_space> tables(radiation, source_weights);
  const PhotonTallies<ExecutionSpace> tallies(radiation.elements(), plan.batches, by_source);
  UniformSource uniforms;
  uniforms.engine = plan.engine;
  const PreparedSource<ExecutionSpace> source(uniforms);
  const PartRange mine = parts_of_process(processes, processes.rank(), plan.photons);
  trace(space, Photon{tables.medium(), plan.rules}, source, plan.seed, {mine.first, mine.count()}, tallies);
  space.fence();
  return tallies.counts(processes);
}

}  // namespace sporos::models
