// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/stream.hpp>
#include <sporos/core/sampling/keyed_permutation.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace sporos {

/// Whether x is prime, by division by the odd numbers up to √x (Aloui and Ourbih-Tari (2011), The use of refined
/// descriptive sampling and applications in parallel Monte Carlo simulation, section 6.3). 1 is not prime, although the
/// test for odd numbers of section 6.4 accepts it.
KOKKOS_INLINE_FUNCTION bool is_prime(std::uint32_t x) {
  if (x < 3 || x % 2 == 0) return x == 2;
  for (std::uint32_t divisor = 3; std::uint64_t{divisor} * divisor <= x; divisor += 2) {
    if (x % divisor == 0) return false;
  }
  return true;
}

/// The odd primes from `smallest` to `largest`, both included. The default range covers all candidates 2y + 1,
/// y < 2^15, of Aloui and Ourbih-Tari (2011), section 6.4.
struct PrimeRange {
  std::uint32_t smallest = 3;     ///< lower bound, inclusive
  std::uint32_t largest = 65535;  ///< upper bound, inclusive; less than 2^31
};

namespace impl {

/// The smallest odd number of the range that may be prime.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t first_candidate(const PrimeRange& range) {
  return range.smallest < 3 ? 3 : range.smallest | 1;
}

}  // namespace impl

/// Throws std::invalid_argument, "<name> is 8 to 10, expected …", unless `range` contains an odd prime and ends below
/// 2^31.
void check_prime_range(std::string_view name, const PrimeRange& range);

/// The odd primes of `range` in increasing order, by the sieve of Eratosthenes. Host only; uses largest / 16 bytes.
std::vector<std::uint32_t> odd_primes(const PrimeRange& range);

/// An endless sequence of the primes of a range: all of them once in random order, then all of them in another random
/// order, and so on. It stores only its position. It visits the odd numbers of the range in the order of a keyed
/// permutation and returns those that trial division finds prime.
class PrimeSequence {
 public:
  PrimeSequence() = default;
  /// The sequence of `range` for `key`, any 64-bit number, after `cycles` complete passes over the primes.
  /// Precondition: `range` has passed check_prime_range.
  KOKKOS_FUNCTION PrimeSequence(const PrimeRange& range, std::uint64_t key, std::uint64_t cycles = 0)
      : m_key(key + cycles * 0x9e3779b97f4a7c15u),
        m_first(impl::first_candidate(range)),
        m_order((range.largest - m_first) / 2 + 1, mix_bits(m_key)) {}

  /// The next prime.
  KOKKOS_INLINE_FUNCTION std::uint32_t next() {
    std::uint32_t candidate;
    do candidate = next_candidate();
    while (!is_prime(candidate));
    return candidate;
  }

 private:
  KOKKOS_INLINE_FUNCTION std::uint32_t next_candidate() {
    if (m_place == m_order.size()) {
      m_place = 0;
      m_key += 0x9e3779b97f4a7c15u;
      m_order = KeyedPermutation(m_order.size(), mix_bits(m_key));
    }
    return m_first + 2 * m_order(m_place++);
  }

  std::uint64_t m_key = 0;
  std::uint32_t m_first = 3;
  std::uint32_t m_place = 0;
  KeyedPermutation m_order;
};

}  // namespace sporos
