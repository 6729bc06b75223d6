// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

namespace sporos {

/// Largest number of dimensions for which bases are available.
inline constexpr std::int64_t max_faure_dimensions = 10000;

/// Table for Faure's sequence of the given number of dimensions, at most max_faure_dimensions. It holds the base p,
/// which is the smallest prime not below `dimensions`; the number m of digits, which is the smallest with p^m >= 2^32;
/// and m rows of m binomial coefficients C(c, r) modulo p, one row for each r. Empty for 0 dimensions.
std::vector<std::uint32_t> faure_table(std::int64_t dimensions);

}  // namespace sporos
