// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/philox.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Where the random numbers of agents and pools come from: each is a function of (seed, who, step, purpose), so that
/// neither threads nor processes nor the order of anything show.
namespace sporos::models {

/// What a random number decides: the input variable of its stream.
enum class DrawPurpose : std::uint32_t {
  fate,       ///< draw 0: what an agent does in a step; draw 1: where it walks
  meeting,    ///< draw 0: whether and by which rule an agent meets another in a step; draw 1: whom
  birth,      ///< draw 0: the identity of offspring, by its number among its parent's
  beginning,  ///< draw 0: the identity of an agent that is there at first; draw 1: where
  arrival,    ///< draw 0: the identity of an agent that comes from a pool; draw 1: where
  exchange    ///< draw 0: how a number of cells that is not whole is rounded
};

/// Two numbers of 64 bits: block `b` of the stream that `who` has for a purpose.
KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<std::uint64_t, 2> drawn(std::uint64_t seed, std::uint64_t who,
                                                                  DrawPurpose purpose, std::uint64_t b) {
  return Philox4x32::block({seed, who, static_cast<std::uint32_t>(purpose)}, b);
}

/// The identity of child `number` of an agent. Two agents share one with a probability of 2^−64.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t child_identity(std::uint64_t seed, std::uint64_t parent,
                                                         std::uint64_t number) {
  return drawn(seed, parent, DrawPurpose::birth, number)[0];
}

}  // namespace sporos::models
