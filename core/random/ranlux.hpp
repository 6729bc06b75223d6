// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/stream.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// Subtract-with-carry recurrence (Marsaglia and Zaman 1991, A new class of random number generators, Ann. Appl.
/// Probab. 1): x(n) = x(n - short_lag) - x(n - long_lag) - carry modulo 2^width. Results are bitwise identical to those
/// of Boost.Random's `subtract_with_carry_engine`. `Word` must have more bits than `width`.
template <class Word, int width, int short_lag, int long_lag>
class SubtractWithCarry {
 public:
  using WordType = Word;                     ///< type of a word
  static constexpr int bits = width;         ///< number of bits of a word
  static constexpr int state = long_lag;     ///< number of words of state
  using State = Kokkos::Array<Word, state>;  ///< the words of state, oldest first

  SubtractWithCarry() = default;

  /// Starts from words of state, of which only the lower `width` bits count. The carry is set if the last word is zero,
  /// as in Boost.Random. So the generator never starts in one of the two states that repeat forever (zeros without
  /// carry, ones with carry).
  KOKKOS_INLINE_FUNCTION explicit SubtractWithCarry(const State& words) {
    for (int i = 0; i < long_lag; ++i) m_words[i] = words[i] & mask;
    m_carry = m_words[long_lag - 1] == 0 ? 1 : 0;
    m_oldest = 0;
  }

  /// The next `width` bits.
  KOKKOS_INLINE_FUNCTION Word next() {
    const int n = m_oldest;
    step(n, n < short_lag ? n + long_lag - short_lag : n - short_lag, m_carry);
    m_oldest = n + 1 == long_lag ? 0 : n + 1;
    return m_words[n];
  }

  /// Skips `count` words.
  ///
  /// The words form a ring, in which each new word replaces the oldest. A sequence of steps in which neither index
  /// wraps is one loop. The carry limits its speed to a subtraction and a shift per step.
  KOKKOS_INLINE_FUNCTION void discard(int count) {
    Word carry = m_carry;
    int n = m_oldest;
    while (count > 0) {
      const bool wrapped = n >= short_lag;
      const int end = wrapped ? long_lag : short_lag;
      const int steps = count < end - n ? count : end - n;
      const int recent = wrapped ? -short_lag : long_lag - short_lag;
      for (int i = n; i < n + steps; ++i) step(i, i + recent, carry);
      count -= steps;
      n = n + steps == long_lag ? 0 : n + steps;
    }
    m_carry = carry;
    m_oldest = n;
  }

 private:
  static constexpr Word mask = (Word{1} << width) - 1;

  // Replaces the oldest word by the next one.
  KOKKOS_FORCEINLINE_FUNCTION void step(int oldest, int recent, Word& carry) {
    const Word difference = m_words[recent] - m_words[oldest] - carry;
    carry = difference >> (8 * sizeof(Word) - 1);
    m_words[oldest] = difference & mask;
  }

  Word m_words[long_lag];
  Word m_carry;
  int m_oldest;
};

/// Subtract with carry, 24 bits: m = 2^576 - 2^240 + 1, period (m - 1)/48, about 2^570.
using SubtractWithCarry24 = SubtractWithCarry<std::uint32_t, 24, 10, 24>;
/// Subtract with carry, 48 bits: m = 2^576 - 2^240 + 1, period (m - 1)/96, about 2^569.
using SubtractWithCarry48 = SubtractWithCarry<std::uint64_t, 48, 5, 12>;

/// Lüscher's RANLUX (Lüscher 1994, A portable high-quality random number generator for lattice field theory
/// simulations, Comput. Phys. Commun. 79). Of every `block` words of the recurrence `Base`, the first `kept` are used
/// and the others are discarded. The more words are discarded, the less correlation of the recurrence remains. Results
/// are bitwise identical to those of Boost.Random's `discard_block_engine`.
template <class Base, int block, int kept>
class Ranlux {
  static_assert(0 < kept && kept <= block);

 public:
  Ranlux() = default;

  /// Starts from the words of state of its recurrence.
  KOKKOS_INLINE_FUNCTION explicit Ranlux(const typename Base::State& words) : m_base(words), m_used(0) {}

  /// Returns the generator of a stream by random spacing (Passerat-Palmbach et al. 2011, Warp-level parallelism:
  /// enabling multiple replications in parallel on GPU, section 5). Philox draws all words of the starting state from
  /// the stream's members, so that any replication starts in O(1). Two of n streams that use L words each, including
  /// discarded ones, overlap with probability below n² L / 2^569: below 10^-113 for 2^64 streams of 2^64 words.
  KOKKOS_INLINE_FUNCTION static Ranlux of_stream(const Stream& stream) { return Ranlux(words_of_stream(stream)); }

  /// Words of state from which the generator of a stream starts.
  KOKKOS_INLINE_FUNCTION static typename Base::State words_of_stream(const Stream& stream) {
    using Word = typename Base::WordType;
    constexpr int word_bits = 8 * sizeof(Word), words_of_a_block = 128 / word_bits;
    typename Base::State words = {};
    for (int b = 0; b < Base::state / words_of_a_block; ++b) {
      const auto bits = Philox4x32::block(stream, static_cast<std::uint64_t>(b));
      for (int i = 0; i < words_of_a_block; ++i) {
        const int bit = i * word_bits;
        words[b * words_of_a_block + i] = static_cast<Word>(bits[bit / 64] >> bit % 64);
      }
    }
    return words;
  }

  /// The next `Base::bits` bits.
  KOKKOS_INLINE_FUNCTION typename Base::WordType next() {
    if (m_used == kept) {
      m_base.discard(block - kept);
      m_used = 0;
    }
    ++m_used;
    return m_base.next();
  }

  /// Returns the next draw of 64 bits: three words of 24 bits or two of 48, the earlier ones in the upper bits, without
  /// the lowest bits of the last word.
  KOKKOS_INLINE_FUNCTION std::uint64_t next_draw() {
    std::uint64_t draw = 0;
    int room = 64;
    for (; room >= Base::bits; room -= Base::bits) draw = draw << Base::bits | next();
    return draw << room | std::uint64_t{next()} >> (Base::bits - room);
  }

 private:
  Base m_base;
  int m_used;
};

/// RANLUX of 24 bits that discards as many words as Lüscher's ranlxs0.
using Ranlux24_0 = Ranlux<SubtractWithCarry24, 109, 24>;
/// RANLUX of 24 bits that discards as many words as Lüscher's ranlxs1.
using Ranlux24_1 = Ranlux<SubtractWithCarry24, 202, 24>;
/// RANLUX of 24 bits that discards as many words as Lüscher's ranlxs2.
using Ranlux24_2 = Ranlux<SubtractWithCarry24, 397, 24>;
/// RANLUX of 48 bits that discards as many words as the lowest luxury level, which Lüscher's ranlxd does not offer.
using Ranlux48_0 = Ranlux<SubtractWithCarry48, 109, 12>;
/// RANLUX of 48 bits that discards as many words as Lüscher's ranlxd1.
using Ranlux48_1 = Ranlux<SubtractWithCarry48, 202, 12>;
/// RANLUX of 48 bits that discards as many words as Lüscher's ranlxd2.
using Ranlux48_2 = Ranlux<SubtractWithCarry48, 397, 12>;

}  // namespace sporos
