// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>

namespace sporos {

/// Where a model's uniforms come from.
///
/// Replications come in runs. Those of one run share a sample and so depend on each other; runs are independent.
enum class Sampling {
  random,                   ///< independent uniforms
  antithetic,               ///< replications in pairs: the second takes 1 − u where the first takes u
  descriptive,              ///< each variable takes (i − ½)/n, i = 1 … n, in random order (Saliby 1990)
  refined_descriptive,      ///< the same in sub-runs of random prime sizes n (Tari, Dahmani 2006; paper 001)
  latin_hypercube,          ///< each draw takes one number from each of n equal strata (McKay, Beckman, Conover 1979)
  latin_hypercube_centred,  ///< the same, the middle of each stratum
  sobol,                    ///< Sobol's sequence with Joe and Kuo's directions, scrambled after Owen
  halton                    ///< Halton's sequence, its digits scrambled linearly
};

/// Names of the samplings.
template <>
struct ChoiceNames<Sampling> {
  static constexpr std::string_view what = "sampling";  ///< what is chosen
  /// name and value of each
  static constexpr auto values =
      std::to_array<NamedValue<Sampling>>({{"random", Sampling::random},
                                           {"antithetic", Sampling::antithetic},
                                           {"descriptive", Sampling::descriptive},
                                           {"refined-descriptive", Sampling::refined_descriptive},
                                           {"latin-hypercube", Sampling::latin_hypercube},
                                           {"latin-hypercube-centred", Sampling::latin_hypercube_centred},
                                           {"sobol", Sampling::sobol},
                                           {"halton", Sampling::halton}});
};

/// How the sub-runs of refined descriptive sampling make the average of a run.
enum class SubRunWeights {
  equal,   ///< each sub-run counts alike, the unfinished last one too: as published (paper 001, sections 3.2 and 6.1)
  by_size  ///< each by its replications, so that every replication counts alike
};

/// Names of the weights.
template <>
struct ChoiceNames<SubRunWeights> {
  static constexpr std::string_view what = "weights of sub-runs";  ///< what is chosen
  /// name and value of each
  static constexpr auto values =
      std::to_array<NamedValue<SubRunWeights>>({{"equal", SubRunWeights::equal}, {"by-size", SubRunWeights::by_size}});
};

/// Whether a sampling spreads points over the unit cube, a coordinate for each draw of a replication and a point for
/// each replication of a run.
KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_point_set(Sampling sampling) {
  return sampling == Sampling::latin_hypercube || sampling == Sampling::latin_hypercube_centred ||
         sampling == Sampling::sobol || sampling == Sampling::halton;
}

/// Whether the numbers come from an engine, as independent uniforms or their reflections; those of all other samplings
/// come from permutations and digits that philox keys.
KOKKOS_FORCEINLINE_FUNCTION constexpr bool takes_engine(Sampling sampling) {
  return sampling == Sampling::random || sampling == Sampling::antithetic;
}

/// Whether a run's sample goes on for as long as the run does, so that a longer run only adds to it; the others are
/// made for their length.
constexpr bool goes_on(Sampling sampling) {
  return sampling != Sampling::descriptive && sampling != Sampling::latin_hypercube &&
         sampling != Sampling::latin_hypercube_centred;
}

/// How often a replication draws from one input variable, as a model states it whose number of draws is known in
/// advance: `count` draws of each of `variables` random variables that take turns (draw i is variable i mod variables).
struct InputDraws {
  std::int64_t count = 0;      ///< draws of each variable in a replication; 0 where it is not known
  std::int64_t variables = 1;  ///< variables that share the input

  /// All draws of the input in a replication; 0 where it is not known.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t total() const { return count * variables; }
};

}  // namespace sporos
