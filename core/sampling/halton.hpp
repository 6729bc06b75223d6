// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/stream.hpp>

#include <Kokkos_Core.hpp>

#include <boost/math/special_functions/prime.hpp>

#include <cstdint>
#include <vector>

/// Halton's sequence: coordinate d of point j is the radical inverse of j in the base that is the d-th prime.
namespace sporos {

/// Dimensions that there are bases for.
inline constexpr std::int64_t most_halton_dimensions = boost::math::max_prime + 1;

/// The first `dimensions` primes, at most most_halton_dimensions of them.
inline std::vector<std::uint32_t> halton_bases(std::int64_t dimensions) {
  std::vector<std::uint32_t> bases;
  for (std::int64_t d = 0; d < dimensions; ++d) bases.push_back(boost::math::prime(static_cast<unsigned>(d)));
  return bases;
}

/// A coordinate as a whole number below `scale`, a power of its base.
struct HaltonCoordinate {
  std::uint64_t value;  ///< the coordinate times `scale`
  std::uint64_t scale;  ///< between 2^32 and 2^49
};

/// The radical inverse of `point` in `base`, to as many digits as tell 2^32 points apart. Where `key` is not 0 each
/// digit x is replaced by a x + c modulo the base, with a ≠ 0 and c drawn by `key` for each place (random linear digit
/// scrambling: Matoušek, On the L2-discrepancy for anchored boxes, J. Complexity 14, 1998).
KOKKOS_INLINE_FUNCTION HaltonCoordinate halton_coordinate(std::uint32_t base, std::uint32_t point, std::uint64_t key) {
  HaltonCoordinate coordinate{0, 1};
  for (std::uint64_t place = 1; coordinate.scale >> 32 == 0; ++place) {
    std::uint64_t digit = point % base;
    point /= base;
    if (key != 0) {
      const std::uint64_t random = mix_bits(key + place * 0x9e3779b97f4a7c15u);
      const std::uint64_t a = 1 + ((random >> 32) * (base - 1) >> 32);
      const std::uint64_t c = (random & 0xffffffffu) * base >> 32;
      digit = (a * digit + c) % base;
    }
    coordinate.value = coordinate.value * base + digit;
    coordinate.scale *= base;
  }
  return coordinate;
}

}  // namespace sporos
