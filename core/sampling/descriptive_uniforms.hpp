// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/sampling/keyed_permutation.hpp>
#include <sporos/core/sampling/refined_descriptive.hpp>
#include <sporos/core/sampling/sampled_uniforms.hpp>
#include <sporos/core/sampling/sub_runs.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// The uniforms of descriptive and refined descriptive sampling.
namespace sporos::impl {

// Returns number `element` of a sample of `size` regular numbers, in the order given by `key`.
KOKKOS_INLINE_FUNCTION double shuffled_number(std::uint64_t size, std::uint64_t key, std::uint64_t element) {
  const KeyedPermutation order(static_cast<std::uint32_t>(size), key);
  return regular_number(order(static_cast<std::uint32_t>(element)), static_cast<std::uint32_t>(size));
}

// A block of draws on a host, from samples of `size` regular numbers each: the positions of the draws in the samples of
// their variables, and the keys that order these samples.
struct ShuffledBlock {
  static constexpr unsigned block = SampledUniforms::block;
  std::uint32_t size, element[block];
  std::uint64_t sample[block], key[block];

  // Locates draws `draw` to `draw` + count - 1 of variables that begin at element `begin`. Sets the keys of the
  // variables.
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

  KOKKOS_FORCEINLINE_FUNCTION void go_to_part(std::uint64_t index, unsigned count) {
    const unsigned whole = KeyedPermutation::in_registers(count);
    for (unsigned j = 0; j < whole; ++j) key[j] = part_key(key[j], index);
  }

  KOKKOS_FORCEINLINE_FUNCTION void fill(unsigned count, double* values) {
    const unsigned whole = KeyedPermutation::in_registers(count);
    for (unsigned j = 0; j < whole; ++j) key[j] = part_key(key[j], sample[j]);
    KeyedPermutation::permute_each(size, key, count, element);
    for (unsigned j = 0; j < count; ++j) values[j] = regular_number(element[j], size);
  }
};

/// Descriptive sampling: takes the numbers of a variable's sample, then those of further samples as needed.
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

  // Computes the uniforms of `count` draws starting at `first`.
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
  // Computes the uniforms of draws whose variables begin at element `begin` of samples of `size`.
  KOKKOS_INLINE_FUNCTION void fill_shuffled(std::uint64_t size, std::uint64_t begin, std::uint64_t first,
                                            unsigned count, double* values) const {
    if (count == 0) return;
    ShuffledBlock block;
    block.size = static_cast<std::uint32_t>(size);
    block.locate(uniforms, begin, first, count);
    block.fill(count, values);
  }

  // Computes the uniforms of a single variable, all draws of one sample together.
  KOKKOS_INLINE_FUNCTION void fill_in_order(std::uint32_t size, std::uint64_t first, unsigned count,
                                            double* values) const {
    const std::uint64_t key = uniforms.key_of_variable(first, KeyPurpose::order);
    while (count > 0) {
      const std::uint64_t sample = first / size;
      const auto place = static_cast<std::uint32_t>(first - sample * size);
      const std::uint32_t length = size - place < count ? size - place : count;
      fill_regular_numbers(KeyedPermutation(size, part_key(key, sample)), place, length, values);
      first += length;
      values += length;
      count -= length;
    }
  }
};

/// Refined descriptive sampling. In runs of one replication, each variable has its own sequence, which moves on to the
/// next prime as it is drawn from. In longer runs, all variables share the sub-runs of the run. In a sub-run of p
/// replications, each variable uses `count` shuffles of the p numbers.
struct RefinedUniforms {
  SampledUniforms uniforms;
  const SubRuns& sub_run;
  RefinedSequence& sequence;  // sequence of the input's only variable, in a run of one replication

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

  // Computes the uniforms of `count` draws starting at `first`.
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

}  // namespace sporos::impl
