// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/core/sampling/keyed_permutation.hpp>
#include <sporos/core/sampling/prepared_source.hpp>
#include <sporos/core/sampling/refined_descriptive.hpp>
#include <sporos/core/sampling/sample_key.hpp>
#include <sporos/core/sampling/sub_runs.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// The uniforms of the samplings whose replications share a sample: for one input of one replication, functors from
/// the index of a draw to its uniform. What they need is computed where it is needed, so that no replication costs
/// memory.
namespace sporos::impl {

/// A replication and where it stands in its run.
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

// The random uniform of a draw: what lies inside a stratum or behind a digit, and what a model gets that draws more
// often than it stated.
KOKKOS_INLINE_FUNCTION std::uint64_t random_bits(const PlaceInRun& place, std::uint32_t input, std::uint64_t draw) {
  return Philox4x32::block({place.seed, place.replication, input}, draw / 2)[draw % 2];
}

// (value + u) / scale, held off 1, which the sum's rounding can reach.
KOKKOS_FORCEINLINE_FUNCTION double uniform_in_cell(double value, double u, double scale) {
  const double x = (value + u) / scale;
  return x < 1.0 ? x : 1.0 - 0x1p-53;
}

// What all of them know.
struct SampledUniforms {
  const DeviceSource& device;
  const PlaceInRun& place;
  std::uint32_t input;
  const InputDraws& draws;
  std::uint64_t first_dimension;  // the coordinate of the input's first draw

  KOKKOS_FORCEINLINE_FUNCTION const UniformSource& source() const { return device.source; }
  KOKKOS_FORCEINLINE_FUNCTION bool is_shared() const { return source().replications_of_run() > 1; }
  KOKKOS_FORCEINLINE_FUNCTION bool is_stated(std::uint64_t draw) const {
    return draw < static_cast<std::uint64_t>(draws.total());
  }
  KOKKOS_FORCEINLINE_FUNCTION double random(std::uint64_t draw) const {
    return open_uniform(random_bits(place, input, draw));
  }

  // Draw i is draw i / variables of variable i % variables.
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

  // For blocks of draws on a host: the same for draws first, first + 1, …, in loops that compilers turn into vector
  // code. Loops over what lies in arrays of a block go on to whole registers.
  static constexpr unsigned block = KeyedPermutation::block;

  // How many of `count` draws from `first` on the model stated.
  KOKKOS_FORCEINLINE_FUNCTION unsigned stated(std::uint64_t first, unsigned count) const {
    const auto total = static_cast<std::uint64_t>(draws.total());
    return first >= total ? 0 : total - first < count ? static_cast<unsigned>(total - first) : count;
  }
  KOKKOS_FORCEINLINE_FUNCTION void keys_of_draws(std::uint64_t first, unsigned count, KeyPurpose purpose,
                                                 std::uint64_t* keys) const {
    const unsigned whole = KeyedPermutation::in_registers(count);
    for (unsigned j = 0; j < whole; ++j) keys[j] = key_of_draw(first + j, purpose);
  }
  // `first` is even: philox makes two draws at once.
  KOKKOS_FORCEINLINE_FUNCTION void random_bits_of_draws(std::uint64_t first, unsigned count,
                                                        std::uint64_t* bits) const {
    const unsigned blocks = KeyedPermutation::in_registers(count) / 2;
    const Stream stream{place.seed, place.replication, input};
    for (unsigned j = 0; j < blocks; ++j) {
      const auto words = Philox4x32::block(stream, first / 2 + j);
      bits[2 * j] = words[0];
      bits[2 * j + 1] = words[1];
    }
  }
  KOKKOS_INLINE_FUNCTION void fill_randomly(std::uint64_t first, unsigned count, double* values) const {
    for (unsigned j = 0; j < count; ++j) values[j] = random(first + j);
  }
};

// Number `element` of a sample of `size` regular numbers, in the order that `key` makes.
KOKKOS_INLINE_FUNCTION double shuffled_number(std::uint64_t size, std::uint64_t key, std::uint64_t element) {
  const KeyedPermutation order(static_cast<std::uint32_t>(size), key);
  return regular_number(order(static_cast<std::uint32_t>(element)), static_cast<std::uint32_t>(size));
}

// Draws of a block on a host, of samples that have `size` regular numbers each: where they stand in their variables'
// samples, and the keys that order these.
struct ShuffledBlock {
  static constexpr unsigned block = SampledUniforms::block;
  std::uint32_t size, element[block];
  std::uint64_t sample[block], key[block];

