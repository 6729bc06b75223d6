// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/pack.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/core/sampling/descriptive_uniforms.hpp>
#include <sporos/core/sampling/keyed_permutation.hpp>
#include <sporos/core/sampling/point_uniforms.hpp>
#include <sporos/core/sampling/sampled_uniforms.hpp>
#include <sporos/core/sampling/sobol.hpp>
#include <sporos/core/sampling/sub_runs.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

/// The uniforms of samplings whose replications share a sample, for the neighbouring replications in a pack's lanes, on
/// a host. They have the bits of descriptive_uniforms.hpp and point_uniforms.hpp; what all replications of a run share,
/// such as the keys of draws, is computed once for all lanes.
///
/// Each is a functor like theirs, made of the SampledUniforms of lane 0. `fill(first, count, row)` writes the uniforms
/// of draws first, first + 1, …, at most `PackUniforms::most` that the model stated; those of draw first + j go to
/// row(j)[lane]. `first` is even. Lanes behind the run's end are computed like its last replication, or go on.
namespace sporos::impl {

struct PackUniforms {
  static constexpr unsigned lanes = Pack::lanes;
  static constexpr unsigned most = 16;  // draws of a call

  SampledUniforms uniforms;

  // A number for each lane of each draw, those of draw j from j · lanes on: loops over all become vector code.
  template <class T>
  using Numbers = T[most * lanes];

  // Draws whose numbers fill whole vector registers.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr unsigned even(unsigned count) { return count + count % 2; }

  KOKKOS_FORCEINLINE_FUNCTION void random_bits_of_draws(std::uint64_t first, unsigned count,
                                                        Numbers<std::uint64_t>& bits) const {
    const PlaceInRun& place = uniforms.place;
    const unsigned blocks = (count + 1) / 2 * lanes;
    std::uint64_t words[2][most / 2 * lanes];
    for (unsigned i = 0; i < blocks; ++i) {
      const Stream stream{place.seed, place.replication + i % lanes, uniforms.input};
      const auto block = Philox4x32::block(stream, first / 2 + i / lanes);
      words[0][i] = block[0];
      words[1][i] = block[1];
    }
    for (unsigned j = 0; j < even(count); ++j) std::copy_n(words[j % 2] + j / 2 * lanes, lanes, bits + j * lanes);
  }

  KOKKOS_FORCEINLINE_FUNCTION void keys_of_draws(std::uint64_t first, unsigned count, KeyPurpose purpose,
                                                 Numbers<std::uint64_t>& keys) const {
    for (unsigned j = 0; j < count; ++j) std::fill_n(keys + j * lanes, lanes, uniforms.key_of_draw(first + j, purpose));
  }

  template <class RowOfDraw>
  KOKKOS_FORCEINLINE_FUNCTION static void write(const Numbers<double>& values, unsigned count, const RowOfDraw& row) {
    for (unsigned j = 0; j < count; ++j) std::copy_n(values + j * lanes, lanes, row(j));
  }

  // What a model gets that draws more often than it stated.
  template <class RowOfDraw>
  KOKKOS_FORCEINLINE_FUNCTION void fill_randomly(std::uint64_t first, unsigned count, const RowOfDraw& row) const {
    for (unsigned j = 0; j < count; ++j) {
      for (unsigned lane = 0; lane < lanes; ++lane) {
        const PlaceInRun place{uniforms.place.seed, uniforms.place.replication + lane, 0, 0};
        row(j)[lane] = open_uniform(random_bits(place, uniforms.input, first + j));
      }
    }
  }
};

/// Lane by lane, as it is computed for one replication.
template <class Uniforms>
struct LaneByLaneUniforms : PackUniforms {
  template <class RowOfDraw>
  KOKKOS_FORCEINLINE_FUNCTION void fill(std::uint64_t first, unsigned count, const RowOfDraw& row) const {
    for (unsigned lane = 0; lane < lanes; ++lane) {
      PlaceInRun place = uniforms.place;
      place.replication += lane;
      place.place += lane;
      double values[most];
      Uniforms{{uniforms.device, place, uniforms.input, uniforms.draws, uniforms.first_dimension}}.fill(first, count,
                                                                                                        values);
      for (unsigned j = 0; j < count; ++j) row(j)[lane] = values[j];
    }
  }
};

/// Sobol's points in their order: each differs from the one before by one direction number.
struct SobolPackUniforms : PackUniforms {
  template <class RowOfDraw>
  KOKKOS_FORCEINLINE_FUNCTION void fill(std::uint64_t first, unsigned count, const RowOfDraw& row) const {
    Numbers<std::uint32_t> coordinates;
    Numbers<std::uint64_t> keys, random;
    Numbers<double> values;
    coordinates_of_draws(first, count, coordinates);
    keys_of_draws(first, count, KeyPurpose::scrambling, keys);
    random_bits_of_draws(first, count, random);
    for (unsigned i = 0; i < count * lanes; ++i) {
      values[i] = open_uniform(SobolUniforms::bits(coordinates[i], keys[i], random[i]));
    }
    write(values, count, row);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void coordinates_of_draws(std::uint64_t first, unsigned count,
                                                        Numbers<std::uint32_t>& coordinates) const {
    const std::uint64_t dimensions = uniforms.device.dimensions;
    const std::uint32_t* const directions = uniforms.device.table + uniforms.first_dimension + first;
    const auto place = static_cast<std::uint32_t>(uniforms.place.place);
    std::uint32_t coordinate[most];
    sobol_coordinates(directions, dimensions, place, count, coordinate);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      if (lane > 0) {
        const std::uint32_t* const change =
            directions + static_cast<unsigned>(std::countr_zero(place + lane)) * dimensions;
        for (unsigned j = 0; j < count; ++j) coordinate[j] ^= change[j];
      }
      for (unsigned j = 0; j < count; ++j) coordinates[j * lanes + lane] = coordinate[j];
    }
  }
};

/// Latin hypercube: neighbouring places of each draw's order.
struct LatinPackUniforms : PackUniforms {
  template <class RowOfDraw>
  KOKKOS_FORCEINLINE_FUNCTION void fill(std::uint64_t first, unsigned count, const RowOfDraw& row) const {
    const auto strata = static_cast<std::uint32_t>(uniforms.source().run_length);
    const auto place = static_cast<std::uint32_t>(uniforms.place.place);
    Numbers<std::uint32_t> stratum;
    Numbers<std::uint64_t> bits;
    Numbers<double> values;
    keys_of_draws(first, even(count), KeyPurpose::order, bits);
    for (unsigned i = 0; i < even(count) * lanes; ++i) stratum[i] = std::min(place + i % lanes, strata - 1);
    KeyedPermutation::permute_all(strata, bits, count * lanes, stratum);
    if (uniforms.source().sampling == Sampling::latin_hypercube_centred) {
      for (unsigned i = 0; i < count * lanes; ++i) values[i] = uniform_in_cell(stratum[i], 0.5, strata);
    } else {
      random_bits_of_draws(first, count, bits);
      for (unsigned i = 0; i < count * lanes; ++i) {
        values[i] = uniform_in_cell(stratum[i], open_uniform(bits[i]), strata);
      }
    }
    write(values, count, row);
  }
};

/// Of samples of `size` regular numbers each: neighbouring replications of a run, which take as many elements of their
/// variables' samples one after the other, from `begin` on.
struct ShuffledPackUniforms : PackUniforms {
  std::uint32_t size;
  std::uint64_t begin;     // element of the first replication
  std::uint64_t end;       // element behind the last one
  std::uint64_t part = 0;  // of the variables' keys, where is_part
  bool is_part = false;

