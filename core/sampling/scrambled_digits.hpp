// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/stream.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Common code of the sequences in bases other than 2.
namespace sporos {

/// A coordinate, represented as a whole number below `scale`, which is a power of the base.
struct ScaledCoordinate {
  std::uint64_t value;  ///< the coordinate times `scale`
  std::uint64_t scale;  ///< between 2^32 and 2^49
};

namespace impl {

// Random linear digit scrambling (Matoušek (1998), On the L2-discrepancy for anchored boxes, J. Complexity 14): digit x
// at position `place` becomes a x + c modulo the base. `key` determines a ≠ 0 and c for each position.
struct DigitScrambling {
  std::uint64_t a, c;

  KOKKOS_FORCEINLINE_FUNCTION DigitScrambling(std::uint32_t base, std::uint64_t key, std::uint64_t place) {
    const std::uint64_t random = mix_bits(key + place * 0x9e3779b97f4a7c15u);
    a = 1 + ((random >> 32) * (base - 1) >> 32);
    c = (random & 0xffffffffu) * base >> 32;
  }
};

}  // namespace impl

}  // namespace sporos
