// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/sampling/primes.hpp>
#include <sporos/core/sampling/sample_key.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// A sequence of sub-runs that uses each prime of a range once.
struct PrimeCycle {
  std::uint64_t sub_runs = 0;      ///< number of primes in the range
  std::uint64_t replications = 0;  ///< sum of the primes; 0 if unknown
};

/// The cycle of `range`. Host only. Unknown if the cycle would not fit into a run.
inline PrimeCycle prime_cycle(const PrimeRange& range) {
  constexpr std::uint32_t largest = 1u << 20;  // the sum of the primes below it is larger than any run
  PrimeCycle cycle;
  if (range.largest > largest) return cycle;
  for (const std::uint32_t prime : odd_primes(range)) {
    ++cycle.sub_runs;
    cycle.replications += prime;
  }
  return cycle;
}

/// Iterates over the sub-runs of one run of several replications under refined descriptive sampling. Each sub-run has
/// as many replications as its prime; the last one has the remaining replications of the run.
class SubRuns {
 public:
  SubRuns() = default;

  /// Starts at the first sub-run of run `run`. If the cycle of the range is given, starts at a sub-run shortly before
  /// replication `place`.
  KOKKOS_INLINE_FUNCTION SubRuns(const PrimeRange& range, std::uint64_t seed, std::uint64_t run,
                                 const PrimeCycle& cycle = {}, std::uint64_t place = 0) {
    const std::uint64_t cycles = cycle.replications > 0 ? place / cycle.replications : 0;
    m_primes = PrimeSequence(range, impl::sample_key(seed, run, impl::KeyPurpose::sub_runs, {0}), cycles);
    m_index = cycles * cycle.sub_runs;
    m_first = cycles * cycle.replications;
    m_size = m_primes.next();
  }

  /// Advances to the sub-run that holds replication `place` of the run.
  KOKKOS_INLINE_FUNCTION void seek(std::uint64_t place) {
    while (place >= m_first + m_size) {
      m_first += m_size;
      m_size = m_primes.next();
      ++m_index;
    }
  }

  /// Number of sub-runs before the current one.
  KOKKOS_FUNCTION std::uint64_t index() const { return m_index; }
  /// Place in the run of the first replication of the current sub-run.
  KOKKOS_FUNCTION std::uint64_t first() const { return m_first; }
  /// Size of the current sub-run, a prime.
  KOKKOS_FUNCTION std::uint32_t size() const { return m_size; }

 private:
  PrimeSequence m_primes;
  std::uint64_t m_index = 0, m_first = 0;
  std::uint32_t m_size = 1;
};

}  // namespace sporos
