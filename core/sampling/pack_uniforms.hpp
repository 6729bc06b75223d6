// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/device_code.hpp>
#include <sporos/core/math/pack.hpp>
#include <sporos/core/random/block_in_lanes.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/core/sampling/descriptive_uniforms.hpp>
#include <sporos/core/sampling/keyed_permutation.hpp>
#include <sporos/core/sampling/point_uniforms.hpp>
#include <sporos/core/sampling/sampled_uniforms.hpp>
#include <sporos/core/sampling/sobol.hpp>
#include <sporos/core/sampling/sub_runs.hpp>

#include <algorithm>
#include <cstdint>

/// Uniforms of the sampling methods whose replications share a sample, for consecutive replications in the lanes of a
/// pack, on a host. They have the same bits as those of descriptive_uniforms.hpp and point_uniforms.hpp. Values that
/// all replications of a run share, such as the keys of draws, are computed once for all lanes.
///
/// Each method is a functor, constructed from the SampledUniforms of lane 0. `fill(first, count, row)` writes the
/// uniforms of draws first, first + 1, …; those of draw first + j go to row(j)[lane]. `first` is even, `count` is at
/// most `PackUniforms::most`, and the model has stated these draws. Lanes after the end of the run get the uniforms of
/// its last replication, or those of a continued run.
namespace sporos::impl {

struct PackUniforms {
  static constexpr unsigned lanes = Pack::lanes;
  static constexpr unsigned most = 16;  // largest number of draws in a call

  SampledUniforms uniforms;

  // One number for each lane of each draw; those of draw j start at index j · lanes. Loops over all of them are
  // vectorized.
  template <class T>
  using Numbers = T[most * lanes];

  // `count` rounded up so that the numbers of all lanes fill whole vector registers.
  SPOROS_HOST_FORCEINLINE_FUNCTION static constexpr unsigned even(unsigned count) { return count + count % 2; }

  // `count` rounded up so that one number for each draw fills whole registers.
  SPOROS_HOST_FORCEINLINE_FUNCTION static constexpr unsigned in_lanes(unsigned count) {
    return (count + lanes - 1) / lanes * lanes;
  }

  SPOROS_HOST_FORCEINLINE_FUNCTION void random_bits_of_draws(std::uint64_t first, unsigned count,
                                                             Numbers<std::uint64_t>& bits) const {
    const Stream first_lane{uniforms.place.seed, uniforms.place.replication, uniforms.input};
    for (unsigned j = 0; j < count; j += 2) {
      block_in_lanes<Philox4x32>(first_lane, (first + j) / 2, bits + j * lanes);
    }
  }

  // Sets the keys of draw j in all lanes to key(j), for j < count. Computes one key for each draw first, in vector
  // code.
  template <class Key>
  SPOROS_HOST_FORCEINLINE_FUNCTION static void fill_lanes(unsigned count, const Key& key,
                                                          Numbers<std::uint64_t>& keys) {
    std::uint64_t of_draws[most];
    for (unsigned j = 0; j < in_lanes(count); ++j) of_draws[j] = key(j);
    for (unsigned j = 0; j < count; ++j) std::fill_n(keys + j * lanes, lanes, of_draws[j]);
  }
  SPOROS_HOST_FORCEINLINE_FUNCTION void keys_of_draws(std::uint64_t first, unsigned count, KeyPurpose purpose,
                                                      Numbers<std::uint64_t>& keys) const {
    fill_lanes(
        count, [&](unsigned j) { return uniforms.key_of_draw(first + j, purpose); }, keys);
  }

  template <class RowOfDraw>
  SPOROS_HOST_FORCEINLINE_FUNCTION static void write(const Numbers<double>& values, unsigned count,
                                                     const RowOfDraw& row) {
    for (unsigned j = 0; j < count; ++j) std::copy_n(values + j * lanes, lanes, row(j));
  }

