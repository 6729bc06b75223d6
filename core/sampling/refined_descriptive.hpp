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

/// Refined descriptive sampling (Tari, Dahmani 2006; Aloui, Ourbih-Tari: The use of refined descriptive sampling and
/// applications in parallel Monte Carlo simulation, sections 2.4, 3 and 6): a run draws an input variable's uniforms
/// from subset after subset, each the p regular numbers (i − ½)/p, i = 1 … p, in random order, with p a prime that is
/// drawn without replacement from a range.
namespace sporos {

/// The regular number (i + ½)/p of i in {0 … p − 1}, correctly rounded; p < 2^31.
KOKKOS_FORCEINLINE_FUNCTION double regular_number(std::uint32_t i, std::uint32_t p) { return (i + 0.5) / p; }

/// values[j] is the regular number of place `place` + j in the order that `order` makes of its size, for j < count: on
/// a host many at a time, in vector code.
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

/// The regular numbers of one input variable in one run, a cursor that goes from subset to subset and stores none of
/// them: a draw's number is computed from its place. Trivially copyable, the same bits on every backend.
///
/// Subset q = 0, 1, … has the q-th prime of PrimeSequence(range, prime_key) for its size and is shuffled by a
/// KeyedPermutation whose key comes from (shuffle_key, q).
class RefinedSequence {
 public:
  RefinedSequence() = default;
  /// Stands at the first subset. `range` has passed check_prime_range; the keys are any 64-bit numbers.
  KOKKOS_FUNCTION RefinedSequence(const PrimeRange& range, std::uint64_t prime_key, std::uint64_t shuffle_key)
      : m_shuffle_key(shuffle_key), m_primes(range, prime_key), m_shuffle(next_shuffle()) {}

  /// Index of the first draw of the current subset.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t first() const { return m_first; }
  /// Draws of the current subset, a prime.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t size() const { return m_shuffle.size(); }

  /// Moves on to the subset that holds draw `draw` >= first().
  KOKKOS_FORCEINLINE_FUNCTION void seek(std::uint64_t draw) {
    while (draw - m_first >= m_shuffle.size()) next_subset();
  }

  /// The regular number of draw `draw` of the current subset: first() <= draw < first() + size().
  KOKKOS_FORCEINLINE_FUNCTION double at(std::uint64_t draw) const {
    return regular_number(m_shuffle(static_cast<std::uint32_t>(draw - m_first)), m_shuffle.size());
  }

  /// values[j] is the regular number of draw `draw` + j, for j < count; draw >= first(). Leaves the cursor at the
  /// subset of the last of them.
  ///
  /// What a host should call: vector code computes up to 64 draws of a subset at a time.
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

/// The regular numbers of one input variable in one run as Aloui, Ourbih-Tari, section 6.1 has them: a subset lies in
/// an array, and each draw interchanges its place with a random one from there on. Host only, the reference that tests
/// and benchmarks hold RefinedSequence against.
template <class UniformRandomBitGenerator>
class ArrayRefinedSequence {
 public:
  /// The sequence of `range`, which check_prime_range has passed, with the random integers of `generator`.
  ArrayRefinedSequence(const PrimeRange& range, UniformRandomBitGenerator generator)
      : m_generator(std::move(generator)), m_primes(odd_primes(range)), m_unused(m_primes.size()) {
    next_subset();
  }

  /// Draws of the current subset, a prime.
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

  // The primes not used yet are the first m_unused.
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
