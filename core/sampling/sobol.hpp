// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/leaf_operations.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/core/sampling/sobol_directions.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Sobol's sequence in Gray code order, in 32 bits: point j is the exclusive or of the direction numbers at the set
/// bits of j ^ (j >> 1).
namespace sporos {

/// Computes coordinates of point `point`, times 2^32, in `count` dimensions. `directions` points to the first direction
/// numbers of these dimensions, in a table of `dimensions` dimensions.
///
/// The loops over dimensions are inside the loop over bits, so that they are vectorized.
KOKKOS_FORCEINLINE_FUNCTION void sobol_coordinates(const std::uint32_t* directions, std::uint64_t dimensions,
                                                   std::uint32_t point, unsigned count, std::uint32_t* coordinates) {
  for (unsigned j = 0; j < count; ++j) coordinates[j] = 0;
  for (std::uint32_t gray = point ^ point >> 1; gray != 0; gray >>= 1, directions += dimensions) {
    if (!(gray & 1u)) continue;
    for (unsigned j = 0; j < count; ++j) coordinates[j] ^= directions[j];
  }
}

/// The 64 bits that select the scrambling of a coordinate.
struct ScramblingKey {
  std::uint32_t low;   ///< bits 0 to 31
  std::uint32_t high;  ///< bits 32 to 63

  /// The key made of `bits`.
  KOKKOS_FORCEINLINE_FUNCTION static ScramblingKey of(std::uint64_t bits) {
    return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
  }
};

/// Owen's nested scrambling of a coordinate: whether bit k is flipped depends on `key` and on the bits above it. The
/// flips come from multiplications in which a bit affects only bits below it (Laine and Karras 2011; Burley (2020),
/// Practical hash-based Owen scrambling, JCGT 9). A digital shift follows, so that each coordinate is uniform.
KOKKOS_INLINE_FUNCTION std::uint32_t owen_scrambled(std::uint32_t coordinate, const ScramblingKey& key) {
  std::uint32_t x = impl::reversed_bits(coordinate);
  x ^= x * 0x3d20adeau;
  x += key.low;
  x *= key.low >> 16 | 1u;
  x ^= x * 0x05526c56u;
  x ^= x * 0x53a22864u;
  return impl::reversed_bits(x) ^ key.high;
}

/// The 32 scrambled digits that follow those of `scrambled`, which are 0 in Sobol's points. They are random numbers
/// that depend on `key` and on the digits above them. The multiplications are those of lowbias32 (Wellons 2018), a hash
/// in which each input bit flips each output bit half of the time.
KOKKOS_INLINE_FUNCTION std::uint32_t owen_following_digits(std::uint32_t scrambled, const ScramblingKey& key) {
  std::uint32_t x = scrambled + key.low;
  x = (x ^ x >> 16) * 0x7feb352du + key.high;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

namespace impl {

KOKKOS_FORCEINLINE_FUNCTION double uniform_of_digits(std::uint32_t scrambled, std::uint32_t after) {
  return open_uniform(std::uint64_t{scrambled} << 32 | after);
}

}  // namespace impl

/// The uniform of a coordinate, in (0, 1), scrambled to the last of its 52 binary digits.
KOKKOS_FORCEINLINE_FUNCTION double scrambled_uniform(std::uint32_t coordinate, const ScramblingKey& key) {
  const std::uint32_t scrambled = owen_scrambled(coordinate, key);
  return impl::uniform_of_digits(scrambled, owen_following_digits(scrambled, key));
}

}  // namespace sporos
