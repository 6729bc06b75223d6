// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// Names one stream of random numbers: draw i of it is a function of these three and i, and of nothing else.
struct Stream {
  std::uint64_t seed;         ///< the experiment's seed
  std::uint64_t replication;  ///< index of the replication, any 64-bit number
  std::uint32_t input;        ///< index of the input variable, below 2^16
};

/// A one-to-one mixing of 64 bits: the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// The seed of design point `point` where design points shall not share random numbers. For one `seed` no two points
/// get the same.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t design_point_seed(std::uint64_t seed, std::uint64_t point) {
  return mix_bits(seed + (point + 1) * 0x9e3779b97f4a7c15u);
}

}  // namespace sporos
