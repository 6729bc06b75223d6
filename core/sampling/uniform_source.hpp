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

/// Which random numbers a plan asks for.
struct UniformSource {
  Engine engine = Engine::philox4x32;    ///< where the bits come from
  Sampling sampling = Sampling::random;  ///< how they become uniforms
  /// Replications of a run, which share a sample and together make one observation, their average; 0: as few as the
  /// sampling can do with, where it can do with few. Point sets need a length; descriptive sampling needs one or a
  /// sample size.
  std::int64_t run_length = 0;
  /// Descriptive sampling in runs of one replication: numbers in a sample of each input variable; 0 with a run length
  /// of 1: as many as the model states that it draws. After so many a variable begins its next sample.
  std::int64_t sample_size = 0;
  /// Refined descriptive sampling: the sizes of its sub-runs.
  PrimeRange primes = {};
  /// Refined descriptive sampling in runs of several replications: how its sub-runs are averaged.
  SubRunWeights weights = SubRunWeights::equal;

  /// Whether this is the default path: philox, random.
  KOKKOS_FUNCTION bool is_default() const { return engine == Engine::philox4x32 && sampling == Sampling::random; }

  /// Replications of a run: the given length, or the shortest there can be.
  KOKKOS_FUNCTION std::int64_t replications_of_run() const {
    if (run_length > 0) return run_length;
    return sampling == Sampling::antithetic ? 2 : 1;
  }
};

/// `source` under another sampling: a sample size and an engine go where that sampling takes none.
UniformSource source_with(UniformSource source, Sampling sampling);

/// The most replications of a run, where they share a sample, and the most numbers of a sample.
inline constexpr std::int64_t most_in_sample = std::int64_t{1} << 31;

/// Whether each draw that a model states has its place in a sample that replications share.
bool shares_draws(const UniformSource& source);

/// All draws of a replication, and so the coordinates of a point; 0 where a model does not state them.
std::int64_t dimensions_of(std::span<const InputDraws> draws);

/// Throws std::invalid_argument, saying what would be right, where a source cannot serve a model that draws as `draws`
/// states for each of its input variables (empty where the model does not state it). Where replications share a sample,
/// inputs that state nothing get random numbers beside those that do.
void check_source(const UniformSource& source, std::span<const InputDraws> draws);

/// Throws std::invalid_argument, with the engines that run there, where `source` needs a host and a backend is none.
void check_runs_on(const UniformSource& source, bool is_host, std::string_view backend);

}  // namespace sporos
