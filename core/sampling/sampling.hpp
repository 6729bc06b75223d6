// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/execution/typed_choices.hpp>
#include <sporos/core/sampling/faure_table.hpp>
#include <sporos/core/sampling/halton_bases.hpp>
#include <sporos/core/sampling/sobol_directions.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

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
  halton,                   ///< Halton's sequence, its digits scrambled linearly
  faure                     ///< Faure's sequence, its digits scrambled linearly
};

namespace impl {

// What makes the uniforms of a draw, for each sampling that takes no engine.
struct DescriptiveUniforms;
struct RefinedUniforms;
struct LatinUniforms;
struct SobolUniforms;
struct HaltonUniforms;
struct FaureUniforms;

struct EngineSampling {
  static constexpr bool takes_engine = true, is_point_set = false, goes_on = true, is_unbiased = true;
};

struct DescriptiveSampling {
  static constexpr bool takes_engine = false, is_point_set = false, goes_on = false, is_unbiased = false;
  using Uniforms = DescriptiveUniforms;
};

struct RefinedDescriptiveSampling {
  static constexpr bool takes_engine = false, is_point_set = false, goes_on = true, is_unbiased = false;
  using Uniforms = RefinedUniforms;
};

struct LatinHypercubeSampling {
  static constexpr bool takes_engine = false, is_point_set = true, goes_on = false, is_unbiased = true;
  using Uniforms = LatinUniforms;
};

struct CentredLatinHypercubeSampling : LatinHypercubeSampling {
  static constexpr bool is_unbiased = false;
};

struct SobolSampling {
  static constexpr bool takes_engine = false, is_point_set = true, goes_on = true, is_unbiased = true;
  static constexpr std::int64_t most_dimensions = most_sobol_dimensions;
  static std::vector<std::uint32_t> table(std::int64_t dimensions) { return sobol_directions(dimensions); }
  using Uniforms = SobolUniforms;
};

struct HaltonSampling {
  static constexpr bool takes_engine = false, is_point_set = true, goes_on = true, is_unbiased = true;
  static constexpr std::int64_t most_dimensions = most_halton_dimensions;
  static std::vector<std::uint32_t> table(std::int64_t dimensions) { return halton_bases(dimensions); }
  using Uniforms = HaltonUniforms;
};

struct FaureSampling {
  static constexpr bool takes_engine = false, is_point_set = true, goes_on = true, is_unbiased = true;
  static constexpr std::int64_t most_dimensions = most_faure_dimensions;
  static std::vector<std::uint32_t> table(std::int64_t dimensions) { return faure_table(dimensions); }
  using Uniforms = FaureUniforms;
};

/// Every sampling, with what is known of it before it runs: see takes_engine, is_point_set, goes_on and is_unbiased
/// below; Uniforms, where it takes no engine; most_dimensions and a table for kernels, where its dimensions need one.
using Samplings = TypedChoices<
    TypedChoice<"random", Sampling::random, EngineSampling>,
    TypedChoice<"antithetic", Sampling::antithetic, EngineSampling>,
    TypedChoice<"descriptive", Sampling::descriptive, DescriptiveSampling>,
    TypedChoice<"refined-descriptive", Sampling::refined_descriptive, RefinedDescriptiveSampling>,
    TypedChoice<"latin-hypercube", Sampling::latin_hypercube, LatinHypercubeSampling>,
    TypedChoice<"latin-hypercube-centred", Sampling::latin_hypercube_centred, CentredLatinHypercubeSampling>,
    TypedChoice<"sobol", Sampling::sobol, SobolSampling>, TypedChoice<"halton", Sampling::halton, HaltonSampling>,
    TypedChoice<"faure", Sampling::faure, FaureSampling>>;

}  // namespace impl

/// Names of the samplings.
template <>
struct ChoiceNames<Sampling> {
  static constexpr std::string_view what = "sampling";    ///< what is chosen
  static constexpr auto values = impl::Samplings::names;  ///< name and value of each
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

namespace impl {

struct IsPointSet {
  template <class S>
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool operator()(std::type_identity<S>) const {
    return S::is_point_set;
  }
};

struct TakesEngine {
  template <class S>
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool operator()(std::type_identity<S>) const {
    return S::takes_engine;
  }
};

}  // namespace impl

/// Whether a sampling spreads points over the unit cube, a coordinate for each draw of a replication and a point for
/// each replication of a run.
KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_point_set(Sampling sampling) {
  return impl::Samplings::visit_on_device(sampling, impl::IsPointSet());
}

/// Whether the numbers come from an engine, as independent uniforms or their reflections; those of all other samplings
/// come from permutations and digits that philox keys.
KOKKOS_FORCEINLINE_FUNCTION constexpr bool takes_engine(Sampling sampling) {
  return impl::Samplings::visit_on_device(sampling, impl::TakesEngine());
}

/// Whether a run's sample goes on for as long as the run does, so that a longer run only adds to it; the others are
/// made for their length.
bool goes_on(Sampling sampling);

/// Whether each replication of a model that states its draws has the law that it has under independent uniforms, so
/// that averages are unbiased. The other samplings take numbers from a fixed grid, or without replacement within a
/// replication.
bool is_unbiased(Sampling sampling);

/// The most coordinates of a point.
std::int64_t most_dimensions(Sampling sampling);

namespace impl {

/// What kernels need for points of so many dimensions, where that is anything.
std::vector<std::uint32_t> sampling_table(Sampling sampling, std::int64_t dimensions);

}  // namespace impl

/// How often a replication draws from one input variable, as a model states it whose number of draws is known in
/// advance: `count` draws of each of `variables` random variables that take turns (draw i is variable i mod variables).
struct InputDraws {
  std::int64_t count = 0;      ///< draws of each variable in a replication; 0 where it is not known
  std::int64_t variables = 1;  ///< variables that share the input

  /// All draws of the input in a replication; 0 where it is not known.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t total() const { return count * variables; }
};

}  // namespace sporos
