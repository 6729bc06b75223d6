// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/uniform.hpp>
#include <sporos/core/sampling/faure.hpp>
#include <sporos/core/sampling/halton.hpp>
#include <sporos/core/sampling/keyed_permutation.hpp>
#include <sporos/core/sampling/lattice.hpp>
#include <sporos/core/sampling/sampled_uniforms.hpp>
#include <sporos/core/sampling/sobol.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Uniforms of the sampling methods that are point sets.
namespace sporos::impl {

// Returns (value + u) / scale, reduced below 1, which the rounded sum can reach.
KOKKOS_FORCEINLINE_FUNCTION double uniform_in_cell(double value, double u, double scale) {
  const double x = (value + u) / scale;
  return x < 1.0 ? x : 1.0 - 0x1p-53;
}

/// Latin hypercube: over the run, each draw of a replication takes the strata in its own random order.
struct LatinUniforms {
  SampledUniforms uniforms;

  KOKKOS_INLINE_FUNCTION double operator()(std::uint64_t draw) const {
    if (!uniforms.is_stated(draw)) return uniforms.random(draw);
    const auto strata = static_cast<std::uint32_t>(uniforms.source().run_length);
    const KeyedPermutation order(strata, uniforms.key_of_draw(draw, KeyPurpose::order));
    const std::uint32_t stratum = order(static_cast<std::uint32_t>(uniforms.place.place));
    const bool is_centred = uniforms.source().sampling == Sampling::latin_hypercube_centred;
    return uniform_in_cell(stratum, is_centred ? 0.5 : uniforms.random(draw), strata);
  }

  // Computes the uniforms of `count` draws starting at `first`.
  KOKKOS_INLINE_FUNCTION void fill(std::uint64_t first, unsigned count, double* values) const {
    const unsigned stated = uniforms.stated(first, count), whole = KeyedPermutation::in_registers(stated);
    const auto strata = static_cast<std::uint32_t>(uniforms.source().run_length);
    std::uint64_t bits[SampledUniforms::block];
    std::uint32_t stratum[SampledUniforms::block];
    uniforms.keys_of_draws(first, stated, KeyPurpose::order, bits);
    for (unsigned j = 0; j < whole; ++j) stratum[j] = static_cast<std::uint32_t>(uniforms.place.place);
    KeyedPermutation::permute_each(strata, bits, stated, stratum);
    if (uniforms.source().sampling == Sampling::latin_hypercube_centred) {
      for (unsigned j = 0; j < stated; ++j) values[j] = uniform_in_cell(stratum[j], 0.5, strata);
    } else {
      uniforms.random_bits_of_draws(first, stated, bits);
      for (unsigned j = 0; j < stated; ++j) values[j] = uniform_in_cell(stratum[j], open_uniform(bits[j]), strata);
    }
    uniforms.fill_randomly(first + stated, count - stated, values + stated);
  }
};

/// Sobol's sequence, scrambled to the last of the 52 binary digits of a uniform.
struct SobolUniforms {
  SampledUniforms uniforms;

  KOKKOS_INLINE_FUNCTION double operator()(std::uint64_t draw) const {
    if (!uniforms.is_stated(draw)) return uniforms.random(draw);
    std::uint32_t coordinate;
    coordinates(draw, 1, &coordinate);
    return scrambled_uniform(coordinate, ScramblingKey::of(uniforms.key_of_draw(draw, KeyPurpose::scrambling)));
  }

  // Computes the uniforms of `count` draws starting at `first`.
  KOKKOS_INLINE_FUNCTION void fill(std::uint64_t first, unsigned count, double* values) const {
    const unsigned stated = uniforms.stated(first, count);
    std::uint32_t coordinate[SampledUniforms::block];
    std::uint64_t keys[SampledUniforms::block];
    coordinates(first, stated, coordinate);
    uniforms.keys_of_draws(first, stated, KeyPurpose::scrambling, keys);
    for (unsigned j = 0; j < stated; ++j) values[j] = scrambled_uniform(coordinate[j], ScramblingKey::of(keys[j]));
    uniforms.fill_randomly(first + stated, count - stated, values + stated);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void coordinates(std::uint64_t draw, unsigned count, std::uint32_t* results) const {
    sobol_coordinates(uniforms.device.table + uniforms.first_dimension + draw, uniforms.device.dimensions,
                      static_cast<std::uint32_t>(uniforms.place.place), count, results);
  }
};

/// Halton's sequence: enough scrambled digits to distinguish 2^32 points, followed by random digits.
struct HaltonUniforms {
  SampledUniforms uniforms;