  template <class RowOfDraw>
  KOKKOS_FORCEINLINE_FUNCTION void fill(std::uint64_t first, unsigned count, const RowOfDraw& row) const {
    Numbers<std::uint32_t> element;
    Numbers<std::uint64_t> keys, sample;
    Numbers<double> values;
    const auto turns = static_cast<std::uint64_t>(uniforms.draws.count);
    for (unsigned j = 0; j < even(count); ++j) {
      locate(begin + uniforms.turn(first + j), turns, element + j * lanes, sample + j * lanes);
      const std::uint64_t key = uniforms.key_of_variable(first + j, KeyPurpose::order);
      std::fill_n(keys + j * lanes, lanes, is_part ? part_key(key, part) : key);
    }
    for (unsigned i = 0; i < even(count) * lanes; ++i) keys[i] = part_key(keys[i], sample[i]);
    KeyedPermutation::permute_all(size, keys, count * lanes, element);
    for (unsigned i = 0; i < count * lanes; ++i) values[i] = regular_number(element[i], size);
    write(values, count, row);
  }

 private:
  // Where the lanes stand in their samples, of which lane 0 takes number `place` of a variable's.
  KOKKOS_FORCEINLINE_FUNCTION void locate(std::uint64_t place, std::uint64_t turns, std::uint32_t* element,
                                          std::uint64_t* sample) const {
    std::uint64_t current = place / size, next = place - current * size;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      element[lane] = static_cast<std::uint32_t>(next);
      sample[lane] = current;
      place += turns;
      if (place >= end) continue;  // no replication has this lane
      next += turns;
      if (next < size) continue;
      current = place / size;
      next = place - current * size;
    }
  }
};

/// What makes the uniforms of lanes where `Uniforms` makes those of a replication, under refined descriptive sampling
/// all of them in `sub_run`.
template <class Uniforms>
KOKKOS_FORCEINLINE_FUNCTION auto pack_uniforms(const SampledUniforms& uniforms, const SubRuns&) {
  return LaneByLaneUniforms<Uniforms>{{uniforms}};
}
template <>
KOKKOS_FORCEINLINE_FUNCTION auto pack_uniforms<SobolUniforms>(const SampledUniforms& uniforms, const SubRuns&) {
  return SobolPackUniforms{{uniforms}};
}
template <>
KOKKOS_FORCEINLINE_FUNCTION auto pack_uniforms<LatinUniforms>(const SampledUniforms& uniforms, const SubRuns&) {
  return LatinPackUniforms{{uniforms}};
}
template <>
KOKKOS_FORCEINLINE_FUNCTION auto pack_uniforms<DescriptiveUniforms>(const SampledUniforms& uniforms, const SubRuns&) {
  const auto turns = static_cast<std::uint64_t>(uniforms.draws.count);
  const std::uint64_t size = turns * static_cast<std::uint64_t>(uniforms.source().run_length);
  return ShuffledPackUniforms{{uniforms}, static_cast<std::uint32_t>(size), uniforms.place.place * turns, size};
}
template <>
KOKKOS_FORCEINLINE_FUNCTION auto pack_uniforms<RefinedUniforms>(const SampledUniforms& uniforms,
                                                                const SubRuns& sub_run) {
  const auto turns = static_cast<std::uint64_t>(uniforms.draws.count);
  const std::uint64_t begin = (uniforms.place.place - sub_run.first()) * turns;
  return ShuffledPackUniforms{{uniforms}, sub_run.size(), begin, sub_run.size() * turns, sub_run.index(), true};
}

}  // namespace sporos::impl
