// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/stream.hpp>

#include <boost/random/uniform_int_distribution.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace sporos {

namespace impl {

// The words of 32 bits of a stream of philox, without an end: what an engine's words of state are drawn from.
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
    if (++m_place == m_end) refill(most_blocks);
    return *this;
  }

  // The word that the iterator stood at.
  struct Word {
    std::uint32_t value;
    std::uint32_t operator*() const { return value; }
  };
  Word operator++(int) {
    const Word word{**this};
    ++*this;
    return word;
  }

  // Engines compare with the end of a range, which this has not.
  bool operator==(const StreamWords&) const { return false; }

 private:
  static constexpr unsigned most_blocks = 16;

  // Several blocks in a loop that compilers turn into vector code; an engine of few words needs one.
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
  std::uint32_t m_words[4 * most_blocks];
};

}  // namespace impl

/// A pseudorandom generator of Boost.Random that returns whole numbers: all of its engines but those of lagged
/// Fibonacci series and RANLUX in floating point.
template <class Generator>
concept BoostGenerator = requires(Generator generator, impl::StreamWords& words, const impl::StreamWords& end) {
  requires std::unsigned_integral<typename Generator::result_type>;
  { generator() } -> std::same_as<typename Generator::result_type>;
  { Generator::max() - Generator::min() } -> std::convertible_to<std::uint64_t>;
  Generator(words, end);
};

/// An engine of Boost.Random as an engine of Sporos, for hosts: EngineSource<BoostEngine<boost::random::mt19937_64>>.
///
/// Each stream starts by random spacing (Hill, Parallel random numbers, simulation, and reproducible research, 2010):
/// philox draws all words of the starting state from the stream's name, so that any replication starts at once. Two of
/// n streams of length L overlap with probability below n² L / period.
template <BoostGenerator Generator>
class BoostEngine {
 public:
  /// Kernels of a device do not call it.
  static constexpr bool runs_on_hosts_only = true;

  /// The state that Boost.Random gives where nobody chooses one.
  BoostEngine() = default;

  /// The engine of a stream, in its starting state.
  static BoostEngine of_stream(const Stream& stream) {
    impl::StreamWords words(stream);
    const impl::StreamWords end = words;
    return BoostEngine(Generator(words, end));
  }

  /// The next draw of 64 bits. Of an engine whose words have w random bits it is as many words as it takes, the earlier
  /// ones on top, less the last bits of the last; of another engine Boost's uniform integer, whose numbers may depend
  /// on the version of Boost.
  std::uint64_t next_draw() {
    const std::uint64_t range = std::uint64_t{Generator::max()} - Generator::min();  // constants, once inlined
    if (range == ~std::uint64_t{0}) return m_generator();
    if (!std::has_single_bit(range + 1)) {
      return boost::random::uniform_int_distribution<std::uint64_t>(0, ~std::uint64_t{0})(m_generator);
    }
    const int bits = std::bit_width(range);
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
