// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/engine_concepts.hpp>
#include <sporos/core/random/stream.hpp>

#include <cstddef>
#include <cstdint>

namespace sporos {

namespace impl {

// Returns the draws of a stream in order.
template <class E>
class OrderedDraws {
 public:
  explicit OrderedDraws(const Stream& stream) : m_engine(E::of_stream(stream)) {}
  std::uint64_t next() { return m_engine.next_draw(); }

 private:
  E m_engine;
};

template <CounterEngine E>
class OrderedDraws<E> {
 public:
  explicit OrderedDraws(const Stream& stream) : m_stream(stream) {}

  std::uint64_t next() {
    constexpr auto width = static_cast<std::uint64_t>(E::draws_per_block);
    const std::uint64_t draw = m_next++;
    if (draw % width == 0) m_block = E::block(m_stream, draw / width);
    return m_block[static_cast<std::size_t>(draw % width)];
  }

 private:
  Stream m_stream;
  std::uint64_t m_next = 0;
  decltype(E::block(Stream(), 0)) m_block = {};
};

}  // namespace impl

/// A stream of the engine `E` as a generator of the standard library, for the host. It is a
/// std::uniform_random_bit_generator, which distributions of Boost.Random and of the standard library accept. Call i
/// (from 0) returns draw i of the stream, the same 64 bits that a replication gets.
template <class E>
requires CounterEngine<E> || SequentialEngine<E>
class EngineStream {
 public:
  using result_type = std::uint64_t;  ///< 64 random bits

  /// Starts before draw 0 of `stream`.
  explicit EngineStream(const Stream& stream) : m_draws(stream) {}

  /// The smallest number that a call returns.
  static constexpr result_type min() { return 0; }
  /// The largest number that a call returns.
  static constexpr result_type max() { return ~result_type{0}; }

  /// Returns the next draw.
  result_type operator()() { return m_draws.next(); }

 private:
  impl::OrderedDraws<E> m_draws;
};

}  // namespace sporos
