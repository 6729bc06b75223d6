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

// Photons need 94 registers where they are followed by the usual rules, more elsewhere.
template <>
inline constexpr unsigned impl::blocks_at_once<models::Photon> = 5;

}  // namespace sporos

namespace sporos::models {

namespace impl {

/// Follows the photon of a replication. That the rules are the usual ones is known to the compiler where
/// `by_usual_rules`: it then needs fewer registers.
template <class ExecutionSpace, bool by_usual_rules = false>
struct PhotonTracer {
  using Tally = BatchTally<ExecutionSpace>;

  /// A photon between two steps.
  struct State {
    PhotonState photon;
    std::int64_t* place;  // of its tallies
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

  /// A way is a step, and a scattering is one of the other kind.
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
    if constexpr (by_usual_rules) return {};
    return photon.rules;
  }
};

}  // namespace impl

/// Follows the photons of `range` on `space` and adds what they leave to `tallies`, which are those of the case that
/// `photon` is of. Asynchronous. What a photon adds depends on (case, rules, seed, engine, its index) alone, and whole
/// numbers add up to the same in any order: the same tallies on every backend, with any number of threads, and however
/// photons are divided among launches and processes. Launches that add to the same tallies follow one another on one
/// instance.
template <class ExecutionSpace>
void trace(const ExecutionSpace& space, const Photon& photon, const PreparedSource<ExecutionSpace>& source,
           std::uint64_t seed, const ReplicationRange& range, const PhotonTallies<ExecutionSpace>& tallies) {
  const char* const label = "sporos::radiation::trace";
  if constexpr (!runs_on_host<ExecutionSpace>) {
    if (source.source().is_default() && photon.rules.are_usual()) {
      return for_each_replication_in_steps_with<DefaultSource>(
          label, space, photon, seed, source, range, tallies.queue(),
          impl::PhotonTracer<ExecutionSpace, true>{tallies.units()});
    }
  }
  for_each_replication_in_steps(label, space, photon, seed, source, range, tallies.queue(),
                                impl::PhotonTracer<ExecutionSpace>{tallies.units()});
}

/// The counts of all photons of a checked `plan` in a checked case, whose sources send out photons in proportion to
/// `source_weights`; by source, or all together. Each process follows its share of each piece. Where the watcher of
/// `run` ends it, they are those of the first photons. Waits. Collective.
///
/// Throws OutOfMemory where the tallies would not fit, std::invalid_argument where no source has a weight, or the
/// counts to start from are of another shape than those of this plan.
template <class ExecutionSpace>
PhotonCounts traced(const ExecutionSpace& space, const RadiationCase& radiation,
                    const std::vector<double>& source_weights, const PhotonPlan& plan, bool by_source = false,
                    Processes& processes = alone, const PhotonRun& run = {});

namespace impl {

/// Throws std::invalid_argument where `counts` are not of the shape of `tallies`.
template <class ExecutionSpace>
void check_shape(const PhotonCounts& counts, const PhotonTallies<ExecutionSpace>& tallies) {
  const auto& units = tallies.units();
  const std::size_t size = units.extent(0) * units.extent(1) * static_cast<std::size_t>(tallies.tallies());
  if (counts.batches == units.extent_int(0) && counts.rows == units.extent_int(1) &&
      counts.tallies == tallies.tallies() && counts.units.size() == size) {
    return;
  }
  sporos::impl::refuse_parameter("number of photons' counts to start from", std::to_string(counts.units.size()),
                                 "one for each batch, source and tally, " + std::to_string(size));
}

/// Calls `follow(first, count)` with the pieces of the photons from `first` on: ever more of them, until that takes a
/// tenth of a second. Collective.
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
