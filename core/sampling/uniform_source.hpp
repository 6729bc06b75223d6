// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/engine.hpp>
#include <sporos/core/sampling/primes.hpp>
#include <sporos/core/sampling/sampling.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <span>
#include <string_view>

namespace sporos {

/// The source of the random numbers of a plan.
struct UniformSource {
  Engine engine = Engine::philox4x32;    ///< generator of the random bits
  Sampling sampling = Sampling::random;  ///< how the bits become uniforms
  /// Number of replications in a run. They share a sample, and their average is one observation. 0 selects the shortest
  /// run that the sampling method allows. Point sets require a run length; descriptive sampling requires a run length
  /// or a sample size.
  std::int64_t run_length = 0;
  /// Descriptive sampling in runs of one replication: size of the sample of each input variable. 0 with a run length of
  /// 1 selects the number of draws that the model states. After that many draws, a variable starts its next sample.
  std::int64_t sample_size = 0;
  /// Refined descriptive sampling: range of the sizes of sub-runs.
  PrimeRange primes = {};
  /// Refined descriptive sampling in runs of several replications: how sub-runs are averaged.
  SubRunWeights weights = SubRunWeights::equal;

  /// Whether this is the default source: Philox with random sampling.
  KOKKOS_FUNCTION bool is_default() const { return engine == Engine::philox4x32 && sampling == Sampling::random; }

  /// Number of replications in a run: the given length, or the shortest possible one.
  KOKKOS_FUNCTION std::int64_t replications_of_run() const {
    if (run_length > 0) return run_length;
    return sampling == Sampling::antithetic ? 2 : 1;
  }
};

/// Returns `source` with another sampling method. A sample size or an engine that the method does not use is reset.
UniformSource source_with(UniformSource source, Sampling sampling);

/// Largest number of replications that share a sample, and largest size of a sample.
inline constexpr std::int64_t max_in_sample = std::int64_t{1} << 31;

/// Whether each draw that a model states has a place in a sample that replications share.
bool shares_draws(const UniformSource& source);

/// Total number of draws in a replication, which is the number of coordinates of a point. 0 if the model does not state
/// its draws.
std::int64_t dimensions_of(std::span<const InputDraws> draws);

/// Throws std::invalid_argument, with the expected values, if a source cannot serve a model with these draws. `draws`
/// has one element per input variable and is empty if the model does not state its draws. If replications share a
/// sample, inputs without stated draws get random numbers alongside those with stated draws.
void check_source(const UniformSource& source, std::span<const InputDraws> draws);

/// Throws std::invalid_argument, naming the usable sampling methods, if `source` cannot serve a model whose draws
/// belong to entities (Inputs::pair_of): a sampling method that does not take an engine assigns numbers to draws in
/// order.
void check_serves_entities(const UniformSource& source);

/// Throws std::invalid_argument, naming the usable engines, if `source` requires a host and `backend` is not one.
void check_runs_on(const UniformSource& source, bool is_host, std::string_view backend);

}  // namespace sporos
