// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/pack.hpp>
#include <sporos/core/random/block_in_lanes.hpp>
#include <sporos/core/random/philox.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// Returns the index, from 0 to `count` − 1, that the upper 32 bits of a draw select.
KOKKOS_INLINE_FUNCTION std::int64_t index_of(std::uint64_t draw, std::uint64_t count) {
  return static_cast<std::int64_t>((draw >> 32) * count >> 32);
}

/// Returns the index, from 0 to `count` − 1, that a replication draws with replacement. The index is ⌊count u⌋, where
/// the fraction u consists of the upper 32 bits of draw 0 of input variable 0 in Philox's stream. `count` must be below
/// 2^32. The probabilities of indices differ by less than 2^−32.
KOKKOS_INLINE_FUNCTION std::int64_t drawn_index(std::uint64_t seed, std::uint64_t replication, std::uint64_t count) {
  return index_of(Philox4x32::block({seed, replication, 0}, 0)[0], count);
}

/// Sets indices[i] to the index that replication `first` + i draws, for i = 0, …, `replications` − 1. A host draws in
/// lanes, which takes half of the time.
KOKKOS_INLINE_FUNCTION void draw_indices(std::uint64_t seed, std::uint64_t first, std::int64_t replications,
                                         std::uint64_t count, std::int64_t* indices) {
  if constexpr (impl::has_vectors) {
    for (std::int64_t i = 0; i < replications; i += Pack::lanes) {
      std::uint64_t bits[Philox4x32::draws_per_block * Pack::lanes];
      impl::block_in_lanes<Philox4x32>({seed, first + static_cast<std::uint64_t>(i), 0}, 0, bits);
      const std::int64_t left = replications - i, drawn = left < Pack::lanes ? left : Pack::lanes;
      for (std::int64_t k = 0; k < drawn; ++k) indices[i + k] = index_of(bits[k], count);
    }
  } else {
    for (std::int64_t i = 0; i < replications; ++i) {
      indices[i] = drawn_index(seed, first + static_cast<std::uint64_t>(i), count);
    }
  }
}

}  // namespace sporos