  KOKKOS_INLINE_FUNCTION double operator()(std::uint64_t draw) const {
    if (!uniforms.is_stated(draw)) return uniforms.random(draw);
    const std::uint32_t base = uniforms.device.table[uniforms.first_dimension + draw];
    const ScaledCoordinate coordinate = halton_coordinate(base, static_cast<std::uint32_t>(uniforms.place.place),
                                                          uniforms.key_of_draw(draw, KeyPurpose::scrambling) | 1);
    return uniform_in_cell(static_cast<double>(coordinate.value), uniforms.random(draw),
                           static_cast<double>(coordinate.scale));
  }

  // Computes the uniforms of `count` draws starting at `first`.
  KOKKOS_INLINE_FUNCTION void fill(std::uint64_t first, unsigned count, double* values) const {
    const unsigned stated = uniforms.stated(first, count);
    if (stated > 0) {
      constexpr unsigned block = SampledUniforms::block;
      std::uint64_t keys[block], random[block];
      HaltonCoordinates<block> coordinates;
      uniforms.keys_of_draws(first, stated, KeyPurpose::scrambling, keys);
      for (unsigned j = 0; j < KeyedPermutation::in_registers(stated); ++j) keys[j] |= 1;
      halton_coordinates(uniforms.device.table + uniforms.first_dimension + first,
                         static_cast<std::uint32_t>(uniforms.place.place), keys, stated, coordinates);
      uniforms.random_bits_of_draws(first, stated, random);
      for (unsigned j = 0; j < stated; ++j) {
        values[j] = uniform_in_cell(coordinates.value[j], open_uniform(random[j]), coordinates.scale[j]);
      }
    }
    uniforms.fill_randomly(first + stated, count - stated, values + stated);
  }
};

/// Faure's sequence: enough scrambled digits to distinguish 2^32 points, followed by random digits.
struct FaureUniforms {
  SampledUniforms uniforms;

  KOKKOS_INLINE_FUNCTION double operator()(std::uint64_t draw) const {
    if (!uniforms.is_stated(draw)) return uniforms.random(draw);
    return uniform(point(), draw);
  }

  // Computes the uniforms of `count` draws starting at `first`.
  KOKKOS_INLINE_FUNCTION void fill(std::uint64_t first, unsigned count, double* values) const {
    const unsigned stated = uniforms.stated(first, count);
    if (stated > 0) {
      const FaurePoint at = point();
      for (unsigned j = 0; j < stated; ++j) values[j] = uniform(at, first + j);
    }
    uniforms.fill_randomly(first + stated, count - stated, values + stated);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION FaurePoint point() const {
    return {uniforms.device.table, static_cast<std::uint32_t>(uniforms.place.place)};
  }
  KOKKOS_FORCEINLINE_FUNCTION double uniform(const FaurePoint& at, std::uint64_t draw) const {
    const ScaledCoordinate coordinate =
        at.coordinate(uniforms.first_dimension + draw, uniforms.key_of_draw(draw, KeyPurpose::scrambling) | 1);
    return uniform_in_cell(static_cast<double>(coordinate.value), uniforms.random(draw),
                           static_cast<double>(coordinate.scale));
  }
};

/// Lattice sequence. Each coordinate of a run is shifted by a random number, modulo 1.
struct LatticeUniforms {
  SampledUniforms uniforms;

  KOKKOS_INLINE_FUNCTION double operator()(std::uint64_t draw) const {
    if (!uniforms.is_stated(draw)) return uniforms.random(draw);
    return uniform(draw, uniforms.key_of_draw(draw, KeyPurpose::scrambling));
  }

  // Computes the uniforms of `count` draws starting at `first`.
  KOKKOS_INLINE_FUNCTION void fill(std::uint64_t first, unsigned count, double* values) const {
    const unsigned stated = uniforms.stated(first, count);
    std::uint64_t shifts[SampledUniforms::block];
    uniforms.keys_of_draws(first, stated, KeyPurpose::scrambling, shifts);
    for (unsigned j = 0; j < stated; ++j) values[j] = uniform(first + j, shifts[j]);
    uniforms.fill_randomly(first + stated, count - stated, values + stated);
  }

 private:
  // The sum of the coordinate and the shift, both in units of 2^-64, overflows where it reaches 1.
  KOKKOS_FORCEINLINE_FUNCTION double uniform(std::uint64_t draw, std::uint64_t shift) const {
    const std::uint32_t generator = uniforms.device.table[uniforms.first_dimension + draw];
    const std::uint64_t coordinate = lattice_coordinate(generator, static_cast<std::uint32_t>(uniforms.place.place));
    return open_uniform((coordinate << 32) + shift);
  }
};

}  // namespace sporos::impl
