// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cases.hpp"

#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/models/radiation/trace.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace sporos::bench {

/// Counts of the photons' steps and crossings, and their tallies. A step is a path through an element, or the part of
/// it up to a scattering event or to the longest path that is sampled at once. A crossing is a step that ends at a face
/// to a neighbour or a plate.
struct FlightCounts {
  std::int64_t steps = 0, crossings = 0;
  models::PhotonCounts left;
};

/// Traces photons as models::trace does, and counts steps and crossings.
template <class ExecutionSpace>
struct FlightCounter {
  using Counts = Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>;

  typename models::PhotonTallies<ExecutionSpace>::View tallies;
  Counts counts;  // steps, crossings

  template <class Inputs>
  KOKKOS_FUNCTION void operator()(const models::Photon& photon, Inputs& inputs, const Replication& replication) const {
    using Tally = models::impl::BatchTally<ExecutionSpace>;
    Tally tally(tallies, static_cast<std::uint64_t>(replication.index));
    models::impl::PhotonFlight<Inputs, Tally> flight{photon.medium, photon.rules, inputs, tally, {}};
    flight.begin();
    std::int64_t steps = 0, crossings = 0;
    while (flight.photon.lives()) {
      if (flight.next_step().axis < 3) ++crossings;
      ++steps;
      flight.advance();
    }
    Kokkos::atomic_add(&counts(0), steps);
    Kokkos::atomic_add(&counts(1), crossings);
  }
};

/// Photons of a case on a backend, starting from photon 0, with seed 1. Each batch has separate tallies.
template <class ExecutionSpace>
class Flights {
 public:
  Flights(const PhotonCase& of, std::int64_t photons)
      : m_tables(of.radiation, source_powers(of.radiation)),
        m_tallies(m_space, of.radiation.elements(), batches),
        m_photon{m_tables.medium(), of.rules},
        m_photons(photons) {}

  /// Traces the photons and waits.
  void run() const {
    trace(m_space, m_photon, m_source, seed, {0, m_photons}, m_tallies);
    m_space.fence();
  }

  /// Traces the photons and counts. Throws std::runtime_error if the tallies differ from those of models::trace.
  FlightCounts counted(const PhotonCase& of) const {
    using Space = ExecutionSpace;
    const models::PhotonTallies<Space> own(m_space, of.radiation.elements(), batches),
        traced(m_space, of.radiation.elements(), batches);
    const typename FlightCounter<Space>::Counts counts("sporos::bench::flights", 2);
    for_each_replication_with<DefaultSource>("sporos::bench::count_flights", m_space,
                                             Design<models::Photon, Space>(m_photon, seed), m_source, {0, m_photons},
                                             by_threads, FlightCounter<Space>{own.units(), counts});
    trace(m_space, m_photon, m_source, seed, {0, m_photons}, traced);
    Kokkos::fence();
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
    const FlightCounts found{host(0), host(1), own.counts()};
    if (found.left.units != traced.counts().units) throw std::runtime_error("counted photons fly elsewhere");
    return found;
  }

  /// Tallies accumulated over all calls of `run`.
  models::PhotonCounts left() const { return m_tallies.counts(); }

  static constexpr std::uint64_t seed = 1;  ///< seed of all photons
  static constexpr int batches = 32;        ///< the default of a plan

 private:
  ExecutionSpace m_space;
  PreparedSource<ExecutionSpace> m_source;
  models::MediumTables<typename ExecutionSpace::memory_space> m_tables;
  models::PhotonTallies<ExecutionSpace> m_tallies;
  models::Photon m_photon;
  std::int64_t m_photons;
};

/// Number of double-precision operations for `steps` steps of photons of a case, as written in the code, which does not
/// fuse them. The path to each pair of faces takes 13 (a division counts as 8), an exponential 46, and absorption,
/// position and branches 20. Each sampled point takes an exponential and three more.
inline double double_operations(const PhotonCase& of, std::int64_t steps) {
  const int axes = 1 + static_cast<int>(std::count_if(of.radiation.columns.begin(), of.radiation.columns.end(),
                                                      [](int columns) { return columns > 1; }));
  constexpr double of_axis = 13, of_exponential = 46, of_rest = 20;
  const bool is_sampled = of.rules.paths == models::PathTreatment::sampled;
  const double of_share = is_sampled ? of.rules.points * (of_exponential + 3) : of_exponential;
  return static_cast<double>(steps) * (axes * of_axis + of_share + of_rest);
}

}  // namespace sporos::bench
