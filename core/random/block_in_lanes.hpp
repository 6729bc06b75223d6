// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/device_code.hpp>
#include <sporos/core/math/pack.hpp>
#include <sporos/core/random/engine_concepts.hpp>
#include <sporos/core/random/stream.hpp>

#include <Kokkos_Macros.hpp>

#include <cstddef>
#include <cstdint>

namespace sporos::impl {

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
  std::uint64_t replications[Pack::lanes];
  for (unsigned lane = 0; lane < Pack::lanes; ++lane) replications[lane] = first.replication + lane;
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