  // Draws `draw` to `draw` + count - 1, of variables that begin at element `begin`; the keys are their variables'.
  KOKKOS_FORCEINLINE_FUNCTION void locate(const SampledUniforms& uniforms, std::uint64_t begin, std::uint64_t draw,
                                          unsigned count) {
    const unsigned whole = KeyedPermutation::in_registers(count);
    std::uint32_t variable[block];
    const auto variables = static_cast<std::uint64_t>(uniforms.draws.variables);
    std::uint64_t next_variable = draw % variables, next = begin + draw / variables;
    std::uint64_t next_sample = next / size, next_element = next % size;
    for (unsigned j = 0; j < whole; ++j) {
      variable[j] = static_cast<std::uint32_t>(next_variable);
      element[j] = static_cast<std::uint32_t>(next_element);
      sample[j] = next_sample;
      if (++next_variable < variables) continue;
      next_variable = 0;
      if (++next_element < size) continue;
      next_element = 0;
      ++next_sample;
    }
    for (unsigned j = 0; j < whole; ++j) {
      key[j] = sample_key(uniforms.place.seed, uniforms.place.run, KeyPurpose::order, {uniforms.input, variable[j]});
    }
  }

  // The key of each becomes that of its part `index`, as the sub-run is of a run.
  KOKKOS_FORCEINLINE_FUNCTION void go_to_part(std::uint64_t index, unsigned count) {
    const unsigned whole = KeyedPermutation::in_registers(count);
    for (unsigned j = 0; j < whole; ++j) key[j] = part_key(key[j], index);
  }

  // The numbers at these places; uses up the keys and elements.
  KOKKOS_FORCEINLINE_FUNCTION void fill(unsigned count, double* values) {
    const unsigned whole = KeyedPermutation::in_registers(count);
    for (unsigned j = 0; j < whole; ++j) key[j] = part_key(key[j], sample[j]);
    KeyedPermutation::permute_each(size, key, count, element);
    for (unsigned j = 0; j < count; ++j) values[j] = regular_number(element[j], size);
  }
};

/// Descriptive sampling: the numbers of a variable's sample, and of further samples for as long as it is drawn.
struct DescriptiveUniforms {
  SampledUniforms uniforms;

  KOKKOS_INLINE_FUNCTION double operator()(std::uint64_t draw) const {
    const auto count = static_cast<std::uint64_t>(uniforms.draws.count);
    const auto given_size = static_cast<std::uint64_t>(uniforms.source().sample_size);
    std::uint64_t element = uniforms.turn(draw), size = given_size > 0 ? given_size : count;
    if (uniforms.is_shared()) {
      if (!uniforms.is_stated(draw)) return uniforms.random(draw);
      element += uniforms.place.place * count;
      size = count * static_cast<std::uint64_t>(uniforms.source().run_length);
    }
    const std::uint64_t sample = element / size;
    const std::uint64_t key = part_key(uniforms.key_of_variable(draw, KeyPurpose::order), sample);
    return shuffled_number(size, key, element - sample * size);
  }

