// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/device_code.hpp>
#include <sporos/core/math/pack.hpp>
#include <sporos/core/random/engine_concepts.hpp>
#include <sporos/core/random/stream.hpp>

#include <Kokkos_Macros.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sporos::impl {

// Writes first, first + 1, … for the lanes of a pack, in whole registers. A loop over the lanes may write the words one
// by one, and a processor cannot forward these to a load of a register, which then waits: an iteration of sqn with
// n = 50 takes 1.03 times as long.
SPOROS_HOST_FORCEINLINE_FUNCTION void write_lanes(std::uint64_t first, std::uint64_t* words) {
  for (int lane = 0; lane < Pack::lanes; lane += part_lanes) {
    const WordPart part = lanes_from(first + static_cast<unsigned>(lane));
    std::memcpy(words + lane, &part, sizeof part);
  }
}

// Writes block `b` of the streams of Pack::lanes `replications`, with the seed and input of `stream`. Draw w of a lane
// is bits[w * Pack::lanes + lane].
template <CounterEngine E>
SPOROS_HOST_FORCEINLINE_FUNCTION void block_in_lanes(const Stream& stream, const std::uint64_t* replications,
                                                     std::uint64_t b, std::uint64_t* bits) {
  if constexpr (requires { E::block_in_lanes(stream, replications, b, bits); }) {
    E::block_in_lanes(stream, replications, b, bits);
  } else {
    for (unsigned lane = 0; lane < Pack::lanes; ++lane) {
      const auto block = E::block(Stream{stream.seed, replications[lane], stream.input}, b);
      for (std::size_t w = 0; w < E::draws_per_block; ++w) bits[w * Pack::lanes + lane] = block[w];
    }
  }
}

// Writes block `b` of the streams of Pack::lanes neighbouring replications, the first of which is that of `first`.
template <CounterEngine E>
SPOROS_HOST_FORCEINLINE_FUNCTION void block_in_lanes(const Stream& first, std::uint64_t b, std::uint64_t* bits) {
  alignas(Pack) std::uint64_t replications[Pack::lanes];
  write_lanes(first.replication, replications);
  block_in_lanes<E>(first, replications, b, bits);
}

// Writes blocks b[0] to b[Pack::lanes − 1] of `stream`. Draw w of block b[i] is bits[w * Pack::lanes + i].
template <CounterEngine E>
KOKKOS_FORCEINLINE_FUNCTION void blocks_in_lanes(const Stream& stream, const std::uint64_t* b, std::uint64_t* bits) {
  if constexpr (requires { E::blocks_in_lanes(stream, b, bits); }) {
    E::blocks_in_lanes(stream, b, bits);
  } else {
    for (unsigned lane = 0; lane < Pack::lanes; ++lane) {
      const auto block = E::block(stream, b[lane]);
      for (std::size_t w = 0; w < E::draws_per_block; ++w) bits[w * Pack::lanes + lane] = block[w];
    }
  }
}

// Writes the draws of blocks first, …, first + count − 1 of `stream`, in their order. On a host, whole packs of blocks
// are computed in lanes, which takes 0.7 of the time of a loop over blocks that the compiler vectorizes.
template <CounterEngine E>
KOKKOS_FORCEINLINE_FUNCTION void write_blocks(const Stream& stream, std::uint64_t first, std::int64_t count,
                                              std::uint64_t* bits) {
  constexpr int width = E::draws_per_block;
  std::int64_t b = 0;
  if constexpr (requires { E::blocks_in_lanes(stream, bits, bits); }) {
    for (; b + Pack::lanes <= count; b += Pack::lanes) {
      alignas(Pack) std::uint64_t blocks[Pack::lanes], words[width * Pack::lanes];
      write_lanes(first + static_cast<std::uint64_t>(b), blocks);
      blocks_in_lanes<E>(stream, blocks, words);
      for (int i = 0; i < width * Pack::lanes; ++i) bits[width * b + i] = words[i % width * Pack::lanes + i / width];
    }
  }
  for (; b < count; ++b) {
    const auto block = E::block(stream, first + static_cast<std::uint64_t>(b));
    for (int w = 0; w < width; ++w) bits[width * b + w] = block[static_cast<std::size_t>(w)];
  }
}

// Writes block `b` of `count` neighbouring replications, the first of which is that of `first`: draw w of replication i
// is bits[w][i]. On a host, whole packs of replications are computed in lanes.
template <CounterEngine E>
KOKKOS_FORCEINLINE_FUNCTION void write_block_across(const Stream& first, std::uint64_t b, std::int64_t count,
                                                    std::uint64_t* const (&bits)[E::draws_per_block]) {
  constexpr int width = E::draws_per_block;
  std::int64_t i = 0;
  if constexpr (requires { E::block_in_lanes(first, bits[0], b, bits[0]); }) {
    for (; i + Pack::lanes <= count; i += Pack::lanes) {
      alignas(Pack) std::uint64_t words[width * Pack::lanes];
      block_in_lanes<E>(Stream{first.seed, first.replication + static_cast<std::uint64_t>(i), first.input}, b, words);
      for (int w = 0; w < width; ++w) std::memcpy(bits[w] + i, words + w * Pack::lanes, Pack::lanes * sizeof *words);
    }
  }
  for (; i < count; ++i) {
    const auto block = E::block({first.seed, first.replication + static_cast<std::uint64_t>(i), first.input}, b);
    for (int w = 0; w < width; ++w) bits[w][i] = block[static_cast<std::size_t>(w)];
  }
}

}  // namespace sporos::impl
