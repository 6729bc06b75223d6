// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/sampling/keyed_permutation.hpp>
#include <sporos/core/sampling/primes.hpp>

#include <Kokkos_Core.hpp>

#include <boost/random/uniform_int_distribution.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/// Refined descriptive sampling (Tari and Dahmani 2006; Aloui and Ourbih-Tari (2011), The use of refined descriptive
/// sampling and applications in parallel Monte Carlo simulation, sections 2.4, 3 and 6). A run draws the uniforms of an
/// input variable from one subset after the other. Each subset holds the p regular numbers (i − ½)/p, i = 1 … p, in
/// random order. The prime p is drawn without replacement from a range.
namespace sporos {

/// The regular number (i + ½)/p for i in {0 … p − 1}, correctly rounded. Requires p < 2^31.
KOKKOS_FORCEINLINE_FUNCTION double regular_number(std::uint32_t i, std::uint32_t p) { return (i + 0.5) / p; }

/// Sets values[j] to the regular number at position `place` + j of the order `order`, for j < count. On a host, many
/// are computed at a time, in vector code.
KOKKOS_FORCEINLINE_FUNCTION void fill_regular_numbers(const KeyedPermutation& order, std::uint32_t place,
                                                      std::uint32_t count, double* values) {
  constexpr std::uint32_t most = impl::on_device() ? 1 : KeyedPermutation::block;
  std::uint32_t numbers[most];
  for (std::uint32_t begin = 0; begin < count; begin += most) {
    const std::uint32_t length = count - begin < most ? count - begin : most;
    order.fill(place + begin, length, numbers);
    for (std::uint32_t j = 0; j < length; ++j) values[begin + j] = regular_number(numbers[j], order.size());
  }
}

/// The regular numbers of one input variable in one run. This cursor moves from subset to subset and stores no numbers:
/// the number of a draw is computed from its position. Trivially copyable; it gives the same bits on every backend.
///
/// Subset q = 0, 1, … has the q-th prime of PrimeSequence(range, prime_key) as its size. It is shuffled by a
/// KeyedPermutation whose key comes from (shuffle_key, q).
class RefinedSequence {
 public:
  RefinedSequence() = default;
  /// A cursor at the first subset. `range` has passed check_prime_range; the keys are any 64-bit numbers.
  KOKKOS_FUNCTION RefinedSequence(const PrimeRange& range, std::uint64_t prime_key, std::uint64_t shuffle_key)
      : m_shuffle_key(shuffle_key), m_primes(range, prime_key), m_shuffle(next_shuffle()) {}

  /// Index of the first draw of the current subset.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t first() const { return m_first; }
  /// Number of draws in the current subset, a prime.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t size() const { return m_shuffle.size(); }

  /// Moves on to the subset that holds draw `draw` >= first().
  KOKKOS_FORCEINLINE_FUNCTION void seek(std::uint64_t draw) {
    while (draw - m_first >= m_shuffle.size()) next_subset();
  }

  /// The regular number of draw `draw` of the current subset: first() <= draw < first() + size().
  KOKKOS_FORCEINLINE_FUNCTION double at(std::uint64_t draw) const {
    return regular_number(m_shuffle(static_cast<std::uint32_t>(draw - m_first)), m_shuffle.size());
  }

  /// Sets values[j] to the regular number of draw `draw` + j for j < count. Requires draw >= first(). Leaves the cursor
  /// at the subset of the last draw.
  ///
  /// Prefer this function on a host: vector code computes up to 64 draws of a subset at a time.
  KOKKOS_INLINE_FUNCTION void fill(std::uint64_t draw, std::uint32_t count, double* values) {
    while (count > 0) {
      seek(draw);
      const auto place = static_cast<std::uint32_t>(draw - m_first);
      std::uint32_t length = m_shuffle.size() - place;
      if (length > count) length = count;
      fill_regular_numbers(m_shuffle, place, length, values);
      draw += length;
      values += length;
      count -= length;
    }
  }

 private:
  KOKKOS_FUNCTION KeyedPermutation next_shuffle() {
    m_shuffle_key += 0x9e3779b97f4a7c15u;
    return {m_primes.next(), mix_bits(m_shuffle_key)};
  }

  KOKKOS_FUNCTION void next_subset() {
    m_first += m_shuffle.size();
    m_shuffle = next_shuffle();
  }

  std::uint64_t m_first = 0;
  std::uint64_t m_shuffle_key = 0;
  PrimeSequence m_primes;
  KeyedPermutation m_shuffle;
};

/// The regular numbers of one input variable in one run, by the algorithm of Aloui and Ourbih-Tari (2011), section 6.1:
/// a subset is stored in an array, and each draw swaps its element with a random one at or after it. Host only; tests
/// and benchmarks use it as the reference for RefinedSequence.
template <class UniformRandomBitGenerator>
class ArrayRefinedSequence {
 public:
  /// The sequence of `range` with random integers from `generator`. `range` has passed check_prime_range.
  ArrayRefinedSequence(const PrimeRange& range, UniformRandomBitGenerator generator)
      : m_generator(std::move(generator)), m_primes(odd_primes(range)), m_unused(m_primes.size()) {
    next_subset();
  }

  /// Number of draws in the current subset, a prime.
  std::uint32_t size() const { return static_cast<std::uint32_t>(m_numbers.size()); }

  /// The next regular number.
  double next() {
    if (m_place == m_numbers.size()) next_subset();
    std::swap(m_numbers[m_place], m_numbers[uniform_integer(m_place, m_numbers.size() - 1)]);
    return m_numbers[m_place++];
  }

 private:
  std::size_t uniform_integer(std::size_t low, std::size_t high) {
    return boost::random::uniform_int_distribution<std::size_t>(low, high)(m_generator);
  }

  // The first m_unused primes are those that have not been used yet.
  void next_subset() {
    if (m_unused == 0) m_unused = m_primes.size();
    std::swap(m_primes[uniform_integer(0, m_unused - 1)], m_primes[m_unused - 1]);
    const std::uint32_t p = m_primes[--m_unused];
    m_numbers.resize(p);
    for (std::uint32_t i = 0; i < p; ++i) m_numbers[i] = regular_number(i, p);
    m_place = 0;
  }

  UniformRandomBitGenerator m_generator;
  std::vector<std::uint32_t> m_primes;
  std::size_t m_unused;
  std::vector<double> m_numbers;
  std::size_t m_place = 0;
};

}  // namespace sporos