  // The same for `count` draws from `first` on.
  KOKKOS_INLINE_FUNCTION void fill(std::uint64_t first, unsigned count, double* values) const {
    const auto turns = static_cast<std::uint64_t>(uniforms.draws.count);
    const auto given_size = static_cast<std::uint64_t>(uniforms.source().sample_size);
    const std::uint64_t size = given_size > 0 ? given_size : turns;
    if (uniforms.is_shared()) {
      const unsigned stated = uniforms.stated(first, count);
      const auto run_length = static_cast<std::uint64_t>(uniforms.source().run_length);
      fill_shuffled(turns * run_length, uniforms.place.place * turns, first, stated, values);
      uniforms.fill_randomly(first + stated, count - stated, values + stated);
    } else if (uniforms.draws.variables == 1) {
      fill_in_order(static_cast<std::uint32_t>(size), first, count, values);
    } else {
      fill_shuffled(size, 0, first, count, values);
    }
  }

 private:
  // Where variables begin at element `begin` of samples of `size`.
  KOKKOS_INLINE_FUNCTION void fill_shuffled(std::uint64_t size, std::uint64_t begin, std::uint64_t first,
                                            unsigned count, double* values) const {
    if (count == 0) return;
    ShuffledBlock block;
    block.size = static_cast<std::uint32_t>(size);
    block.locate(uniforms, begin, first, count);
    block.fill(count, values);
  }

  // Of a variable alone: the draws of one sample together.
  KOKKOS_INLINE_FUNCTION void fill_in_order(std::uint32_t size, std::uint64_t first, unsigned count,
                                            double* values) const {
    const std::uint64_t key = uniforms.key_of_variable(first, KeyPurpose::order);
    while (count > 0) {
      const std::uint64_t sample = first / size;
      const auto place = static_cast<std::uint32_t>(first - sample * size);
      const std::uint32_t length = size - place < count ? size - place : count;
      const KeyedPermutation order(size, part_key(key, sample));
      std::uint32_t numbers[KeyedPermutation::block];
      order.fill(place, length, numbers);
      for (std::uint32_t j = 0; j < length; ++j) values[j] = regular_number(numbers[j], size);
      first += length;
      values += length;
      count -= length;
    }
  }
};

/// Refined descriptive sampling. In runs of one replication each variable has a sequence of its own that goes from
/// prime to prime as it is drawn; in longer ones all variables share the run's sub-runs, and in one of p replications
/// each takes `count` shuffles of the p numbers.
struct RefinedUniforms {
  SampledUniforms uniforms;
  const SubRuns& sub_run;
  RefinedSequence& sequence;  // of the only variable of the input, in a run of one replication

  KOKKOS_INLINE_FUNCTION double operator()(std::uint64_t draw) const {
    if (uniforms.is_shared()) return shared(draw);
    if (uniforms.draws.variables == 1) {
      sequence.seek(draw);
      return sequence.at(draw);
    }
    const std::uint64_t turn = uniforms.turn(draw);
    RefinedSequence own = sequence_of(draw);
    own.seek(turn);
    return own.at(turn);
  }

  // The same for `count` draws from `first` on.
  KOKKOS_INLINE_FUNCTION void fill(std::uint64_t first, unsigned count, double* values) const {
    if (!uniforms.is_shared() && uniforms.draws.variables == 1) {
      sequence.fill(first, count, values);
    } else if (uniforms.is_shared()) {
      fill_shared(first, count, values);
    } else {
      for (unsigned i = 0; i < count; ++i) values[i] = (*this)(first + i);
    }
  }

  // The sequence of the variable that `draw` belongs to.
  KOKKOS_INLINE_FUNCTION RefinedSequence sequence_of(std::uint64_t draw) const {
    return {uniforms.source().primes, uniforms.key_of_variable(draw, KeyPurpose::sub_runs),
            uniforms.key_of_variable(draw, KeyPurpose::order)};
  }

