// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

// The table alone: all of <boost/random/sobol.hpp> takes a compiler 1.1 s instead of 0.06 s.
#include <boost/random/detail/sobol_table.hpp>
#include <cstddef>

#include <bit>
#include <cstdint>
#include <vector>

/// Sobol's sequence in Gray code order, in 32 bits: point j is the exclusive or of the direction numbers at the set
/// bits of j ^ (j >> 1).
namespace sporos {

/// Direction numbers of one dimension.
inline constexpr int sobol_bits = 32;

/// Dimensions that there are direction numbers for.
inline constexpr std::int64_t most_sobol_dimensions = boost::random::detail::qrng_tables::sobol::max_dimension;

/// The direction numbers of Joe and Kuo (Constructing Sobol sequences with better two-dimensional projections, SIAM J.
/// Sci. Comput. 30, 2008; their file new-joe-kuo-6.21201, from Boost.Random) of `dimensions` dimensions, at most
/// most_sobol_dimensions: the first of all dimensions, then the second of all, `sobol_bits` of each.
inline std::vector<std::uint32_t> sobol_directions(std::int64_t dimensions) {
  using Table = boost::random::detail::qrng_tables::sobol;
  const auto stride = static_cast<std::size_t>(dimensions);
  std::vector<std::uint32_t> directions(stride * sobol_bits);
  for (std::size_t dimension = 0; dimension < stride; ++dimension) {
    std::uint32_t m[sobol_bits];  // direction k is m[k] / 2^(k+1)
    std::fill(m, m + sobol_bits, 1u);
    if (dimension > 0) {
      const std::size_t row = dimension - 1;
      const std::uint32_t polynomial = Table::polynomial(row);
      const int degree = std::bit_width(polynomial) - 1;
      for (int k = 0; k < degree; ++k) m[k] = Table::minit(row, static_cast<std::size_t>(k));
      for (int k = degree; k < sobol_bits; ++k) {
        m[k] = m[k - degree];
        for (int i = 1; i <= degree; ++i) {
          if (polynomial >> (degree - i) & 1u) m[k] ^= m[k - i] << i;
        }
      }
    }
    for (std::size_t k = 0; k < sobol_bits; ++k) directions[k * stride + dimension] = m[k] << (sobol_bits - 1 - k);
  }
  return directions;
}

/// Coordinates of point `point`, times 2^32, in the `count` dimensions whose first direction numbers `directions`
/// points to, of a table of `dimensions`.
///
/// Loops over dimensions within the loop over bits, for vector code.
KOKKOS_FORCEINLINE_FUNCTION void sobol_coordinates(const std::uint32_t* directions, std::uint64_t dimensions,
                                                   std::uint32_t point, unsigned count, std::uint32_t* coordinates) {
  for (unsigned j = 0; j < count; ++j) coordinates[j] = 0;
  for (std::uint32_t gray = point ^ point >> 1; gray != 0; gray >>= 1, directions += dimensions) {
    if (!(gray & 1u)) continue;
    for (unsigned j = 0; j < count; ++j) coordinates[j] ^= directions[j];
  }
}

namespace impl {

KOKKOS_FORCEINLINE_FUNCTION std::uint32_t reversed_bits(std::uint32_t x) {
  x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
  x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
  x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
  x = (x & 0x00ff00ffu) << 8 | (x >> 8 & 0x00ff00ffu);
  return x << 16 | x >> 16;
}

}  // namespace impl

/// Owen's nested scrambling of a coordinate: whether bit k is flipped depends on `key` and on the bits above it. The
/// flips come from multiplications in which a bit reaches only bits below it (Laine, Karras 2011; Burley, Practical
/// hash-based Owen scrambling, JCGT 9, 2020), followed by a digital shift, so that each coordinate is uniform.
KOKKOS_INLINE_FUNCTION std::uint32_t owen_scrambled(std::uint32_t coordinate, std::uint64_t key) {
  const auto low = static_cast<std::uint32_t>(key), high = static_cast<std::uint32_t>(key >> 32);
  std::uint32_t x = impl::reversed_bits(coordinate);
  x ^= x * 0x3d20adeau;
  x += low;
  x *= low >> 16 | 1u;
  x ^= x * 0x05526c56u;
  x ^= x * 0x53a22864u;
  return impl::reversed_bits(x) ^ high;
}

}  // namespace sporos
