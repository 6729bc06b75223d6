// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

namespace sporos {

/// Largest number of dimensions for which bases are available.
inline constexpr std::int64_t max_halton_dimensions = 10000;

/// The first `dimensions` primes, at most max_halton_dimensions of them.
std::vector<std::uint32_t> halton_bases(std::int64_t dimensions);

}  // namespace sporos
