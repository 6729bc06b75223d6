// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/sampling/sobol_directions.hpp>

// Includes only the table: all of <boost/random/sobol.hpp> takes 1.1 s to compile instead of 0.06 s.
#include <boost/random/detail/sobol_table.hpp>
#include <cstddef>

#include <algorithm>
#include <bit>

namespace sporos {

static_assert(max_sobol_dimensions == boost::random::detail::qrng_tables::sobol::max_dimension);

std::vector<std::uint32_t> sobol_directions(std::int64_t dimensions) {
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

}  // namespace sporos
