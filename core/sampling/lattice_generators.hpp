// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

namespace sporos {

/// Largest number of dimensions for which a generator is available.
inline constexpr std::int64_t max_lattice_dimensions = 250;

/// The generating vector of the lattice sequence in `dimensions` dimensions, at most max_lattice_dimensions. All
/// numbers are odd.
std::vector<std::uint32_t> lattice_generators(std::int64_t dimensions);

}  // namespace sporos
