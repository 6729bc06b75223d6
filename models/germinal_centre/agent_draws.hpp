// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/philox.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Random numbers of agents and pools. Each is a function of (seed, who, step, purpose), so results do not depend on
/// threads, on processes or on the order of work.
namespace sporos::models {

/// Decision for which a random number is drawn. It is the input variable of the stream.
enum class DrawPurpose : std::uint32_t {
  fate,       ///< draw 0: what an agent does in a step; draw 1: where it walks
  meeting,    ///< draw 0: whether and by which rule an agent meets another in a step; draw 1: which agent it meets
  birth,      ///< draw 0: identity of a child, by its number among its parent's children
  beginning,  ///< draw 0: identity of an initial agent; draw 1: its element
  arrival,    ///< draw 0: identity of an agent that comes from a pool; draw 1: its element
  exchange    ///< draw 0: rounding of an expected number of cells
};

/// Two 64-bit numbers: block `b` of the stream of `who` for a purpose.
KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<std::uint64_t, 2> drawn(std::uint64_t seed, std::uint64_t who,
                                                                  DrawPurpose purpose, std::uint64_t b) {
  return Philox4x32::block({seed, who, static_cast<std::uint32_t>(purpose)}, b);
}

/// Identity of child number `number` of an agent. Two agents have the same identity with a probability of 2^−64.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t child_identity(std::uint64_t seed, std::uint64_t parent,
                                                         std::uint64_t number) {
  return drawn(seed, parent, DrawPurpose::birth, number)[0];
}

}  // namespace sporos::models
