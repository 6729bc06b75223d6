// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/stream.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// One of the random variables that a model draws from, given by its input and its index among the variables that share
/// this input.
struct SampledVariable {
  std::uint32_t input;     ///< index of the input, below 0xff00
  std::uint32_t turn = 0;  ///< index among the variables of the input
};

namespace impl {

/// The purpose of a key. Each purpose has separate streams, numbered after those of the models' inputs.
enum class KeyPurpose : std::uint32_t { order, sub_runs, scrambling };

/// The 64-bit key, drawn from Philox, for the data that all replications of run `run` share for one variable.
KOKKOS_INLINE_FUNCTION std::uint64_t sample_key(std::uint64_t seed, std::uint64_t run, KeyPurpose purpose,
                                                const SampledVariable& variable) {
  const Stream stream{seed, run, 0xff00u + static_cast<std::uint32_t>(purpose)};
  return Philox4x32::block(stream, static_cast<std::uint64_t>(variable.input) << 32 | variable.turn)[0];
}

/// The key of part `index` of an object with key `key`.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t part_key(std::uint64_t key, std::uint64_t index) {
  return mix_bits(key + index * 0x9e3779b97f4a7c15u);
}

}  // namespace impl
}  // namespace sporos
