// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

namespace sporos {

/// Number of direction numbers of one dimension.
inline constexpr int sobol_bits = 32;

/// Largest number of dimensions for which direction numbers are available.
inline constexpr std::int64_t max_sobol_dimensions = 3667;

/// The direction numbers of Joe and Kuo (2008), Constructing Sobol sequences with better two-dimensional projections,
/// SIAM J. Sci. Comput. 30 (their file new-joe-kuo-6.21201, from Boost.Random), for `dimensions` dimensions, at most
/// max_sobol_dimensions. The result holds the first direction number of all dimensions, then the second of all, and so
/// on: `sobol_bits` for each dimension.
std::vector<std::uint32_t> sobol_directions(std::int64_t dimensions);

}  // namespace sporos
