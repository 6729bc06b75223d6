// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/block_in_lanes.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/core/sampling/keyed_permutation.hpp>
#include <sporos/core/sampling/prepared_source.hpp>
#include <sporos/core/sampling/sample_key.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Common code of the sampling methods whose replications share a sample. Each method is a functor for one input of one
/// replication that maps the index of a draw to its uniform (descriptive_uniforms.hpp, point_uniforms.hpp). The
/// functors compute everything when it is used, so that replications need no memory for it.
namespace sporos::impl {

/// A replication and its position in its run.
struct PlaceInRun {
  std::uint64_t seed, replication;
  std::uint64_t run;    // index of the run
  std::uint64_t place;  // index of the replication in it
};

KOKKOS_INLINE_FUNCTION PlaceInRun place_in_run(const UniformSource& source, std::uint64_t seed,
                                               std::uint64_t replication) {
  const auto length = static_cast<std::uint64_t>(source.replications_of_run());
  const std::uint64_t run = length == 1 ? replication : replication / length;
  return {seed, replication, run, replication - run * length};
}

// Random bits of a draw. They fill the interior of a stratum or the digits after the scrambled ones, and serve draws
// beyond the number that a model states.
KOKKOS_INLINE_FUNCTION std::uint64_t random_bits(const PlaceInRun& place, std::uint32_t input, std::uint64_t draw) {
  return Philox4x32::block({place.seed, place.replication, input}, draw / 2)[draw % 2];
}

// Data and functions that all these methods use.
struct SampledUniforms {
  const DeviceSource& device;
  const PlaceInRun& place;
  std::uint32_t input;
  const InputDraws& draws;
  std::uint64_t first_dimension;  // coordinate of the input's first draw

  KOKKOS_FORCEINLINE_FUNCTION const UniformSource& source() const { return device.source; }
  KOKKOS_FORCEINLINE_FUNCTION bool is_shared() const { return source().replications_of_run() > 1; }
  KOKKOS_FORCEINLINE_FUNCTION bool is_stated(std::uint64_t draw) const {
    return draw < static_cast<std::uint64_t>(draws.total());
  }
  KOKKOS_FORCEINLINE_FUNCTION double random(std::uint64_t draw) const {
    return open_uniform(random_bits(place, input, draw));
  }

  // Index of a draw among those of its variable. Draw i of the input is draw i / variables of variable i % variables.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t turn(std::uint64_t draw) const {
    return draws.variables == 1 ? draw : draw / static_cast<std::uint64_t>(draws.variables);
  }
  KOKKOS_INLINE_FUNCTION std::uint64_t key_of_variable(std::uint64_t draw, KeyPurpose purpose) const {
    const std::uint64_t variable = draws.variables == 1 ? 0 : draw % static_cast<std::uint64_t>(draws.variables);
    return sample_key(place.seed, place.run, purpose, {input, static_cast<std::uint32_t>(variable)});
  }
  KOKKOS_INLINE_FUNCTION std::uint64_t key_of_draw(std::uint64_t draw, KeyPurpose purpose) const {
    return sample_key(place.seed, place.run, purpose, {input, static_cast<std::uint32_t>(draw)});
  }

  // The functions below process blocks of draws first, first + 1, … on a host, in loops that compilers vectorize. Loops
  // over arrays of a block run to whole registers.
  static constexpr unsigned block = KeyedPermutation::block;

  // Number of draws, among `count` starting at `first`, that the model stated.
  KOKKOS_FORCEINLINE_FUNCTION unsigned stated(std::uint64_t first, unsigned count) const {
    const auto total = static_cast<std::uint64_t>(draws.total());
    return first >= total ? 0 : total - first < count ? static_cast<unsigned>(total - first) : count;
  }
  KOKKOS_FORCEINLINE_FUNCTION void keys_of_draws(std::uint64_t first, unsigned count, KeyPurpose purpose,
                                                 std::uint64_t* keys) const {
    const unsigned whole = KeyedPermutation::in_registers(count);
    for (unsigned j = 0; j < whole; ++j) keys[j] = key_of_draw(first + j, purpose);
  }
  // Requires an even `first`, because Philox generates two draws at once.
  KOKKOS_FORCEINLINE_FUNCTION void random_bits_of_draws(std::uint64_t first, unsigned count,
                                                        std::uint64_t* bits) const {
    const unsigned blocks = KeyedPermutation::in_registers(count) / 2;
    const Stream stream{place.seed, place.replication, input};
    write_blocks<Philox4x32>(stream, first / 2, blocks, bits);
  }
  KOKKOS_INLINE_FUNCTION void fill_randomly(std::uint64_t first, unsigned count, double* values) const {
    for (unsigned j = 0; j < count; ++j) values[j] = random(first + j);
  }
};

}  // namespace sporos::impl
