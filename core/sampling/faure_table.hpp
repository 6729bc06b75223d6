// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

namespace sporos {

/// Dimensions that there are bases for.
inline constexpr std::int64_t most_faure_dimensions = 10000;

/// What Faure's sequence of that many dimensions, at most most_faure_dimensions, is made of: its base p, the least
/// prime that is no less than the dimensions; its number m of digits, the least with p^m >= 2^32; and the m rows of m
/// binomial coefficients C(c, r) modulo p, by r, then by c. Empty for no dimensions.
std::vector<std::uint32_t> faure_table(std::int64_t dimensions);

}  // namespace sporos
