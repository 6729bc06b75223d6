// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cases.hpp"

#include <sporos/core/random/engine.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/models/radiation/photon.hpp>
#include <sporos/models/radiation/photon_tallies.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <future>
#include <vector>

/// Traces photons as a host code without kernels does: in separate threads, each with a loop, a random number generator
/// and tallies. See Lee (2012), Hybrid parallel computing strategies for scientific computing applications, section
/// 4.5.3.2.
namespace sporos::bench {

/// Inputs of a photon that take the next number of one generator for every input variable. `next()` returns a uniform
/// in (0, 1), like that of BlockConsumer.
template <class Generator>
class SequentialInputs {
 public:
  explicit SequentialInputs(Generator& generator) : m_generator(generator) {}

  KOKKOS_FUNCTION double operator()(int) {
    ++m_draws;
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    return 0.5;  // never called on a device
#else
    return m_generator.next();
#endif
  }

  /// Number of draws so far.
  std::int64_t draws() const { return m_draws; }

 private:
  Generator& m_generator;
  std::int64_t m_draws = 0;
};

/// Computes one draw of 64 bits at a time, when it is needed, with an engine that has a state.
template <class E>
class InPlace {
 public:
  explicit InPlace(const Stream& stream) : m_engine(E::of_stream(stream)) {}
  double next() { return open_uniform(m_engine.next_draw()); }

 private:
  E m_engine;
};

/// Specialization for stateless engines, which compute a block of draws at a time.
template <CounterEngine E>
class InPlace<E> {
 public:
  explicit InPlace(const Stream& stream) : m_stream(stream) {}

  double next() {
    if (m_used == E::draws_per_block) {
      m_draws = E::block(m_stream, m_block++);
      m_used = 0;
    }
    return open_uniform(m_draws[m_used++]);
  }

 private:
  Stream m_stream;
  std::uint64_t m_block = 0;
  int m_used = E::draws_per_block;
  decltype(E::block(Stream{}, 0)) m_draws{};
};

/// RANLUX as in GSL's ranlxs2: a uniform takes one word k of 24 bits, here (k + ½) / 2^24.
template <class E>
class WordsInPlaceOf {
 public:
  explicit WordsInPlaceOf(const Stream& stream) : m_engine(E::of_stream(stream)) {}
  double next() { return (static_cast<double>(m_engine.next()) + 0.5) * 0x1p-24; }

 private:
  E m_engine;
};

using WordsInPlace = WordsInPlaceOf<Ranlux24_2>;

/// Returns pre-generated uniforms cyclically, so that the time is only that of the photons.
class ReadyNumbers {
 public:
  explicit ReadyNumbers(const Stream& stream) {
    InPlace<Philox4x32> philox(stream);
    for (double& number : m_numbers) number = philox.next();
  }
  double next() {
    if (m_next == m_numbers.size()) m_next = 0;
    return m_numbers[m_next++];
  }

 private:
  std::vector<double> m_numbers = std::vector<double>((1u << 16) - 15);  // 512 KiB; not a power of two
  std::size_t m_next = 0;
};

/// Tallies of the photons, and the number of random numbers that they took.
struct HostFlight {
  models::PhotonCounts counts;
  std::int64_t draws = 0;
};

/// Adds to the tallies of one thread.
class HostTally {
 public:
  explicit HostTally(std::int64_t* units) : m_units(units) {}
  KOKKOS_FUNCTION void start(int) {}
  KOKKOS_FUNCTION void add(int tally, std::int64_t units) { m_units[tally] += units; }

 private:
  std::int64_t* m_units;
};

/// Traces the photons `first` to `end` − 1 in this thread. Photon i belongs to batch i mod `batches`.
template <class Generator>
HostFlight follow(const models::Photon& photon, Generator& generator, const PartRange& photons, int batches) {
  models::PhotonCounts counts{batches, 1, photon.roulette_tally() + 1, {}};
  counts.units.assign(static_cast<std::size_t>(batches) * static_cast<std::size_t>(counts.tallies), 0);
  SequentialInputs<Generator> inputs(generator);
  for (std::int64_t i = photons.first; i < photons.end; ++i) {
    HostTally tally(counts.units.data() + i % batches * counts.tallies);
    photon(inputs, tally);
  }
  return {counts, inputs.draws()};
}

/// Divides the photons of a case evenly among `threads` threads. Thread t creates its generator with `generator_of(t)`.
/// An exception from a generator is rethrown after all threads have ended.
template <class GeneratorOf>
HostFlight follow_in_threads(const PhotonCase& of, std::int64_t photons, int threads, int batches,
                             const GeneratorOf& generator_of) {
  const models::MediumTables<Kokkos::HostSpace> tables(of.radiation, source_powers(of.radiation));
  const models::Photon photon{tables.medium(), of.rules};
  std::vector<std::future<HostFlight>> flights;
  for (int t = 0; t < threads; ++t) {
    const PartRange mine{photons * t / threads, photons * (t + 1) / threads};
    flights.push_back(std::async(std::launch::async, [&, t, mine] {
      auto generator = generator_of(t);
      return follow(photon, generator, mine, batches);
    }));
  }
  HostFlight all = flights.front().get();
  for (std::size_t t = 1; t < flights.size(); ++t) {
    const HostFlight flight = flights[t].get();
    for (std::size_t i = 0; i < all.counts.units.size(); ++i) all.counts.units[i] += flight.counts.units[i];
    all.draws += flight.draws;
  }
  return all;
}

}  // namespace sporos::bench
