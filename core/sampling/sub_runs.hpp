// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/sampling/primes.hpp>
#include <sporos/core/sampling/sample_key.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// The sub-runs of one run of several replications under refined descriptive sampling, one after the other: each has as
/// many replications as its prime, the last one of a run what is left of them.
class SubRuns {
 public:
  SubRuns() = default;

  /// At the first sub-run of run `run`.
  KOKKOS_INLINE_FUNCTION SubRuns(const PrimeRange& range, std::uint64_t seed, std::uint64_t run)
      : m_primes(range, impl::sample_key(seed, run, impl::KeyPurpose::sub_runs, {0})) {
    m_size = m_primes.next();
  }

  /// Goes on to the sub-run that holds replication `place` of the run.
  KOKKOS_INLINE_FUNCTION void seek(std::uint64_t place) {
    while (place >= m_first + m_size) {
      m_first += m_size;
      m_size = m_primes.next();
      ++m_index;
    }
  }

  /// Number of sub-runs before this one.
  KOKKOS_FUNCTION std::uint64_t index() const { return m_index; }
  /// The place in the run of its first replication.
  KOKKOS_FUNCTION std::uint64_t first() const { return m_first; }
  /// Its prime.
  KOKKOS_FUNCTION std::uint32_t size() const { return m_size; }

 private:
  PrimeSequence m_primes;
  std::uint64_t m_index = 0, m_first = 0;
  std::uint32_t m_size = 1;
};

}  // namespace sporos