 private:
  KOKKOS_INLINE_FUNCTION double shared(std::uint64_t draw) const {
    if (!uniforms.is_stated(draw)) return uniforms.random(draw);
    const auto count = static_cast<std::uint64_t>(uniforms.draws.count);
    const std::uint64_t element = (uniforms.place.place - sub_run.first()) * count + uniforms.turn(draw);
    const std::uint64_t shuffle = element / sub_run.size();
    const std::uint64_t key = part_key(uniforms.key_of_variable(draw, KeyPurpose::order), sub_run.index());
    return shuffled_number(sub_run.size(), part_key(key, shuffle), element - shuffle * sub_run.size());
  }

  KOKKOS_INLINE_FUNCTION void fill_shared(std::uint64_t first, unsigned count, double* values) const {
    const unsigned stated = uniforms.stated(first, count);
    const auto turns = static_cast<std::uint64_t>(uniforms.draws.count);
    if (stated > 0) {
      ShuffledBlock block;
      block.size = sub_run.size();
      block.locate(uniforms, (uniforms.place.place - sub_run.first()) * turns, first, stated);
      block.go_to_part(sub_run.index(), stated);
      block.fill(stated, values);
    }
    uniforms.fill_randomly(first + stated, count - stated, values + stated);
  }
};

/// Latin hypercube: each draw of a replication takes the strata in an order of its own, over the run.
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

  // The same for `count` draws from `first` on.
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

/// Sobol's sequence: its 32 bits scrambled, and random ones behind them.
struct SobolUniforms {
  SampledUniforms uniforms;

  KOKKOS_INLINE_FUNCTION double operator()(std::uint64_t draw) const {
    if (!uniforms.is_stated(draw)) return uniforms.random(draw);
    std::uint32_t coordinate;
    coordinates(draw, 1, &coordinate);
    return open_uniform(bits(coordinate, uniforms.key_of_draw(draw, KeyPurpose::scrambling),
                             random_bits(uniforms.place, uniforms.input, draw)));
  }

  // The same for `count` draws from `first` on.
  KOKKOS_INLINE_FUNCTION void fill(std::uint64_t first, unsigned count, double* values) const {
    const unsigned stated = uniforms.stated(first, count);
    std::uint32_t coordinate[SampledUniforms::block];
    std::uint64_t keys[SampledUniforms::block], random[SampledUniforms::block];
    coordinates(first, stated, coordinate);
    uniforms.keys_of_draws(first, stated, KeyPurpose::scrambling, keys);
    uniforms.random_bits_of_draws(first, stated, random);
    for (unsigned j = 0; j < stated; ++j) values[j] = open_uniform(bits(coordinate[j], keys[j], random[j]));
    uniforms.fill_randomly(first + stated, count - stated, values + stated);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void coordinates(std::uint64_t draw, unsigned count, std::uint32_t* results) const {
    sobol_coordinates(uniforms.device.table + uniforms.first_dimension + draw, uniforms.device.dimensions,
                      static_cast<std::uint32_t>(uniforms.place.place), count, results);
  }
  KOKKOS_FORCEINLINE_FUNCTION static std::uint64_t bits(std::uint32_t coordinate, std::uint64_t key,
                                                        std::uint64_t random) {
    return std::uint64_t{owen_scrambled(coordinate, key)} << 32 | random >> 32;
  }
};

/// Halton's sequence: digits that tell 2^32 points apart, scrambled, and random ones behind them.
struct HaltonUniforms {
  SampledUniforms uniforms;

  KOKKOS_INLINE_FUNCTION double operator()(std::uint64_t draw) const {
    if (!uniforms.is_stated(draw)) return uniforms.random(draw);
    const std::uint32_t base = uniforms.device.table[uniforms.first_dimension + draw];
    const HaltonCoordinate coordinate = halton_coordinate(base, static_cast<std::uint32_t>(uniforms.place.place),
                                                          uniforms.key_of_draw(draw, KeyPurpose::scrambling) | 1);
    return uniform_in_cell(static_cast<double>(coordinate.value), uniforms.random(draw),
                           static_cast<double>(coordinate.scale));
  }

  // The same for `count` draws from `first` on.
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

}  // namespace sporos::impl
