// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/instantiate.hpp>
#include <sporos/core/replication/for_each_replication_in_steps.hpp>
#include <sporos/core/sampling/prepared_source.hpp>
#include <sporos/models/radiation/photon.hpp>
#include <sporos/models/radiation/photon_plan.hpp>
#include <sporos/models/radiation/photon_tallies.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace sporos {

// Photons need 94 registers with the default rules, and more otherwise.
template <>
inline constexpr unsigned impl::blocks_at_once<models::Photon> = 5;

}  // namespace sporos

namespace sporos::models {

namespace impl {

/// Traces the photon of a replication. With `by_default_rules`, the compiler can assume the default rules and needs
/// fewer registers.
template <class ExecutionSpace, bool by_default_rules = false>
struct PhotonTracer {
  using Tally = BatchTally<ExecutionSpace>;

  /// State of a photon between two steps.
  struct State {
    PhotonState photon;
    std::int64_t* place;  // start of its row of tallies
  };

  typename Tally::View tallies;

  template <class Inputs>
  KOKKOS_FUNCTION void operator()(const Photon& photon, Inputs& inputs, const Replication& replication) const {
    Tally tally(tallies, static_cast<std::uint64_t>(replication.index));
    photon(inputs, tally);
  }

  template <class Inputs>
  KOKKOS_FORCEINLINE_FUNCTION void begin(const Photon& photon, Inputs& inputs, const Replication& replication,
                                         State& state) const {
    Tally tally(tallies, static_cast<std::uint64_t>(replication.index));
    const PhotonRules rules = rules_of(photon);
    PhotonFlight<Inputs, Tally> flight{photon.medium, rules, inputs, tally, {}};
    flight.begin();
    state = {flight.photon, tally.place()};
  }

  KOKKOS_FORCEINLINE_FUNCTION bool goes_on(const State& state) const { return state.photon.lives(); }

  /// Moves are steps of one kind, scatterings are steps of the other.
  KOKKOS_FORCEINLINE_FUNCTION bool is_other_step(const State& state) const { return state.photon.is_at_scattering(); }

