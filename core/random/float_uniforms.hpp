// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/random/uniform.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// Four float uniforms of block `b` of `stream`, from 32 bits each: open_float_uniform of the upper and the lower half
/// of the block's first draw, then of its second. `E` is a form of Philox4x32. Results are bitwise identical on every
/// backend.
///
/// A block gives twice as many uniforms in float as in double. Both use the same random bits, so use only one kind per
/// block.
template <class E = Philox4x32>
KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<float, 4> float_uniforms(const Stream& stream, std::uint64_t b) {
  static_assert(E::draws_per_block == 2);
  const auto draws = E::block(stream, b);
  const auto of = [](std::uint64_t bits) { return open_float_uniform(static_cast<std::uint32_t>(bits)); };
  return {{of(draws[0] >> 32), of(draws[0]), of(draws[1] >> 32), of(draws[1])}};
}

}  // namespace sporos
