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

}  // namespace sporos::impl
