// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/stream.hpp>

#include <concepts>
#include <cstdint>

namespace sporos {

/// An engine without state: block b of a stream is computed from only (stream, b). A block has 2^k draws, at most 64.
template <class E>
concept CounterEngine = requires(Stream stream, std::uint64_t b) {
  requires E::draws_per_block >= 1 && E::draws_per_block <= 64 && 64 % E::draws_per_block == 0;
  { E::block(stream, b)[0] } -> std::convertible_to<std::uint64_t>;
};

/// An engine with a state. `of_stream(stream)` returns the engine in the starting state of a stream, and `next_draw()`
/// returns its next 64 bits.
template <class E>
concept SequentialEngine = requires(Stream stream, E engine) {
  { E::of_stream(stream) } -> std::same_as<E>;
  { engine.next_draw() } -> std::same_as<std::uint64_t>;
};

}  // namespace sporos
