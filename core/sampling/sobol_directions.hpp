// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

namespace sporos {

/// Direction numbers of one dimension.
inline constexpr int sobol_bits = 32;

/// Dimensions that there are direction numbers for.
inline constexpr std::int64_t most_sobol_dimensions = 3667;

/// The direction numbers of Joe and Kuo (Constructing Sobol sequences with better two-dimensional projections, SIAM J.
/// Sci. Comput. 30, 2008; their file new-joe-kuo-6.21201, from Boost.Random) of `dimensions` dimensions, at most
/// most_sobol_dimensions: the first of all dimensions, then the second of all, `sobol_bits` of each.
std::vector<std::uint32_t> sobol_directions(std::int64_t dimensions);

}  // namespace sporos
