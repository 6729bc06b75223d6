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
#ifdef __CUDA_ARCH__
  // Two shifts of 32-bit registers. Of what stands below nvcc makes five operations.
  const auto high = static_cast<std::uint32_t>(bits >> 32), low = static_cast<std::uint32_t>(bits);
  const auto one_and_high = __funnelshift_r(high, 0x3ffu, 12);
  return __hiloint2double(static_cast<int>(one_and_high), static_cast<int>(__funnelshift_r(low, high, 12))) -
         (1.0 - 0x1p-53);
#else
  constexpr std::uint64_t one = 0x3ff0000000000000u;
  return math::impl::from_bits(bits >> 12 | one) - (1.0 - 0x1p-53);
#endif
}

/// The uniform in the open interval (0, 1) that belongs to 32 random bits: (2k + 1) / 2^24, k their upper 23.
///
/// Both ends are excluded, the set is symmetric about ½, and 1 − u is exact.
KOKKOS_FORCEINLINE_FUNCTION float open_float_uniform(std::uint32_t bits) {
  return math::impl::from_bits(bits >> 9 | 0x3f800000u) - (1.0f - 0x1p-24f);
}

}  // namespace sporos
