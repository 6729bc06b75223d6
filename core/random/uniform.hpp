// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/leaf_operations.hpp>
#include <sporos/core/math/bits.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// Uniform in the open interval (0, 1) for 64 random bits: (2k + 1) / 2^53, where k is their upper 52 bits.
///
/// Both ends are excluded, the set is symmetric about ½, and 1 − u is exact.
KOKKOS_FORCEINLINE_FUNCTION double open_uniform(std::uint64_t bits) {
  return impl::one_and_fraction(bits) - (1.0 - 0x1p-53);
}

/// Uniform in the open interval (0, 1) for 32 random bits: (2k + 1) / 2^24, where k is their upper 23 bits.
///
/// Both ends are excluded, the set is symmetric about ½, and 1 − u is exact.
KOKKOS_FORCEINLINE_FUNCTION float open_float_uniform(std::uint32_t bits) {
  return math::impl::from_bits(bits >> 9 | 0x3f800000u) - (1.0f - 0x1p-24f);
}

}  // namespace sporos