  template <class Inputs>
  KOKKOS_FORCEINLINE_FUNCTION void advance(const Photon& photon, Inputs& inputs, State& state) const {
    Tally tally(tallies, state.place);
    const PhotonRules rules = rules_of(photon);
    PhotonFlight<Inputs, Tally> flight{photon.medium, rules, inputs, tally, state.photon};
    if (flight.photon.is_at_scattering()) {
      flight.scatter();
    } else {
      flight.move();
    }
    state.photon = flight.photon;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static PhotonRules rules_of(const Photon& photon) {
    if constexpr (by_default_rules) return {};
    return photon.rules;
  }
};

}  // namespace impl

/// Traces the photons of `range` on `space` and adds their energy to `tallies`, which must be those of the case of
/// `photon`. Asynchronous. Launches that add to the same tallies run one after another on one instance.
///
/// The contribution of a photon depends only on (case, rules, seed, engine, its index), and sums of integers do not
/// depend on the order. The tallies are therefore the same on every backend, with any number of threads, and for any
/// division of photons among launches and processes.
template <class ExecutionSpace>
void trace(const ExecutionSpace& space, const Photon& photon, const PreparedSource<ExecutionSpace>& source,
           std::uint64_t seed, const ReplicationRange& range, const PhotonTallies<ExecutionSpace>& tallies) {
  const char* const label = "sporos::radiation::trace";
  if constexpr (!runs_on_host<ExecutionSpace>) {
    if (source.source().is_default() && photon.rules.are_default()) {
      return for_each_replication_in_steps_with<DefaultSource>(
          label, space, photon, seed, source, range, tallies.queue(),
          impl::PhotonTracer<ExecutionSpace, true>{tallies.units()});
    }
  }
  for_each_replication_in_steps(label, space, photon, seed, source, range, tallies.queue(),
                                impl::PhotonTracer<ExecutionSpace>{tallies.units()});
}

/// Traces all photons of a checked `plan` in a checked case and returns their counts, by source or for all sources
/// together. Sources emit photons in proportion to `source_weights`. Each process traces its part of each chunk. If the
/// watcher of `run` ends the trace early, the counts are those of the first photons. This collective call blocks.
///
/// Throws OutOfMemory if the tallies do not fit, and std::invalid_argument if no source has a weight or if the initial
/// counts do not have the shape of this plan's.
template <class ExecutionSpace>
PhotonCounts traced(const ExecutionSpace& space, const RadiationCase& radiation,
                    const std::vector<double>& source_weights, const PhotonPlan& plan, bool by_source = false,
                    Processes& processes = single_process, const PhotonRun& run = {});

namespace impl {

/// Throws std::invalid_argument if `counts` do not have the shape of `tallies`.
template <class ExecutionSpace>
void check_shape(const PhotonCounts& counts, const PhotonTallies<ExecutionSpace>& tallies) {
  const auto& units = tallies.units();
  const std::size_t size = units.extent(0) * units.extent(1) * static_cast<std::size_t>(tallies.tallies());
  if (counts.batches == units.extent_int(0) && counts.rows == units.extent_int(1) &&
      counts.tallies == tallies.tallies() && counts.units.size() == size) {
    return;
  }
  sporos::impl::refuse_parameter("number of photon counts of the start", std::to_string(counts.units.size()),
                                 "one for each batch, source and tally, " + std::to_string(size));
}

/// Calls `follow(first, count)` for consecutive chunks of the photons starting at `first`. The chunks grow until one
/// takes a tenth of a second. Collective.
template <class Follow>
void follow_in_pieces(std::int64_t first, std::int64_t photons, const PhotonWatcher& watcher, Processes& processes,
                      const Follow& follow) {
  using Clock = std::chrono::steady_clock;
  constexpr std::int64_t first_piece = 1 << 14;
  constexpr double long_enough = 0.1, is_ended = std::numeric_limits<double>::infinity();
  const auto start = Clock::now();
  double before = 0;
  for (std::int64_t piece = watcher ? first_piece : photons; first < photons;) {
    const std::int64_t count = std::min(piece, photons - first);
    follow(first, count);
    first += count;
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const bool goes_on = !watcher || watcher({first, photons, seconds});
    const double longest = greatest(processes, goes_on ? seconds - before : is_ended);
    if (longest == is_ended) return;
    if (longest < long_enough) piece *= 2;
    if (longest > 2 * long_enough) piece = std::max<std::int64_t>(piece / 2, 1);
    before = seconds;
  }
}

}  // namespace impl

template <class ExecutionSpace>
PhotonCounts traced(const ExecutionSpace& space, const RadiationCase& radiation,
                    const std::vector<double>& source_weights, const PhotonPlan& plan, bool by_source,
                    Processes& processes, const PhotonRun& run) {
  const MediumTables<typename ExecutionSpace::memory_space> tables(radiation, source_weights);
  const PhotonTallies<ExecutionSpace> tallies(space, radiation.elements(), plan.batches, by_source);
  const bool goes_on = !run.start.units.empty();
  if (goes_on) impl::check_shape(run.start, tallies);
  if (goes_on && processes.rank() == 0) tallies.set(run.start);
  UniformSource uniforms;
  uniforms.engine = plan.engine;
  const PreparedSource<ExecutionSpace> source(uniforms);
  const Photon photon{tables.medium(), plan.rules};
  const auto follow = [&](std::int64_t first, std::int64_t count) {
    const PartRange mine = parts_of_process(processes, processes.rank(), count);
    trace(space, photon, source, plan.seed, {first + mine.first, mine.count()}, tallies);
    space.fence();
  };
  impl::follow_in_pieces(run.start.photons(), plan.photons, run.watcher, processes, follow);
  return tallies.counts(processes);
}

#define SPOROS_TRACED_ON(ExecutionSpace)                                                                          \
  PhotonCounts traced(const ExecutionSpace&, const RadiationCase&, const std::vector<double>&, const PhotonPlan&, \
                      bool, Processes&, const PhotonRun&)
SPOROS_INSTANTIATE(SPOROS_TRACED_ON)

}  // namespace sporos::models
