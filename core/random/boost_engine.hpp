// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/stream.hpp>

#include <boost/random/uniform_int_distribution.hpp>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace sporos {

namespace impl {

// Endless sequence of the 32-bit words of a Philox stream, from which an engine takes its words of state.
class StreamWords {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = std::uint32_t;
  using difference_type = std::ptrdiff_t;
  using pointer = const std::uint32_t*;
  using reference = std::uint32_t;

  explicit StreamWords(const Stream& stream) : m_stream(stream) { refill(1); }

  std::uint32_t operator*() const { return m_words[m_place]; }

  StreamWords& operator++() {
    if (++m_place == m_end) refill(max_blocks);
    return *this;
  }

  // Word at which the iterator stood before it was incremented.
  struct Word {
    std::uint32_t value;
    std::uint32_t operator*() const { return value; }
  };
  Word operator++(int) {
    const Word word{**this};
    ++*this;
    return word;
  }

  // Engines compare with the end of a range. This sequence has no end.
  bool operator==(const StreamWords&) const { return false; }

 private:
  static constexpr unsigned max_blocks = 16;

  // Computes several blocks in a loop that compilers vectorize. An engine with few words of state needs only one.
  void refill(unsigned blocks) {
    for (unsigned j = 0; j < blocks; ++j) {
      const auto bits = Philox4x32::block(m_stream, m_block + j);
      for (unsigned w = 0; w < 2; ++w) {
        m_words[4 * j + 2 * w] = static_cast<std::uint32_t>(bits[w]);
        m_words[4 * j + 2 * w + 1] = static_cast<std::uint32_t>(bits[w] >> 32);
      }
    }
    m_block += blocks;
    m_end = 4 * blocks;
    m_place = 0;
  }

  Stream m_stream;
  std::uint64_t m_block = 0;
  unsigned m_place = 0, m_end = 0;
  std::uint32_t m_words[4 * max_blocks];
};

}  // namespace impl

/// A pseudorandom generator of Boost.Random that returns integers. All of its engines do, except lagged Fibonacci
/// generators and RANLUX in floating point.
template <class Generator>
concept BoostGenerator = requires(Generator generator, impl::StreamWords& words, const impl::StreamWords& end) {
  requires std::unsigned_integral<typename Generator::result_type>;
  { generator() } -> std::same_as<typename Generator::result_type>;
  { Generator::max() - Generator::min() } -> std::convertible_to<std::uint64_t>;
  Generator(words, end);
};

/// Adapts an engine of Boost.Random to Sporos, for hosts: EngineSource<BoostEngine<boost::random::mt19937_64>>.
///
/// Each stream starts by random spacing (Hill 2010, Practical distribution of random streams for stochastic high
/// performance computing): Philox draws all words of the starting state from the stream's members, so that any
/// replication starts without skipping draws. Two of n streams of length L overlap with probability below n² L /
/// period.
template <BoostGenerator Generator>
class BoostEngine {
 public:
  /// Kernels on devices do not call this engine.
  static constexpr bool runs_on_hosts_only = true;

  /// Starts in the default state of the Boost.Random engine.
  BoostEngine() = default;

  /// Returns the engine of a stream, in its starting state.
  static BoostEngine of_stream(const Stream& stream) {
    impl::StreamWords words(stream);
    const impl::StreamWords end = words;
    return BoostEngine(Generator(words, end));
  }

  /// Returns the next draw of 64 bits. If the engine's words have w random bits, a draw consists of as many words as it
  /// takes, the earlier ones in the upper bits, without the lowest bits of the last word. For other engines it is
  /// Boost's uniform integer, whose value may depend on the version of Boost.
  std::uint64_t next_draw() {
    const std::uint64_t range = std::uint64_t{Generator::max()} - Generator::min();  // constants, once inlined
    if (range == ~std::uint64_t{0}) return m_generator();
    if (!std::has_single_bit(range + 1)) {
      return boost::random::uniform_int_distribution<std::uint64_t>(0, ~std::uint64_t{0})(m_generator);
    }
    const int bits = std::min<int>(std::bit_width(range), 63);  // never more, but GCC 14 warns of a shift by 64
    std::uint64_t draw = 0;
    int room = 64;
    for (; room >= bits; room -= bits) draw = draw << bits | word();
    return room == 0 ? draw : draw << room | word() >> (bits - room);
  }

 private:
  explicit BoostEngine(const Generator& generator) : m_generator(generator) {}

  std::uint64_t word() { return std::uint64_t{m_generator()} - Generator::min(); }

  Generator m_generator;
};

}  // namespace sporos
