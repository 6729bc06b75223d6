// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// Identifies a stream of random numbers. Draw i of the stream depends only on these three members and i.
struct Stream {
  std::uint64_t seed;         ///< seed of the experiment
  std::uint64_t replication;  ///< index of the replication, any 64-bit number
  std::uint32_t input;        ///< index of the input variable, below 2^16
};

/// Bijective mixing of 64 bits: the finalizer of SplitMix64 (Steele, Lea and Flood 2014, Fast splittable pseudorandom
/// number generators).
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Seed of design point `point` if design points do not share random numbers. For one `seed`, no two points have the
/// same seed.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t design_point_seed(std::uint64_t seed, std::uint64_t point) {
  return mix_bits(seed + (point + 1) * 0x9e3779b97f4a7c15u);
}

/// Seed of the streams of `entity`, such as a customer, in an experiment with seed `seed`. For one `seed`, no two
/// entities have the same seed.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t entity_seed(std::uint64_t seed, std::uint64_t entity) {
  return mix_bits(~seed + (entity + 1) * 0xd1342543de82ef95u);
}

}  // namespace sporos
