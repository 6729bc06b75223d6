// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

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

}  // namespace sporos
