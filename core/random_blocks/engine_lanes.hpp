// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/ranlux.hpp>
#include <sporos/core/random/stream.hpp>

#include <cstdint>

namespace sporos::impl {

/// Several streams of one engine that advance side by side on a host.
template <class E, int width>
class EngineLanes {
 public:
  void start(int lane, const Stream& stream) { m_engines[lane] = E::of_stream(stream); }

  /// Writes the next draw of each stream.
  void next_draws(std::uint64_t* draws) {
    for (int lane = 0; lane < width; ++lane) draws[lane] = m_engines[lane].next_draw();
  }

 private:
  E m_engines[width];
};

/// Streams of RANLUX, which take every step together.
///
/// The implementation uses the vector types of g++ and clang++. In loops over lanes that are left to the compiler, the
/// carry goes from step to step through memory, which takes five to nine times as long (16 lanes, AVX-512, g++ 12).
template <class Word, int bits, int short_lag, int long_lag, int block, int kept, int width>
class EngineLanes<Ranlux<SubtractWithCarry<Word, bits, short_lag, long_lag>, block, kept>, width> {
  using E = Ranlux<SubtractWithCarry<Word, bits, short_lag, long_lag>, block, kept>;
  using Lanes __attribute__((vector_size(width * sizeof(Word)))) = Word;

 public:
  void start(int lane, const Stream& stream) {
    const auto words = E::words_of_stream(stream);
    for (int i = 0; i < long_lag; ++i) m_words[i][lane] = words[i] & mask;
    m_carry[lane] = m_words[long_lag - 1][lane] == 0 ? 1 : 0;
    m_oldest = m_used = 0;
  }

  void next_draws(std::uint64_t* draws) {
    for (int lane = 0; lane < width; ++lane) draws[lane] = 0;
    for (int room = 64; room > 0; room -= bits) {
      const Lanes& words = next();
      const int up = room < bits ? room : bits;
      for (int lane = 0; lane < width; ++lane) {
        draws[lane] = draws[lane] << up | std::uint64_t{words[lane]} >> (bits - up);
      }
    }
  }

 private:
  static constexpr Word mask = (Word{1} << bits) - 1;

  // Returns the next word of each stream, by reference, since code with and without AVX-512 returns vectors
  // differently.
  const Lanes& next() {
    if (m_used == kept) {
      advance(block - kept);
      m_used = 0;
    }
    ++m_used;
    const int n = m_oldest;
    advance(1);
    return m_words[n];
  }

  // Skips words in the same way as SubtractWithCarry::discard.
  void advance(int count) {
    Lanes carry = m_carry;
    int n = m_oldest;
    while (count > 0) {
      const bool wrapped = n >= short_lag;
      const int end = wrapped ? long_lag : short_lag, recent = wrapped ? -short_lag : long_lag - short_lag;
      const int steps = count < end - n ? count : end - n;
      for (int i = n; i < n + steps; ++i) {
        const Lanes difference = m_words[i + recent] - m_words[i] - carry;
        carry = difference >> (8 * sizeof(Word) - 1);
        m_words[i] = difference & mask;
      }
      count -= steps;
      n = n + steps == long_lag ? 0 : n + steps;
    }
    m_carry = carry;
    m_oldest = n;
  }

  Lanes m_words[long_lag];
  Lanes m_carry;
  int m_oldest, m_used;
};

}  // namespace sporos::impl