  // Writes random uniforms for the draws that a model makes beyond its stated number.
  template <class RowOfDraw>
  SPOROS_HOST_FORCEINLINE_FUNCTION void fill_randomly(std::uint64_t first, unsigned count, const RowOfDraw& row) const {
    for (unsigned j = 0; j < count; ++j) {
      for (unsigned lane = 0; lane < lanes; ++lane) {
        const PlaceInRun place{uniforms.place.seed, uniforms.place.replication + lane, 0, 0};
        row(j)[lane] = open_uniform(random_bits(place, uniforms.input, first + j));
      }
    }
  }
};

/// Computes each lane separately, with the functor for one replication.
template <class Uniforms>
struct LaneByLaneUniforms : PackUniforms {
  template <class RowOfDraw>
  SPOROS_HOST_FORCEINLINE_FUNCTION void fill(std::uint64_t first, unsigned count, const RowOfDraw& row) const {
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

/// Sobol's points: combines the direction numbers common to all lanes once, then those of some lanes.
struct SobolPackUniforms : PackUniforms {
  template <class RowOfDraw>
  SPOROS_HOST_FORCEINLINE_FUNCTION void fill(std::uint64_t first, unsigned count, const RowOfDraw& row) const {
    Numbers<std::uint32_t> coordinates;
    Numbers<std::uint32_t> low, high, after;
    Numbers<double> values;
    coordinates_of_draws(first, count, coordinates);
    halves_of_keys(first, count, low, high);
    for (unsigned i = 0; i < count * lanes; ++i) {
      const ScramblingKey key{low[i], high[i]};
      coordinates[i] = owen_scrambled(coordinates[i], key);
      after[i] = owen_following_digits(coordinates[i], key);
    }
    for (unsigned i = 0; i < count * lanes; ++i) values[i] = uniform_of_digits(coordinates[i], after[i]);
    write(values, count, row);
  }

 private:
  // Returns the halves in separate arrays, because a vector register holds twice as many 32-bit numbers.
  SPOROS_HOST_FORCEINLINE_FUNCTION void halves_of_keys(std::uint64_t first, unsigned count, Numbers<std::uint32_t>& low,
                                                       Numbers<std::uint32_t>& high) const {
    std::uint64_t keys[most];
    for (unsigned j = 0; j < in_lanes(count); ++j) keys[j] = uniforms.key_of_draw(first + j, KeyPurpose::scrambling);
    for (unsigned j = 0; j < count; ++j) {
      const ScramblingKey key = ScramblingKey::of(keys[j]);
      std::fill_n(low + j * lanes, lanes, key.low);
      std::fill_n(high + j * lanes, lanes, key.high);
    }
  }
  SPOROS_HOST_FORCEINLINE_FUNCTION void coordinates_of_draws(std::uint64_t first, unsigned count,
                                                             Numbers<std::uint32_t>& coordinates) const {
    const std::uint64_t dimensions = uniforms.device.dimensions;
    const std::uint32_t* direction = uniforms.device.table + uniforms.first_dimension + first;
    const auto place = static_cast<std::uint32_t>(uniforms.place.place);
    std::uint32_t gray[lanes], all = ~0u, any = 0;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      gray[lane] = (place + lane) ^ (place + lane) >> 1;
      all &= gray[lane];
      any |= gray[lane];
    }
    // Adjacent Gray codes differ in one bit, eight consecutive ones in at most four.
    const std::uint32_t* some[4] = {direction, direction, direction, direction};
    std::uint32_t wanted[4][lanes] = {}, common[most] = {};
    unsigned differing = 0;
    for (unsigned bit = 0; bit < 32 && any >> bit != 0; ++bit, direction += dimensions) {
      if (all >> bit & 1u) {
        for (unsigned j = 0; j < count; ++j) common[j] ^= direction[j];
      } else if (any >> bit & 1u) {
        some[differing] = direction;
        for (unsigned lane = 0; lane < lanes; ++lane) wanted[differing][lane] = 0 - (gray[lane] >> bit & 1u);
        ++differing;
      }
    }
    for (unsigned j = 0; j < count; ++j) {
      for (unsigned lane = 0; lane < lanes; ++lane) {
        coordinates[j * lanes + lane] = common[j] ^ (some[0][j] & wanted[0][lane]) ^ (some[1][j] & wanted[1][lane]) ^
                                        (some[2][j] & wanted[2][lane]) ^ (some[3][j] & wanted[3][lane]);
      }
    }
  }
};

/// Latin hypercube: consecutive positions in the random order of each draw.
struct LatinPackUniforms : PackUniforms {
  template <class RowOfDraw>
  SPOROS_HOST_FORCEINLINE_FUNCTION void fill(std::uint64_t first, unsigned count, const RowOfDraw& row) const {
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

/// Draws from samples of `size` regular numbers each. Consecutive replications of a run take consecutive groups of
/// elements from the samples of their variables, starting at element `begin`.
struct ShuffledPackUniforms : PackUniforms {
  std::uint32_t size;
  std::uint64_t begin;     // element of the first replication
  std::uint64_t end;       // element after the last replication
  std::uint64_t part = 0;  // index of the part of the variables' keys, if is_part
  bool is_part = false;

  template <class RowOfDraw>
  SPOROS_HOST_FORCEINLINE_FUNCTION void fill(std::uint64_t first, unsigned count, const RowOfDraw& row) const {
    Numbers<std::uint32_t> element;
    Numbers<std::uint64_t> keys, sample;
    Numbers<double> values;
    const auto turns = static_cast<std::uint64_t>(uniforms.draws.count);
    keys_of_variables(first, even(count), keys);
    for (unsigned j = 0; j < even(count); ++j) {
      locate(begin + uniforms.turn(first + j), turns, element + j * lanes, sample + j * lanes);
    }
    for (unsigned i = 0; i < even(count) * lanes; ++i) keys[i] = part_key(keys[i], sample[i]);
    KeyedPermutation::permute_all(size, keys, count * lanes, element);
    for (unsigned i = 0; i < count * lanes; ++i) values[i] = regular_number(element[i], size);
    write(values, count, row);
  }

 private:
  SPOROS_HOST_FORCEINLINE_FUNCTION void keys_of_variables(std::uint64_t first, unsigned count,
                                                          Numbers<std::uint64_t>& keys) const {
    const PlaceInRun& at = uniforms.place;
    const auto variables = static_cast<std::uint64_t>(uniforms.draws.variables);
    std::uint32_t variable[most];
    std::uint64_t next = first % variables;
    for (unsigned j = 0; j < in_lanes(count); ++j) {
      variable[j] = static_cast<std::uint32_t>(next);
      if (++next == variables) next = 0;
    }
    const auto key = [&](unsigned j) {
      const std::uint64_t of_variable = sample_key(at.seed, at.run, KeyPurpose::order, {uniforms.input, variable[j]});
      return is_part ? part_key(of_variable, part) : of_variable;
    };
    fill_lanes(count, key, keys);
  }

  // Finds the positions of all lanes in their samples. Lane 0 takes element `place` of a variable's samples.
  SPOROS_HOST_FORCEINLINE_FUNCTION void locate(std::uint64_t place, std::uint64_t turns, std::uint32_t* element,
                                               std::uint64_t* sample) const {
    std::uint64_t current = place / size, next = place - current * size;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      element[lane] = static_cast<std::uint32_t>(next);
      sample[lane] = current;
      place += turns;
      if (place >= end) continue;  // no replication uses this lane
      next += turns;
      if (next < size) continue;
      current = place / size;
      next = place - current * size;
    }
  }
};

/// Returns the functor for the lanes of a pack that corresponds to `Uniforms` for one replication. Under refined
/// descriptive sampling, all lanes are in `sub_run`.
template <class Uniforms>
SPOROS_HOST_FORCEINLINE_FUNCTION auto pack_uniforms(const SampledUniforms& uniforms, const SubRuns&) {
  return LaneByLaneUniforms<Uniforms>{{uniforms}};
}
template <>
SPOROS_HOST_FORCEINLINE_FUNCTION auto pack_uniforms<SobolUniforms>(const SampledUniforms& uniforms, const SubRuns&) {
  return SobolPackUniforms{{uniforms}};
}
template <>
SPOROS_HOST_FORCEINLINE_FUNCTION auto pack_uniforms<LatinUniforms>(const SampledUniforms& uniforms, const SubRuns&) {
  return LatinPackUniforms{{uniforms}};
}
template <>
SPOROS_HOST_FORCEINLINE_FUNCTION auto pack_uniforms<DescriptiveUniforms>(const SampledUniforms& uniforms,
                                                                         const SubRuns&) {
  const auto turns = static_cast<std::uint64_t>(uniforms.draws.count);
  const std::uint64_t size = turns * static_cast<std::uint64_t>(uniforms.source().run_length);
  return ShuffledPackUniforms{{uniforms}, static_cast<std::uint32_t>(size), uniforms.place.place * turns, size};
}
template <>
SPOROS_HOST_FORCEINLINE_FUNCTION auto pack_uniforms<RefinedUniforms>(const SampledUniforms& uniforms,
                                                                     const SubRuns& sub_run) {
  const auto turns = static_cast<std::uint64_t>(uniforms.draws.count);
  const std::uint64_t begin = (uniforms.place.place - sub_run.first()) * turns;
  return ShuffledPackUniforms{{uniforms}, sub_run.size(), begin, sub_run.size() * turns, sub_run.index(), true};
}

}  // namespace sporos::impl
