// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// The uniform in the open interval (0, 1) that belongs to 64 random bits: (2k + 1) / 2^53, k their upper 52.
///
/// Both ends are excluded, the set is symmetric about ½, and 1 − u is exact.
KOKKOS_FORCEINLINE_FUNCTION double open_uniform(std::uint64_t bits) {
  constexpr std::uint64_t one = 0x3ff0000000000000u;
  return math::impl::from_bits(bits >> 12 | one) - (1.0 - 0x1p-53);
}

}  // namespace sporos
